/*
 * Arithmetic that says when a result leaves 64 bits, or stops there.
 */
#ifndef BASE_CHECKED_H
#define BASE_CHECKED_H

#include <strideweave/status.h>

/** @a + @b; 0 when it does not fit. */
static inline int sw__add_fits(int64_t a, int64_t b, int64_t *sum)
{
    return !__builtin_add_overflow(a, b, sum);
}

/** @a * @b; 0 when it does not fit. */
static inline int sw__mul_fits(int64_t a, int64_t b, int64_t *product)
{
    return !__builtin_mul_overflow(a, b, product);
}

/** Add to a sum of counts, which stays at its largest value rather than begin anew. */
static inline void sw__add_saturating(uint64_t *sum, uint64_t more)
{
    if (__builtin_add_overflow(*sum, more, sum))
        *sum = UINT64_MAX;
}

#endif
