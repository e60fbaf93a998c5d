/*
 * Requirement: Shape recording preserves positional hierarchy.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

static void expect_shape(const struct sw_input_shapes *shapes, size_t position, const char *expected)
{
    char *text;

    ck_assert_uint_lt(position, shapes->n_inputs);
    if (expected == NULL) {
        ck_assert_ptr_null(shapes->shapes[position]);
        return;
    }
    ck_assert_status(sw_tree_format(shapes->shapes[position], &text), SW_OK);
    ck_assert_str_eq(text, expected);
    sw_free(text);
}

static struct sw_profiler *enter_with_shapes(void)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.record_shapes = 1;
    return enter_profiler(&options);
}

START_TEST(snapshot_a_hierarchical_tensor_and_a_scalar)
{
    struct sw_tensor *in = make_shaped(sw_generic_class(), "(2,(3,4))");
    struct sw_tensor *out;
    struct sw_profiler *profiler = enter_with_shapes();

    ck_assert_status(sw_mul_f64(in, 2.0, &out), SW_OK);
    sw_tensor_unref(out);
    sw_tensor_unref(in);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 1);
    ck_assert_uint_eq(events[0].input_shapes->n_inputs, 2);
    expect_shape(events[0].input_shapes, 0, "(2,(3,4))");
    expect_shape(events[0].input_shapes, 1, NULL);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(omit_shape_recording)
{
    struct sw_profiler *profiler = profile_one_neg(0);

    ck_assert_ptr_null(events_of(profiler, 1)[0].input_shapes);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(keep_execution_options_outside_shape_positions)
{
    struct sw_tensor *in = make_shaped(sw_generic_class(), "(2,3)");
    struct sw_tensor *out;
    struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
    struct sw_profiler *profiler = enter_with_shapes();

    options.accumulator = SW_FLOAT64;
    ck_assert_status(sw_reduce_sum(in, "a b -> a", &options, &out), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    ck_assert_str_eq(events[1].name, "reduce_sum");
    ck_assert_uint_eq(events[1].input_shapes->n_inputs, 1);
    expect_shape(events[1].input_shapes, 0, "(2,3)");
    sw_profiler_free(profiler);
    sw_tensor_unref(out);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(nesting_is_kept_exactly)
{
    const char *const shapes[] = {"((2,3),4)", "(2,(3,4))", "((2,(3)),4)", "(24)"};
    struct sw_key_averages_options by_shape = SW_KEY_AVERAGES_OPTIONS_INIT;
    struct sw_profiler_aggregate *rows;
    size_t n;
    struct sw_profiler *profiler = enter_with_shapes();

    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < 4; i++) {
            struct sw_tensor *in = make_shaped(sw_generic_class(), shapes[i]);
            struct sw_tensor *out;

            ck_assert_status(sw_neg(in, &out), SW_OK);
            sw_tensor_unref(out);
            sw_tensor_unref(in);
        }
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    by_shape.group_by_input_shape = 1;
    ck_assert_status(sw_profiler_key_averages(profiler, &by_shape, &rows, &n), SW_OK);
    ck_assert_uint_eq(n, 4);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(rows[i].count, 2);
    sw_free(rows);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("shapes", snapshot_a_hierarchical_tensor_and_a_scalar, omit_shape_recording,
           keep_execution_options_outside_shape_positions, nesting_is_kept_exactly)
