/*
 * Fresh tensors from a carrier class.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

#define N_CLASSES 3

static struct sw_carrier_class *class_number(int i)
{
    struct sw_carrier_class *const classes[N_CLASSES] = { sw_generic_class(), sw_cpu_class(), &foreign_class };

    return classes[i];
}

static struct sw_tree *shape_of(const char *text)
{
    struct sw_tree *shape = NULL;

    ck_assert_int_eq(sw_tree_parse(text, &shape), SW_OK);
    return shape;
}

START_TEST(zeros_have_the_canonical_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("(2,(3,4))");
    struct sw_layout *canonical SW__OWNED_LAYOUT = NULL;

    ck_assert_int_eq(sw_layout_canonical(shape, &canonical), SW_OK);
    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
        int32_t values[24];

        ck_assert_int_eq(sw_tensor_zeros(class_number(i), SW_INT32, shape, &tensor), SW_OK);
        ck_assert(sw_layout_equal(tensor->layout, canonical));
        ck_assert_int_eq(tensor->offset, 0);
        ck_assert_ptr_eq(sw_tensor_carrier_class(tensor), class_number(i));
        ck_assert_int_eq(sw_tensor_read_i32(tensor, values, 24), SW_OK);
        for (int k = 0; k < 24; k++)
            ck_assert_int_eq(values[k], 0);
    }
}
END_TEST

START_TEST(full_repeats_one_value_over_any_size)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("(100,7)");

    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
        float values[700];

        ck_assert_int_eq(sw_tensor_full(class_number(i), SW_FLOAT32, shape, FLOATING(0.1), &tensor), SW_OK);
        ck_assert_int_eq(sw_tensor_read_f32(tensor, values, 700), SW_OK);
        for (int k = 0; k < 700; k++)
            ck_assert_float_eq(values[k], 0.1f);
        ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 0);
        ck_assert(sw_tensor_is_mutable(tensor));
    }
}
END_TEST

START_TEST(arange_counts_in_ordinal_order)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("(30,(5,4))");

    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
        int32_t values[600];

        ck_assert_int_eq(sw_tensor_arange(class_number(i), SW_INT32, shape, &tensor), SW_OK);
        ck_assert_int_eq(sw_tensor_read_i32(tensor, values, 600), SW_OK);
        for (int k = 0; k < 600; k++)
            ck_assert_int_eq(values[k], k);
    }
}
END_TEST

START_TEST(arrays_are_taken_in_ordinal_order)
{
    const float reals[] = { 1, 2, 3, 4, 5, 6 };
    const int32_t integers[] = { 1, 2, 3, 4, 5, 6 };
    const uint8_t truths[] = { 1, 0, 1, 1, 0, 0 };
    struct sw_tree *shape SW__OWNED_TREE = shape_of("(2,3)");

    for (int i = 0; i < N_CLASSES; i++) {
        struct sw_tensor *real SW__OWNED_TENSOR = NULL;
        struct sw_tensor *whole SW__OWNED_TENSOR = NULL;
        struct sw_tensor *truth SW__OWNED_TENSOR = NULL;
        struct sw_scalar value;

        ck_assert_int_eq(sw_tensor_from_f32(class_number(i), reals, shape, &real), SW_OK);
        ck_assert_int_eq(sw_tensor_from_i32(class_number(i), integers, shape, &whole), SW_OK);
        ck_assert_int_eq(sw_tensor_from_bool(class_number(i), truths, shape, &truth), SW_OK);
        ck_assert_int_eq(sw_tensor_get_ordinal(real, 4, &value), SW_OK);
        ck_assert_double_eq(value.as.floating, 5);
        ck_assert_int_eq(sw_tensor_get_ordinal(whole, 1, &value), SW_OK);
        ck_assert_int_eq(value.as.integer, 2);
        ck_assert_int_eq(sw_tensor_get_ordinal(truth, 3, &value), SW_OK);
        ck_assert_int_eq(value.as.boolean, 1);
    }
}
END_TEST

START_TEST(a_rank_zero_shape_is_one_element)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("()");
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
    double item = 0;

    ck_assert_int_eq(sw_tensor_full(sw_generic_class(), SW_INT32, shape, INTEGER(42), &tensor), SW_OK);
    ck_assert_int_eq(sw_tensor_item(tensor, &item), SW_OK);
    ck_assert_double_eq(item, 42);
}
END_TEST

START_TEST(values_that_the_dtype_does_not_take_are_refused)
{
    const uint8_t strange[] = { 0, 3 };
    struct sw_tree *shape SW__OWNED_TREE = shape_of("2");
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tensor_full(sw_cpu_class(), SW_INT32, shape, FLOATING(1), &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_full(sw_cpu_class(), SW_INT32, shape, INTEGER(INT64_C(1) << 31), &tensor),
                     SW_OVERFLOW_ERROR);
    ck_assert_int_eq(sw_tensor_full(sw_cpu_class(), SW_INT32, shape, NULL, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_arange(sw_cpu_class(), SW_BOOL, shape, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_from_bool(sw_cpu_class(), strange, shape, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_from_f32(sw_cpu_class(), NULL, shape, &tensor), SW_TYPE_ERROR);
    ck_assert_ptr_null(tensor);
}
END_TEST

START_TEST(arguments_of_another_kind_are_refused)
{
    struct sw_carrier_class plain = FOREIGN_CLASS_INIT;
    struct sw_tree *shape SW__OWNED_TREE = shape_of("2");
    struct sw_tree *no_shape SW__OWNED_TREE = shape_of("(2,0)");
    struct sw_tensor *tensor = NULL;

    plain.allocate = NULL;
    ck_assert_int_eq(sw_tensor_zeros(NULL, SW_INT32, shape, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros((struct sw_carrier_class *)(void *)shape, SW_INT32, shape, &tensor),
                     SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_INT32, NULL, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_INT32, no_shape, &tensor), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_FLOAT64, shape, &tensor), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_DTYPE_NONE, shape, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_zeros(&plain, SW_INT32, shape, &tensor), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_ptr_null(tensor);
}
END_TEST

START_TEST(a_class_that_fails_half_way_leaves_nothing_behind)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("2");
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tensor_full(&foreign_class, SW_BOOL, shape, INTEGER(1), &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(foreign_n_alive, 0);
}
END_TEST

START_TEST(storage_beyond_memory_is_a_memory_error)
{
    struct sw_tree *shape SW__OWNED_TREE = shape_of("(4611686018427387904)");
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_FLOAT32, shape, &tensor), SW_MEMORY_ERROR);
    ck_assert_ptr_null(tensor);
}
END_TEST

CHECK_MAIN("create", zeros_have_the_canonical_layout, full_repeats_one_value_over_any_size,
           arange_counts_in_ordinal_order, arrays_are_taken_in_ordinal_order, a_rank_zero_shape_is_one_element,
           values_that_the_dtype_does_not_take_are_refused, arguments_of_another_kind_are_refused,
           a_class_that_fails_half_way_leaves_nothing_behind, storage_beyond_memory_is_a_memory_error)
