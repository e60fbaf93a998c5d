/*
 * Whole tensors in and out of arrays, on every kind of carrier.
 */
#include "config.h"

#include <string.h>

#include "carrier/carrier.h"
#include "carrier/dense.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/transfer.h"

#define N_CLASSES 4
#define N_BOOL_CLASSES 3 /* that store Bool */

static struct sw_carrier_class *class_number(int i)
{
    struct sw_carrier_class *const classes[N_CLASSES] = { sw_generic_class(), sw_cpu_class(), &foreign_class,
                                                          sw_file_backed_class() };

    return classes[i];
}

static struct sw_tensor *tensor_of(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, size_t n,
                                   int64_t offset, const char *text)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_layout_parse(text, &layout), SW_OK);
    ck_assert_int_eq(sw__carrier_allocate(carrier_class, n, dtype, 0, &carrier), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, offset, layout, &tensor), SW_OK);
    return tensor;
}

static void expect_slots(const struct sw_tensor *tensor, const int32_t *expected)
{
    for (size_t i = 0; i < sw_carrier_size(tensor->carrier); i++) {
        struct sw_scalar value;

        ck_assert_int_eq(sw_carrier_get(tensor->carrier, (int64_t)i, &value), SW_OK);
        ck_assert_int_eq(value.as.integer, expected[i]);
    }
}

START_TEST(elements_are_written_and_read_in_ordinal_order)
{
    const int32_t values[] = { 1, 2, 3, 4, 5, 6 };

    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_INT32, 9, 1, "(2,3):(3,1)");
        int32_t back[6] = { 0 };

        ck_assert_int_eq(sw_tensor_write_i32(tensor, values, 6), SW_OK);
        expect_slots(tensor, (const int32_t[]){ 0, 1, 3, 5, 2, 4, 6, 0, 0 });
        ck_assert_int_eq(sw_tensor_read_i32(tensor, back, 6), SW_OK);
        ck_assert_mem_eq(back, values, sizeof values);
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 6);
    }
}
END_TEST

START_TEST(compact_tensors_are_copied_whole)
{
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR =
            tensor_of(class_number(i), SW_FLOAT32, 600, 0, "(10,(5,12)):(1,(10,50))");
        float values[600], back[600];

        for (int k = 0; k < 600; k++)
            values[k] = (float)k / 3;
        ck_assert_int_eq(sw_tensor_write_f32(tensor, values, 600), SW_OK);
        ck_assert_int_eq(sw_tensor_read_f32(tensor, back, 600), SW_OK);
        ck_assert_mem_eq(back, values, sizeof values);
    }
}
END_TEST

START_TEST(rows_of_neighbours_are_written_and_read_between_the_others)
{
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_INT32, 12, 1, "(3,2):(1,5)");
        const int32_t values[] = { 1, 2, 3, 4, 5, 6 };
        int32_t back[6];

        ck_assert_int_eq(sw_tensor_write_i32(tensor, values, 6), SW_OK);
        expect_slots(tensor, (const int32_t[]){ 0, 1, 2, 3, 0, 0, 4, 5, 6, 0, 0, 0 });
        ck_assert_int_eq(sw_tensor_read_i32(tensor, back, 6), SW_OK);
        ck_assert_mem_eq(back, values, sizeof values);
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 6);
    }
}
END_TEST

START_TEST(slots_that_are_shared_are_read_again_and_keep_the_last_write)
{
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_INT32, 2, 0, "(3,2):(0,1)");
        const int32_t values[] = { 1, 2, 3, 4, 5, 6 };
        int32_t back[6];

        ck_assert_int_eq(sw_tensor_write_i32(tensor, values, 6), SW_OK);
        ck_assert_int_eq(sw_tensor_read_i32(tensor, back, 6), SW_OK);
        ck_assert_mem_eq(back, ((const int32_t[]){ 3, 3, 3, 6, 6, 6 }), sizeof back);
    }
}
END_TEST

START_TEST(booleans_are_bytes_of_zero_and_one)
{
    for (int i = 0; i < N_BOOL_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_BOOL, 4, 0, "(2,2):(2,1)");
        const uint8_t values[] = { 1, 0, 0, 1 }, strange[] = { 0, 1, 1, 2 };
        uint8_t back[4];

        ck_assert_int_eq(sw_tensor_write_bool(tensor, values, 4), SW_OK);
        ck_assert_int_eq(sw_tensor_write_bool(tensor, strange, 4), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_tensor_read_bool(tensor, back, 4), SW_OK);
        ck_assert_mem_eq(back, values, sizeof values);
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 4);
    }
}
END_TEST

START_TEST(bytes_of_external_memory_are_read_as_truth_values)
{
    uint8_t memory[] = { 0, 7, 1 }, back[3];
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;

    options.dtype = SW_BOOL;
    options.external = 1;
    options.pointer = memory;
    ck_assert_int_eq(sw_cpu_new(3, &options, &carrier), SW_OK);
    ck_assert_int_eq(sw_layout_parse("3:1", &layout), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, 0, layout, &tensor), SW_OK);
    ck_assert_int_eq(sw_tensor_read_bool(tensor, back, 3), SW_OK);
    ck_assert_mem_eq(back, ((const uint8_t[]){ 0, 1, 1 }), 3);
}
END_TEST

START_TEST(another_dtype_or_count_is_refused)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(sw_cpu_class(), SW_FLOAT32, 4, 0, "4:1");
    float reals[5] = { 9, 9, 9, 9, 9 };
    int32_t integers[4] = { 0 };
    uint8_t truths[4] = { 0 };

    ck_assert_int_eq(sw_tensor_read_i32(tensor, integers, 4), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_write_i32(tensor, integers, 4), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_write_bool(tensor, truths, 4), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_read_f32(tensor, reals, 5), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tensor_write_f32(tensor, reals, 3), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tensor_read_f32(tensor, NULL, 4), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_read_f32(NULL, reals, 4), SW_TYPE_ERROR);
    ck_assert_float_eq(reals[0], 9);
    ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 0);
}
END_TEST

START_TEST(writing_needs_a_live_mutable_carrier_of_one_s_own)
{
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_FLOAT32, 2, 0, "2:1");
        const float values[] = { 1, 2 };
        float back[2] = { 9, 9 };

        tensor->carrier->owner_token = 5;
        ck_assert_int_eq(sw_tensor_write_f32(tensor, values, 2), SW_RUNTIME_ERROR);
        ck_assert_int_eq(sw_tensor_read_f32(tensor, back, 2), SW_OK);
        ck_assert_float_eq(back[1], 0);
        tensor->carrier->owner_token = 0;
        ck_assert_int_eq(sw_carrier_release(tensor->carrier), SW_OK);
        ck_assert_int_eq(sw_tensor_write_f32(tensor, values, 2), SW_RUNTIME_ERROR);
        ck_assert_int_eq(sw_tensor_read_f32(tensor, back, 2), SW_RUNTIME_ERROR);
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 0);
    }
}
END_TEST

START_TEST(a_class_that_fails_half_way_leaves_the_array_alone)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(&foreign_class, SW_FLOAT32, 3, 0, "3:1");
    float back[3] = { 9, 9, 9 };

    foreign_of(tensor->carrier)->fails_at = 2;
    ck_assert_int_eq(sw_tensor_read_f32(tensor, back, 3), SW_OS_ERROR);
    ck_assert_float_eq(back[0], 9);
}
END_TEST

START_TEST(a_class_that_gives_another_kind_of_value_is_a_type_error)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(&foreign_class, SW_INT32, 3, 0, "3:1");
    int32_t back[3] = { 9, 9, 9 };

    foreign_of(tensor->carrier)->boxes[1] = floating(1.5);
    ck_assert_int_eq(sw_tensor_read_i32(tensor, back, 3), SW_TYPE_ERROR);
    ck_assert_int_eq(back[0], 9);
}
END_TEST

START_TEST(initialising_fresh_storage_leaves_its_version_at_zero)
{
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = tensor_of(class_number(i), SW_INT32, 4, 0, "4:1");

        ck_assert_int_eq(sw__carrier_initialize(tensor->carrier, 1, (const int32_t[]){ 7, 8 }, 2), SW_OK);
        expect_slots(tensor, (const int32_t[]){ 0, 7, 8, 0 });
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 0);
    }
}
END_TEST

CHECK_MAIN("transfer", elements_are_written_and_read_in_ordinal_order, compact_tensors_are_copied_whole,
           rows_of_neighbours_are_written_and_read_between_the_others,
           slots_that_are_shared_are_read_again_and_keep_the_last_write, booleans_are_bytes_of_zero_and_one,
           bytes_of_external_memory_are_read_as_truth_values, another_dtype_or_count_is_refused,
           writing_needs_a_live_mutable_carrier_of_one_s_own, a_class_that_fails_half_way_leaves_the_array_alone,
           a_class_that_gives_another_kind_of_value_is_a_type_error,
           initialising_fresh_storage_leaves_its_version_at_zero)
