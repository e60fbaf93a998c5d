/*
 * Percentiles of counted values.
 */
#include "config.h"

#include "analyze/histogram.h"
#include "check_main.h"

static struct sw__histogram *made(void)
{
    struct sw__histogram *histogram = NULL;

    ck_assert_int_eq(sw__histogram_new(&histogram), SW_OK);
    return histogram;
}

static void count(struct sw__histogram *histogram, int64_t value, uint64_t n)
{
    ck_assert_int_eq(sw__histogram_add(histogram, value, n), SW_OK);
}

START_TEST(nothing_counted_has_no_percentiles)
{
    struct sw__histogram *histogram = made();

    ck_assert_int_eq(sw__histogram_percentile(histogram, 50), 0);
    ck_assert_uint_eq(sw__histogram_count(histogram), 0);
    sw__histogram_free(histogram);
}
END_TEST

START_TEST(small_values_are_exact_and_ranks_the_nearest)
{
    struct sw__histogram *histogram = made();

    for (int64_t value = 1; value <= 10; value++)
        count(histogram, value, 1);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 0), 1);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 10), 1);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 11), 2);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 50), 5);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 95), 10);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 100), 10);
    count(histogram, -5, 100);
    ck_assert_int_eq(sw__histogram_percentile(histogram, 50), 0);
    sw__histogram_free(histogram);
}
END_TEST

START_TEST(any_value_is_within_a_thousandth)
{
    for (int64_t value = 1; value > 0 && value < INT64_MAX / 3; value = value * 3 + 1) {
        struct sw__histogram *histogram = made();
        count(histogram, value, 3);
        double found = (double)sw__histogram_percentile(histogram, 50);
        ck_assert_double_le(found, (double)value * 1.001);
        ck_assert_double_ge(found, (double)value * 0.999);
        sw__histogram_free(histogram);
    }
}
END_TEST

START_TEST(the_largest_value_and_count_have_room)
{
    struct sw__histogram *histogram = made();

    count(histogram, INT64_MAX, UINT64_MAX);
    count(histogram, 1, 7);
    ck_assert_uint_eq(sw__histogram_count(histogram), UINT64_MAX);
    ck_assert_int_ge(sw__histogram_percentile(histogram, 99), INT64_MAX / 1000 * 999);
    sw__histogram_free(histogram);
}
END_TEST

CHECK_MAIN("histogram", nothing_counted_has_no_percentiles, small_values_are_exact_and_ranks_the_nearest,
           any_value_is_within_a_thousandth, the_largest_value_and_count_have_room)
