/*
 * Kernels of one operand. A loop is a table entry around one expression of x;
 * every step of it is rounded to binary32.
 */
#include "config.h"

#include <math.h>

#include "op/kernels/float_math.h"
#include "op/op.h"

#define FLOAT_LOOP(name, result, expression)                                  \
    static int name##_f32(void *restrict out, const void *const *in, size_t n) \
    {                                                                         \
        result *restrict to = out;                                            \
        const float *a = in[0];                                               \
        for (size_t i = 0; i < n; i++) {                                      \
            float x = a[i];                                                   \
            to[i] = (result)(expression);                                     \
        }                                                                     \
        return 0;                                                             \
    }

#define KERNEL(name, expression)         \
    FLOAT_LOOP(name, float, expression)  \
    const struct sw__elementwise_kernel SW__KERNEL(name) = { name##_f32, NULL, 0 };

static inline float softplus(float x)
{
    const float positive = x > 0.0f ? x : 0.0f;

    return log1p_of_unit(exp_of(-fabsf(x))) + positive;
}

KERNEL(neg, -x)
KERNEL(abs, fabsf(x))
KERNEL(sign, sign(x))
KERNEL(recip, 1.0f / x)
KERNEL(sqrt, sqrtf(x))
KERNEL(rsqrt, 1.0f / sqrtf(x))
KERNEL(exp, exp_of(x))
KERNEL(exp2, exp2_of(x))
KERNEL(erf, erf_of(x))
KERNEL(floor, floorf(x))
KERNEL(ceil, ceilf(x))
KERNEL(round, rintf(x))
KERNEL(sigmoid, sigmoid(x))
KERNEL(tanh, tanh_of(x))
KERNEL(gelu, 0.5f * x * (1.0f + erf_of(x / 1.41421356237309504880f)))
KERNEL(silu, x *sigmoid(x))
KERNEL(softplus, softplus(x))
KERNEL(elu, x > 0.0f ? x : expm1_of(x))
KERNEL(leaky_relu, x >= 0.0f ? x : 0.01f * x)

/* A loop over what is usual, and another one, with the C library's function, only where something else was met. */
#define KERNEL_WITH_REST(name, usual, is_usual, otherwise)                    \
    static int name##_f32(void *restrict out, const void *const *in, size_t n) \
    {                                                                         \
        float *restrict to = out;                                             \
        const float *a = in[0];                                               \
        uint32_t has_rest = 0;                                                \
        for (size_t i = 0; i < n; i++) {                                      \
            has_rest |= is_usual(a[i]) ? 0u : 1u;                             \
            to[i] = usual(a[i]);                                              \
        }                                                                     \
        for (size_t i = 0; has_rest && i < n; i++)                            \
            if (!is_usual(a[i]))                                              \
                to[i] = otherwise(a[i]);                                      \
        return 0;                                                             \
    }                                                                         \
    const struct sw__elementwise_kernel SW__KERNEL(name) = { name##_f32, NULL, 0 };

KERNEL_WITH_REST(log, log_of, has_parts, logf)
KERNEL_WITH_REST(log2, log2_of, has_parts, log2f)
KERNEL_WITH_REST(sin, sin_of, is_near, sinf)
KERNEL_WITH_REST(cos, cos_of, is_near, cosf)

/* Not a number and both zeros give +0. */
FLOAT_LOOP(relu, float, x > 0.0f ? x : 0.0f)

static int relu_i32(void *restrict out, const void *const *in, size_t n)
{
    int32_t *restrict to = out;
    const int32_t *a = in[0];

    for (size_t i = 0; i < n; i++)
        to[i] = a[i] > 0 ? a[i] : 0;
    return 0;
}

const struct sw__elementwise_kernel SW__KERNEL(relu) = { relu_f32, relu_i32, 0 };

FLOAT_LOOP(logical_not, uint8_t, x == 0.0f)
const struct sw__elementwise_kernel SW__KERNEL(logical_not) = { logical_not_f32, NULL, 1 };
