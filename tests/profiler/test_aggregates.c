/*
 * Requirements: Aggregates are deterministic functions of raw events; Aggregate
 * values support direct immutable construction.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

START_TEST(aggregate_repeated_executions)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_profiler_aggregate *rows;
    size_t n;

    run_neg();
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    int64_t a = events[0].duration_ns;
    int64_t b = events[1].duration_ns;
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_str_eq(rows[0].name, "neg");
    ck_assert_ptr_eq(rows[0].carrier_type->address, sw_generic_class());
    ck_assert_ptr_null(rows[0].input_shapes);
    ck_assert_int_eq(rows[0].count, 2);
    ck_assert_int_eq(rows[0].total_time_ns, a + b);
    ck_assert_int_eq(rows[0].self_total_time_ns, events[0].self_time_ns + events[1].self_time_ns);
    ck_assert_double_eq(rows[0].mean_time_ns, (double)(a + b) / 2);
    ck_assert_int_eq(rows[0].min_time_ns, a < b ? a : b);
    ck_assert_int_eq(rows[0].max_time_ns, a < b ? b : a);
    sw_free(rows);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(separate_exact_carrier_classes)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_tensor *cpu = make_tensor(sw_cpu_class());
    struct sw_tensor *out;
    struct sw_profiler_aggregate *rows;
    size_t n;

    run_neg();
    ck_assert_status(sw_neg(cpu, &out), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(rows[0].carrier_type->qualified_name, "CPU");
    ck_assert_str_eq(rows[1].carrier_type->qualified_name, "Generic");
    sw_free(rows);
    sw_profiler_free(profiler);
    sw_tensor_unref(out);
    sw_tensor_unref(cpu);
}
END_TEST

START_TEST(failed_and_successful_events_contribute_alike)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_profiler_aggregate *rows;
    size_t n;

    ck_assert_status(run_plugin("leaf"), SW_OK);
    ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
    ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_str_eq(rows[0].name, "fails");
    ck_assert_int_eq(rows[0].count, 2);
    ck_assert_str_eq(rows[1].name, "leaf");
    sw_free(rows);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(group_by_hierarchical_input_shape)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_key_averages_options by_shape = SW_KEY_AVERAGES_OPTIONS_INIT;
    struct sw_tensor *tensors[] = {make_shaped(sw_generic_class(), "(2,(3,4))"), make_tensor(sw_generic_class())};
    struct sw_profiler_aggregate *rows;
    struct sw_tensor *out;
    size_t n;

    options.record_shapes = 1;
    struct sw_profiler *profiler = enter_profiler(&options);
    for (int i = 0; i < 2; i++) {
        ck_assert_status(sw_neg(tensors[i], &out), SW_OK);
        sw_tensor_unref(out);
        sw_tensor_unref(tensors[i]);
    }
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_key_averages(profiler, NULL, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 1);
    sw_free(rows);
    by_shape.group_by_input_shape = 1;
    ck_assert_status(sw_profiler_key_averages(profiler, &by_shape, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    /* "((2, (3, 4)),)" sorts before "((2, 3),)". */
    ck_assert_uint_eq(sw_tree_n_leaves(rows[0].input_shapes->shapes[0]), 3);
    ck_assert_uint_eq(sw_tree_n_leaves(rows[1].input_shapes->shapes[0]), 2);
    sw_free(rows);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(grouping_by_shapes_that_were_not_recorded_keeps_them_absent)
{
    struct sw_key_averages_options by_shape = SW_KEY_AVERAGES_OPTIONS_INIT;
    struct sw_profiler *profiler = profile_one_neg(0);
    struct sw_profiler_aggregate *rows;
    size_t n;

    by_shape.group_by_input_shape = 1;
    ck_assert_status(sw_profiler_key_averages(profiler, &by_shape, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_ptr_null(rows[0].input_shapes);
    sw_free(rows);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_an_invalid_grouping_option)
{
    struct sw_key_averages_options options = SW_KEY_AVERAGES_OPTIONS_INIT;
    struct sw_profiler_aggregate *rows = NULL;
    struct sw_profiler *profiler;
    size_t n;

    /* Before the state of the Profiler is looked at. */
    ck_assert_status(sw_profiler_new(NULL, &profiler), SW_OK);
    options.group_by_input_shape = 2;
    ck_assert_status(sw_profiler_key_averages(profiler, &options, &rows, &n), SW_TYPE_ERROR);
    ck_assert_message("group_by_input_shape");
    options.struct_bytes = 0;
    ck_assert_status(sw_profiler_key_averages(profiler, &options, &rows, &n), SW_TYPE_ERROR);
    ck_assert_ptr_null(rows);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(construct_an_aggregate_value_directly)
{
    struct sw_class_snapshot carrier = {NULL, 3, "m", "Q"};
    struct sw_profiler_aggregate *row;

    ck_assert_status(sw_profiler_aggregate_new("x", &carrier, NULL, -1, -2, -3, 0.5, 9, 8, &row), SW_OK);
    ck_assert_str_eq(row->name, "x");
    ck_assert_str_eq(row->carrier_type->qualified_name, "Q");
    ck_assert_ptr_null(row->input_shapes);
    ck_assert_int_eq(row->count, -1);
    ck_assert_int_eq(row->total_time_ns, -2);
    ck_assert_int_eq(row->self_total_time_ns, -3);
    ck_assert_double_eq(row->mean_time_ns, 0.5);
    ck_assert_int_eq(row->min_time_ns, 9);
    ck_assert_int_eq(row->max_time_ns, 8);
    sw_profiler_aggregate_free(row);
    sw_profiler_aggregate_free(NULL);
}
END_TEST

CHECK_MAIN_PROFILING("aggregates", aggregate_repeated_executions, separate_exact_carrier_classes,
           failed_and_successful_events_contribute_alike, group_by_hierarchical_input_shape,
           grouping_by_shapes_that_were_not_recorded_keeps_them_absent, reject_an_invalid_grouping_option,
           construct_an_aggregate_value_directly)
