/*
 * Sources: elements materialised in ordinal order, converted, and read where
 * they are stored when that is possible.
 */
#include "config.h"

#include "op/source.h"

#include "op_test.h"

static struct sw_tensor *counting(enum sw_dtype dtype, const char *layout)
{
    static double slots[3000];

    for (int i = 0; i < 3000; i++)
        slots[i] = i;
    return tensor_at(sw_cpu_class(), dtype, layout, 2, slots, 3000);
}

START_TEST(dense_elements_are_read_where_they_are_stored)
{
    struct sw_tensor *in = counting(SW_FLOAT32, "(20,30):(1,20)");
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    float buffer[8];

    assert_ok(sw__source_init(&source, in, SW_FLOAT32));
    ck_assert(source.is_direct);
    const float *stored = (const float *)sw_cpu_pointer(sw_tensor_carrier(in)) + 2;
    ck_assert_ptr_eq(sw__source_read(&source, 8, buffer), stored);
    ck_assert_ptr_eq(sw__source_read(&source, 8, buffer), stored + 8);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(any_layout_is_read_in_ordinal_order)
{
    static const char *const layouts[] = { "(40,50):(50,1)", "(2000):(0)", "(40,50):(0,1)", "((10,4),50):((4,1),40)",
                                           "(1000,2):(1,1500)" };

    for (size_t i = 0; i < N_OF(layouts); i++) {
        struct sw_tensor *in = counting(SW_FLOAT32, layouts[i]);
        struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
        float buffer[300];
        assert_ok(sw__source_init(&source, in, SW_FLOAT32));
        for (size_t done = 0; done < 2000;) {
            size_t n = 2000 - done < N_OF(buffer) ? 2000 - done : N_OF(buffer);
            const float *values = sw__source_read(&source, n, buffer);
            for (size_t j = 0; j < n; j++)
                ck_assert((double)values[j] == value_at(in, (int64_t)(done + j)));
            done += n;
        }
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(int32_is_rounded_to_float32_on_the_way)
{
    struct sw_tensor *in = I32(sw_cpu_class(), "(3):(1)", 16777217, -2147483648.0, 5);
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    float buffer[3];

    assert_ok(sw__source_init(&source, in, SW_FLOAT32));
    ck_assert(!source.is_direct);
    const float *values = sw__source_read(&source, 3, buffer);
    ck_assert(values[0] == 16777216.0f && values[1] == -2147483648.0f && values[2] == 5.0f);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(there_is_no_way_from_float32_to_int32)
{
    struct sw_tensor *in = F32(sw_cpu_class(), "(1):(1)", 1);
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };

    assert_status(sw__source_init(&source, in, SW_INT32), SW_NOT_IMPLEMENTED_ERROR);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(a_scalar_is_repeated)
{
    const struct sw_scalar scalar = { .kind = SW_SCALAR_FLOATING, .as.floating = 0.1 };
    const struct sw_scalar large = { .kind = SW_SCALAR_INTEGER, .as.integer = INT64_C(1) << 40 };
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    float buffer[10];

    assert_ok(sw__source_init_scalar(&source, &scalar, SW_FLOAT32, 25));
    for (size_t left = 25; left > 0; left -= left < 10 ? left : 10) {
        const float *values = sw__source_read(&source, left < 10 ? left : 10, buffer);
        ck_assert(values[0] == 0.1f && values[left < 10 ? left - 1 : 9] == 0.1f);
    }
    assert_status(sw__source_init_scalar(&source, &large, SW_INT32, 25), SW_OVERFLOW_ERROR);
}
END_TEST

START_TEST(some_leaves_begin_where_others_point)
{
    struct sw_tensor *in = counting(SW_FLOAT32, "(4,5):(5,1)");
    struct sw__source rows SW__OWNED_SOURCE = { .cursor = { 0 } };
    struct sw__source columns SW__OWNED_SOURCE = { .cursor = { 0 } };
    float buffer[5];

    assert_ok(sw__source_init_leaves(&rows, in, SW_FLOAT32, 0, 1));
    assert_ok(sw__source_init_leaves(&columns, in, SW_FLOAT32, 1, 2));
    for (int64_t row = 3; row >= 0; row--) {
        sw__source_aim(&columns, &rows, row);
        const float *values = sw__source_read(&columns, 5, buffer);
        for (int64_t column = 0; column < 5; column++)
            ck_assert((double)values[column] == value_at(in, row + 4 * column));
    }
    sw_tensor_unref(in);
}
END_TEST

START_TEST(a_whole_tensor_is_copied_in_ordinal_order)
{
    static const char *const layouts[] = { "(4,5):(5,1)", "(20):(1)", "(4,5):(0,1)", "(20):(0)" };

    for (size_t i = 0; i < N_OF(layouts); i++) {
        struct sw_tensor *in = counting(SW_INT32, layouts[i]);
        float copy[20];
        assert_ok(sw__source_copy(in, SW_FLOAT32, copy));
        for (int64_t k = 0; k < 20; k++)
            ck_assert_double_eq((double)copy[k], value_at(in, k));
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(memory_is_read_at_its_stride)
{
    static const float values[] = { 0, 1, 2, 3, 4, 5, 6 };
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    float buffer[3];

    assert_ok(sw__source_init_memory(&source, values, SW_FLOAT32, 3, 2));
    const float *read = sw__source_read(&source, 3, buffer);
    ck_assert(read[0] == 0 && read[1] == 2 && read[2] == 4);
    struct sw__source dense SW__OWNED_SOURCE = { .cursor = { 0 } };
    assert_ok(sw__source_init_memory(&dense, values, SW_FLOAT32, 7, 1));
    ck_assert_ptr_eq(sw__source_read(&dense, 3, buffer), values);
}
END_TEST

CHECK_MAIN("source", dense_elements_are_read_where_they_are_stored, any_layout_is_read_in_ordinal_order,
           int32_is_rounded_to_float32_on_the_way, there_is_no_way_from_float32_to_int32, a_scalar_is_repeated,
           some_leaves_begin_where_others_point, a_whole_tensor_is_copied_in_ordinal_order,
           memory_is_read_at_its_stride)
