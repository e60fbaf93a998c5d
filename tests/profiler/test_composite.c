/*
 * The scenarios about composite operations: an outer Evictable over an inner
 * Generic; and movement, which is no event.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

/* A 2x3 tensor on an Evictable over two Generic tiers. */
static struct sw_tensor *make_evictable_tensor(void)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *primary;
    struct sw_carrier *secondary;
    struct sw_carrier *evictable;
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    ck_assert_status(sw_generic_new(NULL, 6, &options, &primary), SW_OK);
    ck_assert_status(sw_generic_new(NULL, 0, &options, &secondary), SW_OK);
    ck_assert_status(sw_evictable_new(primary, secondary, &evictable), SW_OK);
    ck_assert_status(sw_layout_parse("(2,3):(1,2)", &layout), SW_OK);
    ck_assert_status(sw_tensor_new(evictable, 0, layout, &tensor), SW_OK);
    sw_layout_unref(layout);
    sw_carrier_unref(evictable);
    sw_carrier_unref(secondary);
    sw_carrier_unref(primary);
    return tensor;
}

static struct sw_profiler *profile_composite(struct sw_carrier_class *only)
{
    struct sw_carrier_class *classes[] = {only};
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_tensor *in = make_evictable_tensor();
    struct sw_tensor *out;

    if (only != NULL) {
        options.carriers = classes;
        options.n_carriers = 1;
    }
    struct sw_profiler *profiler = enter_profiler(&options);
    ck_assert_status(sw_neg(in, &out), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    sw_tensor_unref(out);
    sw_tensor_unref(in);
    return profiler;
}

START_TEST(record_both_composite_levels)
{
    struct sw_profiler *profiler = profile_composite(NULL);
    const struct sw_profiler_event *events = events_of(profiler, 2);

    ck_assert_str_eq(events[0].name, "neg");
    ck_assert_str_eq(events[0].carrier_type->qualified_name, "Evictable");
    ck_assert_str_eq(events[1].name, "neg");
    ck_assert_str_eq(events[1].carrier_type->qualified_name, "Generic");
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_int_eq(events[1].parent_id, 0);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns - events[1].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(hide_nested_work_without_charging_it_to_the_parent)
{
    struct sw_profiler *profiler = profile_composite(sw_evictable_class());
    const struct sw_profiler_event *events = events_of(profiler, 1);

    ck_assert_str_eq(events[0].carrier_type->qualified_name, "Evictable");
    ck_assert_int_lt(events[0].self_time_ns, events[0].duration_ns);
    ck_assert_int_ge(events[0].self_time_ns, 0);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(select_only_the_nested_execution)
{
    struct sw_profiler *profiler = profile_composite(sw_generic_class());
    const struct sw_profiler_event *events = events_of(profiler, 1);

    ck_assert_str_eq(events[0].carrier_type->qualified_name, "Generic");
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(exclude_public_movement)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_tensor *in = make_tensor(sw_generic_class());
    struct sw_carrier *destination;
    struct sw_tensor *moved;

    ck_assert_status(sw_cpu_new(6, &options, &destination), SW_OK);
    struct sw_profiler *profiler = enter_profiler(NULL);
    ck_assert_status(sw_move(in, destination, &moved), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
    sw_tensor_unref(moved);
    sw_carrier_unref(destination);
    sw_tensor_unref(in);
}
END_TEST

CHECK_MAIN_PROFILING("composite", record_both_composite_levels, hide_nested_work_without_charging_it_to_the_parent,
           select_only_the_nested_execution, exclude_public_movement)
