/*
 * Values of the kernels with one operand: special ones exactly, transcendental
 * ones to a few units in the last place of values from double arithmetic.
 */
#include "config.h"

#include "op/op.h"

#include "op_test.h"

#define LENGTH 19

static float apply(const struct sw__elementwise_kernel *kernel, float x)
{
    float in[LENGTH], out[LENGTH];
    const void *operands[] = { in };

    for (size_t i = 0; i < LENGTH; i++)
        in[i] = x;
    ck_assert_int_eq(kernel->f32(out, operands, LENGTH), 0);
    /* The same in the vector part and in the rest of the loop. */
    for (size_t i = 1; i < LENGTH; i++)
        ck_assert(same_value((double)out[i], (double)out[0]));
    return out[0];
}

#define EXACT(kernel, x, expected)                                                               \
    ck_assert_msg(same_value((double)apply(&sw__kernel_##kernel, x), (double)(float)(expected)), \
                  #kernel "(%g) is %.9g", (double)(x), (double)apply(&sw__kernel_##kernel, x))

#define NEAR(kernel, x, expected)                                                                             \
    ck_assert_msg(fabs((double)apply(&sw__kernel_##kernel, x) - (expected)) <= 4e-7 * fabs(expected) + 1e-37, \
                  #kernel "(%g) is %.9g, expected %.9g", (double)(x), (double)apply(&sw__kernel_##kernel, x), \
                  expected)

START_TEST(signs_are_bits)
{
    EXACT(neg, 0.0f, -0.0f);
    EXACT(neg, -2.0f, 2.0f);
    EXACT(abs, -0.0f, 0.0f);
    EXACT(abs, -INFINITY, INFINITY);
    EXACT(sign, -0.0f, 0.0f);
    EXACT(sign, -3.0f, -1.0f);
    EXACT(sign, 1e-40f, 1.0f);
    EXACT(sign, NAN, NAN);
}
END_TEST

START_TEST(roots_and_reciprocals_at_the_edges)
{
    EXACT(recip, -0.0f, -INFINITY);
    EXACT(recip, 4.0f, 0.25f);
    EXACT(sqrt, -0.0f, -0.0f);
    EXACT(sqrt, -1.0f, NAN);
    EXACT(sqrt, 2.0f, 1.41421354f);
    EXACT(rsqrt, 0.0f, INFINITY);
    EXACT(rsqrt, -0.0f, -INFINITY);
    EXACT(rsqrt, -1.0f, NAN);
    /* Two rounded steps: 1/1.41421354 rounds to 0.707106769, not to the nearest of 1/sqrt(2). */
    EXACT(rsqrt, 2.0f, 0.707106769f);
    EXACT(rsqrt, 16.0f, 0.25f);
}
END_TEST

START_TEST(exponentials_and_logarithms_at_the_edges)
{
    EXACT(exp, 100.0f, INFINITY);
    EXACT(exp, -200.0f, 0.0f);
    EXACT(exp, 0.0f, 1.0f);
    EXACT(exp2, 10.0f, 1024.0f);
    EXACT(exp2, 128.0f, INFINITY);
    EXACT(log, 0.0f, -INFINITY);
    EXACT(log, -0.0f, -INFINITY);
    EXACT(log, -1.0f, NAN);
    EXACT(log2, 8.0f, 3.0f);
    EXACT(log2, -0.0f, -INFINITY);
    NEAR(exp, 1.0f, 2.718281828459045);
    NEAR(log, 10.0f, 2.302585092994046);
}
END_TEST

START_TEST(circular_and_error_functions)
{
    EXACT(sin, INFINITY, NAN);
    EXACT(cos, -INFINITY, NAN);
    EXACT(cos, 0.0f, 1.0f);
    NEAR(sin, 1.0f, 0.8414709848078965);
    NEAR(cos, 1.0f, 0.5403023058681398);
    NEAR(erf, 0.5f, 0.5204998778130465);
    NEAR(tanh, 0.5f, 0.46211715726000976);
    EXACT(tanh, 50.0f, 1.0f);
}
END_TEST

START_TEST(rounding_keeps_the_sign_of_zero)
{
    EXACT(floor, -0.0f, -0.0f);
    EXACT(floor, -0.5f, -1.0f);
    EXACT(ceil, -0.5f, -0.0f);
    EXACT(round, -0.2f, -0.0f);
    EXACT(round, 2.5f, 2.0f);
    EXACT(round, 3.5f, 4.0f);
}
END_TEST

START_TEST(activations)
{
    EXACT(relu, NAN, 0.0f);
    EXACT(relu, -0.0f, 0.0f);
    EXACT(relu, 3.0f, 3.0f);
    EXACT(sigmoid, 0.0f, 0.5f);
    EXACT(sigmoid, -200.0f, 0.0f);
    EXACT(sigmoid, 200.0f, 1.0f);
    EXACT(sigmoid, NAN, NAN);
    NEAR(sigmoid, -1.0f, 0.2689414213699951);
    NEAR(sigmoid, 1.0f, 0.7310585786300049);
    EXACT(gelu, -10.0f, -0.0f);
    EXACT(gelu, -INFINITY, NAN);
    NEAR(gelu, 1.0f, 0.8413447460685429);
    EXACT(silu, -INFINITY, NAN);
    NEAR(silu, 1.0f, 0.7310585786300049);
    EXACT(softplus, 200.0f, 200.0f);
    EXACT(softplus, -200.0f, 0.0f);
    EXACT(softplus, NAN, NAN);
    NEAR(softplus, 0.0f, 0.6931471805599453);
    EXACT(elu, 2.0f, 2.0f);
    NEAR(elu, -1.0f, -0.6321205588285577);
    EXACT(leaky_relu, 2.0f, 2.0f);
    EXACT(leaky_relu, -1.0f, -0.01f);
    EXACT(leaky_relu, NAN, NAN);
}
END_TEST

START_TEST(relu_of_int32_stays_int32)
{
    static const int32_t in[] = { -2147483647 - 1, -1, 0, 1, 2147483647 };
    static const int32_t expected[] = { 0, 0, 0, 1, 2147483647 };
    const void *operands[] = { in };
    int32_t out[5];

    ck_assert_int_eq(sw__kernel_relu.i32(out, operands, 5), 0);
    for (size_t i = 0; i < 5; i++)
        ck_assert_int_eq(out[i], expected[i]);
}
END_TEST

START_TEST(logical_not_is_true_at_both_zeros_only)
{
    static const float in[] = { 0.0f, -0.0f, 1.0f, NAN, 1e-45f };
    static const uint8_t expected[] = { 1, 1, 0, 0, 0 };
    const void *operands[] = { in };
    uint8_t out[5];

    ck_assert_int_eq(sw__kernel_logical_not.f32(out, operands, 5), 0);
    ck_assert_mem_eq(out, expected, 5);
}
END_TEST

CHECK_MAIN("unary kernels", signs_are_bits, roots_and_reciprocals_at_the_edges,
           exponentials_and_logarithms_at_the_edges, circular_and_error_functions, rounding_keeps_the_sign_of_zero,
           activations, relu_of_int32_stays_int32, logical_not_is_true_at_both_zeros_only)
