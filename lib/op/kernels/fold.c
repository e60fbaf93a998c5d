/*
 * Kernels of the reductions. A fold is a state and a step; its two loops take
 * one term of many outputs, or many terms of one output, in ascending order
 * either way.
 */
#include "config.h"

#include "op/kernels/step.h"
#include "op/op.h"

#define FOLD_LOOPS(name, state, term)                                                                              \
    static void name##_across(void *restrict states, const void *restrict terms, int64_t k, size_t n)              \
    {                                                                                                              \
        state *restrict to = states;                                                                               \
        const term *restrict from = terms;                                                                         \
        for (size_t i = 0; i < n; i++)                                                                             \
            to[i] = name##_step(to[i], from[i], k);                                                                \
    }                                                                                                              \
    static void name##_along(void *restrict only, const void *restrict terms, int64_t k, size_t n)                 \
    {                                                                                                              \
        state at = *(state *)only;                                                                                 \
        const term *restrict from = terms;                                                                         \
        for (size_t i = 0; i < n; i++)                                                                             \
            at = name##_step(at, from[i], k + (int64_t)i);                                                         \
        *(state *)only = at;                                                                                       \
    }                                                                                                              \
    static void name##_start(void *states, const void *first, size_t n)                                            \
    {                                                                                                              \
        state *to = states;                                                                                        \
        const term *from = first;                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                             \
            to[i] = name##_begin(from[i]);                                                                         \
    }                                                                                                              \
    _Static_assert(sizeof(state) <= SW__FOLD_STATE_BYTES, "states fit the reduction's buffer");

/* A fold whose state is rounded to one result per output. */
#define FOLD(name, state, term, result, begin, step)         \
    static inline state name##_begin(term first)             \
    {                                                        \
        (void)first;                                         \
        return begin;                                        \
    }                                                        \
    static inline state name##_step(state at, term x, int64_t k) \
    {                                                        \
        (void)k;                                             \
        return step;                                         \
    }                                                        \
    FOLD_LOOPS(name, state, term)                            \
    static int name##_finish(void *restrict out, const void *restrict states, size_t n) \
    {                                                        \
        result *restrict to = out;                           \
        const state *restrict from = states;                 \
        for (size_t i = 0; i < n; i++)                       \
            to[i] = (result)from[i];                         \
        return 0;                                            \
    }                                                        \
    FOLD_ROW(name, state, term, result)

#define FOLD_ROW(name, state, term, result)                                                         \
    static const struct sw__fold name = { sizeof(state), sizeof(term), sizeof(result), name##_start, \
                                          name##_across, name##_along,  name##_finish };

/* The first term is folded in as well: into itself, for the extremes. */
FOLD(sum_f32, float, float, float, 0.0f, at + x)
FOLD(sum_f64, double, float, float, 0.0, at + (double)x)
FOLD(product_f32, float, float, float, 1.0f, at *x)
FOLD(maximum_f32, float, float, float, first, greater_of(at, x))
FOLD(minimum_f32, float, float, float, first, lesser_of(at, x))

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

FOLD_LOOPS(sum_i32, exact_sum, int32_t)

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

FOLD_ROW(sum_i32, exact_sum, int32_t, int32_t)

/* The best term so far and its ordinal. A not-a-number wins; the first of equals stays. */
struct best {
    float value;
    int32_t ordinal;
};

static inline struct best best_begin(float first)
{
    return (struct best){ first, 0 };
}

#define BEST_STEP(name, relation)                                                                 \
    static inline struct best name##_begin(float first)                                           \
    {                                                                                             \
        return best_begin(first);                                                                 \
    }                                                                                             \
    static inline struct best name##_step(struct best at, float x, int64_t k)                     \
    {                                                                                             \
        int wins = at.value == at.value && (x != x || x relation at.value);                       \
        return wins ? (struct best){ x, (int32_t)k } : at;                                        \
    }                                                                                             \
    FOLD_LOOPS(name, struct best, float)

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

#define BEST_ROW(name)                                                                                         \
    static const struct sw__fold name = { sizeof(struct best), sizeof(float), sizeof(int32_t), name##_start,   \
                                          name##_across,       name##_along,  best_finish };

BEST_ROW(greatest)
BEST_ROW(least)

const struct sw__reduce_kernel sw__kernel_reduce_sum = { &sum_f32, &sum_f64, &sum_i32, INT64_MAX };
const struct sw__reduce_kernel sw__kernel_reduce_prod = { &product_f32, NULL, NULL, INT64_MAX };
const struct sw__reduce_kernel sw__kernel_reduce_max = { &maximum_f32, NULL, NULL, INT64_MAX };
const struct sw__reduce_kernel sw__kernel_reduce_min = { &minimum_f32, NULL, NULL, INT64_MAX };
const struct sw__reduce_kernel sw__kernel_argmax = { &greatest, NULL, NULL, INT32_MAX };
const struct sw__reduce_kernel sw__kernel_argmin = { &least, NULL, NULL, INT32_MAX };
