/*
 * Requirement: Events represent post-preflight dispatched computation attempts.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

START_TEST(record_a_dispatched_attempt)
{
    struct sw_carrier_class *const classes[] = {sw_generic_class(), sw_cpu_class()};

    for (size_t i = 0; i < 2; i++) {
        struct sw_tensor *in = make_tensor(classes[i]);
        struct sw_tensor *out;
        struct sw_profiler *profiler = enter_profiler(NULL);

        ck_assert_status(sw_neg(in, &out), SW_OK);
        ck_assert_status(sw_profiler_exit(profiler), SW_OK);
        const struct sw_profiler_event *events = events_of(profiler, 1);
        ck_assert_str_eq(events[0].name, "neg");
        ck_assert_ptr_eq(events[0].carrier_type->address, classes[i]);
        ck_assert_int_eq(events[0].succeeded, 1);
        sw_profiler_free(profiler);
        sw_tensor_unref(out);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(exclude_dispatch_lookup)
{
    struct sw_tensor *in = make_tensor(sw_generic_class());
    struct sw_operation *operation;
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(sw_carrier_dispatch(sw_tensor_carrier(in), "neg", &operation), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(exclude_a_preflight_failure)
{
    struct sw_tensor *in = make_tensor(sw_generic_class());
    struct sw_tensor *cpu = make_tensor(sw_cpu_class());
    struct sw_tensor *out = NULL;
    struct sw_operation *operation;
    struct sw_operand not_a_tensor = sw_operand_tensor(NULL);
    struct sw_operand operand = sw_operand_tensor(in);
    struct sw_execution_options unsized = {0, SW_DTYPE_NONE, "reduce_sum"};
    struct sw_execution_options other = SW_EXECUTION_OPTIONS_INIT("reduce_sum");

    ck_assert_status(sw_carrier_dispatch(sw_tensor_carrier(in), "neg", &operation), SW_OK);
    struct sw_profiler *profiler = enter_profiler(NULL);
    ck_assert_status(sw_operation_forward(operation, &operand, 1, &unsized, &out), SW_TYPE_ERROR);
    ck_assert_status(sw_operation_forward(operation, &operand, 1, &other, &out), SW_VALUE_ERROR);
    ck_assert_status(sw_operation_forward_lowered(operation, &operand, 1, &other, &out), SW_VALUE_ERROR);
    ck_assert_status(sw_operation_forward(operation, &not_a_tensor, 1, NULL, &out), SW_TYPE_ERROR);
    ck_assert_status(sw_add(in, cpu, &out), SW_TYPE_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    ck_assert_ptr_null(out);
    sw_profiler_free(profiler);
    sw_operation_unref(operation);
    sw_tensor_unref(cpu);
    sw_tensor_unref(in);
}
END_TEST

static enum sw_status give_back(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

START_TEST(exclude_execution_without_dispatch_metadata)
{
    static struct sw_operation_class direct_class = {.head = SW_OPERATION_CLASS_HEAD("tests", "Direct"),
                                                     .compute = give_back};
    struct sw_tensor *in = make_tensor(sw_generic_class());
    struct sw_tensor *out;
    struct sw_operation *operation;
    struct sw_operand operand = sw_operand_tensor(in);

    ck_assert_status(sw_operation_new(&direct_class, &operation), SW_OK);
    struct sw_profiler *profiler = enter_profiler(NULL);
    ck_assert_status(sw_operation_forward(operation, &operand, 1, NULL, &out), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    events_of(profiler, 0);
    sw_profiler_free(profiler);
    sw_tensor_unref(out);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(continue_after_an_attempted_execution_fails)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    ck_assert_status(run_plugin("fails"), SW_VALUE_ERROR);
    ck_assert_status(run_plugin("leaf"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, 2);
    ck_assert_str_eq(events[0].name, "fails");
    ck_assert_int_eq(events[0].succeeded, 0);
    ck_assert_str_eq(events[1].name, "leaf");
    ck_assert_int_eq(events[1].succeeded, 1);
    ck_assert_int_eq(events[1].has_parent, 0);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("boundary", record_a_dispatched_attempt, exclude_dispatch_lookup, exclude_a_preflight_failure,
           exclude_execution_without_dispatch_metadata, continue_after_an_attempted_execution_fails)
