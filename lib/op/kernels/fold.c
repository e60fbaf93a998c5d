/*
 * Kernels of the reductions. A fold is a state and a step; its two loops take
 * one term of many outputs, or many terms of one output, in ascending order
 * either way.
 */
#include "config.h"

#include <string.h>

#include "op/kernels/step.h"
#include "op/op.h"

#define DEFINE_ACROSS(name, state, term)                                                                           \
    static void name##_across(void *restrict states, const void *restrict terms, int64_t k, size_t n)              \
    {                                                                                                              \
        state *restrict to = states;                                                                               \
        const term *restrict from = terms;                                                                         \
        for (size_t i = 0; i < n; i++)                                                                             \
            to[i] = name##_step(to[i], from[i], k);                                                                \
    }                                                                                                              \
    static void name##_tile(void *restrict states, const void *restrict terms, int64_t k, size_t n)                \
    {                                                                                                              \
        state at[SW__TILE_OUTPUTS];                                                                                \
        const term *restrict from = terms;                                                                         \
        memcpy(at, states, sizeof at);                                                                             \
        for (size_t t = 0; t < n; t++, from += SW__TILE_OUTPUTS)                                                   \
            for (size_t i = 0; i < SW__TILE_OUTPUTS; i++)                                                          \
                at[i] = name##_step(at[i], from[i], k + (int64_t)t);                                               \
        memcpy(states, at, sizeof at);                                                                             \
    }                                                                                                              \
    static void name##_start(void *states, const void *first, size_t n)                                            \
    {                                                                                                              \
        state *to = states;                                                                                        \
        const term *from = first;                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                             \
            to[i] = name##_begin(from[i]);                                                                         \
    }                                                                                                              \
    _Static_assert(sizeof(state) <= SW__FOLD_STATE_BYTES, "states fit the reduction's buffer");

/* In ascending order. */
#define DEFINE_ALONG(name, state, term)                                                            \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n) \
    {                                                                                              \
        state at = *(state *)only;                                                                 \
        const term *restrict from = terms;                                                         \
        for (size_t i = 0; i < n; i++)                                                             \
            at = name##_step(at, from[i], k + (int64_t)i);                                         \
        *(state *)only = at;                                                                       \
    }

/* Terms that advance together, where terms may be grouped. */
#define LANES 64

/* Every LANES-th term is one of a group; the groups are folded by halves, then what is left over. */
#define DEFINE_ALONG_IN_LANES(name)                                                                \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n) \
    {                                                                                              \
        float at = *(float *)only;                                                                 \
        const float *restrict from = terms;                                                        \
        size_t i = 0;                                                                              \
        if (n >= 2 * LANES) {                                                                      \
            float lanes[LANES];                                                                    \
            memcpy(lanes, from, sizeof lanes);                                                     \
            for (i = LANES; i + LANES <= n; i += LANES)                                            \
                for (size_t lane = 0; lane < LANES; lane++)                                        \
                    lanes[lane] = name##_step(lanes[lane], from[i + lane], k);                     \
            for (size_t half = LANES / 2; half > 0; half /= 2)                                     \
                for (size_t lane = 0; lane < half; lane++)                                         \
                    lanes[lane] = name##_step(lanes[lane], lanes[lane + half], k);                 \
            at = name##_step(at, lanes[0], k);                                                     \
        }                                                                                          \
        for (; i < n; i++)                                                                         \
            at = name##_step(at, from[i], k);                                                      \
        *(float *)only = at;                                                                       \
    }

/* A fold whose state is rounded to one result per output. */
#define DEFINE_STEPS(name, state, term, result, begin, step)     \
    static inline state name##_begin(term first)                 \
    {                                                            \
        (void)first;                                             \
        return begin;                                            \
    }                                                            \
    static inline state name##_step(state at, term x, int64_t k) \
    {                                                            \
        (void)k;                                                 \
        return step;                                             \
    }                                                            \
    DEFINE_ACROSS(name, state, term)                             \
    static int name##_finish(void *restrict out, const void *restrict states, size_t n) \
    {                                                            \
        result *restrict to = out;                               \
        const state *restrict from = states;                     \
        for (size_t i = 0; i < n; i++)                           \
            to[i] = (result)from[i];                             \
        return 0;                                                \
    }

#define FOLD_ROW(name, state, term, result, is_free, finish)                                                    \
    static const struct sw__fold name = { sizeof(state),  sizeof(term), sizeof(result), is_free,       \
                                          name##_start, name##_across, name##_along, name##_tile, \
                                          finish };

#define FOLD(name, state, term, result, begin, step)     \
    DEFINE_STEPS(name, state, term, result, begin, step) \
    DEFINE_ALONG(name, state, term)                      \
    FOLD_ROW(name, state, term, result, 0, name##_finish)

/*
 * Extremes of LANES terms at a time by comparison alone; only where that decided nothing, among zeros and with
 * not-a-numbers, is looked at the terms again.
 */
#define DEFINE_EXTREME_ALONG(name, relation, winning_zero)                                         \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n) \
    {                                                                                              \
        float at = *(float *)only, lanes[LANES];                                                   \
        uint32_t odd[LANES] = { 0 }, is_odd = 0, is_won = 0;                                       \
        const float *restrict from = terms;                                                        \
        const size_t end = n - n % LANES;                                                          \
        for (size_t lane = 0; lane < LANES; lane++)                                                \
            lanes[lane] = from[end != 0 ? lane : 0];                                               \
        for (size_t i = 0; i < end; i += LANES)                                                    \
            for (size_t lane = 0; lane < LANES; lane++) {                                          \
                const float x = from[i + lane];                                                    \
                lanes[lane] = x relation lanes[lane] ? x : lanes[lane];                            \
                odd[lane] |= x != x ? 1u : 0u;                                                     \
            }                                                                                      \
        for (size_t lane = 0; lane < LANES; lane++)                                                \
            is_odd |= odd[lane];                                                                   \
        for (size_t half = LANES / 2; half > 0; half /= 2)                                         \
            for (size_t lane = 0; lane < half; lane++)                                             \
                lanes[lane] = lanes[lane + half] relation lanes[lane] ? lanes[lane + half] : lanes[lane]; \
        if (is_odd)                                                                                \
            lanes[0] = NAN;                                                                        \
        if (lanes[0] == 0.0f) {                                                                    \
            for (size_t i = 0; i < end; i++)                                                       \
                is_won |= float_bits(from[i]) == float_bits(winning_zero) ? 1u : 0u;               \
            lanes[0] = is_won ? winning_zero : -winning_zero;                                      \
        }                                                                                          \
        at = end != 0 ? name##_step(at, lanes[0], k) : at;                                         \
        for (size_t i = end; i < n; i++)                                                           \
            at = name##_step(at, from[i], k);                                                      \
        *(float *)only = at;                                                                       \
    }

/* The first term is folded in as well: into itself, for the extremes. */
FOLD(sum_f32, float, float, float, 0.0f, at + x)
FOLD(sum_f64, double, float, float, 0.0, at + (double)x)
FOLD(product_f32, float, float, float, 1.0f, at *x)

DEFINE_STEPS(maximum_f32, float, float, float, first, greater_of(at, x))
DEFINE_EXTREME_ALONG(maximum_f32, >, 0.0f)
FOLD_ROW(maximum_f32, float, float, float, 1, maximum_f32_finish)

DEFINE_STEPS(minimum_f32, float, float, float, first, lesser_of(at, x))
DEFINE_EXTREME_ALONG(minimum_f32, <, -0.0f)
FOLD_ROW(minimum_f32, float, float, float, 1, minimum_f32_finish)

/* CPU's for long fibres: additions do not wait for each other. */
DEFINE_STEPS(sum_lanes_f32, float, float, float, 0.0f, at + x)
DEFINE_ALONG_IN_LANES(sum_lanes_f32)
FOLD_ROW(sum_lanes_f32, float, float, float, 0, sum_lanes_f32_finish)

/* Exact whatever the number of terms. */
__extension__ typedef __int128 exact_sum;

static inline exact_sum sum_i32_begin(int32_t first)
{
    (void)first;
    return 0;
}

static inline exact_sum sum_i32_step(exact_sum at, int32_t x, int64_t k)
{
    (void)k;
    return at + x;
}

DEFINE_ACROSS(sum_i32, exact_sum, int32_t)
DEFINE_ALONG(sum_i32, exact_sum, int32_t)

static int sum_i32_finish(void *restrict out, const void *restrict states, size_t n)
{
    int32_t *restrict to = out;
    const exact_sum *restrict from = states;
    int left = 0;

    for (size_t i = 0; i < n; i++) {
        to[i] = (int32_t)from[i];
        left |= to[i] != from[i];
    }
    return left;
}

FOLD_ROW(sum_i32, exact_sum, int32_t, int32_t, 1, sum_i32_finish)

/* The best term so far and its ordinal. A not-a-number wins; the first of equals stays. */
struct best {
    float value;
    int32_t ordinal;
};

static inline struct best best_begin(float first)
{
    return (struct best){ first, 0 };
}

#define BEST_STEP(name, relation, loses)                                                                                 \
    static inline struct best name##_begin(float first)                                                            \
    {                                                                                                              \
        return best_begin(first);                                                                                  \
    }                                                                                                              \
    static inline struct best name##_step(struct best at, float x, int64_t k)                                      \
    {                                                                                                              \
        int wins = at.value == at.value && (x != x || x relation at.value);                                        \
        return wins ? (struct best){ x, (int32_t)k } : at;                                                         \
    }                                                                                                              \
    DEFINE_ACROSS(name, struct best, float)                                                                        \
    /* Whether any of LANES terms wins is asked first, of all of them at once: later in a fibre few do. */         \
    static int name##_wins(float value, const float *restrict from)                                                \
    {                                                                                                              \
        uint32_t wins = 0;                                                                                         \
        for (size_t lane = 0; lane < LANES; lane++)                                                                \
            wins |= (uint32_t)!(from[lane] loses value);                                                   \
        return wins != 0;                                                                                          \
    }                                                                                                              \
    /* The first winner of LANES terms of which one wins. */                                                       \
    static struct best name##_choose(const float *restrict from, int64_t k)                                        \
    {                                                                                                              \
        float lanes[LANES];                                                                                        \
        size_t lane = 0;                                                                                           \
        uint32_t has_odd = 0;                                                                                      \
        for (size_t i = 0; i < LANES; i++)                                                                         \
            has_odd |= from[i] != from[i] ? 1u : 0u;                                                               \
        while (has_odd && from[lane] == from[lane])                                                                \
            lane++;                                                                                                \
        if (has_odd)                                                                                               \
            return (struct best){ from[lane], (int32_t)(k + (int64_t)lane) };                                      \
        memcpy(lanes, from, sizeof lanes);                                                                         \
        for (size_t half = LANES / 2; half > 0; half /= 2)                                                         \
            for (size_t i = 0; i < half; i++)                                                                      \
                lanes[i] = lanes[i + half] relation lanes[i] ? lanes[i + half] : lanes[i];                         \
        while (from[lane] != lanes[0])                                                                             \
            lane++;                                                                                                \
        return (struct best){ from[lane], (int32_t)(k + (int64_t)lane) };                                          \
    }                                                                                                              \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n)                 \
    {                                                                                                              \
        struct best at = *(struct best *)only;                                                                     \
        const float *restrict from = terms;                                                                        \
        size_t i = 0;                                                                                              \
        for (; i + LANES <= n && at.value == at.value; i += LANES)                                                 \
            if (name##_wins(at.value, from + i))                                                                   \
                at = name##_choose(from + i, k + (int64_t)i);                                                      \
        for (; i < n; i++)                                                                                         \
            at = name##_step(at, from[i], k + (int64_t)i);                                                         \
        *(struct best *)only = at;                                                                                 \
    }

static int best_finish(void *restrict out, const void *restrict states, size_t n)
{
    int32_t *restrict to = out;
    const struct best *restrict from = states;

    for (size_t i = 0; i < n; i++)
        to[i] = from[i].ordinal;
    return 0;
}

BEST_STEP(greatest, >, <=)
BEST_STEP(least, <, >=)

FOLD_ROW(greatest, struct best, float, int32_t, 1, best_finish)
FOLD_ROW(least, struct best, float, int32_t, 1, best_finish)

const struct sw__reduce_kernel SW__KERNEL(reduce_sum) = { &sum_f32, &sum_f64, &sum_i32, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_sum_lanes) = { &sum_f32, &sum_f64, &sum_i32, INT64_MAX, &sum_lanes_f32 };
const struct sw__reduce_kernel SW__KERNEL(reduce_prod) = { &product_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_max) = { &maximum_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_min) = { &minimum_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(argmax) = { &greatest, NULL, NULL, INT32_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(argmin) = { &least, NULL, NULL, INT32_MAX, NULL };
