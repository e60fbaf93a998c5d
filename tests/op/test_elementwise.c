/*
 * Elementwise operations as a whole: layouts of operands and results,
 * widening, conversion, the order of checks.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "op_test.h"

START_TEST(results_are_canonical_whatever_the_layouts_of_the_operands)
{
    FOR_BOTH(on) {
        struct sw_tensor *column = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6);
        struct sw_tensor *row = F32(on, "(2,3):(3,1)", 10, 20, 30, 40, 50, 60);
        struct sw_tensor *gaps =
            tensor_at(on, SW_FLOAT32, "(2,3):(2,5)", 1, SLOTS(9, 1, 9, 2, 9, 9, 3, 9, 4, 9, 9, 5, 9, 6));
        struct sw_tensor *out;
        assert_ok(sw_add(column, row, &out));
        assert_f32(out, "(2,3):(1,2)", 11, 42, 23, 54, 35, 66);
        assert_ok(sw_sub(row, gaps, &out));
        assert_f32(out, "(2,3):(1,2)", 9, 38, 17, 46, 25, 54);
        assert_ok(sw_neg(row, &out));
        assert_f32(out, "(2,3):(1,2)", -10, -40, -20, -50, -30, -60);
        sw_tensor_unref(column);
        sw_tensor_unref(row);
        sw_tensor_unref(gaps);
    }
}
END_TEST

START_TEST(nested_shapes_keep_their_trees)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2,(2,2)):(4,(1,2))", 0, 1, 2, 3, 4, 5, 6, 7);
        struct sw_tensor *out;
        assert_ok(sw_mul(a, a, &out));
        assert_f32(out, "(2,(2,2)):(1,(2,4))", 0, 16, 1, 25, 4, 36, 9, 49);
        sw_tensor_unref(a);
    }
}
END_TEST

START_TEST(rank_zero_is_one_element)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "():()", 3), *out;
        assert_ok(sw_add(a, a, &out));
        assert_f32(out, "():()", 6);
        sw_tensor_unref(a);
    }
}
END_TEST

/* More elements than a block, through every way of reading them. */
START_TEST(large_operands_of_all_kinds_agree_with_the_definition)
{
    enum { N = 70, M = 41 };
    static const char *const layouts[] = { "(70,41):(1,70)", "(70,41):(41,1)",          "(70,41):(1,0)",
                                           "(70,41):(0,1)",  "((7,10),41):((10,1),70)", "(70,41):(0,0)",
                                           "(70,41):(2,140)" };
    static double slots[2 * N * M];

    for (size_t i = 0; i < N_OF(slots); i++)
        slots[i] = (double)(i % 8191);
    FOR_BOTH(on) {
        struct sw_tensor *a[N_OF(layouts)], *b[N_OF(layouts)], *out;
        for (size_t i = 0; i < N_OF(layouts); i++) {
            a[i] = tensor_at(on, SW_FLOAT32, layouts[i], 0, slots, N_OF(slots));
            b[i] = tensor_at(on, SW_INT32, layouts[i], 0, slots, N_OF(slots));
        }
        for (size_t i = 0; i < N_OF(layouts); i++)
            for (size_t j = 0; j < N_OF(layouts); j++) {
                static float x[N * M], sum[N * M];
                static int32_t y[N * M];
                if (!sw_tree_congruent(sw_tensor_shape(a[i]), sw_tensor_shape(b[j])))
                    continue;
                assert_ok(sw_add(a[i], b[j], &out));
                assert_ok(sw_tensor_read_f32(a[i], x, N * M));
                assert_ok(sw_tensor_read_i32(b[j], y, N * M));
                assert_ok(sw_tensor_read_f32(out, sum, N * M));
                for (size_t k = 0; k < N * M; k++)
                    ck_assert(sum[k] == x[k] + (float)y[k]);
                sw_tensor_unref(out);
            }
        for (size_t i = 0; i < N_OF(layouts); i++) {
            sw_tensor_unref(a[i]);
            sw_tensor_unref(b[i]);
        }
    }
}
END_TEST

/* The element with ordinal @k of a float32 tensor. */
static float at(const struct sw_tensor *tensor, int64_t k)
{
    struct sw_scalar value;

    assert_ok(sw_tensor_get_ordinal(tensor, k, &value));
    return (float)value.as.floating;
}

static void assert_sum(const struct sw_tensor *a, const struct sw_tensor *b, const struct sw_tensor *sum)
{
    for (int64_t k = 0; k < sw_tensor_size(sum); k++)
        ck_assert(at(sum, k) == at(a, k) + at(b, k));
}

/* Rows of an operand over and over, beside scalars and rows of other lengths, shorter and longer than blocks. */
START_TEST(rows_that_repeat_begin_anew_at_each_row_of_the_result)
{
    static const char *const layouts[][3] = {
        { "(64,33):(1,64)", "(64,33):(1,0)", "(64,33):(1,0)" },
        { "(1500,3):(1,1500)", "(1500,3):(1,0)", "(1500,3):(0,1)" },
        { "(1024,2,2):(1,1024,2048)", "(1024,2,2):(1,0,0)", "(1024,2,2):(1,1024,0)" },
        { "((10,7),(3,5)):((1,10),(70,210))", "((10,7),(3,5)):((1,10),(0,0))", "((10,7),(3,5)):((1,10),(70,0))" },
        { "(70,1,9):(1,5,70)", "(70,1,9):(1,0,0)", "(70,1,9):(1,7,71)" },
        { "(100,5):(1,0)", "(100,5):(1,0)", "(100,5):(1,0)" },
        { "(1):(1)", "(1):(0)", "(1):(7)" },
    };
    static double slots[8192];

    for (size_t i = 0; i < N_OF(slots); i++)
        slots[i] = (double)(i * 37 % 8191) - 4000;
    FOR_BOTH(on) {
        for (size_t i = 0; i < N_OF(layouts); i++) {
            struct sw_tensor *in[3], *out;
            for (size_t j = 0; j < 3; j++)
                in[j] = tensor_at(on, SW_FLOAT32, layouts[i][j], (int64_t)(11 * j), slots, N_OF(slots));
            for (size_t j = 0; j < 9; j++) {
                assert_ok(sw_add(in[j / 3], in[j % 3], &out));
                assert_sum(in[j / 3], in[j % 3], out);
                sw_tensor_unref(out);
            }
            for (size_t j = 0; j < 3; j++) {
                assert_ok(sw_mul_f64(in[j], 2.5, &out));
                for (int64_t k = 0; k < sw_tensor_size(out); k++)
                    ck_assert(at(out, k) == 2.5f * at(in[j], k));
                sw_tensor_unref(out);
                assert_ok(sw_clamp_f64(in[j], -3990.5, 100.5, &out));
                for (int64_t k = 0; k < sw_tensor_size(out); k++)
                    ck_assert(at(out, k) == fminf(fmaxf(at(in[j], k), -3990.5f), 100.5f));
                sw_tensor_unref(out);
                assert_ok(sw_clamp(in[0], sw_operand_tensor(in[j]), sw_operand_floating(100.5), &out));
                for (int64_t k = 0; k < sw_tensor_size(out); k++)
                    ck_assert(at(out, k) == fminf(fmaxf(at(in[0], k), at(in[j], k)), 100.5f));
                sw_tensor_unref(out);
            }
            for (size_t j = 0; j < 3; j++)
                sw_tensor_unref(in[j]);
        }
    }
}
END_TEST

START_TEST(rows_that_repeat_are_of_any_dtype)
{
    enum { ROW = 100, N = 5 * ROW };
    static double slots[N], flags[ROW];

    FOR_BOTH(on) {
        for (size_t i = 0; i < N; i++)
            slots[i] = (double)(i * 7 % 13);
        for (size_t i = 0; i < ROW; i++)
            flags[i] = i % 3 == 0;
        struct sw_tensor *a = tensor_at(on, SW_FLOAT32, "(100,5):(1,100)", 0, slots, N), *out;
        struct sw_tensor *row = tensor_at(on, SW_FLOAT32, "(100,5):(1,0)", 0, slots, N);
        struct sw_tensor *condition = tensor_at(on, SW_BOOL, "(100,5):(1,0)", 0, flags, ROW);
        struct sw_tensor *integers = tensor_at(on, SW_INT32, "(100,5):(1,100)", 0, slots, N);
        struct sw_tensor *integer_row = tensor_at(on, SW_INT32, "(100,5):(1,0)", 0, slots, N);
        struct sw_scalar most = { .kind = SW_SCALAR_INTEGER, .as.integer = INT32_MAX };
        assert_ok(sw_eq(a, row, &out));
        ck_assert_int_eq(sw_tensor_dtype(out), SW_BOOL);
        for (int64_t k = 0; k < N; k++) {
            struct sw_scalar value;
            assert_ok(sw_tensor_get_ordinal(out, k, &value));
            ck_assert_int_eq(value.as.boolean, slots[k] == slots[k % ROW]);
        }
        sw_tensor_unref(out);
        assert_ok(sw_select(condition, a, row, &out));
        for (int64_t k = 0; k < N; k++)
            ck_assert(at(out, k) == (float)(k % ROW % 3 == 0 ? slots[k] : slots[k % ROW]));
        sw_tensor_unref(out);
        assert_ok(sw_add(integers, integer_row, &out));
        for (int64_t k = 0; k < N; k++) {
            struct sw_scalar value;
            assert_ok(sw_tensor_get_ordinal(out, k, &value));
            ck_assert_int_eq(value.as.integer, (int64_t)slots[k] + (int64_t)slots[k % ROW]);
        }
        sw_tensor_unref(out);
        /* In the fourth row only, and beside no zero. */
        assert_ok(sw_tensor_set_ordinal(integers, 3 * ROW + 1, &most));
        ck_assert(slots[1] > 0);
        assert_status(sw_add(integers, integer_row, &out), SW_OVERFLOW_ERROR);
        sw_tensor_unref(a);
        sw_tensor_unref(row);
        sw_tensor_unref(condition);
        sw_tensor_unref(integers);
        sw_tensor_unref(integer_row);
    }
}
END_TEST

START_TEST(widening_crosses_one_boundary_per_widened_operand)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6);
        struct sw_tensor *row = F32(on, "(1,3):(1,1)", 10, 20, 30), *column = F32(on, "(2,1):(1,2)", 1, 2), *out;
        uint64_t before = sw_boundary_count();
        assert_ok(sw_add(a, a, &out));
        sw_tensor_unref(out);
        ck_assert_uint_eq(sw_boundary_count() - before, 1);
        before = sw_boundary_count();
        assert_ok(sw_add(a, row, &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 2);
        assert_f32(out, "(2,3):(1,2)", 11, 12, 23, 24, 35, 36);
        before = sw_boundary_count();
        assert_ok(sw_add(row, column, &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 3);
        assert_f32(out, "(2,3):(1,2)", 11, 12, 21, 22, 31, 32);
        sw_tensor_unref(a);
        sw_tensor_unref(row);
        sw_tensor_unref(column);
    }
}
END_TEST

START_TEST(int32_beside_float32_is_rounded_first)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = I32(on, "(2):(1)", 16777217, -3), *b = F32(on, "(2):(1)", 0, 0.5), *out;
        assert_ok(sw_add(a, b, &out));
        assert_f32(out, "(2):(1)", 16777216, -2.5);
        assert_ok(sw_div(a, a, &out));
        assert_f32(out, "(2):(1)", 1, 1);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(int32_that_overflows_gives_no_result)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = I32(on, "(2):(1)", 1, 2147483647), *b = I32(on, "(2):(1)", 1, 1), *out = NULL;
        assert_status(sw_add(a, b, &out), SW_OVERFLOW_ERROR);
        ck_assert_ptr_null(out);
        assert_ok(sw_sub(a, b, &out));
        assert_i32(out, "(2):(1)", 0, 2147483646);
        assert_status(sw_mul_i64(a, 2, &out), SW_OVERFLOW_ERROR);
        assert_status(sw_mul_i64(b, INT64_C(2147483648), &out), SW_OVERFLOW_ERROR);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(a_weak_scalar_is_rounded_once_and_decides_by_its_kind)
{
    FOR_BOTH(on) {
        struct sw_tensor *i = I32(on, "(2):(1)", 3, -4), *f = F32(on, "(2):(1)", 0, 2), *out;
        assert_ok(sw_mul_i64(i, -2, &out));
        assert_i32(out, "(2):(1)", -6, 8);
        assert_ok(sw_mul_f64(i, 0.5, &out));
        assert_f32(out, "(2):(1)", 1.5, -2);
        assert_ok(sw_mul_f64(f, 1e40, &out));
        assert_f32(out, "(2):(1)", NAN, INFINITY);
        assert_ok(sw_mul_f64(f, 0.1, &out));
        assert_f32(out, "(2):(1)", 0, (double)(0.1f * 2));
        const struct sw_operand operands[] = { sw_operand_tensor(i), sw_operand_boolean(1) };
        assert_ok(forward("mul", sw_tensor_carrier(i), operands, 2, &out));
        assert_f32(out, "(2):(1)", 3, -4);
        sw_tensor_unref(i);
        sw_tensor_unref(f);
    }
}
END_TEST

START_TEST(powers_with_scalars)
{
    FOR_BOTH(on) {
        struct sw_tensor *i = I32(on, "(4):(1)", 0, -1, -2, 2), *f = F32(on, "(2):(1)", 2, 0.5), *out;
        assert_ok(sw_pow_i64(i, 0, &out));
        assert_i32(out, "(4):(1)", 1, 1, 1, 1);
        assert_ok(sw_pow_i64(i, 3, &out));
        assert_i32(out, "(4):(1)", 0, -1, -8, 8);
        assert_status(sw_pow_i64(i, 31, &out), SW_OVERFLOW_ERROR);
        assert_ok(sw_pow_i64(i, -1, &out));
        assert_f32(out, "(4):(1)", INFINITY, -1, -0.5, 0.5);
        assert_ok(sw_pow_f64(f, 2, &out));
        assert_f32(out, "(2):(1)", 4, 0.25);
        assert_ok(sw_f64_pow(4, f, &out));
        assert_f32(out, "(2):(1)", 16, 2);
        assert_ok(sw_i64_pow(1, f, &out));
        assert_f32(out, "(2):(1)", 1, 1);
        struct sw_tensor *least = I32(on, "(1):(1)", -2);
        assert_ok(sw_pow_i64(least, 31, &out));
        assert_i32(out, "(1):(1)", -2147483648.0);
        struct sw_tensor *one = I32(on, "(1):(1)", -1);
        assert_ok(sw_pow_i64(one, 2147483647, &out));
        assert_i32(out, "(1):(1)", -1);
        sw_tensor_unref(least);
        sw_tensor_unref(one);
        sw_tensor_unref(i);
        sw_tensor_unref(f);
    }
}
END_TEST

START_TEST(logical_not_keeps_an_injective_layout_with_zeros_in_the_gaps)
{
    FOR_BOTH(on) {
        struct sw_tensor *gaps = F32(on, "(2,2):(3,1)", 0, 1, 9, -0.0, NAN), *out;
        assert_ok(sw_logical_not(gaps, &out));
        struct sw_scalar hole;
        assert_ok(sw_carrier_get(sw_tensor_carrier(out), 2, &hole));
        ck_assert_int_eq(hole.as.boolean, 0);
        assert_bool(out, "(2,2):(3,1)", 1, 1, 0, 0);
        struct sw_tensor *repeated = F32(on, "(2,2):(1,0)", 0, 1);
        assert_ok(sw_logical_not(repeated, &out));
        assert_bool(out, "(2,2):(1,2)", 1, 0, 1, 0);
        sw_tensor_unref(gaps);
        sw_tensor_unref(repeated);
    }
}
END_TEST

START_TEST(select_reads_the_chosen_side_and_widens_all_three)
{
    FOR_BOTH(on) {
        struct sw_tensor *c = BOOL(on, "(2,1):(1,1)", 1, 0), *a = F32(on, "(1,3):(1,1)", 1, NAN, 3);
        struct sw_tensor *b = F32(on, "(1,1):(1,1)", 9), *out;
        uint64_t before = sw_boundary_count();
        assert_ok(sw_select(c, a, b, &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 4);
        assert_f32(out, "(2,3):(1,2)", 1, 9, NAN, 9, 3, 9);
        assert_status(sw_select(a, a, b, &out), SW_TYPE_ERROR);
        assert_status(sw_select(c, c, b, &out), SW_NOT_IMPLEMENTED_ERROR);
        sw_tensor_unref(c);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(clamp_is_the_minimum_of_the_maximum_and_takes_numbers_for_bounds)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = F32(on, "(2,3):(3,1)", 1, 3, 5, 2, 4, 6), *low = F32(on, "(2,1):(1,1)", 2, 3), *out;
        struct sw_tensor *odd = F32(on, "(5):(1)", -0.0, 0.0, NAN, INFINITY, -5);
        assert_ok(sw_clamp(in, sw_operand_tensor(low), sw_operand_integer(5), &out));
        assert_f32(out, "(2,3):(1,2)", 2, 3, 3, 4, 5, 5);
        assert_ok(sw_clamp(in, sw_operand_floating(2.5), sw_operand_tensor(low), &out));
        assert_f32(out, "(2,3):(1,2)", 2, 2.5, 2, 3, 2, 3);
        assert_ok(sw_clamp(low, sw_operand_boolean(1), sw_operand_tensor(in), &out));
        assert_f32(out, "(2,3):(1,2)", 1, 2, 2, 3, 2, 3);
        assert_ok(sw_clamp_f64(odd, -0.0, 1e40, &out));
        assert_f32(out, "(5):(1)", -0.0, 0.0, NAN, INFINITY, -0.0);
        assert_ok(sw_clamp_f64(odd, 3, -1, &out));
        assert_f32(out, "(5):(1)", -1, -1, NAN, -1, -1);
        assert_ok(sw_clamp_f64(in, NAN, 1, &out));
        assert_f32(out, "(2,3):(1,2)", NAN, NAN, NAN, NAN, NAN, NAN);
        sw_tensor_unref(in);
        sw_tensor_unref(low);
        sw_tensor_unref(odd);
    }
}
END_TEST

START_TEST(clamp_refuses_what_is_no_bound_and_checks_dtypes_before_shapes)
{
    FOR_BOTH(on) {
        struct sw_tensor *three = F32(on, "(3):(1)", 1, 2, 3), *two = F32(on, "(2):(1)", 1, 2), *out = NULL;
        struct sw_tensor *whole = I32(on, "(2):(1)", 1, 2), *truth = BOOL(on, "(2):(1)", 1, 0);
        const struct sw_operand zero = sw_operand_integer(0);
        const uint64_t before = sw_boundary_count();
        assert_status(sw_clamp(three, sw_operand_string("0"), zero, &out), SW_TYPE_ERROR);
        assert_status(sw_clamp(three, zero, sw_operand_none(), &out), SW_TYPE_ERROR);
        assert_status(sw_clamp(NULL, zero, zero, &out), SW_TYPE_ERROR);
        assert_status(sw_clamp(three, sw_operand_tensor(NULL), zero, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_status(sw_clamp(whole, zero, zero, &out), SW_TYPE_ERROR);
        assert_status(sw_clamp(truth, zero, zero, &out), SW_NOT_IMPLEMENTED_ERROR);
        assert_status(sw_clamp(three, sw_operand_tensor(whole), zero, &out), SW_TYPE_ERROR);
        assert_status(sw_clamp(three, zero, sw_operand_tensor(truth), &out), SW_NOT_IMPLEMENTED_ERROR);
        assert_status(sw_clamp(three, sw_operand_tensor(two), zero, &out), SW_VALUE_ERROR);
        assert_ok(sw_carrier_release(sw_tensor_carrier(two)));
        assert_status(sw_clamp(three, sw_operand_tensor(two), sw_operand_tensor(whole), &out), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(three);
        sw_tensor_unref(two);
        sw_tensor_unref(whole);
        sw_tensor_unref(truth);
    }
}
END_TEST

START_TEST(a_released_operand_comes_before_the_shapes_and_those_before_the_dtypes)
{
    FOR_BOTH(on) {
        struct sw_tensor *dead = F32(on, "(2):(1)", 1, 2), *boolean = BOOL(on, "(2):(1)", 1, 0);
        struct sw_tensor *three = F32(on, "(3):(1)", 1, 2, 3), *nested = F32(on, "((2)):((1))", 1, 2), *out = NULL;
        assert_ok(sw_carrier_release(sw_tensor_carrier(dead)));
        assert_status(sw_add(three, dead, &out), SW_RUNTIME_ERROR);
        assert_status(sw_add(boolean, three, &out), SW_VALUE_ERROR);
        assert_status(sw_add(boolean, nested, &out), SW_VALUE_ERROR);
        assert_status(sw_add(boolean, boolean, &out), SW_NOT_IMPLEMENTED_ERROR);
        /* The nested broadcast has run when the dtype is refused. */
        struct sw_tensor *one = F32(on, "(1):(1)", 1);
        uint64_t before = sw_boundary_count();
        assert_status(sw_add(one, boolean, &out), SW_NOT_IMPLEMENTED_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 2);
        assert_status(sw_neg(dead, &out), SW_RUNTIME_ERROR);
        assert_status(sw_neg(boolean, &out), SW_NOT_IMPLEMENTED_ERROR);
        /* select: dtype before shape, operand by operand. */
        assert_status(sw_select(boolean, boolean, three, &out), SW_NOT_IMPLEMENTED_ERROR);
        assert_status(sw_select(boolean, dead, boolean, &out), SW_RUNTIME_ERROR);
        assert_status(sw_select(three, dead, three, &out), SW_TYPE_ERROR);
        assert_status(sw_select(boolean, three, three, &out), SW_VALUE_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(one);
        sw_tensor_unref(dead);
        sw_tensor_unref(boolean);
        sw_tensor_unref(three);
        sw_tensor_unref(nested);
    }
}
END_TEST

START_TEST(an_operation_refuses_tensors_of_another_class_and_what_is_no_operand)
{
    struct sw_tensor *generic = F32(sw_generic_class(), "(2):(1)", 1, 2), *cpu = F32(sw_cpu_class(), "(2):(1)", 1, 2);
    const struct sw_operand foreign[] = { sw_operand_tensor(cpu), sw_operand_tensor(generic) };
    const struct sw_operand odd[] = { sw_operand_tensor(cpu), sw_operand_string("x") };
    const struct sw_operand scalars[] = { sw_operand_integer(1), sw_operand_floating(2) };
    const struct sw_operand many[] = { sw_operand_tensor(cpu), sw_operand_tensor(cpu), sw_operand_tensor(cpu),
                                       sw_operand_tensor(cpu), sw_operand_tensor(cpu) };
    struct sw_carrier *carrier = sw_tensor_carrier(cpu);
    struct sw_tensor *out = NULL;

    assert_status(forward("add", carrier, foreign, 2, &out), SW_TYPE_ERROR);
    assert_status(forward("neg", carrier, foreign + 1, 1, &out), SW_TYPE_ERROR);
    assert_status(forward("add", carrier, odd, 2, &out), SW_TYPE_ERROR);
    assert_status(forward("add", carrier, scalars, 2, &out), SW_TYPE_ERROR);
    assert_status(forward("add", carrier, foreign, 1, &out), SW_TYPE_ERROR);
    assert_status(forward("add", carrier, many, 5, &out), SW_TYPE_ERROR);
    assert_status(forward("neg", carrier, many, 2, &out), SW_TYPE_ERROR);
    assert_status(forward("neg", carrier, many, 0, &out), SW_TYPE_ERROR);
    assert_status(forward("select", carrier, many, 2, &out), SW_TYPE_ERROR);
    sw_tensor_unref(generic);
    sw_tensor_unref(cpu);
}
END_TEST

CHECK_MAIN("elementwise", results_are_canonical_whatever_the_layouts_of_the_operands, nested_shapes_keep_their_trees,
           rank_zero_is_one_element, large_operands_of_all_kinds_agree_with_the_definition,
           rows_that_repeat_begin_anew_at_each_row_of_the_result, rows_that_repeat_are_of_any_dtype,
           widening_crosses_one_boundary_per_widened_operand, int32_beside_float32_is_rounded_first,
           int32_that_overflows_gives_no_result, a_weak_scalar_is_rounded_once_and_decides_by_its_kind,
           powers_with_scalars, logical_not_keeps_an_injective_layout_with_zeros_in_the_gaps,
           select_reads_the_chosen_side_and_widens_all_three,
           clamp_is_the_minimum_of_the_maximum_and_takes_numbers_for_bounds,
           clamp_refuses_what_is_no_bound_and_checks_dtypes_before_shapes,
           a_released_operand_comes_before_the_shapes_and_those_before_the_dtypes,
           an_operation_refuses_tensors_of_another_class_and_what_is_no_operand)
