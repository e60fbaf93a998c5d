/*
 * gather: shapes, layouts, indices, the order of checks.
 */
#include "config.h"

#include "op_test.h"

START_TEST(the_axis_mode_is_replaced_by_the_modes_of_the_index)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out;
        struct sw_tensor *index = I32(on, "(2,2):(1,2)", 2, 0, 1, 2), *one = I32(on, "():()", 1);
        assert_ok(sw_gather(in, index, 1, &out));
        assert_f32(out, "(2,2,2):(1,2,4)", 5, 6, 1, 2, 3, 4, 5, 6);
        assert_ok(sw_gather(in, one, -1, &out));
        assert_f32(out, "(2):(1)", 3, 4);
        assert_ok(sw_gather(in, one, 0, &out));
        assert_f32(out, "(3):(1)", 2, 4, 6);
        struct sw_tensor *rows = I32(on, "(3):(1)", 1, 1, 0);
        assert_ok(sw_gather(in, rows, -2, &out));
        assert_f32(out, "(3,3):(1,3)", 2, 2, 1, 4, 4, 3, 6, 6, 5);
        sw_tensor_unref(in);
        sw_tensor_unref(index);
        sw_tensor_unref(one);
        sw_tensor_unref(rows);
    }
}
END_TEST

START_TEST(nested_axes_are_addressed_by_ordinal_and_layouts_do_not_matter)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "((2,2),2):((2,4),1)", 0, 1, 2, 3, 4, 5, 6, 7), *out;
        struct sw_tensor *index = I32(on, "((2,1)):((3,1))", 3, 9, 9, 1);
        assert_ok(sw_gather(in, index, 0, &out));
        assert_f32(out, "((2,1),2):((1,2),2)", 6, 2, 7, 3);
        struct sw_tensor *last = F32(on, "((2,2),2):((4,1),2)", 0, 1, 2, 3, 4, 5, 6, 7),
                         *flip = I32(on, "(2):(1)", 1, 0);
        assert_ok(sw_gather(last, flip, 1, &out));
        assert_f32(out, "((2,2),2):((1,2),4)", 2, 6, 3, 7, 0, 4, 1, 5);
        sw_tensor_unref(in);
        sw_tensor_unref(index);
        sw_tensor_unref(last);
        sw_tensor_unref(flip);
    }
}
END_TEST

START_TEST(more_indices_than_a_block)
{
    enum { N = 2500 };
    static double slots[N];
    static float values[N];

    for (int i = 0; i < N; i++)
        slots[i] = N - 1 - i;
    FOR_BOTH(on) {
        struct sw_tensor *in = tensor_at(on, SW_FLOAT32, "(2500):(1)", 0, slots, N), *out;
        struct sw_tensor *index = tensor_at(on, SW_INT32, "(50,50):(50,1)", 0, slots, N);
        assert_ok(sw_gather(in, index, 0, &out));
        assert_ok(sw_tensor_read_f32(out, values, N));
        for (int i = 0; i < N; i++)
            ck_assert(values[i] == (float)(i % 50 * 50 + i / 50));
        sw_tensor_unref(in);
        sw_tensor_unref(index);
        sw_tensor_unref(out);
    }
}
END_TEST

START_TEST(indices_out_of_range_are_refused_and_never_wrapped)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(3):(1)", 1, 2, 3), *high = I32(on, "(2):(1)", 0, 3),
                         *low = I32(on, "(1):(1)", -1);
        struct sw_tensor *out = NULL;
        uint64_t before = sw_boundary_count();
        assert_status(sw_gather(in, high, 0, &out), SW_INDEX_ERROR);
        assert_status(sw_gather(in, low, 0, &out), SW_INDEX_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 2);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
        sw_tensor_unref(high);
        sw_tensor_unref(low);
    }
}
END_TEST

START_TEST(the_axis_is_judged_before_the_boundary_and_operands_one_by_one_inside)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(3):(1)", 1, 2, 3), *index = I32(on, "(1):(1)", 7),
                         *flags = BOOL(on, "(1):(1)", 1);
        struct sw_tensor *dead = I32(on, "(1):(1)", 0), *out = NULL;
        assert_ok(sw_carrier_release(sw_tensor_carrier(dead)));
        uint64_t before = sw_boundary_count();
        assert_status(sw_gather(in, index, 1, &out), SW_VALUE_ERROR);
        assert_status(sw_gather(in, index, -2, &out), SW_VALUE_ERROR);
        assert_status(sw_gather(in, NULL, 0, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_status(sw_gather(index, dead, 0, &out), SW_TYPE_ERROR);
        assert_status(sw_gather(in, dead, 0, &out), SW_RUNTIME_ERROR);
        assert_status(sw_gather(in, in, 0, &out), SW_TYPE_ERROR);
        assert_status(sw_gather(in, flags, 0, &out), SW_NOT_IMPLEMENTED_ERROR);
        /* Dispatched directly: the axis before the values of the index. */
        const struct sw_operand far[] = { sw_operand_tensor(in), sw_operand_tensor(index), sw_operand_integer(1) };
        assert_status(forward("gather", sw_tensor_carrier(in), far, 3, &out), SW_VALUE_ERROR);
        const struct sw_operand odd[] = { sw_operand_tensor(in), sw_operand_tensor(index), sw_operand_floating(0) };
        assert_status(forward("gather", sw_tensor_carrier(in), odd, 3, &out), SW_TYPE_ERROR);
        sw_tensor_unref(in);
        sw_tensor_unref(index);
        sw_tensor_unref(flags);
        sw_tensor_unref(dead);
    }
}
END_TEST

CHECK_MAIN("gather", the_axis_mode_is_replaced_by_the_modes_of_the_index,
           nested_axes_are_addressed_by_ordinal_and_layouts_do_not_matter, more_indices_than_a_block,
           indices_out_of_range_are_refused_and_never_wrapped,
           the_axis_is_judged_before_the_boundary_and_operands_one_by_one_inside)
