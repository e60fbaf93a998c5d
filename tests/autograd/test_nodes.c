/*
 * Nodes of operations that are not rows of the table, and how many there can be
 * one behind another.
 */
#include "config.h"

#include "autograd/graph.h"

/* ---- Hierarchies -------------------------------------------------------------------------------- */

START_TEST(an_adapter_is_the_only_node_of_an_evictable_operation)
{
    const double values[] = { 3 };
    struct sw_carrier *primary = carrier_of(sw_cpu_class(), SW_FLOAT32, values, 1), *evictable;
    struct sw_carrier *secondary = carrier_of(sw_generic_class(), SW_FLOAT32, values, 1);
    struct sw_layout *layout;
    struct sw_tensor *x, *y;

    assert_ok(sw_layout_parse("(1):(1)", &layout));
    assert_ok(sw_evictable_new(primary, secondary, &evictable));
    assert_ok(sw_tensor_new(evictable, 0, layout, &x));
    leaf(x);
    y = OF(sw_mul, x, x);
    ck_assert_ptr_eq(sw_tensor_carrier_class(y), sw_evictable_class());
    assert_ok(sw_evictable_evict(evictable));
    assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
    assert_ok(sw_evictable_promote(evictable));
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    struct sw_tensor *gradient = sw_tensor_grad(x);
    ck_assert_ptr_eq(sw_tensor_carrier_class(gradient), sw_evictable_class());
    assert_f32(gradient, "(1):(1)", 6);
    drop(x, y, NULL);
    sw_layout_unref(layout);
    sw_carrier_unref(evictable);
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
}
END_TEST

START_TEST(a_move_is_differentiated_back_to_the_class_that_it_left)
{
    struct sw_tensor *x = leaf(F32(sw_generic_class(), "(2):(1)", 3, 4)), *moved, *y;
    struct sw_carrier *destination;

    assert_ok(sw_cpu_new(2, NULL, &destination));
    assert_ok(sw_move(x, destination, &moved));
    ck_assert(!sw_tensor_is_leaf(moved));
    y = OF(sw_sum, moved);
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    struct sw_tensor *gradient = sw_tensor_grad(x);
    ck_assert_ptr_eq(sw_tensor_carrier_class(gradient), sw_generic_class());
    assert_f32(gradient, "(2):(1)", 1, 1);
    sw_carrier_unref(destination);
    drop(x, moved, y);
}
END_TEST

START_TEST(a_gradient_may_lie_in_a_file)
{
    struct sw_tensor *x = F32(sw_generic_class(), "(2):(1)", 3, 4), *filed, *moved, *y;
    struct sw_carrier *file, *memory;

    assert_ok(sw_file_backed_new(NULL, &file));
    assert_ok(sw_move(x, file, &filed));
    leaf(filed);
    assert_ok(sw_cpu_new(2, NULL, &memory));
    assert_ok(sw_move(filed, memory, &moved));
    y = OF(sw_sum, moved);
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    struct sw_tensor *gradient = sw_tensor_grad(filed);
    ck_assert_ptr_eq(sw_tensor_carrier_class(gradient), sw_file_backed_class());
    assert_f32(gradient, "(2):(1)", 1, 1);
    sw_carrier_unref(file);
    sw_carrier_unref(memory);
    drop(x, filed, moved);
    sw_tensor_unref(y);
}
END_TEST

START_TEST(a_move_onto_an_operand_is_a_write)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(2):(1)", 3, 4)), *square = OF(sw_mul, x, x), *y = OF(sw_sum, square);
    struct sw_tensor *other = F32(sw_cpu_class(), "(2):(1)", 5, 6), *filed, *moved;
    struct sw_carrier *file;

    assert_ok(sw_file_backed_new(NULL, &file));
    assert_ok(sw_move(other, file, &filed));
    assert_ok(sw_move(filed, sw_tensor_carrier(x), &moved));
    assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
    assert_no_grad(x);
    sw_carrier_unref(file);
    drop(x, square, y);
    drop(other, filed, moved);
}
END_TEST

/* ---- Classes of one's own ------------------------------------------------------------------------- */

static enum sw_status compute_copy(struct sw_operation *operation, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    return sw_tensor_detach(operands[0].as.tensor, ret_tensor);
}

static enum sw_status compute_same(struct sw_operation *operation, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static struct sw_tensor *run_own(struct sw_operation_class *operation_class, const struct sw_tensor *in)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_string("a text that is gone soon") };
    struct sw_operation *operation;
    struct sw_tensor *result;

    assert_ok(sw_operation_new(operation_class, &operation));
    assert_ok(sw_operation_forward(operation, operands, 2, NULL, &result));
    sw_operation_unref(operation);
    return result;
}

START_TEST(a_class_of_ones_own_has_no_gradient)
{
    static struct sw_operation_class copy = { .head = SW_OPERATION_CLASS_HEAD("test", "Copy"),
                                              .compute = compute_copy };
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 3)), *y = run_own(&copy, x);

    ck_assert(sw_tensor_requires_grad(y));
    assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_NOT_IMPLEMENTED_ERROR);
    assert_no_grad(x);
    drop(x, y, NULL);
}
END_TEST

START_TEST(a_result_that_is_an_operand_stays_what_it_was)
{
    static struct sw_operation_class same = { .head = SW_OPERATION_CLASS_HEAD("test", "Same"),
                                              .compute = compute_same };
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 3)), *y = run_own(&same, x);

    ck_assert_ptr_eq(x, y);
    ck_assert(sw_tensor_is_leaf(y));
    drop(x, y, NULL);
}
END_TEST

/* ---- Depth ------------------------------------------------------------------------------------------ */

#define DEPTH 100000

static struct sw_tensor *chain(const struct sw_tensor *x)
{
    struct sw_tensor *at = OF(sw_neg, x);

    for (int i = 1; i < DEPTH; i++) {
        struct sw_tensor *next = OF(sw_neg, at);
        sw_tensor_unref(at);
        at = next;
    }
    return at;
}

START_TEST(chains_of_any_depth_are_run_and_given_back)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 3)), *y = chain(x), *z = chain(x);

    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_RETAIN));
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(1):(1)", 2);
    drop(x, y, z);
}
END_TEST

CHECK_MAIN("nodes", an_adapter_is_the_only_node_of_an_evictable_operation,
           a_move_is_differentiated_back_to_the_class_that_it_left,
           a_gradient_may_lie_in_a_file, a_move_onto_an_operand_is_a_write,
           a_class_of_ones_own_has_no_gradient,
           a_result_that_is_an_operand_stays_what_it_was,
           chains_of_any_depth_are_run_and_given_back)
