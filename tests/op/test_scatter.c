/*
 * scatter and scatter_add: places, repeats, layouts, the order of checks.
 */
#include "config.h"

#include "op_test.h"

START_TEST(updates_replace_what_the_indices_name)
{
    FOR_BOTH(on) {
        struct sw_tensor *base = F32(on, "(2,3):(3,1)", 1, 3, 5, 2, 4, 6), *out;
        struct sw_tensor *index = I32(on, "(2):(1)", 2, 0), *updates = F32(on, "(2,2):(2,1)", 10, 30, 20, 40);
        assert_ok(sw_scatter(base, index, updates, 1, &out));
        assert_f32(out, "(2,3):(1,2)", 30, 40, 3, 4, 10, 20);
        /* The base is not written. */
        ck_assert_double_eq(value_at(base, 0), 1);
        struct sw_tensor *row = I32(on, "():()", 1), *values = F32(on, "(3):(0)", 7);
        assert_ok(sw_scatter(base, row, values, -2, &out));
        assert_f32(out, "(2,3):(1,2)", 1, 7, 3, 7, 5, 7);
        sw_tensor_unref(base);
        sw_tensor_unref(index);
        sw_tensor_unref(updates);
        sw_tensor_unref(row);
        sw_tensor_unref(values);
    }
}
END_TEST

START_TEST(updates_are_added_in_the_order_of_their_ordinals)
{
    FOR_BOTH(on) {
        struct sw_tensor *base = F32(on, "(2):(1)", 16777216, 0), *out;
        struct sw_tensor *index = I32(on, "(4):(1)", 0, 0, 1, 0), *updates = F32(on, "(4):(1)", 1, 1, 5, 4);
        /* 2^24 + 1 + 1 stays; the other order would not. */
        assert_ok(sw_scatter_add(base, index, updates, 0, &out));
        assert_f32(out, "(2):(1)", 16777220, 5);
        struct sw_tensor *square = F32(on, "(2,2):(1,2)", 1, 2, 3, 4), *twice = I32(on, "(2):(0)", 1),
                         *more = F32(on, "(2,2):(1,2)", 10, 20, 30, 40);
        assert_ok(sw_scatter_add(square, twice, more, 1, &out));
        assert_f32(out, "(2,2):(1,2)", 1, 2, 43, 64);
        assert_ok(sw_scatter_add(square, twice, more, 0, &out));
        assert_f32(out, "(2,2):(1,2)", 1, 32, 3, 74);
        sw_tensor_unref(base);
        sw_tensor_unref(index);
        sw_tensor_unref(updates);
        sw_tensor_unref(square);
        sw_tensor_unref(twice);
        sw_tensor_unref(more);
    }
}
END_TEST

START_TEST(nested_axes_and_indices_pair_by_ordinal)
{
    FOR_BOTH(on) {
        struct sw_tensor *base = F32(on, "(2,(2,2)):(1,(4,2))", 0, 1, 2, 3, 4, 5, 6, 7), *out;
        struct sw_tensor *index = I32(on, "((2,1)):((1,1))", 3, 0);
        struct sw_tensor *updates = F32(on, "(2,(2,1)):(1,(2,4))", 10, 11, 12, 13);
        assert_ok(sw_scatter(base, index, updates, 1, &out));
        assert_f32(out, "(2,(2,2)):(1,(2,4))", 12, 13, 4, 5, 2, 3, 10, 11);
        sw_tensor_unref(base);
        sw_tensor_unref(index);
        sw_tensor_unref(updates);
    }
}
END_TEST

START_TEST(more_updates_than_a_block)
{
    enum { N = 2500 };
    static double slots[N], ones[N];
    static float values[N];

    for (int i = 0; i < N; i++) {
        slots[i] = N - 1 - i;
        ones[i] = 1;
    }
    FOR_BOTH(on) {
        struct sw_tensor *base = tensor_at(on, SW_FLOAT32, "(2500):(1)", 0, ones, N), *out;
        struct sw_tensor *index = tensor_at(on, SW_INT32, "(2500):(1)", 0, slots, N);
        struct sw_tensor *updates = tensor_at(on, SW_FLOAT32, "(2500):(1)", 0, slots, N);
        assert_ok(sw_scatter_add(base, index, updates, 0, &out));
        assert_ok(sw_tensor_read_f32(out, values, N));
        for (int i = 0; i < N; i++)
            ck_assert_float_eq(values[i], (float)i + 1);
        sw_tensor_unref(base);
        sw_tensor_unref(index);
        sw_tensor_unref(updates);
        sw_tensor_unref(out);
    }
}
END_TEST

START_TEST(checks_come_in_their_order)
{
    FOR_BOTH(on) {
        struct sw_tensor *base = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *out = NULL;
        struct sw_tensor *twice = I32(on, "(2):(0)", 1), *far = I32(on, "(2):(1)", 1, 3), *below = I32(on, "(1):(1)", -1);
        struct sw_tensor *good = F32(on, "(2,2):(1,2)", 1, 2, 3, 4), *nested = F32(on, "(2,(2)):(1,(2))", 1, 2, 3, 4);
        struct sw_tensor *whole = I32(on, "(2,2):(1,2)", 1, 2, 3, 4), *truth = BOOL(on, "(2,2):(1,2)", 1, 1, 1, 1);
        const uint64_t before = sw_boundary_count();
        assert_status(sw_scatter(base, twice, good, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_scatter(base, NULL, good, 1, &out), SW_TYPE_ERROR);
        assert_status(sw_scatter_add(base, twice, NULL, 1, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        /* dtype, axis, range of every index, distinctness, shape of the updates. */
        const struct sw_operand axis_2[] = { sw_operand_tensor(base), sw_operand_tensor(twice),
                                             sw_operand_tensor(whole), sw_operand_integer(2) };
        assert_status(forward("scatter", sw_tensor_carrier(base), axis_2, 4, &out), SW_TYPE_ERROR);
        assert_status(sw_scatter(base, twice, truth, 1, &out), SW_NOT_IMPLEMENTED_ERROR);
        assert_status(sw_scatter(base, base, good, 1, &out), SW_TYPE_ERROR);
        assert_status(sw_scatter(base, far, nested, 1, &out), SW_INDEX_ERROR);
        assert_status(sw_scatter_add(base, below, good, 0, &out), SW_INDEX_ERROR);
        assert_status(sw_scatter(base, twice, good, 1, &out), SW_VALUE_ERROR);
        assert_status(sw_scatter_add(base, twice, nested, 1, &out), SW_VALUE_ERROR);
        assert_status(sw_scatter_add(base, twice, good, 0, &out), SW_VALUE_ERROR);
        assert_ok(sw_carrier_release(sw_tensor_carrier(good)));
        assert_status(sw_scatter_add(base, twice, good, 1, &out), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(out);
        struct sw_tensor *all[] = { base, twice, far, below, good, nested, whole, truth };
        for (size_t i = 0; i < N_OF(all); i++)
            sw_tensor_unref(all[i]);
    }
}
END_TEST

CHECK_MAIN("scatter", updates_replace_what_the_indices_name, updates_are_added_in_the_order_of_their_ordinals,
           nested_axes_and_indices_pair_by_ordinal, more_updates_than_a_block, checks_come_in_their_order)
