/*
 * Dispatch and execution: what is refused before the boundary, what crosses
 * it, and what the hooks see. The program is its own tool: it defines the
 * hooks, which replace the weak ones.
 */
#include "config.h"

#include <check.h>
#include <string.h>

#include <strideweave/hooks.h>

#include "check_main.h"
#include "plugin.h"

#define MAX_SEEN 16

static struct {
    char name[16];
    char carrier[32];
    char implementation[32];
    int parent; /* index of the enclosing call, -1 at the root */
    int left;
    int succeeded;
    uint32_t n_operands;
    int64_t first_extent; /* of operand 0; 0 when it is no tensor */
} seen[MAX_SEEN];
static int n_seen;
static int innermost = -1;

uint64_t sw_hooks_wanted = SW_HOOK_WANT_COMPUTE;

void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    ck_assert_int_lt(n_seen, MAX_SEEN);
    const struct sw_tree *shape = call->n_operands > 0 ? sw_hook_operand_shape(call, 0) : NULL;
    strncpy(seen[n_seen].name, call->dispatch->name, sizeof seen[n_seen].name - 1);
    strncpy(seen[n_seen].carrier, call->dispatch->carrier_name, sizeof seen[n_seen].carrier - 1);
    strncpy(seen[n_seen].implementation, call->dispatch->implementation_name, sizeof seen[n_seen].implementation - 1);
    seen[n_seen].parent = innermost;
    seen[n_seen].n_operands = call->n_operands;
    seen[n_seen].first_extent = shape != NULL ? shape->nodes[0] : 0;
    call->tool_token = (uint64_t)n_seen;
    innermost = n_seen++;
}

void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    ck_assert_int_eq((int)call->tool_token, innermost);
    seen[innermost].left = 1;
    seen[innermost].succeeded = (call->flags & SW_HOOK_SUCCEEDED) != 0;
    innermost = seen[innermost].parent;
}

static enum sw_status run(const char *name, const struct sw_execution_options *options)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_tensor *out = NULL;
    struct sw_operation *operation = NULL;
    struct sw_operand operand = sw_operand_tensor(in);
    enum sw_status status = sw_carrier_dispatch(sw_tensor_carrier(in), name, &operation);

    if (status == SW_OK)
        status = sw_operation_forward(operation, &operand, 1, options, &out);
    ck_assert((out != NULL) == (status == SW_OK));
    sw_tensor_unref(out);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
    return status;
}

START_TEST(a_dispatched_operation_crosses_one_boundary)
{
    uint64_t before = sw_boundary_count();

    ck_assert_int_eq(run("same", NULL), SW_OK);
    ck_assert_uint_eq(sw_boundary_count() - before, 1);
    ck_assert_int_eq(n_seen, 1);
    ck_assert_str_eq(seen[0].name, "same");
    ck_assert_str_eq(seen[0].carrier, "Constant");
    ck_assert_str_eq(seen[0].implementation, "Same");
    ck_assert_int_eq(seen[0].succeeded, 1);
    ck_assert_uint_eq(seen[0].n_operands, 1);
    ck_assert_int_eq(seen[0].first_extent, 2);
    ck_assert_int_eq(plugin_destroyed, 1);
}
END_TEST

START_TEST(a_lowered_operation_crosses_a_boundary_of_its_own)
{
    uint64_t before = sw_boundary_count();

    ck_assert_int_eq(run("nested", NULL), SW_OK);
    ck_assert_uint_eq(sw_boundary_count() - before, 2);
    ck_assert_int_eq(n_seen, 2);
    ck_assert_str_eq(seen[0].name, "nested");
    ck_assert_str_eq(seen[1].name, "same");
    ck_assert_int_eq(seen[1].parent, 0);
}
END_TEST

START_TEST(a_failing_computation_leaves_a_failed_boundary_and_its_sentence)
{
    ck_assert_int_eq(run("fails", NULL), SW_RUNTIME_ERROR);
    ck_assert_str_eq(sw_error_message(), "fails on purpose");
    ck_assert_int_eq(n_seen, 1);
    ck_assert_int_eq(seen[0].left, 1);
    ck_assert_int_eq(seen[0].succeeded, 0);
}
END_TEST

START_TEST(a_result_that_is_no_tensor_is_a_failed_boundary)
{
    ck_assert_int_eq(run("nothing", NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(run("no_tensor", NULL), SW_TYPE_ERROR);
    ck_assert_int_eq(n_seen, 2);
    ck_assert_int_eq(seen[0].succeeded, 0);
    ck_assert_int_eq(seen[1].succeeded, 0);
}
END_TEST

START_TEST(dispatch_alone_crosses_no_boundary)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_operation *operation;

    ck_assert_int_eq(sw_carrier_dispatch(sw_tensor_carrier(in), "same", &operation), SW_OK);
    ck_assert_str_eq(sw_operation_name(operation), "same");
    ck_assert_ptr_eq(sw_operation_carrier_class(operation), &plugin_class);
    ck_assert_ptr_eq(sw_operation_class_of(operation), &plugin_same_class);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
    ck_assert_int_eq(n_seen, 0);
}
END_TEST

START_TEST(every_dispatch_gives_a_fresh_operation)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_operation *first;
    struct sw_operation *second;

    ck_assert_int_eq(sw_carrier_dispatch(sw_tensor_carrier(in), "same", &first), SW_OK);
    ck_assert_int_eq(sw_carrier_dispatch(sw_tensor_carrier(in), "same", &second), SW_OK);
    ck_assert_ptr_ne(first, second);
    for (int i = 0; i < 24; i++)
        ck_assert_int_eq(((unsigned char *)sw_operation_state(first))[i], 0);
    sw_operation_unref(first);
    sw_operation_unref(second);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(dispatch_refuses_what_is_no_fresh_operation)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_operation *operation = NULL;
    struct sw_carrier *carrier = sw_tensor_carrier(in);

    ck_assert_int_eq(sw_carrier_dispatch(carrier, "used", &operation), SW_TYPE_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "already dispatched"));
    ck_assert_int_eq(sw_carrier_dispatch(carrier, "unheard_of", &operation), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw_carrier_dispatch(carrier, NULL, &operation), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_dispatch((struct sw_carrier *)(void *)in, "same", &operation), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_carrier_dispatch(NULL, "same", &operation), SW_TYPE_ERROR);
    ck_assert_ptr_null(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(an_operation_without_dispatch_runs_but_crosses_no_boundary)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_tensor *out = NULL;
    struct sw_operation *operation;
    struct sw_operand operand = sw_operand_tensor(in);
    uint64_t before = sw_boundary_count();

    ck_assert_int_eq(sw_operation_new(&plugin_same_class, &operation), SW_OK);
    ck_assert_ptr_null(sw_operation_name(operation));
    ck_assert_ptr_null(sw_operation_carrier_class(operation));
    ck_assert_int_eq(sw_operation_forward(operation, &operand, 1, NULL, &out), SW_OK);
    ck_assert_ptr_eq(out, in);
    ck_assert_int_eq(n_seen, 0);
    ck_assert_uint_eq(sw_boundary_count(), before);
    sw_tensor_unref(out);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(options_are_validated_before_the_boundary)
{
    struct sw_execution_options unsized = {0, SW_DTYPE_NONE, "reduce_sum"};
    struct sw_execution_options nameless = SW_EXECUTION_OPTIONS_INIT(NULL);
    struct sw_execution_options stranger = SW_EXECUTION_OPTIONS_INIT("same");
    struct sw_execution_options other = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
    struct sw_execution_options unknown = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
    struct sw_execution_options narrow = SW_EXECUTION_OPTIONS_INIT("reduce_sum");

    unknown.accumulator = 4711;
    narrow.accumulator = SW_INT8;
    ck_assert_int_eq(run("same", &unsized), SW_TYPE_ERROR);
    ck_assert_int_eq(run("same", &nameless), SW_TYPE_ERROR);
    ck_assert_int_eq(run("same", &stranger), SW_TYPE_ERROR);
    ck_assert_int_eq(run("same", &other), SW_VALUE_ERROR);
    ck_assert_int_eq(run("same", &unknown), SW_TYPE_ERROR);
    ck_assert_int_eq(run("same", &narrow), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(n_seen, 0);
}
END_TEST

START_TEST(operands_are_checked_before_the_boundary)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_tensor *out = NULL;
    struct sw_operation *operation;
    struct sw_operand bad[] = {sw_operand_tensor(NULL),
                               sw_operand_tensor((const struct sw_tensor *)(const void *)sw_tensor_carrier(in))};

    ck_assert_int_eq(sw_carrier_dispatch(sw_tensor_carrier(in), "same", &operation), SW_OK);
    ck_assert_int_eq(sw_operation_forward(operation, &bad[0], 1, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_forward(operation, &bad[1], 1, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_forward(operation, NULL, 1, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_forward(NULL, &bad[0], 0, NULL, &out), SW_TYPE_ERROR);
    ck_assert_ptr_null(out);
    ck_assert_int_eq(n_seen, 0);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(a_non_tensor_operand_reaches_the_computation)
{
    struct sw_tensor *in = plugin_tensor();
    struct sw_tensor *out = NULL;
    struct sw_operation *operation;
    struct sw_operand operand = sw_operand_integer(3);

    ck_assert_int_eq(sw_carrier_dispatch(sw_tensor_carrier(in), "same", &operation), SW_OK);
    ck_assert_int_eq(sw_operation_forward(operation, &operand, 1, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(n_seen, 1);
    ck_assert_int_eq(seen[0].first_extent, 0);
    ck_assert_int_eq(seen[0].succeeded, 0);
    sw_operation_unref(operation);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(nothing_is_called_while_no_tool_wants_it)
{
    sw_hooks_unwant(SW_HOOK_WANT_COMPUTE);
    uint64_t before = sw_boundary_count();
    ck_assert_int_eq(run("same", NULL), SW_OK);
    ck_assert_int_eq(n_seen, 0);
    ck_assert_uint_eq(sw_boundary_count() - before, 1);
    sw_hooks_want(SW_HOOK_WANT_COMPUTE);
    ck_assert_int_eq(run("same", NULL), SW_OK);
    ck_assert_int_eq(n_seen, 1);
}
END_TEST

START_TEST(operation_classes_are_checked)
{
    struct sw_operation *operation = NULL;
    struct sw_operation_class small = plugin_same_class;
    struct sw_operation_class nameless = plugin_same_class;
    struct sw_operation_class idle = plugin_same_class;

    small.head.struct_bytes = 8;
    nameless.head.module = NULL;
    idle.compute = NULL;
    ck_assert_int_eq(sw_operation_new(NULL, &operation), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_new((struct sw_operation_class *)(void *)&plugin_class, &operation), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_new(&small, &operation), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_operation_new(&nameless, &operation), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_operation_new(&idle, &operation), SW_VALUE_ERROR);
    ck_assert_ptr_null(operation);
}
END_TEST

/* Check runs every test in a process of its own, so each begins with empty records. */
CHECK_MAIN_PROFILING("execute", a_dispatched_operation_crosses_one_boundary, a_lowered_operation_crosses_a_boundary_of_its_own,
           a_failing_computation_leaves_a_failed_boundary_and_its_sentence,
           a_result_that_is_no_tensor_is_a_failed_boundary, dispatch_alone_crosses_no_boundary,
           every_dispatch_gives_a_fresh_operation, dispatch_refuses_what_is_no_fresh_operation,
           an_operation_without_dispatch_runs_but_crosses_no_boundary, options_are_validated_before_the_boundary,
           operands_are_checked_before_the_boundary, a_non_tensor_operand_reaches_the_computation,
           nothing_is_called_while_no_tool_wants_it, operation_classes_are_checked)
