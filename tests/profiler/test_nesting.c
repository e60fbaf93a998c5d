/*
 * Requirement: Nested events preserve selected ancestry and self time.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

START_TEST(record_both_levels)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("inner"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    ck_assert_str_eq(events[0].name, "inner");
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_str_eq(events[1].name, "leaf");
    ck_assert_int_eq(events[1].has_parent, 1);
    ck_assert_int_eq(events[1].parent_id, 0);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns - events[1].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

static struct sw_profiler *enter_selecting(struct sw_carrier_class *carrier_class)
{
    struct sw_carrier_class *classes[] = {carrier_class};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.carriers = classes;
    options.n_carriers = 1;
    return enter_profiler(&options);
}

START_TEST(hide_nested_work_without_charging_it_to_the_parent)
{
    struct sw_profiler *profiler = enter_selecting(&plugin_class);

    ck_assert_status(run_plugin("mixed"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    ck_assert_str_eq(events[0].name, "mixed");
    ck_assert_str_eq(events[1].name, "leaf");
    ck_assert_int_eq(events[1].parent_id, 0);
    /* The hidden neg took longer than no time at all, and is in nobody's self time. */
    ck_assert_int_lt(events[0].self_time_ns, events[0].duration_ns - events[1].duration_ns);
    ck_assert_int_ge(events[0].self_time_ns, 0);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(select_only_the_nested_execution)
{
    struct sw_profiler *profiler = enter_selecting(sw_generic_class());

    ck_assert_status(run_plugin("mixed"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 1);
    ck_assert_str_eq(events[0].name, "neg");
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(exclude_three_level_nesting_exactly_once)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("outer"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 3);
    ck_assert_int_eq(events[1].parent_id, 0);
    ck_assert_int_eq(events[2].parent_id, 1);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns - events[1].duration_ns);
    ck_assert_int_eq(events[1].self_time_ns, events[1].duration_ns - events[2].duration_ns);
    ck_assert_int_eq(events[0].self_time_ns + events[1].self_time_ns + events[2].self_time_ns, events[0].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(siblings_are_both_taken_out_of_their_parent)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("pair"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 3);
    ck_assert_int_eq(events[1].parent_id, 0);
    ck_assert_int_eq(events[2].parent_id, 0);
    ck_assert_int_eq(events[0].self_time_ns,
                     events[0].duration_ns - events[1].duration_ns - events[2].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("nesting", record_both_levels, hide_nested_work_without_charging_it_to_the_parent,
           select_only_the_nested_execution, exclude_three_level_nesting_exactly_once,
           siblings_are_both_taken_out_of_their_parent)
