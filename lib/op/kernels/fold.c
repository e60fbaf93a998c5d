/*
 * Kernels of the reductions. A fold is a state and a step; its two loops take
 * one term of many outputs, or many terms of one output, in ascending order
 * either way.
 */
#include "config.h"

#include <string.h>

#include "op/kernels/step.h"
#include "op/kernels/vector.h"
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

#ifdef HAVE_TURN
/* Of float states and terms; @step on vectors is @step on every lane. */
#define DEFINE_ROWS(name, step)                                                                    \
    static vector name##_block(vector at, const float *const *terms, size_t k)                     \
    {                                                                                              \
        vector block[WIDTH];                                                                       \
        _Pragma("GCC unroll 16") for (int i = 0; i < WIDTH; i++)                                   \
            block[i] = *(const vector *)(terms[i] + k);                                            \
        turn(block);                                                                               \
        _Pragma("GCC unroll 16") for (int i = 0; i < WIDTH; i++)                                   \
        {                                                                                          \
            const vector x = block[i];                                                             \
            at = step;                                                                             \
        }                                                                                          \
        return at;                                                                                 \
    }                                                                                              \
    static void name##_rows(void *restrict states, const void *const *terms, int64_t k, size_t n)  \
    {                                                                                              \
        const float *rows[SW__TILE_OUTPUTS];                                                       \
        float *to = states;                                                                        \
        size_t done = 0;                                                                           \
        for (size_t i = 0; i < SW__TILE_OUTPUTS; i++)                                              \
            rows[i] = terms[i];                                                                    \
        for (; done + WIDTH <= n; done += WIDTH)                                                   \
            for (size_t i = 0; i < SW__TILE_OUTPUTS; i += WIDTH)                                   \
                *(vector *)(to + i) = name##_block(*(const vector *)(to + i), rows + i, done);     \
        for (; done < n; done++)                                                                   \
            for (size_t i = 0; i < SW__TILE_OUTPUTS; i++)                                          \
                to[i] = name##_step(to[i], rows[i][done], k + (int64_t)done);                      \
    }
#define ROWS(name) name##_rows
#else
#define DEFINE_ROWS(name, step)
#define ROWS(name) NULL
#endif

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

#define FOLD_ROW(name, state, term, result, is_free, rows, finish)                                \
    static const struct sw__fold name = { sizeof(state),  sizeof(term), sizeof(result), is_free,  \
                                          name##_start, name##_across, name##_along, name##_tile, \
                                          rows, finish };

#define FLOAT_FOLD(name, begin, step) \
    DEFINE_STEPS(name, float, float, float, begin, step) \
    DEFINE_ALONG(name, float, float)                     \
    DEFINE_ROWS(name, step)                              \
    FOLD_ROW(name, float, float, float, 0, ROWS(name), name##_finish)

/* The better of each of two lanes; numbers of lanes are constants, so that compilers see vectors. */
#define HALVE(half, relation)                                                                      \
    for (size_t lane = 0; lane < (half); lane++)                                                   \
        lanes[lane] = lanes[lane + (half)] relation lanes[lane] ? lanes[lane + (half)] : lanes[lane];
_Static_assert(LANES == 64, "the halves of all lanes are 32, 16, 8, 4, 2, 1");

/* The extreme of a multiple of LANES terms by comparison alone, and whether there are not-a-numbers among them. */
#define DEFINE_EXTREME_OF(name, relation)                                                          \
    static inline float name##_extreme_of(const float *restrict from, size_t n, uint32_t *ret_is_odd) \
    {                                                                                              \
        float lanes[LANES];                                                                        \
        uint32_t odd[LANES] = { 0 }, is_odd = 0;                                                   \
        memcpy(lanes, from, sizeof lanes);                                                         \
        for (size_t i = 0; i < n; i += LANES)                                                      \
            for (size_t lane = 0; lane < LANES; lane++) {                                          \
                const float x = from[i + lane];                                                    \
                lanes[lane] = x relation lanes[lane] ? x : lanes[lane];                            \
                odd[lane] |= x != x ? 1u : 0u;                                                     \
            }                                                                                      \
        for (size_t lane = 0; lane < LANES; lane++)                                                \
            is_odd |= odd[lane];                                                                   \
        HALVE(32, relation)                                                                        \
        HALVE(16, relation)                                                                        \
        HALVE(8, relation)                                                                         \
        HALVE(4, relation)                                                                         \
        HALVE(2, relation)                                                                         \
        HALVE(1, relation)                                                                         \
        *ret_is_odd = is_odd;                                                                      \
        return lanes[0];                                                                           \
    }

/*
 * Extremes of LANES terms at a time by comparison; only where that decided nothing, among zeros and with not-a-numbers,
 * is looked at the terms again.
 */
#define DEFINE_EXTREME_ALONG(name, relation, winning_zero)                                         \
    DEFINE_EXTREME_OF(name, relation)                                                              \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n) \
    {                                                                                              \
        const size_t end = n - n % LANES;                                                          \
        const float *restrict from = terms;                                                        \
        float at = *(float *)only;                                                                 \
        uint32_t is_odd = 0, is_won = 0;                                                           \
        if (end != 0) {                                                                            \
            float extreme = name##_extreme_of(from, end, &is_odd);                                 \
            if (is_odd)                                                                            \
                extreme = NAN;                                                                     \
            if (extreme == 0.0f) {                                                                 \
                for (size_t i = 0; i < end; i++)                                                   \
                    is_won |= float_bits(from[i]) == float_bits(winning_zero) ? 1u : 0u;           \
                extreme = is_won ? winning_zero : -winning_zero;                                   \
            }                                                                                      \
            at = name##_step(at, extreme, k);                                                      \
        }                                                                                          \
        for (size_t i = end; i < n; i++)                                                           \
            at = name##_step(at, from[i], k);                                                      \
        *(float *)only = at;                                                                       \
    }

/* The first term is folded in as well: into itself, for the extremes. */
FLOAT_FOLD(sum_f32, 0.0f, at + x)
FLOAT_FOLD(product_f32, 1.0f, at *x)

DEFINE_STEPS(sum_f64, double, float, float, 0.0, at + (double)x)
DEFINE_ALONG(sum_f64, double, float)
FOLD_ROW(sum_f64, double, float, float, 0, NULL, sum_f64_finish)

DEFINE_STEPS(maximum_f32, float, float, float, first, greater_of(at, x))
DEFINE_EXTREME_ALONG(maximum_f32, >, 0.0f)
FOLD_ROW(maximum_f32, float, float, float, 1, NULL, maximum_f32_finish)

DEFINE_STEPS(minimum_f32, float, float, float, first, lesser_of(at, x))
DEFINE_EXTREME_ALONG(minimum_f32, <, -0.0f)
FOLD_ROW(minimum_f32, float, float, float, 1, NULL, minimum_f32_finish)

/* CPU's for long fibres: additions do not wait for each other. */
DEFINE_STEPS(sum_lanes_f32, float, float, float, 0.0f, at + x)
DEFINE_ALONG_IN_LANES(sum_lanes_f32)
FOLD_ROW(sum_lanes_f32, float, float, float, 0, NULL, sum_lanes_f32_finish)

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

FOLD_ROW(sum_i32, exact_sum, int32_t, int32_t, 1, NULL, sum_i32_finish)

/* The best term so far and its ordinal. A not-a-number wins; the first of equals stays. */
struct best {
    float value;
    int32_t ordinal;
};

static inline struct best best_begin(float first)
{
    return (struct best){ first, 0 };
}

/* The first of equals, of which there is one; LANES terms are asked at once. */
static size_t first_equal(const float *from, float value)
{
    for (size_t first = 0;; first += LANES) {
        uint32_t least = LANES;
        for (uint32_t lane = 0; lane < LANES; lane++) {
            const uint32_t place = from[first + lane] == value ? lane : LANES;
            least = place < least ? place : least;
        }
        if (least < LANES)
            return first + least;
    }
}

static size_t first_odd(const float *from)
{
    size_t first = 0;

    while (from[first] == from[first])
        first++;
    return first;
}

#define BEST_STEP(name, relation)                                                                                        \
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
    DEFINE_EXTREME_OF(name, relation)                                                                              \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n)                 \
    {                                                                                                              \
        const size_t end = n - n % LANES;                                                                          \
        const float *restrict from = terms;                                                                        \
        struct best at = *(struct best *)only;                                                                     \
        uint32_t is_odd;                                                                                           \
        if (end != 0 && at.value == at.value) {                                                                    \
            const float extreme = name##_extreme_of(from, end, &is_odd);                                           \
            if (is_odd || extreme relation at.value) {                                                             \
                const size_t first = is_odd ? first_odd(from) : first_equal(from, extreme);                        \
                at = (struct best){ from[first], (int32_t)(k + (int64_t)first) };                                  \
            }                                                                                                      \
        }                                                                                                          \
        for (size_t i = end; i < n; i++)                                                                           \
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

BEST_STEP(greatest, >)
BEST_STEP(least, <)

FOLD_ROW(greatest, struct best, float, int32_t, 1, NULL, best_finish)
FOLD_ROW(least, struct best, float, int32_t, 1, NULL, best_finish)

const struct sw__reduce_kernel SW__KERNEL(reduce_sum) = { &sum_f32, &sum_f64, &sum_i32, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_sum_lanes) = { &sum_f32, &sum_f64, &sum_i32, INT64_MAX, &sum_lanes_f32 };
const struct sw__reduce_kernel SW__KERNEL(reduce_prod) = { &product_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_max) = { &maximum_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(reduce_min) = { &minimum_f32, NULL, NULL, INT64_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(argmax) = { &greatest, NULL, NULL, INT32_MAX, NULL };
const struct sw__reduce_kernel SW__KERNEL(argmin) = { &least, NULL, NULL, INT32_MAX, NULL };
