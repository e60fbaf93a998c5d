/*
 * Kernels of two operands, arithmetic and comparisons, and of three. A loop is
 * a table entry around one expression of x and y.
 */
#include "config.h"

#include <math.h>

#include "op/kernels/float_math.h"
#include "op/op.h"

#define FLOAT_LOOP(name, result, expression)                                  \
    static int name##_f32(void *restrict out, const void *const *in, size_t n) \
    {                                                                         \
        result *restrict to = out;                                            \
        const float *a = in[0], *b = in[1];                                   \
        for (size_t i = 0; i < n; i++) {                                      \
            float x = a[i], y = b[i];                                         \
            to[i] = (result)(expression);                                     \
        }                                                                     \
        return 0;                                                             \
    }

/* The exact result in 64 bits, and whether any of them left 32. */
#define INT_LOOP(name, expression)                                            \
    static int name##_i32(void *restrict out, const void *const *in, size_t n) \
    {                                                                         \
        int32_t *restrict to = out;                                           \
        const int32_t *a = in[0], *b = in[1];                                 \
        int left = 0;                                                         \
        for (size_t i = 0; i < n; i++) {                                      \
            int64_t x = a[i], y = b[i], exact = (expression);                 \
            to[i] = (int32_t)exact;                                           \
            left |= to[i] != exact;                                           \
        }                                                                     \
        return left;                                                          \
    }

#define FLOAT_KERNEL(name, result, expression) \
    FLOAT_LOOP(name, result, expression)       \
    const struct sw__elementwise_kernel SW__KERNEL(name) = { name##_f32, NULL, 0 };

#define ARITHMETIC_KERNEL(name, expression) \
    FLOAT_LOOP(name, float, expression)     \
    INT_LOOP(name, expression)              \
    const struct sw__elementwise_kernel SW__KERNEL(name) = { name##_f32, name##_i32, 0 };

ARITHMETIC_KERNEL(add, x + y)
ARITHMETIC_KERNEL(sub, x - y)
ARITHMETIC_KERNEL(mul, x *y)
FLOAT_KERNEL(div, float, x / y)
FLOAT_KERNEL(maximum, float, greater_of(x, y))
FLOAT_KERNEL(minimum, float, lesser_of(x, y))
FLOAT_KERNEL(rem, float, fmodf(x, y))
FLOAT_KERNEL(eq, uint8_t, x == y)
FLOAT_KERNEL(ne, uint8_t, x != y)
FLOAT_KERNEL(lt, uint8_t, x < y)
FLOAT_KERNEL(le, uint8_t, x <= y)

/* Exact power by repeated multiplication; leaves int32 after at most 31 steps unless |base| is 0 or 1. */
static int64_t int_power(int64_t base, int32_t exponent)
{
    int64_t power = 1;

    if (base == 0 || base == 1)
        return exponent == 0 ? 1 : base;
    if (base == -1)
        return exponent % 2 == 0 ? 1 : -1;
    for (int32_t i = 0; i < exponent; i++) {
        power *= base;
        if (power > INT32_MAX || power < INT32_MIN)
            break;
    }
    return power;
}

#define POWER_BLOCK 256

/*
 * Logarithms and exponentials in loops of their own: either is a long chain of steps, and processors look ahead far
 * enough to work at several elements at once only when the chain is not twice as long. 1 when something unusual was met.
 */
static uint32_t pow_usual(float *restrict to, const float *a, const float *b, size_t n)
{
    double logarithms[POWER_BLOCK];
    uint32_t has_rest = 0;

    for (size_t i = 0; i < n; i++) {
        has_rest |= is_usual_power(a[i], b[i]) ? 0u : 1u;
        logarithms[i] = log2_of_power(a[i], b[i]);
    }
    for (size_t i = 0; i < n; i++)
        to[i] = power_of_log2(logarithms[i], a[i], b[i]);
    return has_rest;
}

/* A loop over what is usual, and another one only where something else was met. */
static int pow_f32(void *restrict out, const void *const *in, size_t n)
{
    float *restrict to = out;
    const float *a = in[0], *b = in[1];

    for (size_t done = 0; done < n; done += POWER_BLOCK) {
        const size_t end = n - done < POWER_BLOCK ? n : done + POWER_BLOCK;
        if (!pow_usual(to + done, a + done, b + done, end - done))
            continue;
        for (size_t i = done; i < end; i++)
            if (!is_usual_power(a[i], b[i]))
                to[i] = powf(a[i], b[i]);
    }
    return 0;
}

INT_LOOP(pow, int_power(x, (int32_t)y))
const struct sw__elementwise_kernel SW__KERNEL(pow) = { pow_f32, pow_i32, 0 };

static int select_f32(void *restrict out, const void *const *in, size_t n)
{
    float *restrict to = out;
    const uint8_t *condition = in[0];
    const float *a = in[1], *b = in[2];

    for (size_t i = 0; i < n; i++)
        to[i] = condition[i] ? a[i] : b[i];
    return 0;
}

const struct sw__ternary_kernel SW__KERNEL(select) = { select_f32, { SW_BOOL, SW_FLOAT32, SW_FLOAT32 }, 3 };

static int clamp_f32(void *restrict out, const void *const *in, size_t n)
{
    float *restrict to = out;
    const float *x = in[0], *low = in[1], *high = in[2];

    for (size_t i = 0; i < n; i++)
        to[i] = lesser_of(greater_of(x[i], low[i]), high[i]);
    return 0;
}

const struct sw__ternary_kernel SW__KERNEL(clamp) = { clamp_f32, { SW_FLOAT32, SW_FLOAT32, SW_FLOAT32 }, 1 };
