/*
 * Gradients of one operand: an expression of the cotangent g and the operand x,
 * of which every step is rounded to binary32. What the operation gave is
 * computed anew from x, so that only operands are remembered.
 */
#include "config.h"

#include "autograd/grads/grads.h"
#include "op/kernels/float_math.h"

#define READ_NOTHING 0u
#define READ_X 1u

#define UNARY(name, reads, expression)                                                                               \
    static void name##_loop(float *restrict out, const float *restrict cotangent, const void *const *in, size_t n)    \
    {                                                                                                                \
        const float *a = in[0];                                                                                      \
        for (size_t i = 0; i < n; i++) {                                                                             \
            const float x = a[i], g = cotangent[i];                                                                  \
            (void)x;                                                                                                 \
            (void)g;                                                                                                 \
            out[i] = (expression);                                                                                   \
        }                                                                                                            \
    }                                                                                                                \
    static const struct sw__elementwise_gradient name##_kernel = { { name##_loop, NULL, NULL }, { reads, 0, 0 } };   \
    const struct sw__gradient sw__gradient_##name = { sw__elementwise_gradient, &name##_kernel };

#define LN_2 0.69314718055994530942f
#define SQRT_2 1.41421356237309504880f
#define TWO_BY_SQRT_PI 1.12837916709551257390f
#define ONE_BY_SQRT_2_PI 0.39894228040143267794f

static inline float recip_slope(float x)
{
    return -1.0f / (x * x);
}

static inline float rsqrt_slope(float x)
{
    const float y = 1.0f / sqrtf(x);

    return -0.5f * y * y * y;
}

static inline float sigmoid_slope(float x)
{
    const float y = sigmoid(x);

    return y * (1.0f - y);
}

static inline float tanh_slope(float x)
{
    const float y = tanhf(x);

    return 1.0f - y * y;
}

static inline float silu_slope(float x)
{
    const float s = sigmoid(x);

    return s + x * s * (1.0f - s);
}

static inline float gelu_slope(float x)
{
    return 0.5f * (1.0f + erff(x / SQRT_2)) + x * expf(-0.5f * x * x) * ONE_BY_SQRT_2_PI;
}

UNARY(zero, READ_NOTHING, 0.0f)
UNARY(neg, READ_NOTHING, -g)
UNARY(abs, READ_X, g * sign(x))
UNARY(recip, READ_X, g * recip_slope(x))
UNARY(sqrt, READ_X, g / (2.0f * sqrtf(x)))
UNARY(rsqrt, READ_X, g * rsqrt_slope(x))
UNARY(exp, READ_X, g * expf(x))
UNARY(exp2, READ_X, g * exp2f(x) * LN_2)
UNARY(log, READ_X, g / x)
UNARY(log2, READ_X, g / (x * LN_2))
UNARY(sin, READ_X, g * cosf(x))
UNARY(cos, READ_X, -g * sinf(x))
UNARY(erf, READ_X, g * TWO_BY_SQRT_PI * expf(-x * x))
UNARY(relu, READ_X, x > 0.0f ? g : 0.0f)
UNARY(sigmoid, READ_X, g * sigmoid_slope(x))
UNARY(tanh, READ_X, g * tanh_slope(x))
UNARY(gelu, READ_X, g * gelu_slope(x))
UNARY(silu, READ_X, g * silu_slope(x))
UNARY(softplus, READ_X, g * sigmoid(x))
UNARY(elu, READ_X, x >= 0.0f ? g : g * expf(x))
UNARY(leaky_relu, READ_X, x < 0.0f ? 0.01f * g : g)
