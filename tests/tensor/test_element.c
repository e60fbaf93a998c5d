/*
 * Access to single elements.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

/* 0, 1, ... 23 in a tensor of shape (2,(3,4)). */
static struct sw_tensor *counting(struct sw_carrier_class *carrier_class)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tree_parse("(2,(3,4))", &shape), SW_OK);
    ck_assert_int_eq(sw_tensor_arange(carrier_class, SW_FLOAT32, shape, &tensor), SW_OK);
    return tensor;
}

static enum sw_status get(const struct sw_tensor *tensor, const char *key, double *ret_value)
{
    struct sw_tree *coordinate SW__OWNED_TREE = NULL;
    struct sw_scalar value = { 0 };

    ck_assert_int_eq(sw_tree_parse(key, &coordinate), SW_OK);
    enum sw_status status = sw_tensor_get(tensor, coordinate, &value);
    if (status == SW_OK)
        *ret_value = value.as.floating;
    return status;
}

START_TEST(an_element_has_an_ordinal_and_natural_and_mixed_coordinates)
{
    struct sw_carrier_class *const classes[] = { sw_generic_class(), sw_cpu_class(), &foreign_class };

    for (size_t i = 0; i < 3; i++) {
        struct sw_tensor *tensor SW__OWNED_TENSOR = counting(classes[i]);
        double value = -1;

        ck_assert_int_eq(get(tensor, "(1,(2,3))", &value), SW_OK);
        ck_assert_double_eq(value, 23.0);
        ck_assert_int_eq(get(tensor, "(1,5)", &value), SW_OK);
        ck_assert_double_eq(value, 11.0);
        ck_assert_int_eq(get(tensor, "17", &value), SW_OK);
        ck_assert_double_eq(value, 17.0);
    }
}
END_TEST

START_TEST(keys_outside_or_of_another_structure_are_value_errors)
{
    static const char *const keys[] = { "-1", "24", "(2,0)", "(1,2,3)", "(1,(2,3,0))", "(1,(2))", "((1),2)", "()" };
    struct sw_tensor *tensor SW__OWNED_TENSOR = counting(sw_cpu_class());
    double value = -1;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        ck_assert_msg(get(tensor, keys[i], &value) == SW_VALUE_ERROR, "key %s", keys[i]);
    ck_assert_double_eq(value, -1);
}
END_TEST

START_TEST(what_is_no_key_or_no_tensor_is_a_type_error)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = counting(sw_cpu_class());
    struct sw_scalar value;
    double item;

    ck_assert_int_eq(sw_tensor_get(tensor, NULL, &value), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_get(NULL, tensor->layout->shape, &value), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_get_ordinal(NULL, 0, &value), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_set_ordinal(NULL, 0, FLOATING(1)), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_item(NULL, &item), SW_TYPE_ERROR);
}
END_TEST

START_TEST(ordinals_follow_the_layout_not_the_storage)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = foreign_new(12, SW_INT32);
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
    struct sw_scalar value;

    ck_assert_int_eq(sw_layout_parse("(2,3):(4,1)", &layout), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, 5, layout, &tensor), SW_OK);
    ck_assert_int_eq(sw_tensor_set_ordinal(tensor, 3, INTEGER(77)), SW_OK); /* (1,1): slot 5 + 4 + 1 */
    ck_assert_int_eq(sw_carrier_get(carrier, 10, &value), SW_OK);
    ck_assert_int_eq(value.as.integer, 77);
    ck_assert_int_eq(sw_tensor_get_ordinal(tensor, 3, &value), SW_OK);
    ck_assert_int_eq(value.as.integer, 77);
    ck_assert_int_eq(sw_tensor_get_ordinal(tensor, 6, &value), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tensor_get_ordinal(tensor, -1, &value), SW_VALUE_ERROR);
}
END_TEST

START_TEST(writing_goes_through_the_carrier)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = counting(sw_cpu_class());
    struct sw_tree *key SW__OWNED_TREE = NULL;
    double value;

    ck_assert_int_eq(sw_tree_parse("(1,(2,3))", &key), SW_OK);
    ck_assert_int_eq(sw_tensor_set(tensor, key, FLOATING(0.1)), SW_OK);
    ck_assert_int_eq(get(tensor, "23", &value), SW_OK);
    ck_assert_double_eq(value, 0.10000000149011612);
    ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 1);
    tensor->carrier->owner_token = 1;
    ck_assert_int_eq(sw_tensor_set(tensor, key, FLOATING(1)), SW_RUNTIME_ERROR);
    tensor->carrier->owner_token = 0;
    ck_assert_uint_eq(sw_carrier_version(tensor->carrier), 1);
}
END_TEST

START_TEST(released_storage_is_a_runtime_error_before_the_key_is_looked_at)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = counting(sw_cpu_class());
    double value;

    ck_assert_int_eq(sw_carrier_release(tensor->carrier), SW_OK);
    ck_assert_int_eq(get(tensor, "99", &value), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_tensor_set_ordinal(tensor, 99, FLOATING(1)), SW_RUNTIME_ERROR);
    ck_assert_int_eq(sw_tensor_item(tensor, &value), SW_RUNTIME_ERROR);
}
END_TEST

static double item_of(enum sw_dtype dtype, const struct sw_scalar *value)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
    double item = -1;

    ck_assert_int_eq(sw_tree_parse("(1,1)", &shape), SW_OK);
    ck_assert_int_eq(sw_tensor_full(sw_cpu_class(), dtype, shape, value, &tensor), SW_OK);
    ck_assert_int_eq(sw_tensor_item(tensor, &item), SW_OK);
    return item;
}

START_TEST(the_item_of_a_tensor_of_size_one_is_its_value)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = counting(sw_cpu_class());
    double item = -1;

    ck_assert_double_eq(item_of(SW_FLOAT32, FLOATING(0.5)), 0.5);
    ck_assert_double_eq(item_of(SW_INT32, INTEGER(INT32_MIN)), -2147483648.0);
    ck_assert_double_eq(item_of(SW_BOOL, BOOLEAN(1)), 1.0);
    ck_assert_int_eq(sw_tensor_item(tensor, &item), SW_VALUE_ERROR);
    ck_assert_double_eq(item, -1);
}
END_TEST

CHECK_MAIN("element", an_element_has_an_ordinal_and_natural_and_mixed_coordinates,
           keys_outside_or_of_another_structure_are_value_errors, what_is_no_key_or_no_tensor_is_a_type_error,
           ordinals_follow_the_layout_not_the_storage, writing_goes_through_the_carrier,
           released_storage_is_a_runtime_error_before_the_key_is_looked_at,
           the_item_of_a_tensor_of_size_one_is_its_value)
