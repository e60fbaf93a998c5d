/*
 * The rank-sum test against values worked out by hand and from tables.
 */
#include "config.h"

#include <math.h>

#include "analyze/rank_test.h"
#include "check_main.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

static double p_of(const double *a, size_t n_a, const double *b, size_t n_b)
{
    double p = -1;

    ck_assert_int_eq(sw__rank_test(a, n_a, b, n_b, &p), SW_OK);
    return p;
}

#define P_OF(a, b) p_of(a, N_OF(a), b, N_OF(b))

START_TEST(samples_apart_have_two_of_all_ways_to_deal)
{
    const double low[] = { 1, 2, 3, 4, 5 }, high[] = { 6, 7, 8, 9, 10 };

    ck_assert_double_eq_tol(P_OF(low, high), 2.0 / 252, 1e-12);
    ck_assert_double_eq_tol(P_OF(high, low), 2.0 / 252, 1e-12);
    ck_assert_double_eq_tol(sw__rank_test_least(5, 5), 2.0 / 252, 1e-12);
    ck_assert_double_eq_tol(sw__rank_test_least(10, 10), 2.0 / 184756, 1e-12);
    ck_assert_double_eq(sw__rank_test_least(1, 1), 1);
}
END_TEST

START_TEST(every_way_to_deal_that_is_as_far_counts)
{
    /* Ranks 1, 2, 5 and 3, 4: sums of three of 1..5 range from 6 to 12 with mean 9; this one is 8, and 4 of 10 are nearer. */
    const double a[] = { 0.1, 0.2, 0.9 }, b[] = { 0.3, 0.4 };

    ck_assert_double_eq_tol(P_OF(a, b), 8.0 / 10, 1e-12);
}
END_TEST

START_TEST(ties_have_the_mean_of_their_ranks)
{
    /* Ranks 1, 2.5 and 2.5, 4: of six pairs four have a sum of 3.5 or 6.5, two have the mean, 5. */
    const double a[] = { 1, 2 }, b[] = { 2, 3 }, same[] = { 7, 7, 7 };

    ck_assert_double_eq_tol(P_OF(a, b), 4.0 / 6, 1e-12);
    ck_assert_double_eq(P_OF(same, same), 1);
}
END_TEST

START_TEST(an_outlier_counts_as_its_rank)
{
    const double a[] = { 1, 2, 3, 4 }, b[] = { 5, 6, 7, 8 }, far[] = { 5, 6, 7, 1e300 };

    ck_assert_double_eq(P_OF(a, b), P_OF(a, far));
}
END_TEST

START_TEST(large_samples_are_approximated)
{
    double a[25], b[25], same[60];

    for (int i = 0; i < 25; i++) {
        a[i] = i;
        b[i] = 100 + i;
    }
    for (int i = 0; i < 60; i++)
        same[i] = 3;
    /* z = (25 * 25 / 2 - 0.5) / sqrt(25 * 25 * 51 / 12) = 6.0537. */
    ck_assert_double_eq_tol(P_OF(a, b), erfc(312 / sqrt(2 * 2656.25)), 1e-15);
    ck_assert_double_lt(P_OF(a, b), 2e-9);
    ck_assert_double_eq(P_OF(same, same), 1);
}
END_TEST

/* Exact and approximate meet where one gives way to the other: at 20 and 20 both are known. */
START_TEST(the_approximation_is_near_the_exact_value)
{
    double a[21], b[21];

    for (int i = 0; i < 21; i++) {
        a[i] = 2 * i;
        b[i] = 2 * i + 9;
    }
    double exact = p_of(a, 20, b, 20), approximate = p_of(a, 21, b, 21);
    ck_assert_double_gt(exact, 0.01);
    ck_assert_double_eq_tol(exact, approximate, 0.02);
}
END_TEST

START_TEST(many_tests_are_adjusted_together)
{
    double p[] = { 0.01, 0.04, 0.03, 0.005 }, large[] = { 0.6, 0.9 };
    const double expected[] = { 0.03, 0.06, 0.06, 0.02 };

    ck_assert_int_eq(sw__holm_adjust(p, 4), SW_OK);
    for (size_t i = 0; i < 4; i++)
        ck_assert_double_eq_tol(p[i], expected[i], 1e-12);
    ck_assert_int_eq(sw__holm_adjust(large, 2), SW_OK);
    ck_assert_double_eq(large[0], 1);
    ck_assert_double_eq(large[1], 1);
    ck_assert_int_eq(sw__holm_adjust(NULL, 0), SW_OK);
}
END_TEST

CHECK_MAIN("rank_test", samples_apart_have_two_of_all_ways_to_deal, every_way_to_deal_that_is_as_far_counts,
           ties_have_the_mean_of_their_ranks, an_outlier_counts_as_its_rank, large_samples_are_approximated,
           the_approximation_is_near_the_exact_value, many_tests_are_adjusted_together)
