/*
 * Requirements: Raw events are immutable computation snapshots; Event values
 * support direct immutable construction; Timing measures synchronous host
 * execution.
 */
#include "config.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check_main.h"
#include "support.h"

START_TEST(inspect_a_successful_event)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    const struct sw_profiler_event *events = events_of(profiler, 1);

    ck_assert_int_eq(events[0].id, 0);
    ck_assert_int_eq(events[0].has_parent, 0);
    ck_assert_str_eq(events[0].name, "neg");
    ck_assert_ptr_eq(events[0].carrier_type->address, sw_generic_class());
    ck_assert_str_eq(events[0].implementation_type->module, "strideweave");
    ck_assert_ptr_null(events[0].input_shapes);
    ck_assert_int_ge(events[0].start_time_ns, 0);
    ck_assert_int_ge(events[0].duration_ns, 0);
    ck_assert_int_eq(events[0].self_time_ns, events[0].duration_ns);
    ck_assert_int_eq(events[0].thread_id, syscall(SYS_gettid));
    ck_assert_int_eq(events[0].succeeded, 1);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(inspect_a_failed_event)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 1);
    ck_assert_str_eq(events[0].name, "fails");
    ck_assert_int_eq(events[0].succeeded, 0);
    ck_assert_int_eq(events[0].id, 0);
    ck_assert_int_eq(events[0].thread_id, syscall(SYS_gettid));
    ck_assert_int_ge(events[0].duration_ns, 0);
    ck_assert_str_eq(events[0].implementation_type->qualified_name, "fails");
    sw_profiler_free(profiler);
}
END_TEST

static int64_t monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

START_TEST(interpret_an_event_duration)
{
    int64_t before = monotonic_ns();
    struct sw_profiler *profiler = profile_one_neg(0);
    int64_t after = monotonic_ns();
    const struct sw_profiler_event *events = events_of(profiler, 1);
    /* The stamps are converted from another counter: they agree within the tightness of its anchors. */
    const int64_t tolerance = 100000;

    ck_assert_int_ge(events[0].start_time_ns, before - tolerance);
    ck_assert_int_le(events[0].start_time_ns + events[0].duration_ns, after + tolerance);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(events_come_in_the_order_of_starts)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("pair"), SW_OK);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 4);
    const char *const names[] = {"pair", "leaf", "leaf", "neg"};
    for (int i = 0; i < 4; i++) {
        ck_assert_int_eq(events[i].id, i);
        ck_assert_str_eq(events[i].name, names[i]);
        if (i > 0)
            ck_assert_int_ge(events[i].start_time_ns, events[i - 1].start_time_ns);
    }
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(construct_an_event_value_directly)
{
    struct sw_class_snapshot carrier = {&carrier, 7, "a", "B"};
    struct sw_class_snapshot implementation = {NULL, 0, "c", "D"};
    struct sw_tree *shape;
    ck_assert_status(sw_tree_parse("((2,3),4)", &shape), SW_OK);
    const struct sw_tree *trees[] = {shape, NULL};
    struct sw_input_shapes shapes = {2, trees};
    int64_t parent = -5;
    char name[] = "relu";
    struct sw_profiler_event *event;

    /* Values that contradict each other are kept as they are. */
    ck_assert_status(sw_profiler_event_new(-1, &parent, name, &carrier, &implementation, &shapes, -2, -3, 99, -4, 7,
                                           &event),
                     SW_OK);
    name[0] = 'X';
    carrier.module = "changed";
    sw_tree_unref(shape);
    trees[0] = NULL;
    ck_assert_int_eq(event->id, -1);
    ck_assert_int_eq(event->has_parent, 1);
    ck_assert_int_eq(event->parent_id, -5);
    ck_assert_str_eq(event->name, "relu");
    ck_assert_str_eq(event->carrier_type->module, "a");
    ck_assert_str_eq(event->carrier_type->qualified_name, "B");
    ck_assert_ptr_eq(event->carrier_type->address, &carrier);
    ck_assert_uint_eq(event->carrier_type->serial, 7);
    ck_assert_str_eq(event->implementation_type->qualified_name, "D");
    ck_assert_uint_eq(event->input_shapes->n_inputs, 2);
    char *text;
    ck_assert_status(sw_tree_format(event->input_shapes->shapes[0], &text), SW_OK);
    ck_assert_str_eq(text, "((2,3),4)");
    sw_free(text);
    ck_assert_ptr_null(event->input_shapes->shapes[1]);
    ck_assert_int_eq(event->start_time_ns, -2);
    ck_assert_int_eq(event->duration_ns, -3);
    ck_assert_int_eq(event->self_time_ns, 99);
    ck_assert_int_eq(event->thread_id, -4);
    ck_assert_int_eq(event->succeeded, 7);
    sw_profiler_event_free(event);
    sw_profiler_event_free(NULL);
}
END_TEST

START_TEST(absent_parts_of_an_event_value_stay_absent)
{
    struct sw_profiler_event *event;

    ck_assert_status(sw_profiler_event_new(0, NULL, NULL, NULL, NULL, NULL, 0, 0, 0, 0, 0, &event), SW_OK);
    ck_assert_int_eq(event->has_parent, 0);
    ck_assert_ptr_null(event->name);
    ck_assert_ptr_null(event->carrier_type);
    ck_assert_ptr_null(event->implementation_type);
    ck_assert_ptr_null(event->input_shapes);
    sw_profiler_event_free(event);
}
END_TEST

CHECK_MAIN_PROFILING("events", inspect_a_successful_event, inspect_a_failed_event, interpret_an_event_duration,
           events_come_in_the_order_of_starts, construct_an_event_value_directly,
           absent_parts_of_an_event_value_stay_absent)
