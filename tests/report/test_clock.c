/*
 * Ticks to nanoseconds: exact at the knots, monotone everywhere, saturating.
 */
#include "config.h"

#include "check_main.h"
#include "report/clock.h"

static int64_t at(const struct report_clock *clock, uint64_t ticks)
{
    size_t hint = 0;

    return clock_ns(clock, ticks, &hint);
}

START_TEST(monotonic_ticks_are_nanoseconds)
{
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_MONOTONIC, NULL, 0, &clock), REPORT_OK);
    ck_assert_int_eq(at(&clock, 0), 0);
    ck_assert_int_eq(at(&clock, 123456789), 123456789);
    ck_assert_int_eq(at(&clock, UINT64_MAX), INT64_MAX);
    clock_clear(&clock);
}
END_TEST

START_TEST(two_anchors_give_a_line_through_both)
{
    struct swprof_anchor anchors[] = { { 4000, 1000 }, { 44000, 11000 } };
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, anchors, 2, &clock), REPORT_OK);
    ck_assert_int_eq(at(&clock, 4000), 1000);
    ck_assert_int_eq(at(&clock, 44000), 11000);
    ck_assert_int_eq(at(&clock, 8000), 2000);
    ck_assert_int_eq(at(&clock, 84000), 21000);
    ck_assert_int_eq(at(&clock, 0), 0);
    clock_clear(&clock);
}
END_TEST

/* The second second of the counter is 0.1 % slower. */
START_TEST(anchor_a_second_away_makes_a_knot)
{
    struct swprof_anchor anchors[] = {
        { 0, 0 }, { 2000000000, 1000000000 }, { 4000000000, 2001000000 }, { 6000000000, 3001000000 }
    };
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, anchors, 4, &clock), REPORT_OK);
    ck_assert_int_eq(at(&clock, 1000000000), 500000000);
    ck_assert_int_eq(at(&clock, 3000000000), 1500500000);
    ck_assert_int_eq(at(&clock, 5000000000), 2501000000);
    clock_clear(&clock);
}
END_TEST

START_TEST(function_is_monotone_across_its_knots)
{
    struct swprof_anchor anchors[] = {
        { 1000, 0 }, { 3000001000, 1000000007 }, { 6000002003, 2000500000 }, { 9000000000, 3000000000 }
    };
    struct report_clock clock;
    size_t hint = 0;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, anchors, 4, &clock), REPORT_OK);
    for (size_t i = 0; i < 4; i++) {
        int64_t before = INT64_MIN;
        for (uint64_t ticks = anchors[i].ticks - 1000; ticks < anchors[i].ticks + 1000; ticks++) {
            int64_t ns = clock_ns(&clock, ticks, &hint);
            ck_assert_int_ge(ns, before);
            before = ns;
        }
    }
    clock_clear(&clock);
}
END_TEST

START_TEST(anchor_that_contradicts_the_others_is_left_out)
{
    struct swprof_anchor anchors[] = { { 0, 0 }, { 2000000000, 1900000000 }, { 8000000000, 4000000000 } };
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, anchors, 3, &clock), REPORT_OK);
    ck_assert_int_eq(at(&clock, 2000000000), 1000000000);
    clock_clear(&clock);
}
END_TEST

START_TEST(anchors_without_a_rate_are_refused)
{
    struct swprof_anchor one[] = { { 5, 5 } };
    struct swprof_anchor equal[] = { { 5, 5 }, { 5, 9 } };
    struct swprof_anchor absurd[] = { { 0, 0 }, { 1, INT64_MAX } };
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, one, 1, &clock), REPORT_DAMAGED);
    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, equal, 2, &clock), REPORT_DAMAGED);
    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, absurd, 2, &clock), REPORT_DAMAGED);
}
END_TEST

START_TEST(extreme_stamps_saturate)
{
    struct swprof_anchor anchors[] = { { 1000, INT64_MAX - 20000 }, { 2000, INT64_MAX - 10000 } };
    struct report_clock clock;

    ck_assert_int_eq(clock_build(SWPROF_CLOCK_TSC, anchors, 2, &clock), REPORT_OK);
    ck_assert_int_eq(at(&clock, UINT64_MAX), INT64_MAX);
    clock_clear(&clock);
}
END_TEST

CHECK_MAIN("clock", monotonic_ticks_are_nanoseconds, two_anchors_give_a_line_through_both,
           anchor_a_second_away_makes_a_knot, function_is_monotone_across_its_knots,
           anchor_that_contradicts_the_others_is_left_out, anchors_without_a_rate_are_refused,
           extreme_stamps_saturate)
