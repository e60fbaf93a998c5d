/*
 * Choosing the clock, and anchors.
 */
#include "config.h"

#include "record/clock.h"

#include "check_main.h"
#include "record/clock_map.h"

START_TEST(the_monotonic_clock_can_be_forced)
{
    ck_assert_uint_eq(sw__clock_choose(SWPROF_CLOCK_MONOTONIC), SWPROF_CLOCK_MONOTONIC);
}
END_TEST

START_TEST(the_counter_is_never_forced_upon_a_machine)
{
    ck_assert_uint_eq(sw__clock_choose(SWPROF_CLOCK_TSC), sw__clock_choose(0));
}
END_TEST

START_TEST(ticks_of_the_monotonic_clock_are_its_nanoseconds)
{
    struct swprof_anchor anchor;
    uint64_t before = sw__clock_monotonic_ns();

    sw__clock_anchor(SWPROF_CLOCK_MONOTONIC, &anchor);
    ck_assert_int_eq((int64_t)anchor.ticks, anchor.monotonic_ns);
    ck_assert_uint_ge(anchor.ticks, before);
    ck_assert_uint_le(anchor.ticks, sw__clock_monotonic_ns());
}
END_TEST

/* Between two readings of the system's clock lies every stamp taken between them. */
START_TEST(converted_stamps_lie_between_readings_of_the_systems_clock)
{
    uint32_t clock = sw__clock_choose(0);
    struct swprof_anchor first, last;
    struct sw__clock_map map;
    uint64_t stamp;

    sw__clock_anchor(clock, &first);
    do
        stamp = sw__clock_ticks(clock);
    while (sw__clock_monotonic_ns() < (uint64_t)first.monotonic_ns + 20000000);
    sw__clock_anchor(clock, &last);
    ck_assert_int_eq(sw__clock_map_init(&map, &first, &last), 1);
    ck_assert_int_gt(sw__clock_map_ns(&map, stamp), first.monotonic_ns);
    ck_assert_int_lt(sw__clock_map_ns(&map, stamp), last.monotonic_ns);
}
END_TEST

CHECK_MAIN("clock", the_monotonic_clock_can_be_forced, the_counter_is_never_forced_upon_a_machine,
           ticks_of_the_monotonic_clock_are_its_nanoseconds,
           converted_stamps_lie_between_readings_of_the_systems_clock)
