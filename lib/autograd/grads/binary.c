/*
 * Gradients of two and of three operands: expressions of the cotangent g and
 * the operands x and y. What an expression does not read is not there.
 */
#include "config.h"

#include "autograd/grads/grads.h"
#include "op/kernels/step.h"

#define READ_NOTHING 0u
#define READ_X 1u
#define READ_Y 2u
#define READ_Z 4u

#define LOOP(name, expression)                                                                                     \
    static void name##_loop(float *restrict out, const float *restrict cotangent, const void *const *in, size_t n) \
    {                                                                                                              \
        const float *a = in[0], *b = in[1];                                                                        \
        for (size_t i = 0; i < n; i++) {                                                                           \
            const float x = a[i], y = b[i], g = cotangent[i];                                                      \
            (void)x;                                                                                               \
            (void)y;                                                                                               \
            out[i] = (expression);                                                                                 \
        }                                                                                                          \
    }

/* The gradient for x and what it reads, then for y. */
#define BINARY(name, for_x, reads_for_x, for_y, reads_for_y)                                        \
    LOOP(name##_x, for_x)                                                                           \
    LOOP(name##_y, for_y)                                                                           \
    static const struct sw__elementwise_gradient name##_kernel = {                                  \
        { name##_x_loop, name##_y_loop, NULL }, { reads_for_x, reads_for_y, 0 }                     \
    };                                                                                              \
    const struct sw__gradient sw__gradient_##name = { sw__elementwise_gradient, &name##_kernel };

/* The share of x in the greater of both; the lesser of both is the greater of their negatives. */
static inline float share_of_greater(float g, float x, float y)
{
    if (x != x || y != y)
        return NAN;
    if (x == y)
        return isinf(x) ? 0.0f : 0.5f * g;
    return x > y ? g : 0.0f;
}

/* The share of y: equal infinities are the right operand's. */
static inline float rest_of_greater(float g, float x, float y)
{
    if (x != x || y != y)
        return NAN;
    if (x == y)
        return isinf(x) ? g : 0.5f * g;
    return x > y ? 0.0f : g;
}

BINARY(add, g, READ_NOTHING, g, READ_NOTHING)
BINARY(sub, g, READ_NOTHING, -g, READ_NOTHING)
BINARY(mul, g *y, READ_Y, g *x, READ_X)
BINARY(div, g / y, READ_Y, -g * x / (y * y), READ_X | READ_Y)
BINARY(pow, g *y *powf(x, y - 1.0f), READ_X | READ_Y, g *powf(x, y) * logf(x), READ_X | READ_Y)
BINARY(maximum, share_of_greater(g, x, y), READ_X | READ_Y, rest_of_greater(g, x, y), READ_X | READ_Y)
BINARY(minimum, share_of_greater(g, -x, -y), READ_X | READ_Y, rest_of_greater(g, -x, -y), READ_X | READ_Y)
BINARY(rem, g, READ_NOTHING, -g * truncf(x / y), READ_X | READ_Y)

/* ---- Three operands -------------------------------------------------------------------- */

static void select_x_loop(float *restrict out, const float *restrict g, const void *const *in, size_t n)
{
    const uint8_t *condition = in[0];

    for (size_t i = 0; i < n; i++)
        out[i] = condition[i] ? g[i] : 0.0f;
}

static void select_y_loop(float *restrict out, const float *restrict g, const void *const *in, size_t n)
{
    const uint8_t *condition = in[0];

    for (size_t i = 0; i < n; i++)
        out[i] = condition[i] ? 0.0f : g[i];
}

static const struct sw__elementwise_gradient select_kernel = { { NULL, select_x_loop, select_y_loop },
                                                               { READ_NOTHING, READ_X, READ_X } };
const struct sw__gradient sw__gradient_select = { sw__elementwise_gradient, &select_kernel };

/* clamp is minimum(maximum(x, low), high), and so is its gradient. */
#define CLAMP_LOOP(name, expression)                                                                               \
    static void name##_loop(float *restrict out, const float *restrict cotangent, const void *const *in, size_t n) \
    {                                                                                                              \
        const float *a = in[0], *b = in[1], *c = in[2];                                                            \
        for (size_t i = 0; i < n; i++) {                                                                           \
            const float x = a[i], low = b[i], high = c[i], g = cotangent[i];                                       \
            const float raised = greater_of(x, low);                                                               \
            out[i] = (expression);                                                                                 \
        }                                                                                                          \
    }

CLAMP_LOOP(clamp_x, share_of_greater(share_of_greater(g, -raised, -high), x, low))
CLAMP_LOOP(clamp_low, rest_of_greater(share_of_greater(g, -raised, -high), x, low))
CLAMP_LOOP(clamp_high, rest_of_greater(g, -raised, -high))

#define READ_ALL (READ_X | READ_Y | READ_Z)

static const struct sw__elementwise_gradient clamp_kernel = { { clamp_x_loop, clamp_low_loop, clamp_high_loop },
                                                              { READ_ALL, READ_ALL, READ_ALL } };
const struct sw__gradient sw__gradient_clamp = { sw__elementwise_gradient, &clamp_kernel };
