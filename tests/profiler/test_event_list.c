/*
 * A Profiler's events as an event list.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

static struct sw_profiler *profile_pair(int record_shapes)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.record_shapes = record_shapes;
    struct sw_profiler *profiler = enter_profiler(&options);
    ck_assert_status(run_plugin("pair"), SW_OK);
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    return profiler;
}

static void check_row(const struct sw_function_event *row, const struct sw_profiler_event *event)
{
    ck_assert_str_eq(row->name, event->name);
    ck_assert_int_eq(row->id, event->id);
    ck_assert_int_eq(row->has_parent, event->has_parent);
    ck_assert_int_eq(row->parent, event->has_parent ? event->parent_id : -1);
    ck_assert_int_eq(row->start_time_ns, event->start_time_ns);
    ck_assert_int_eq(row->cpu_time_total_ns, event->duration_ns);
    ck_assert_int_eq(row->self_cpu_time_total_ns, event->self_time_ns);
    ck_assert_int_eq(row->thread_id, event->thread_id);
    ck_assert_int_eq(row->node_id, -1);
    ck_assert_int_eq(row->count, 1);
    ck_assert_ptr_eq(row->carrier_type->address, event->carrier_type->address);
    ck_assert_str_eq(row->implementation_type->qualified_name, event->implementation_type->qualified_name);
    ck_assert_int_eq(row->input_shapes != NULL, event->input_shapes != NULL);
    if (row->input_shapes != NULL)
        ck_assert(sw_tree_equal(row->input_shapes->shapes[0], event->input_shapes->shapes[0]));
}

START_TEST(rows_are_the_events_of_the_profiler)
{
    for (int record_shapes = 0; record_shapes < 2; record_shapes++) {
        struct sw_profiler *profiler = profile_pair(record_shapes);
        const struct sw_profiler_event *events = events_of(profiler, 4);
        struct sw_event_list *list = NULL;

        ck_assert_status(sw_profiler_event_list(profiler, NULL, &list), SW_OK);
        ck_assert_uint_eq(sw_event_list_size(list), 4);
        for (size_t i = 0; i < 4; i++) {
            struct sw_function_event row;
            ck_assert_status(sw_event_list_at(list, i, &row), SW_OK);
            check_row(&row, &events[i]);
        }
        sw_event_list_free(list);
        sw_profiler_free(profiler);
    }
}
END_TEST

START_TEST(averages_add_up_to_those_of_the_profiler_and_outlive_it)
{
    struct sw_event_averages_options by_carrier = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw_profiler *profiler = profile_pair(0);
    struct sw_profiler_aggregate *rows = NULL;
    struct sw_event_list *list = NULL;
    struct sw_event_list *averages = NULL;
    size_t n = 0;

    by_carrier.group_by_carrier = 1;
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_status(sw_profiler_event_list(profiler, NULL, &list), SW_OK);
    int64_t total_ns[3] = { rows[0].total_time_ns, rows[1].total_time_ns, rows[2].total_time_ns };
    ck_assert_uint_eq(n, 3); /* leaf, neg, pair */
    sw_free(rows);
    sw_profiler_free(profiler);
    ck_assert_status(sw_event_list_key_averages(list, &by_carrier, &averages), SW_OK);
    sw_event_list_free(list);
    /* In the order of their first appearance: pair, leaf, neg. */
    static const size_t places[] = { 1, 2, 0 };
    static const int64_t counts[] = { 2, 1, 1 };
    for (size_t i = 0; i < 3; i++) {
        struct sw_function_event row;
        ck_assert_status(sw_event_list_at(averages, places[i], &row), SW_OK);
        ck_assert_int_eq(row.cpu_time_total_ns, total_ns[i]);
        ck_assert_int_eq(row.count, counts[i]);
        ck_assert_int_eq(row.has_parent, i == 0);
    }
    sw_event_list_free(averages);
}
END_TEST

/* Each neg of a 2x3 tensor is 6 operations; what a plug-in calls "pair" has no formula. */
START_TEST(flops_are_estimated_when_asked_for_and_shapes_were_recorded)
{
    struct sw_event_list_options options = SW_EVENT_LIST_OPTIONS_INIT;

    for (int record_shapes = 0; record_shapes < 2; record_shapes++) {
        struct sw_profiler *profiler = profile_pair(record_shapes);
        struct sw_function_event row, total;
        for (options.with_flops = 0; options.with_flops < 2; options.with_flops++) {
            struct sw_event_list *list = NULL;
            int has_flops = record_shapes && options.with_flops;
            ck_assert_status(sw_profiler_event_list(profiler, &options, &list), SW_OK);
            ck_assert_status(sw_event_list_at(list, 0, &row), SW_OK);
            ck_assert_int_eq(row.has_flops, 0);
            ck_assert_status(sw_event_list_at(list, 3, &row), SW_OK);
            ck_assert_int_eq(row.has_flops, has_flops);
            ck_assert_int_eq(row.flops, has_flops ? 6 : 0);
            ck_assert_status(sw_event_list_total_average(list, &total), SW_OK);
            ck_assert_int_eq(total.has_flops, has_flops);
            ck_assert_int_eq(total.flops, has_flops ? 6 : 0);
            sw_event_list_free(list);
        }
        sw_profiler_free(profiler);
    }
}
END_TEST

START_TEST(there_is_no_list_before_exit)
{
    struct sw_event_list_options options = SW_EVENT_LIST_OPTIONS_INIT;
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_event_list *list = NULL;

    ck_assert_status(sw_profiler_event_list(profiler, NULL, &list), SW_RUNTIME_ERROR);
    ck_assert_message("only after context exit");
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    options.with_flops = 3;
    ck_assert_status(sw_profiler_event_list(profiler, &options, &list), SW_TYPE_ERROR);
    ck_assert_message("with_flops must be 0 or 1");
    ck_assert_status(sw_profiler_event_list(NULL, NULL, &list), SW_TYPE_ERROR);
    ck_assert_ptr_null(list);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("event_list", rows_are_the_events_of_the_profiler,
                     averages_add_up_to_those_of_the_profiler_and_outlive_it,
                     flops_are_estimated_when_asked_for_and_shapes_were_recorded, there_is_no_list_before_exit)
