/*
 * The steps of the reductions: what wins, in which order terms are taken, and
 * that both ways of taking them agree.
 */
#include "config.h"

#include "op/op.h"

#include "op_test.h"

#define MAX_TERMS 8
#define OUTPUTS 11

struct fold_case {
    size_t n;
    float terms[MAX_TERMS];
    double expected;
};

/* One output after all of its terms. */
static void along(const struct sw__fold *fold, const void *terms, size_t n, void *out)
{
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];

    fold->start(state, terms, 1);
    fold->along(state, terms, 0, n / 2);
    fold->along(state, (const char *)terms + n / 2 * fold->element_bytes, (int64_t)(n / 2), n - n / 2);
    ck_assert_int_eq(fold->finish(out, state, 1), 0);
}

/* Many outputs with the same terms, side by side. */
static void across(const struct sw__fold *fold, const float *terms, size_t n, void *out)
{
    _Alignas(16) unsigned char states[OUTPUTS * SW__FOLD_STATE_BYTES];
    float row[OUTPUTS];

    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < OUTPUTS; i++)
            row[i] = terms[k];
        if (k == 0)
            fold->start(states, row, OUTPUTS);
        fold->across(states, row, (int64_t)k, OUTPUTS);
    }
    ck_assert_int_eq(fold->finish(out, states, OUTPUTS), 0);
}

static void assert_folds(const struct sw__fold *fold, const struct fold_case *cases, size_t n_cases)
{
    for (size_t c = 0; c < n_cases; c++) {
        float one, many[OUTPUTS];
        along(fold, cases[c].terms, cases[c].n, &one);
        across(fold, cases[c].terms, cases[c].n, many);
        ck_assert_msg(same_value((double)one, cases[c].expected), "case %zu: %.9g", c, (double)one);
        for (size_t i = 0; i < OUTPUTS; i++)
            ck_assert(same_value((double)many[i], cases[c].expected));
    }
}

#define ASSERT_FOLDS(fold, ...)                                   \
    do {                                                          \
        static const struct fold_case cases_[] = { __VA_ARGS__ }; \
        assert_folds(fold, cases_, N_OF(cases_));                 \
    } while (0)

START_TEST(sums_start_at_positive_zero_and_round_in_the_accumulator)
{
    ASSERT_FOLDS(sw__kernel_reduce_sum.f32, { 2, { -0.0f, -0.0f }, 0.0 }, { 3, { 16777216, 1, 1 }, 16777216 },
                 { 3, { 1, 1, 16777216 }, 16777218 }, { 2, { INFINITY, -INFINITY }, NAN });
    ASSERT_FOLDS(sw__kernel_reduce_sum.f64, { 2, { -0.0f, -0.0f }, 0.0 }, { 3, { 16777216, 1, 1 }, 16777218 });
}
END_TEST

START_TEST(products_round_at_each_step)
{
    ASSERT_FOLDS(sw__kernel_reduce_prod.f32, { 3, { 1e30f, 1e30f, 1e-30f }, INFINITY }, { 2, { -0.0f, 3 }, -0.0 },
                 { 3, { 2, 3, 4 }, 24 });
}
END_TEST

START_TEST(extremes_take_the_first_not_a_number_and_order_the_zeros)
{
    ASSERT_FOLDS(sw__kernel_reduce_max.f32, { 3, { 1, NAN, 5 }, NAN }, { 2, { -0.0f, 0 }, 0.0 },
                 { 2, { 0, -0.0f }, 0.0 }, { 2, { -0.0f, -0.0f }, -0.0 }, { 4, { 1, 7, 3, 7 }, 7 },
                 { 1, { -INFINITY }, -INFINITY });
    ASSERT_FOLDS(sw__kernel_reduce_min.f32, { 3, { 1, NAN, 0 }, NAN }, { 2, { -0.0f, 0 }, -0.0 },
                 { 2, { 0, -0.0f }, -0.0 }, { 2, { 0, 0 }, 0.0 }, { 4, { 1, -7, 3, -7 }, -7 },
                 { 1, { INFINITY }, INFINITY });
}
END_TEST

struct best_case {
    size_t n;
    float terms[MAX_TERMS];
    int32_t greatest;
    int32_t least;
};

START_TEST(ordinals_are_those_of_the_first_winner)
{
    static const struct best_case cases[] = {
        { 4, { 3, 1, 3, 1 }, 0, 1 }, { 6, { 3, 1, 3, 7, NAN, NAN }, 4, 4 },   { 2, { -0.0f, 0 }, 0, 0 },
        { 2, { 0, -0.0f }, 0, 0 },   { 3, { -INFINITY, INFINITY, 0 }, 1, 0 }, { 1, { NAN }, 0, 0 },
        { 3, { NAN, 9, -9 }, 0, 0 },
    };

    for (size_t c = 0; c < N_OF(cases); c++) {
        int32_t out;
        along(sw__kernel_argmax.f32, cases[c].terms, cases[c].n, &out);
        ck_assert_int_eq(out, cases[c].greatest);
        along(sw__kernel_argmin.f32, cases[c].terms, cases[c].n, &out);
        ck_assert_int_eq(out, cases[c].least);
        int32_t many[OUTPUTS];
        across(sw__kernel_argmax.f32, cases[c].terms, cases[c].n, many);
        for (size_t i = 0; i < OUTPUTS; i++)
            ck_assert_int_eq(many[i], cases[c].greatest);
    }
}
END_TEST

START_TEST(int32_sums_are_exact_until_the_end)
{
    static const int32_t inside[] = { INT32_MAX, INT32_MAX, INT32_MIN, -5 }, outside[] = { INT32_MAX, 1 };
    const struct sw__fold *fold = sw__kernel_reduce_sum.i32;
    _Alignas(16) unsigned char state[SW__FOLD_STATE_BYTES];
    int32_t out;

    along(fold, inside, 4, &out);
    ck_assert_int_eq(out, 2147483641);
    fold->start(state, outside, 1);
    fold->along(state, outside, 0, 2);
    ck_assert_int_eq(fold->finish(&out, state, 1), 1);
}
END_TEST

CHECK_MAIN("fold kernels", sums_start_at_positive_zero_and_round_in_the_accumulator, products_round_at_each_step,
           extremes_take_the_first_not_a_number_and_order_the_zeros, ordinals_are_those_of_the_first_winner,
           int32_sums_are_exact_until_the_end)
