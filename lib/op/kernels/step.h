/*
 * Single float steps that several kernels share. Each step is rounded to
 * binary32; the files that use them are compiled without contraction.
 */
#ifndef OP_KERNELS_STEP_H
#define OP_KERNELS_STEP_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline uint32_t float_bits(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline float float_of_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

/*
 * Equal values have equal bits, but for the zeros: the sign survives only if both have it. The choice between x and y is
 * one instruction as long as it does not depend on whether they are equal.
 */
static inline float greater_of(float x, float y)
{
    const float larger = x > y ? x : y;
    const uint32_t common = x == y ? float_bits(x) : UINT32_MAX;
    const float chosen = float_of_bits(float_bits(larger) & common);

    return x != x ? x : chosen;
}

static inline float lesser_of(float x, float y)
{
    const float smaller = x < y ? x : y;
    const uint32_t either = x == y ? float_bits(x) : 0;
    const float chosen = float_of_bits(float_bits(smaller) | either);

    return x != x ? x : chosen;
}

static inline float sign(float x)
{
    float nonzero = x > 0.0f ? 1.0f : -1.0f;

    return x != x ? x : x == 0.0f ? 0.0f : nonzero;
}

#endif
