/*
 * Values of the kernels with two operands, special ones above all. Loops are
 * long enough to have a vector part and a rest.
 */
#include "config.h"

#include <limits.h>

#include "op/op.h"

#include "op_test.h"

#define LENGTH 19

struct float_case {
    float x;
    float y;
    float expected;
};

/* The case at every position of a loop. */
static void assert_floats(const struct sw__elementwise_kernel *kernel, const struct float_case *cases, size_t n_cases)
{
    for (size_t c = 0; c < n_cases; c++) {
        float x[LENGTH], y[LENGTH], out[LENGTH];
        const void *in[] = { x, y };
        for (size_t i = 0; i < LENGTH; i++) {
            x[i] = cases[c].x;
            y[i] = cases[c].y;
        }
        ck_assert_int_eq(kernel->f32(out, in, LENGTH), 0);
        for (size_t i = 0; i < LENGTH; i++)
            ck_assert_msg(same_value((double)out[i], (double)cases[c].expected),
                          "case %zu (%g, %g): %.9g, expected %.9g", c, (double)x[i], (double)y[i], (double)out[i],
                          (double)cases[c].expected);
    }
}

#define ASSERT_FLOATS(kernel, ...)                                 \
    do {                                                           \
        static const struct float_case cases_[] = { __VA_ARGS__ }; \
        assert_floats(&sw__kernel_##kernel, cases_, N_OF(cases_)); \
    } while (0)

START_TEST(arithmetic_is_ieee_binary32)
{
    ASSERT_FLOATS(add, { 1, 2, 3 }, { 16777216, 1, 16777216 }, { INFINITY, -INFINITY, NAN }, { -0.0f, -0.0f, -0.0f },
                  { 3e38f, 3e38f, INFINITY });
    ASSERT_FLOATS(sub, { 1, 3, -2 }, { INFINITY, INFINITY, NAN }, { 0, 0, 0 });
    ASSERT_FLOATS(mul, { 3, -2, -6 }, { 0, INFINITY, NAN }, { 1e-30f, 1e-30f, 0 }, { -0.0f, 2, -0.0f });
    ASSERT_FLOATS(div, { 7, 2, 3.5f }, { 1, 0, INFINITY }, { -1, 0, -INFINITY }, { 1, -0.0f, -INFINITY },
                  { 0, 0, NAN });
}
END_TEST

START_TEST(maximum_and_minimum_order_the_zeros_and_keep_not_a_number)
{
    ASSERT_FLOATS(maximum, { 1, 2, 2 }, { 2, 1, 2 }, { 0, -0.0f, 0 }, { -0.0f, 0, 0 }, { -0.0f, -0.0f, -0.0f },
                  { NAN, 1, NAN }, { 1, NAN, NAN }, { -INFINITY, NAN, NAN }, { INFINITY, 1, INFINITY }, { -3, -3, -3 });
    ASSERT_FLOATS(minimum, { 1, 2, 1 }, { 2, 1, 1 }, { 0, -0.0f, -0.0f }, { -0.0f, 0, -0.0f }, { 0, 0, 0 },
                  { NAN, 1, NAN }, { 1, NAN, NAN }, { INFINITY, NAN, NAN }, { -INFINITY, 1, -INFINITY },
                  { -3, -3, -3 });
}
END_TEST

START_TEST(powers_and_remainders_have_their_special_cases)
{
    ASSERT_FLOATS(pow, { NAN, 0, 1 }, { 1, NAN, 1 }, { 0, -1, INFINITY }, { -0.0f, -1, -INFINITY }, { -2, 0.5f, NAN },
                  { 2, 10, 1024 });
    ASSERT_FLOATS(rem, { 5, 3, 2 }, { -5, 3, -2 }, { 5, -3, 2 }, { 5, 0, NAN }, { INFINITY, 3, NAN },
                  { 5, INFINITY, 5 });
}
END_TEST

/* Numbers of elements around those that are computed together, with what is left to the C library anywhere. */
START_TEST(powers_of_many_are_the_powers_of_each)
{
    static const size_t lengths[] = { 1, 2, 255, 256, 257, 511, 512, 513, 1000 };
    static float a[1000], b[1000], out[1000];
    const void *in[] = { a, b };

    for (size_t l = 0; l < sizeof lengths / sizeof lengths[0]; l++)
        for (size_t unusual = 0; unusual <= lengths[l]; unusual = unusual == 0 ? 1 : 2 * unusual) {
            const size_t n = lengths[l];
            for (size_t i = 0; i < n; i++) {
                a[i] = 0.25f + (float)(i * 37 % 1000) / 128;
                b[i] = (float)(i * 11 % 64) / 8 - 3;
            }
            a[unusual % n] = -2; /* the cube of which is a number, if no usual one */
            b[unusual % n] = 3;
            ck_assert_int_eq(sw__kernel_pow.f32(out, in, n), 0);
            for (size_t i = 0; i < n; i++)
                ck_assert_double_le(fabs((double)out[i] / pow((double)a[i], (double)b[i]) - 1), 1e-7);
        }
}
END_TEST

START_TEST(comparisons_with_not_a_number_are_false_but_for_ne)
{
    static const struct {
        const struct sw__elementwise_kernel *kernel;
        int less, equal, greater, unordered;
    } rows[] = { { &sw__kernel_eq, 0, 1, 0, 0 },
                 { &sw__kernel_ne, 1, 0, 1, 1 },
                 { &sw__kernel_lt, 1, 0, 0, 0 },
                 { &sw__kernel_le, 1, 1, 0, 0 } };
    static const float x[] = { 1, 2, 3, NAN, 1, NAN, 0, -0.0f }, y[] = { 2, 2, 2, 1, NAN, NAN, -0.0f, 0 };

    for (size_t i = 0; i < N_OF(rows); i++) {
        const int expected[] = { rows[i].less,      rows[i].equal,     rows[i].greater, rows[i].unordered,
                                 rows[i].unordered, rows[i].unordered, rows[i].equal,   rows[i].equal };
        uint8_t out[N_OF(x)];
        const void *in[] = { x, y };
        ck_assert_int_eq(rows[i].kernel->f32(out, in, N_OF(x)), 0);
        for (size_t j = 0; j < N_OF(x); j++)
            ck_assert_int_eq(out[j], expected[j]);
    }
}
END_TEST

struct int_case {
    int32_t x;
    int32_t y;
    int64_t exact;
};

static void assert_ints(const struct sw__elementwise_kernel *kernel, const struct int_case *cases, size_t n_cases)
{
    for (size_t c = 0; c < n_cases; c++)
        for (size_t place = 0; place < LENGTH; place++) {
            int32_t x[LENGTH], y[LENGTH], out[LENGTH];
            const void *in[] = { x, y };
            for (size_t i = 0; i < LENGTH; i++)
                x[i] = y[i] = 1;
            x[place] = cases[c].x;
            y[place] = cases[c].y;
            int fits = cases[c].exact >= INT32_MIN && cases[c].exact <= INT32_MAX;
            ck_assert_int_eq(kernel->i32(out, in, LENGTH), !fits);
            if (fits)
                ck_assert_int_eq(out[place], cases[c].exact);
        }
}

START_TEST(int32_arithmetic_is_exact_or_said_to_overflow)
{
    static const struct int_case sums[] = { { INT32_MAX, 0, INT32_MAX },
                                            { INT32_MAX, 1, 2147483648 },
                                            { INT32_MIN, -1, -2147483649 } };
    static const struct int_case differences[] = { { INT32_MIN, 0, INT32_MIN },
                                                   { INT32_MIN, 1, -2147483649 },
                                                   { 0, INT32_MIN, 2147483648 } };
    static const struct int_case products[] = { { 65536, 32767, 2147418112 },
                                                { 65536, 32768, 2147483648 },
                                                { INT32_MIN, INT32_MIN, INT64_C(1) << 62 } };
    static const struct int_case powers[] = { { 0, 0, 1 },           { 0, 5, 0 },
                                              { -1, 3, -1 },         { -1, INT32_MAX, -1 },
                                              { 1, INT32_MAX, 1 },   { -2, 31, INT32_MIN },
                                              { 2, 31, 2147483648 }, { 46341, 2, 2147488281 },
                                              { 3, 19, 1162261467 } };

    assert_ints(&sw__kernel_add, sums, N_OF(sums));
    assert_ints(&sw__kernel_sub, differences, N_OF(differences));
    assert_ints(&sw__kernel_mul, products, N_OF(products));
    assert_ints(&sw__kernel_pow, powers, N_OF(powers));
}
END_TEST

START_TEST(select_takes_one_side)
{
    static const uint8_t condition[] = { 1, 0, 1, 0, 1 };
    static const float a[] = { 1, 2, 3, NAN, -0.0f }, b[] = { 9, 8, NAN, 6, 0 };
    static const float expected[] = { 1, 8, 3, 6, -0.0f };
    const void *in[] = { condition, a, b };
    float out[5];

    ck_assert_int_eq(sw__kernel_select.f32(out, in, 5), 0);
    for (size_t i = 0; i < 5; i++)
        ck_assert(same_value((double)out[i], (double)expected[i]));
}
END_TEST

CHECK_MAIN("binary kernels", arithmetic_is_ieee_binary32, maximum_and_minimum_order_the_zeros_and_keep_not_a_number,
           powers_and_remainders_have_their_special_cases, powers_of_many_are_the_powers_of_each,
           comparisons_with_not_a_number_are_false_but_for_ne,
           int32_arithmetic_is_exact_or_said_to_overflow, select_takes_one_side)
