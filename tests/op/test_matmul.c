/*
 * Products: values by hand, every pair of layouts against the definition, on
 * both sides of the size from which BLAS may be used.
 */
#include "config.h"

#include "op_test.h"

START_TEST(both_second_modes_are_contracted)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(2,3):(1,2)", 1, 2, 3, 4, 5, 6), *b = F32(on, "(2,3):(3,1)", 1, 0, 1, 0, 1, 0),
                         *out;
        uint64_t before = sw_boundary_count();
        assert_ok(sw_matmul(a, b, NULL, &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 1);
        assert_f32(out, "(2,2):(1,2)", 6, 8, 3, 4);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(first_modes_keep_their_trees_and_second_ones_pair_by_ordinal)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "((2,1),(2,2)):((1,7),(2,4))", 1, 2, 3, 4, 5, 6, 7, 8);
        struct sw_tensor *b = F32(on, "(1,4):(0,1)", 1, 10, 100, 1000), *out;
        assert_ok(sw_matmul(a, b, NULL, &out));
        assert_f32(out, "((2,1),1):((1,2),2)", 7531, 8642);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

START_TEST(products_are_rounded_and_added_in_the_accumulator)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(1,3):(1,1)", 16777216, 1, 1), *b = F32(on, "(1,3):(1,1)", 1, 1, 1), *out;
        struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("matmul");
        assert_ok(sw_matmul(a, b, NULL, &out));
        assert_f32(out, "(1,1):(1,1)", 16777216);
        options.accumulator = SW_FLOAT64;
        assert_ok(sw_matmul(a, b, &options, &out));
        assert_f32(out, "(1,1):(1,1)", 16777218);
        /* 4097 * 4097 = 16785409 is not exact in binary32: its rounding shows in a double accumulator too. */
        struct sw_tensor *c = F32(on, "(1,2):(1,1)", 4097, -16785408), *d = F32(on, "(1,2):(1,1)", 4097, 1);
        assert_ok(sw_matmul(c, d, &options, &out));
        assert_f32(out, "(1,1):(1,1)", 0);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
        sw_tensor_unref(c);
        sw_tensor_unref(d);
    }
}
END_TEST

START_TEST(int32_products_are_exact_and_mixed_ones_are_float)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = I32(on, "(1,2):(1,1)", 2147483647, 2147483647), *b = I32(on, "(1,2):(1,1)", 2, -1),
                         *out = NULL;
        struct sw_tensor *c = I32(on, "(1,2):(1,1)", 1, 1), *half = F32(on, "(1,2):(1,1)", 0.5, 0.5);
        assert_ok(sw_matmul(a, b, NULL, &out));
        assert_i32(out, "(1,1):(1,1)", 2147483647);
        out = NULL;
        assert_status(sw_matmul(a, c, NULL, &out), SW_OVERFLOW_ERROR);
        ck_assert_ptr_null(out);
        assert_ok(sw_matmul(b, half, NULL, &out));
        assert_f32(out, "(1,1):(1,1)", 0.5);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
        sw_tensor_unref(c);
        sw_tensor_unref(half);
    }
}
END_TEST

/* Layouts of an operand of 36 by 38 and of 6 by 8 elements: dense either way, padded, strided, repeated,
 * overlapping, nested. */
static const char *const large[] = {
    "(36,38):(1,36)", "(36,38):(38,1)", "(36,38):(1,50)", "(36,38):(45,1)",         "(36,38):(2,72)",
    "(36,38):(0,1)",  "(36,38):(1,0)",  "(36,38):(76,2)", "((18,2),38):((2,1),36)", "((2,18),(2,19)):((1,2),(36,72))",
    "(36,38):(0,0)",  "(36,38):(0,36)", "(36,38):(1,5)",  "(36,38):(7,1)",          "(36,(2,19)):(38,(19,1))",
};
static const char *const small[] = {
    "(6,8):(1,6)", "(6,8):(8,1)",         "(6,8):(1,9)",         "(6,8):(11,1)",
    "(6,8):(0,1)", "((3,2),8):((2,1),6)", "(6,(2,4)):(8,(4,1))",
};

/* The bound of the header: k*eps*sum|a||b|; exact when @is_exact. */
static void assert_product(const struct sw_tensor *a, const struct sw_tensor *b, size_t m, size_t k, int is_exact)
{
    static float x[36 * 38], y[36 * 38], z[36 * 36];
    struct sw_tensor *out;

    assert_ok(sw_matmul(a, b, NULL, &out));
    assert_ok(sw_tensor_read_f32(a, x, m * k));
    assert_ok(sw_tensor_read_f32(b, y, m * k));
    assert_ok(sw_tensor_read_f32(out, z, m * m));
    for (size_t j = 0; j < m; j++)
        for (size_t i = 0; i < m; i++) {
            double sum = 0, bound = 0;
            float sequential = 0;
            for (size_t t = 0; t < k; t++) {
                double product = (double)x[i + m * t] * (double)y[j + m * t];
                sum += product;
                bound += fabs(product);
                sequential += x[i + m * t] * y[j + m * t];
            }
            if (is_exact)
                ck_assert(z[i + m * j] == sequential);
            else
                ck_assert(fabs((double)z[i + m * j] - sum) <= (double)k * 1.1920929e-7 * bound);
        }
    sw_tensor_unref(out);
}

static void assert_products(struct sw_carrier_class *on, const char *const *layouts, size_t n, size_t m, size_t k,
                            int is_exact)
{
    static double slots[36 * 38 * 2 + 3];
    struct sw_tensor *tensors[16];

    for (size_t i = 0; i < N_OF(slots); i++)
        slots[i] = (double)(i * 7919 % 1013) / 1013 - 0.5;
    for (size_t i = 0; i < n; i++)
        tensors[i] = tensor_at(on, SW_FLOAT32, layouts[i], 3, slots, N_OF(slots));
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            assert_product(tensors[i], tensors[j], m, k, is_exact);
    for (size_t i = 0; i < n; i++)
        sw_tensor_unref(tensors[i]);
}

START_TEST(small_products_are_sequential_whatever_the_layouts)
{
    FOR_BOTH(on)
    assert_products(on, small, N_OF(small), 6, 8, 1);
}
END_TEST

START_TEST(large_products_of_generic_are_sequential_whatever_the_layouts)
{
    assert_products(sw_generic_class(), large, N_OF(large), 36, 38, 1);
}
END_TEST

START_TEST(large_products_of_cpu_keep_the_bound_whatever_the_layouts)
{
    assert_products(sw_cpu_class(), large, N_OF(large), 36, 38, 0);
}
END_TEST

START_TEST(liveness_then_modes_then_sizes_then_dtypes)
{
    FOR_BOTH(on) {
        struct sw_tensor *dead = F32(on, "(2):(1)", 1, 2), *vector = BOOL(on, "(2):(1)", 1, 0), *out = NULL;
        struct sw_tensor *two = BOOL(on, "(1,2):(1,1)", 1, 0), *three = F32(on, "(1,3):(1,1)", 1, 2, 3);
        assert_ok(sw_carrier_release(sw_tensor_carrier(dead)));
        assert_status(sw_matmul(dead, vector, NULL, &out), SW_RUNTIME_ERROR);
        assert_status(sw_matmul(vector, three, NULL, &out), SW_VALUE_ERROR);
        assert_status(sw_matmul(two, three, NULL, &out), SW_VALUE_ERROR);
        assert_status(sw_matmul(two, two, NULL, &out), SW_NOT_IMPLEMENTED_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(dead);
        sw_tensor_unref(vector);
        sw_tensor_unref(two);
        sw_tensor_unref(three);
    }
}
END_TEST

START_TEST(a_contraction_too_long_for_memory_is_refused)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(1,4000000000000000000):(0,0)", 1), *out = NULL;
        assert_status(sw_matmul(a, a, NULL, &out), SW_MEMORY_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(a);
    }
}
END_TEST

CHECK_MAIN("matmul", both_second_modes_are_contracted, first_modes_keep_their_trees_and_second_ones_pair_by_ordinal,
           products_are_rounded_and_added_in_the_accumulator, int32_products_are_exact_and_mixed_ones_are_float,
           small_products_are_sequential_whatever_the_layouts,
           large_products_of_generic_are_sequential_whatever_the_layouts,
           large_products_of_cpu_keep_the_bound_whatever_the_layouts, liveness_then_modes_then_sizes_then_dtypes,
           a_contraction_too_long_for_memory_is_refused)
