/*
 * Ticks to nanoseconds.
 */
#include "config.h"

#include "record/clock_map.h"

#include "check_main.h"

/* 3 ticks are 2 nanoseconds. */
static const struct swprof_anchor first = {3000, 500};
static const struct swprof_anchor last = {6000, 2500};

START_TEST(the_map_is_exact_at_both_anchors)
{
    struct sw__clock_map map;

    ck_assert_int_eq(sw__clock_map_init(&map, &first, &last), 1);
    ck_assert_int_eq(sw__clock_map_ns(&map, 3000), 500);
    ck_assert_int_eq(sw__clock_map_ns(&map, 6000), 2500);
}
END_TEST

START_TEST(it_rounds_down_on_both_sides_of_the_first_anchor)
{
    struct sw__clock_map map;

    sw__clock_map_init(&map, &first, &last);
    ck_assert_int_eq(sw__clock_map_ns(&map, 3001), 500);
    ck_assert_int_eq(sw__clock_map_ns(&map, 3002), 501);
    ck_assert_int_eq(sw__clock_map_ns(&map, 3003), 502);
    ck_assert_int_eq(sw__clock_map_ns(&map, 2999), 499);
    ck_assert_int_eq(sw__clock_map_ns(&map, 2998), 498);
    ck_assert_int_eq(sw__clock_map_ns(&map, 2997), 498);
    ck_assert_int_eq(sw__clock_map_ns(&map, 0), -1500);
}
END_TEST

START_TEST(it_is_monotone)
{
    const struct swprof_anchor a = {UINT64_C(1) << 50, INT64_C(1) << 40};
    const struct swprof_anchor b = {(UINT64_C(1) << 50) + 2096023, (INT64_C(1) << 40) + 1000000};
    struct sw__clock_map map;
    int64_t before = INT64_MIN;

    sw__clock_map_init(&map, &a, &b);
    for (uint64_t stamp = a.ticks - 5000; stamp < a.ticks + 5000; stamp++) {
        int64_t now = sw__clock_map_ns(&map, stamp);

        ck_assert_int_ge(now, before);
        before = now;
    }
}
END_TEST

START_TEST(stamps_beyond_64_bits_of_nanoseconds_saturate)
{
    const struct swprof_anchor a = {1000, 0};
    const struct swprof_anchor b = {1001, 1000000};
    struct sw__clock_map map;

    sw__clock_map_init(&map, &a, &b);
    ck_assert_int_eq(sw__clock_map_ns(&map, UINT64_MAX), INT64_MAX);
    ck_assert_int_eq(sw__clock_map_ns(&map, 0), -1000000000);
}
END_TEST

START_TEST(anchors_out_of_order_count_ticks)
{
    struct sw__clock_map map;

    ck_assert_int_eq(sw__clock_map_init(&map, &last, &first), 0);
    ck_assert_int_eq(sw__clock_map_ns(&map, 6007), 2507);
    ck_assert_int_eq(sw__clock_map_init(&map, &first, &first), 0);
    ck_assert_int_eq(sw__clock_map_ns(&map, 3001), 501);
}
END_TEST

CHECK_MAIN("clock_map", the_map_is_exact_at_both_anchors, it_rounds_down_on_both_sides_of_the_first_anchor,
           it_is_monotone, stamps_beyond_64_bits_of_nanoseconds_saturate, anchors_out_of_order_count_ticks)
