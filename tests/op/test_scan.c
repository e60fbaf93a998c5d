/*
 * cumsum: order, signs, layouts, refusals.
 */
#include "config.h"

#include "op_test.h"

START_TEST(sums_run_along_one_mode_whatever_the_layout)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out;
        assert_ok(sw_cumsum(in, 0, &out));
        assert_f32(out, "(2,3):(1,2)", 1, 3, 3, 7, 5, 11);
        assert_ok(sw_cumsum(in, -1, &out));
        assert_f32(out, "(2,3):(1,2)", 1, 2, 4, 6, 9, 12);
        struct sw_tensor *rows = F32(on, "(2,3):(3,1)", 1, 2, 3, 4, 5, 6);
        assert_ok(sw_cumsum(rows, 1, &out));
        assert_f32(out, "(2,3):(1,2)", 1, 4, 3, 9, 6, 15);
        struct sw_tensor *repeated = F32(on, "(2,3):(1,0)", 1, 10);
        assert_ok(sw_cumsum(repeated, 1, &out));
        assert_f32(out, "(2,3):(1,2)", 1, 10, 2, 20, 3, 30);
        sw_tensor_unref(in);
        sw_tensor_unref(rows);
        sw_tensor_unref(repeated);
    }
}
END_TEST

START_TEST(a_nested_mode_is_run_through_in_ordinal_order)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "((2,2),2):((2,1),4)", 1, 3, 2, 4, 5, 7, 6, 8), *out;
        assert_ok(sw_cumsum(in, 0, &out));
        assert_f32(out, "((2,2),2):((1,2),4)", 1, 3, 6, 10, 5, 11, 18, 26);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(sums_begin_with_plus_zero_and_are_rounded_at_each_step)
{
    FOR_BOTH(on) {
        struct sw_tensor *zeros = F32(on, "(2):(1)", -0.0, -0.0), *out;
        assert_ok(sw_cumsum(zeros, 0, &out));
        assert_f32(out, "(2):(1)", 0.0, 0.0);
        struct sw_tensor *big = F32(on, "(2,3):(3,1)", 16777216, 1, 1, NAN, 1, INFINITY);
        assert_ok(sw_cumsum(big, 1, &out));
        assert_f32(out, "(2,3):(1,2)", 16777216, NAN, 16777216, NAN, 16777216, NAN);
        sw_tensor_unref(zeros);
        sw_tensor_unref(big);
    }
}
END_TEST

START_TEST(axes_and_dtypes_are_checked)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out = NULL;
        struct sw_tensor *whole = I32(on, "(1):(1)", 1), *truth = BOOL(on, "(1):(1)", 1);
        const uint64_t before = sw_boundary_count();
        assert_status(sw_cumsum(in, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_cumsum(in, -3, &out), SW_VALUE_ERROR);
        assert_status(sw_cumsum(NULL, 0, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_status(sw_cumsum(whole, 0, &out), SW_TYPE_ERROR);
        assert_status(sw_cumsum(truth, 0, &out), SW_NOT_IMPLEMENTED_ERROR);
        /* The dimension before the dtype, and both inside when dispatched. */
        const struct sw_operand far[] = { sw_operand_tensor(whole), sw_operand_integer(1) };
        assert_status(forward("cumsum", sw_tensor_carrier(whole), far, 2, &out), SW_VALUE_ERROR);
        const struct sw_operand odd[] = { sw_operand_tensor(whole), sw_operand_boolean(0) };
        assert_status(forward("cumsum", sw_tensor_carrier(whole), odd, 2, &out), SW_TYPE_ERROR);
        assert_ok(sw_carrier_release(sw_tensor_carrier(in)));
        assert_status(sw_cumsum(in, 0, &out), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
        sw_tensor_unref(whole);
        sw_tensor_unref(truth);
    }
}
END_TEST

CHECK_MAIN("scan", sums_run_along_one_mode_whatever_the_layout, a_nested_mode_is_run_through_in_ordinal_order,
           sums_begin_with_plus_zero_and_are_rounded_at_each_step, axes_and_dtypes_are_checked)
