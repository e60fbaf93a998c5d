/*
 * sort and topk: order, ties, not-a-numbers, axes, the order of checks.
 */
#include "config.h"

#include "op_test.h"

static void assert_sorted(struct sw_tensor *in, int64_t axis, enum sw_sort_order order, const char *layout,
                          const double *values, const double *indices, size_t n)
{
    struct sw_tensor *sorted, *ordinals;

    assert_ok(sw_sort(in, axis, order, &sorted, &ordinals));
    assert_tensor(sorted, SW_FLOAT32, layout, values, n);
    assert_tensor(ordinals, SW_INT32, layout, indices, n);
    sw_tensor_unref(in);
}

static void assert_top(struct sw_tensor *in, int64_t k, int64_t axis, enum sw_sort_order order, const char *layout,
                       const double *values, const double *indices, size_t n)
{
    struct sw_tensor *top, *ordinals;

    assert_ok(sw_topk(in, k, axis, order, &top, &ordinals));
    assert_tensor(top, SW_FLOAT32, layout, values, n);
    assert_tensor(ordinals, SW_INT32, layout, indices, n);
    sw_tensor_unref(in);
}

#define LIST(...) ((const double[]){ __VA_ARGS__ })

START_TEST(equal_elements_keep_their_order_in_both_directions_and_nan_is_above_all)
{
    FOR_BOTH(on) {
        assert_sorted(F32(on, "(6):(1)", 3, 1, NAN, 2, -0.0, 0.0), -1, SW_SORT_ASCENDING, "(6):(1)",
                      LIST(-0.0, 0.0, 1, 2, 3, NAN), LIST(4, 5, 1, 3, 0, 2), 6);
        assert_sorted(F32(on, "(6):(1)", 3, 1, NAN, 2, 3, NAN), 0, SW_SORT_DESCENDING, "(6):(1)",
                      LIST(NAN, NAN, 3, 3, 2, 1), LIST(2, 5, 0, 4, 3, 1), 6);
        assert_sorted(F32(on, "(5):(1)", 0.0, -0.0, INFINITY, -INFINITY, -1e-45), 0, SW_SORT_DESCENDING, "(5):(1)",
                      LIST(INFINITY, 0.0, -0.0, -1e-45, -INFINITY), LIST(2, 0, 1, 4, 3), 5);
    }
}
END_TEST

START_TEST(each_fibre_is_sorted_alone_whatever_the_layout)
{
    FOR_BOTH(on) {
        assert_sorted(F32(on, "(2,3):(3,1)", 5, 1, 3, 2, 6, 4), 1, SW_SORT_ASCENDING, "(2,3):(1,2)",
                      LIST(1, 2, 3, 4, 5, 6), LIST(1, 0, 2, 2, 0, 1), 6);
        assert_sorted(F32(on, "(2,3):(3,1)", 5, 1, 3, 2, 6, 4), -2, SW_SORT_ASCENDING, "(2,3):(1,2)",
                      LIST(2, 5, 1, 6, 3, 4), LIST(1, 0, 0, 1, 0, 1), 6);
        assert_sorted(F32(on, "((2,2)):((2,1))", 4, 2, 3, 1), 0, SW_SORT_ASCENDING, "((2,2)):((1,2))",
                      LIST(1, 2, 3, 4), LIST(3, 2, 1, 0), 4);
        assert_sorted(F32(on, "(2,2):(0,1)", 2, 1), 1, SW_SORT_ASCENDING, "(2,2):(1,2)", LIST(1, 1, 2, 2),
                      LIST(1, 1, 0, 0), 4);
    }
}
END_TEST

START_TEST(the_first_k_take_the_place_of_the_axis)
{
    FOR_BOTH(on) {
        assert_top(F32(on, "(4):(1)", 3, 1, NAN, 2), 2, -1, SW_SORT_DESCENDING, "(2):(1)", LIST(NAN, 3), LIST(2, 0), 2);
        assert_top(F32(on, "(4):(1)", 3, 1, NAN, 2), 2, -1, SW_SORT_ASCENDING, "(2):(1)", LIST(1, 2), LIST(1, 3), 2);
        assert_top(F32(on, "((2,3),2):((1,2),6)", 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5), 2, 0, SW_SORT_DESCENDING,
                   "(2,2):(1,2)", LIST(5, 4, 5, 4), LIST(0, 1, 5, 4), 4);
        assert_top(F32(on, "(2,3):(3,1)", 5, 1, 3, 2, 6, 4), 1, 1, SW_SORT_ASCENDING, "(2,1):(1,2)", LIST(1, 2),
                   LIST(1, 0), 2);
    }
}
END_TEST

/* Enough for every way of ordering that a kernel has; keys that differ in every digit. */
START_TEST(long_fibres_are_stable_too)
{
    enum { N = 5000 };
    static double slots[N];
    static float values[N];
    static int32_t ordinals[N];

    for (int i = 0; i < N; i++)
        slots[i] = (double)((i * 7919) % 1000 - 500) * 1.37e-3 * (i % 3 == 0 ? 1e20 : 1);
    FOR_BOTH(on) {
        struct sw_tensor *in = tensor_at(on, SW_FLOAT32, "(5000):(1)", 0, slots, N), *sorted, *indices;
        assert_ok(sw_sort(in, 0, SW_SORT_ASCENDING, &sorted, &indices));
        assert_ok(sw_tensor_read_f32(sorted, values, N));
        assert_ok(sw_tensor_read_i32(indices, ordinals, N));
        for (int i = 0; i < N; i++) {
            ck_assert_float_eq(values[i], (float)slots[ordinals[i]]);
            if (i > 0)
                ck_assert(values[i - 1] < values[i] || (values[i - 1] == values[i] && ordinals[i - 1] < ordinals[i]));
        }
        sw_tensor_unref(in);
        sw_tensor_unref(sorted);
        sw_tensor_unref(indices);
    }
}
END_TEST

static enum sw_status top(const struct sw_tensor *in, struct sw_operand k, struct sw_operand axis,
                          struct sw_operand flag, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), k, axis, flag };

    return forward("_topk_indices", sw_tensor_carrier(in), operands, 4, ret_tensor);
}

START_TEST(checks_come_in_their_order)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *whole = I32(on, "(2):(1)", 1, 2);
        struct sw_tensor *truth = BOOL(on, "(2):(1)", 1, 0), *values = NULL, *indices = NULL;
        uint64_t before = sw_boundary_count();
        assert_status(sw_sort(in, 2, SW_SORT_ASCENDING, &values, &indices), SW_VALUE_ERROR);
        assert_status(sw_topk(in, 1, -3, SW_SORT_ASCENDING, &values, &indices), SW_VALUE_ERROR);
        assert_status(sw_sort(in, 0, (enum sw_sort_order)2, &values, &indices), SW_TYPE_ERROR);
        assert_status(sw_sort(NULL, 0, SW_SORT_ASCENDING, &values, &indices), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        /* dtype, axis, flag, count. */
        assert_status(top(whole, sw_operand_integer(0), sw_operand_integer(5), sw_operand_integer(1), &values),
                      SW_TYPE_ERROR);
        assert_status(top(truth, sw_operand_integer(1), sw_operand_integer(0), sw_operand_boolean(1), &values),
                      SW_NOT_IMPLEMENTED_ERROR);
        assert_status(top(in, sw_operand_integer(0), sw_operand_integer(2), sw_operand_integer(1), &values),
                      SW_VALUE_ERROR);
        assert_status(top(in, sw_operand_integer(0), sw_operand_integer(1), sw_operand_integer(1), &values),
                      SW_TYPE_ERROR);
        assert_status(sw_topk(in, 0, 1, SW_SORT_ASCENDING, &values, &indices), SW_VALUE_ERROR);
        assert_status(sw_topk(in, 4, 1, SW_SORT_ASCENDING, &values, &indices), SW_VALUE_ERROR);
        assert_status(top(in, sw_operand_floating(1), sw_operand_integer(1), sw_operand_boolean(1), &values),
                      SW_TYPE_ERROR);
        assert_ok(sw_carrier_release(sw_tensor_carrier(in)));
        assert_status(sw_sort(in, 0, SW_SORT_ASCENDING, &values, &indices), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(values);
        ck_assert_ptr_null(indices);
        sw_tensor_unref(in);
        sw_tensor_unref(whole);
        sw_tensor_unref(truth);
    }
}
END_TEST

CHECK_MAIN("sort", equal_elements_keep_their_order_in_both_directions_and_nan_is_above_all,
           each_fibre_is_sorted_alone_whatever_the_layout, the_first_k_take_the_place_of_the_axis,
           long_fibres_are_stable_too, checks_come_in_their_order)
