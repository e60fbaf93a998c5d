/*
 * What is recorded, how a pass goes through a graph, and what it refuses.
 */
#include "config.h"

#include "autograd/graph.h"

/* ---- Recording -------------------------------------------------------------------------------- */

START_TEST(nobody_takes_part_who_was_not_asked)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2):(1)", 1, 2), *sum = OF(sw_add, a, a);

        ck_assert(!sw_tensor_requires_grad(sum));
        ck_assert(sw_tensor_is_leaf(sum));
        assert_status(sw_tensor_backward(sum, a, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        assert_status(sw_tensor_set_retains_grad(sum, 1), SW_RUNTIME_ERROR);
        drop(a, sum, NULL);
    }
}
END_TEST

START_TEST(results_inherit_from_any_operand_unless_they_are_not_float32)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2):(1)", 1, 2), *b = leaf(F32(on, "(2):(1)", 3, 1));
        struct sw_tensor *sum = OF(sw_add, a, b), *order = OF(sw_lt, a, b);

        ck_assert(sw_tensor_requires_grad(sum));
        ck_assert(!sw_tensor_is_leaf(sum));
        ck_assert(!sw_tensor_requires_grad(order));
        ck_assert(sw_tensor_is_leaf(b));
        drop(a, b, sum);
        sw_tensor_unref(order);
    }
}
END_TEST

START_TEST(only_float32_tensors_can_take_part)
{
    struct sw_tensor *a = I32(sw_cpu_class(), "(2):(1)", 1, 2), *b = BOOL(sw_cpu_class(), "(1):(1)", 1);

    assert_status(sw_tensor_set_requires_grad(a, 1), SW_TYPE_ERROR);
    assert_status(sw_tensor_set_requires_grad(b, 1), SW_TYPE_ERROR);
    assert_status(sw_tensor_set_requires_grad(NULL, 1), SW_TYPE_ERROR);
    drop(a, b, NULL);
}
END_TEST

START_TEST(a_leaf_can_stop_taking_part_and_a_result_cannot)
{
    struct sw_tensor *a = leaf(F32(sw_cpu_class(), "(2):(1)", 1, 2)), *b = OF(sw_neg, a), *c;

    assert_status(sw_tensor_set_requires_grad(b, 0), SW_RUNTIME_ERROR);
    assert_ok(sw_tensor_set_requires_grad(a, 0));
    c = OF(sw_neg, a);
    ck_assert(!sw_tensor_requires_grad(c));
    drop(a, b, c);
}
END_TEST

START_TEST(whether_an_operand_gets_a_gradient_is_decided_when_the_operation_runs)
{
    FOR_BOTH(on) {
        struct sw_tensor *early = leaf(F32(on, "(1):(1)", 3)), *late = F32(on, "(1):(1)", 5);
        struct sw_tensor *y = OF(sw_mul, early, late);

        assert_ok(sw_tensor_set_requires_grad(early, 0));
        leaf(late);
        assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_RETAIN));
        assert_f32(sw_tensor_grad(early), "(1):(1)", 5);
        assert_no_grad(late);
        struct sw_tensor *z = OF(sw_mul, y, late);
        assert_ok(sw_tensor_backward(z, NULL, SW_GRAPH_FREE));
        assert_f32(sw_tensor_grad(early), "(1):(1)", 5 + 25);
        assert_f32(sw_tensor_grad(late), "(1):(1)", 15);
        drop(early, late, y);
        sw_tensor_unref(z);
    }
}
END_TEST

static void leave_early(void)
{
    SW_WITHOUT_GRAD {
        ck_assert(!sw_grad_is_enabled());
        return;
    }
}

START_TEST(nothing_is_recorded_without_gradients_and_every_way_out_restores)
{
    struct sw_tensor *a = leaf(F32(sw_cpu_class(), "(2):(1)", 1, 2)), *b = NULL;

    ck_assert(sw_grad_is_enabled());
    SW_WITHOUT_GRAD {
        ck_assert(!sw_grad_is_enabled());
        b = OF(sw_neg, a);
        leave_early();
        ck_assert(!sw_grad_is_enabled());
    }
    ck_assert(sw_grad_is_enabled());
    ck_assert(!sw_tensor_requires_grad(b));
    SW_WITHOUT_GRAD
        break;
    ck_assert(sw_grad_is_enabled());
    leave_early();
    ck_assert(sw_grad_is_enabled());
    ck_assert_int_eq(sw_grad_set_enabled(0), 1);
    ck_assert_int_eq(sw_grad_set_enabled(1), 0);
    drop(a, b, NULL);
}
END_TEST

START_TEST(lowered_executions_are_not_recorded)
{
    struct sw_tensor *a = leaf(F32(sw_cpu_class(), "(2):(1)", 1, 2)), *b;
    const struct sw_operand operand = sw_operand_tensor(a);
    struct sw_operation *operation;

    assert_ok(sw_carrier_dispatch(sw_tensor_carrier(a), "neg", &operation));
    assert_ok(sw_operation_forward_lowered(operation, &operand, 1, NULL, &b));
    ck_assert(!sw_tensor_requires_grad(b));
    sw_operation_unref(operation);
    drop(a, b, NULL);
}
END_TEST

START_TEST(a_detached_tensor_shares_elements_and_takes_no_part)
{
    struct sw_tensor *a = leaf(F32(sw_cpu_class(), "(2):(1)", 1, 2)), *b = OF(sw_neg, a), *c = OF(sw_tensor_detach, b);

    ck_assert(!sw_tensor_requires_grad(c));
    ck_assert_ptr_eq(sw_tensor_carrier(b), sw_tensor_carrier(c));
    drop(a, b, NULL);
    assert_f32(c, "(2):(1)", -1, -2);
    struct sw_tensor *none = NULL;
    assert_status(sw_tensor_detach(NULL, &none), SW_TYPE_ERROR);
}
END_TEST

/* ---- Passes ------------------------------------------------------------------------------------- */

START_TEST(contributions_of_repeated_operands_and_of_several_uses_add_up)
{
    FOR_BOTH(on) {
        struct sw_tensor *x = leaf(F32(on, "(1):(1)", 3)), *square = OF(sw_mul, x, x);
        struct sw_tensor *cube = OF(sw_mul, square, x), *both = OF(sw_add, cube, square);

        assert_ok(sw_tensor_backward(both, NULL, SW_GRAPH_FREE));
        assert_f32(sw_tensor_grad(x), "(1):(1)", 3 * 9 + 2 * 3);
        assert_no_grad(square);
        drop(x, square, cube);
        sw_tensor_unref(both);
    }
}
END_TEST

START_TEST(gradients_accumulate_until_they_are_cleared)
{
    FOR_BOTH(on) {
        struct sw_tensor *x = leaf(F32(on, "(1):(1)", 3)), *y = OF(sw_mul_f64, x, 5.0), *first;

        assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_RETAIN));
        first = sw_tensor_grad(x);
        assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_RETAIN));
        assert_f32(sw_tensor_grad(x), "(1):(1)", 10);
        assert_f32(first, "(1):(1)", 5);
        sw_tensor_clear_grad(x);
        assert_no_grad(x);
        assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
        assert_f32(sw_tensor_grad(x), "(1):(1)", 5);
        drop(x, y, NULL);
    }
}
END_TEST

START_TEST(a_graph_is_freed_unless_it_is_retained)
{
    FOR_BOTH(on) {
        struct sw_tensor *x = leaf(F32(on, "(1):(1)", 3)), *y = OF(sw_exp, x), *z = OF(sw_neg, y), *w;

        assert_ok(sw_tensor_backward(z, NULL, SW_GRAPH_FREE));
        assert_status(sw_tensor_backward(z, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        w = OF(sw_neg, y);
        assert_status(sw_tensor_backward(w, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        struct sw_tensor *gradient = sw_tensor_grad(x);
        ck_assert_double_eq_tol(value_at(gradient, 0), -exp(3), 1e-4);
        drop(x, y, z);
        drop(w, gradient, NULL);
    }
}
END_TEST

START_TEST(a_leaf_is_differentiated_with_respect_to_itself)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 3));

    assert_ok(sw_tensor_backward(x, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(1):(1)", 1);
    sw_tensor_unref(x);
}
END_TEST

START_TEST(other_tensors_have_a_gradient_on_request)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(2):(1)", 3, 4)), *y = OF(sw_mul_f64, x, 2.0), *z = OF(sw_sum, y);

    assert_ok(sw_tensor_set_retains_grad(y, 1));
    assert_ok(sw_tensor_set_retains_grad(z, 1));
    assert_ok(sw_tensor_backward(z, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(2):(1)", 2, 2);
    assert_f32(sw_tensor_grad(y), "(2):(1)", 1, 1);
    assert_f32(sw_tensor_grad(z), "(1):(1)", 1);
    drop(x, y, z);
}
END_TEST

START_TEST(an_operand_that_was_written_is_refused_and_an_unread_one_too)
{
    FOR_BOTH(on) {
        const float other = 7;
        struct sw_tensor *x = leaf(F32(on, "(1):(1)", 3)), *k = F32(on, "(1):(1)", 2), *y = OF(sw_add, x, k);

        assert_ok(sw_tensor_write_f32(k, &other, 1));
        assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        assert_no_grad(x);
        drop(x, k, y);
    }
}
END_TEST

START_TEST(writing_a_result_does_not_matter_as_values_come_from_operands)
{
    const float other = 100;
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 0)), *y = OF(sw_exp, x);

    assert_ok(sw_tensor_write_f32(y, &other, 1));
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(1):(1)", 1);
    drop(x, y, NULL);
}
END_TEST

START_TEST(released_values_are_missed_only_where_they_are_read)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1):(1)", 3)), *sum = OF(sw_add, x, x), *product = OF(sw_mul, x, x);

    assert_ok(sw_carrier_release(sw_tensor_carrier(x)));
    assert_status(sw_tensor_backward(product, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
    assert_no_grad(x);
    assert_ok(sw_tensor_backward(sum, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(1):(1)", 2);
    drop(x, sum, product);
}
END_TEST

START_TEST(a_convolution_misses_the_values_of_the_other_operand_only)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = leaf(F32(on, "(1,1,2):(0,0,1)", 3, 4)), *b = F32(on, "(1,1,1):(0,0,1)", 5);
        struct sw_tensor *kernel = leaf(F32(on, "(1,1,1):(0,0,1)", 7)), *c = F32(on, "(1,1,2):(0,0,1)", 3, 4);
        struct sw_tensor *of_in = OF(sw_conv_general, a, b, NULL), *of_kernel = OF(sw_conv_general, c, kernel, NULL);
        struct sw_tensor *in_sum = OF(sw_sum, of_in), *kernel_sum = OF(sw_sum, of_kernel);

        assert_ok(sw_carrier_release(sw_tensor_carrier(a)));
        assert_ok(sw_tensor_backward(in_sum, NULL, SW_GRAPH_RETAIN));
        assert_f32(sw_tensor_grad(a), "(1,1,2):(0,0,1)", 5, 5);
        assert_ok(sw_carrier_release(sw_tensor_carrier(b)));
        assert_status(sw_tensor_backward(in_sum, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        assert_ok(sw_carrier_release(sw_tensor_carrier(kernel)));
        assert_ok(sw_tensor_backward(kernel_sum, NULL, SW_GRAPH_RETAIN));
        assert_f32(sw_tensor_grad(kernel), "(1,1,1):(0,0,1)", 7);
        assert_ok(sw_carrier_release(sw_tensor_carrier(c)));
        assert_status(sw_tensor_backward(kernel_sum, NULL, SW_GRAPH_FREE), SW_RUNTIME_ERROR);
        drop(a, b, kernel);
        drop(c, of_in, of_kernel);
        drop(in_sum, kernel_sum, NULL);
    }
}
END_TEST

START_TEST(a_cotangent_is_checked)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(2,2):(1,2)", 1, 2, 3, 4)), *y = OF(sw_neg, x);
    struct sw_tensor *row_major = F32(sw_cpu_class(), "(2,2):(2,1)", 1, 2, 3, 4);
    struct sw_tensor *integers = I32(sw_cpu_class(), "(2,2):(1,2)", 1, 2, 3, 4);
    struct sw_tensor *elsewhere = F32(sw_generic_class(), "(2,2):(1,2)", 1, 2, 3, 4);

    assert_status(sw_tensor_backward(y, row_major, SW_GRAPH_FREE), SW_VALUE_ERROR);
    assert_status(sw_tensor_backward(y, integers, SW_GRAPH_FREE), SW_TYPE_ERROR);
    assert_status(sw_tensor_backward(y, elsewhere, SW_GRAPH_FREE), SW_TYPE_ERROR);
    assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_VALUE_ERROR);
    assert_status(sw_tensor_backward(NULL, NULL, SW_GRAPH_FREE), SW_TYPE_ERROR);
    drop(x, y, row_major);
    drop(integers, elsewhere, NULL);
}
END_TEST

START_TEST(without_a_cotangent_the_shape_is_a_single_leaf_of_1)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(1,1):(1,1)", 1)), *y = OF(sw_neg, x);

    assert_status(sw_tensor_backward(y, NULL, SW_GRAPH_FREE), SW_VALUE_ERROR);
    drop(x, y, NULL);
}
END_TEST

START_TEST(a_repeating_target_takes_an_injective_cotangent_of_its_shape)
{
    struct sw_tree *shape = tree_of("(2,3)");
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(2,1):(1,2)", 1, 2)), *y = OF(sw_broadcast_to, x, shape);
    struct sw_tensor *right = F32(sw_cpu_class(), "(2,3):(3,1)", 1, 2, 3, 4, 5, 6);

    assert_status(sw_tensor_backward(y, y, SW_GRAPH_FREE), SW_VALUE_ERROR);
    assert_status(sw_tensor_backward(y, x, SW_GRAPH_FREE), SW_VALUE_ERROR);
    assert_ok(sw_tensor_backward(y, right, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(2,1):(1,2)", 6, 15);
    sw_tree_unref(shape);
    drop(x, y, right);
}
END_TEST

START_TEST(a_gradient_keeps_gaps_and_the_order_of_its_tensor)
{
    struct sw_tensor *x = leaf(F32(sw_generic_class(), "(2,2):(5,2)", 1, 0, 2, 0, 0, 3, 0, 4)), *y = OF(sw_sum, x);

    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(2,2):(5,2)", 1, 1, 1, 1);
    drop(x, y, NULL);
}
END_TEST

START_TEST(grad_hands_out_and_leaves_what_tensors_keep_alone)
{
    FOR_BOTH(on) {
        struct sw_tensor *x = leaf(F32(on, "(1):(1)", 3)), *y = OF(sw_mul, x, x), *z = OF(sw_mul_f64, y, 2.0);
        struct sw_tensor *other = leaf(F32(on, "(1):(1)", 3)), *grads[] = { NULL, NULL, NULL, NULL };
        const struct sw_tensor *inputs[] = { x, y, other, x };

        assert_ok(sw_grad(z, inputs, 4, NULL, SW_GRAPH_RETAIN, grads));
        assert_f32(grads[0], "(1):(1)", 12);
        assert_f32(grads[1], "(1):(1)", 2);
        ck_assert_ptr_null(grads[2]);
        assert_f32(grads[3], "(1):(1)", 12);
        assert_no_grad(x);
        inputs[1] = NULL;
        assert_status(sw_grad(z, inputs, 4, NULL, SW_GRAPH_RETAIN, grads), SW_TYPE_ERROR);
        assert_status(sw_grad(z, NULL, 1, NULL, SW_GRAPH_RETAIN, grads), SW_TYPE_ERROR);
        assert_ok(sw_grad(z, NULL, 0, NULL, SW_GRAPH_FREE, NULL));
        assert_status(sw_grad(z, inputs, 1, NULL, SW_GRAPH_FREE, grads), SW_RUNTIME_ERROR);
        drop(x, y, z);
        sw_tensor_unref(other);
    }
}
END_TEST

START_TEST(a_gradient_can_be_put_in_place)
{
    struct sw_tensor *x = leaf(F32(sw_cpu_class(), "(2):(1)", 3, 4)), *y = OF(sw_sum, x);
    struct sw_tensor *start = F32(sw_cpu_class(), "(2):(2)", 10, 0, 20), *small = F32(sw_cpu_class(), "(1):(1)", 1);

    assert_ok(sw_tensor_set_grad(x, start));
    assert_status(sw_tensor_set_grad(x, small), SW_VALUE_ERROR);
    assert_status(sw_tensor_set_grad(NULL, small), SW_TYPE_ERROR);
    assert_ok(sw_tensor_backward(y, NULL, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(x), "(2):(1)", 11, 21);
    assert_ok(sw_tensor_set_grad(x, x));
    assert_ok(sw_tensor_set_grad(x, NULL));
    assert_no_grad(x);
    drop(x, y, start);
    sw_tensor_unref(small);
}
END_TEST

START_TEST(an_accumulator_of_the_operation_is_that_of_its_gradient)
{
    struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("matmul");
    struct sw_tensor *a = leaf(F32(sw_generic_class(), "(1,1):(1,1)", 1)), *y;
    struct sw_tensor *b = F32(sw_generic_class(), "(3,1):(1,3)", 16777216, 1, 1);
    struct sw_tensor *ones = F32(sw_generic_class(), "(1,3):(1,1)", 1, 1, 1);

    options.accumulator = SW_FLOAT64;
    assert_ok(sw_matmul(a, b, &options, &y));
    assert_ok(sw_tensor_backward(y, ones, SW_GRAPH_FREE));
    assert_f32(sw_tensor_grad(a), "(1,1):(1,1)", 16777218);
    drop(a, b, y);
    sw_tensor_unref(ones);
}
END_TEST

CHECK_MAIN("graph", nobody_takes_part_who_was_not_asked,
           results_inherit_from_any_operand_unless_they_are_not_float32, only_float32_tensors_can_take_part,
           a_leaf_can_stop_taking_part_and_a_result_cannot,
           whether_an_operand_gets_a_gradient_is_decided_when_the_operation_runs,
           nothing_is_recorded_without_gradients_and_every_way_out_restores, lowered_executions_are_not_recorded,
           a_detached_tensor_shares_elements_and_takes_no_part,
           contributions_of_repeated_operands_and_of_several_uses_add_up,
           gradients_accumulate_until_they_are_cleared, a_graph_is_freed_unless_it_is_retained,
           a_leaf_is_differentiated_with_respect_to_itself, other_tensors_have_a_gradient_on_request,
           an_operand_that_was_written_is_refused_and_an_unread_one_too,
           writing_a_result_does_not_matter_as_values_come_from_operands,
           released_values_are_missed_only_where_they_are_read,
           a_convolution_misses_the_values_of_the_other_operand_only, a_cotangent_is_checked,
           without_a_cotangent_the_shape_is_a_single_leaf_of_1,
           a_repeating_target_takes_an_injective_cotangent_of_its_shape,
           a_gradient_keeps_gaps_and_the_order_of_its_tensor, grad_hands_out_and_leaves_what_tensors_keep_alone,
           a_gradient_can_be_put_in_place, an_accumulator_of_the_operation_is_that_of_its_gradient)
