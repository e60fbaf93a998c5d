/*
 * Kernels of one operand. A loop is a table entry around one expression of x;
 * every step of it is rounded to binary32.
 */
#include "config.h"

#include <math.h>

#include "op/kernels/step.h"
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
    const struct sw__elementwise_kernel sw__kernel_##name = { name##_f32, NULL, 0 };

static inline float softplus(float x)
{
    float positive = x > 0.0f ? x : 0.0f;

    return log1pf(expf(-fabsf(x))) + positive;
}

KERNEL(neg, -x)
KERNEL(abs, fabsf(x))
KERNEL(sign, sign(x))
KERNEL(recip, 1.0f / x)
KERNEL(sqrt, sqrtf(x))
KERNEL(rsqrt, 1.0f / sqrtf(x))
KERNEL(exp, expf(x))
KERNEL(exp2, exp2f(x))
KERNEL(log, logf(x))
KERNEL(log2, log2f(x))
KERNEL(sin, sinf(x))
KERNEL(cos, cosf(x))
KERNEL(erf, erff(x))
KERNEL(floor, floorf(x))
KERNEL(ceil, ceilf(x))
KERNEL(round, rintf(x))
KERNEL(sigmoid, sigmoid(x))
KERNEL(tanh, tanhf(x))
KERNEL(gelu, 0.5f * x * (1.0f + erff(x / 1.41421356237309504880f)))
KERNEL(silu, x *sigmoid(x))
KERNEL(softplus, softplus(x))
KERNEL(elu, x > 0.0f ? x : expm1f(x))
KERNEL(leaky_relu, x >= 0.0f ? x : 0.01f * x)

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

const struct sw__elementwise_kernel sw__kernel_relu = { relu_f32, relu_i32, 0 };

FLOAT_LOOP(logical_not, uint8_t, x == 0.0f)
const struct sw__elementwise_kernel sw__kernel_logical_not = { logical_not_f32, NULL, 1 };
