/*
 * Tensors: construction checks, queries, views, fresh results.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "carrier/dense.h"
#include "carrier/foreign.h"
#include "carrier/scalars.h"
#include "check_main.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

static struct sw_layout *layout_of(const char *text)
{
    struct sw_layout *layout = NULL;

    ck_assert_int_eq(sw_layout_parse(text, &layout), SW_OK);
    return layout;
}

static struct sw_tensor *cpu_tensor(size_t n, int64_t offset, const char *text)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of(text);
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_cpu_new(n, NULL, &carrier), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, offset, layout, &tensor), SW_OK);
    return tensor;
}

static enum sw_status construct(size_t n, int64_t offset, const char *text)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of(text);
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;

    ck_assert_int_eq(sw_cpu_new(n, NULL, &carrier), SW_OK);
    enum sw_status status = sw_tensor_new(carrier, offset, layout, &tensor);
    ck_assert_int_eq(tensor != NULL, status == SW_OK);
    return status;
}

START_TEST(a_tensor_needs_offset_plus_cosize_slots)
{
    ck_assert_int_eq(construct(10, 0, "(2,3):(1,4)"), SW_OK);
    ck_assert_int_eq(construct(9, 0, "(2,3):(1,4)"), SW_VALUE_ERROR);
    ck_assert_int_eq(construct(10, 1, "(2,3):(1,4)"), SW_VALUE_ERROR);
    ck_assert_int_eq(construct(0, 0, "():()"), SW_VALUE_ERROR);
    ck_assert_int_eq(construct(1, 0, "():()"), SW_OK);
    ck_assert_int_eq(construct(2, 0, "(2,3):(1,0)"), SW_OK);
}
END_TEST

START_TEST(an_offset_is_not_negative_and_stays_inside_64_bits)
{
    ck_assert_int_eq(construct(4, -1, "2:1"), SW_VALUE_ERROR);
    ck_assert_int_eq(construct(4, INT64_MAX, "2:1"), SW_OVERFLOW_ERROR);
}
END_TEST

START_TEST(arguments_of_another_kind_are_type_errors)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("2:1");
    struct sw_tensor *other SW__OWNED_TENSOR = cpu_tensor(2, 0, "2:1");
    struct sw_tensor *tensor = NULL;

    ck_assert_int_eq(sw_tensor_new(NULL, 0, layout, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_new((struct sw_carrier *)(void *)layout, 0, layout, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_new(other->carrier, 0, NULL, &tensor), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tensor_new(other->carrier, 0, (const struct sw_layout *)(const void *)other, &tensor),
                     SW_TYPE_ERROR);
    ck_assert_ptr_null(tensor);
}
END_TEST

static enum sw_dtype no_dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_DTYPE_NONE;
}

START_TEST(a_carrier_without_a_dtype_is_a_value_error)
{
    struct sw_carrier_class vague = FOREIGN_CLASS_INIT;
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("2:1");
    struct sw_tensor *tensor = NULL;

    vague.dtype = no_dtype;
    ck_assert_int_eq(foreign_allocate(&vague, 2, 1, SW_INT32, 0, &carrier), SW_OK);
    ck_assert_int_eq(sw_tensor_new(carrier, 0, layout, &tensor), SW_VALUE_ERROR);
}
END_TEST

START_TEST(queries_tell_what_it_was_made_of)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = cpu_tensor(12, 2, "(2,3):(1,4)");

    ck_assert_int_eq(sw_tensor_size(tensor), 6);
    ck_assert_int_eq(sw_tensor_offset(tensor), 2);
    ck_assert_int_eq(sw_tensor_dtype(tensor), SW_FLOAT32);
    ck_assert_ptr_eq(sw_tensor_shape(tensor), sw_layout_shape(sw_tensor_layout(tensor)));
    ck_assert_ptr_eq(((const struct sw_tensor_head *)(const void *)tensor)->shape, sw_tensor_shape(tensor));
    ck_assert_ptr_eq(sw_tensor_carrier_class(tensor), sw_cpu_class());
    ck_assert(sw_tensor_is_mutable(tensor));
    ck_assert(sw_tensor_is_differentiable(tensor));
}
END_TEST

START_TEST(queries_of_what_is_no_tensor_are_harmless)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("2:1");
    const struct sw_tensor *no_tensors[] = { NULL, (const struct sw_tensor *)(const void *)layout };

    for (size_t i = 0; i < 2; i++) {
        const struct sw_tensor *tensor = no_tensors[i];

        ck_assert_ptr_null(sw_tensor_ref(tensor));
        sw_tensor_unref(tensor);
        ck_assert_ptr_null(sw_tensor_carrier(tensor));
        ck_assert_ptr_null(sw_tensor_layout(tensor));
        ck_assert_ptr_null(sw_tensor_shape(tensor));
        ck_assert_int_eq(sw_tensor_offset(tensor), 0);
        ck_assert_int_eq(sw_tensor_size(tensor), 0);
        ck_assert_int_eq(sw_tensor_dtype(tensor), SW_DTYPE_NONE);
        ck_assert_ptr_null(sw_tensor_carrier_class(tensor));
        ck_assert(!sw_tensor_is_mutable(tensor));
        ck_assert(!sw_tensor_is_differentiable(tensor));
    }
}
END_TEST

START_TEST(a_tensor_keeps_its_carrier_alive_and_does_not_release_it)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("2:1");
    struct sw_carrier *carrier = foreign_new(2, SW_INT32);
    struct sw_tensor *tensor = NULL;

    foreign_n_destroyed = 0;
    ck_assert_int_eq(sw_tensor_new(carrier, 0, layout, &tensor), SW_OK);
    ck_assert(!sw_tensor_is_differentiable(tensor));
    sw_carrier_unref(carrier);
    ck_assert_int_eq(foreign_n_destroyed, 0);
    ck_assert(!sw_carrier_is_released(sw_tensor_carrier(tensor)));
    struct sw_tensor *again = sw_tensor_ref(tensor);
    sw_tensor_unref(tensor);
    ck_assert_int_eq(foreign_n_destroyed, 0);
    sw_tensor_unref(again);
    ck_assert_int_eq(foreign_n_destroyed, 1);
}
END_TEST

START_TEST(a_view_shares_the_carrier_and_changes_no_version)
{
    struct sw_tensor *base SW__OWNED_TENSOR = cpu_tensor(12, 0, "(3,4):(1,3)");
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("4:3");
    struct sw_tensor *view SW__OWNED_TENSOR = NULL;

    ck_assert_int_eq(sw__tensor_view(base, 2, layout, &view), SW_OK);
    ck_assert_ptr_eq(view->carrier, base->carrier);
    ck_assert_ptr_eq(view->layout, layout);
    ck_assert_int_eq(view->offset, 2);
    ck_assert_int_eq(view->dtype, SW_FLOAT32);
    ck_assert_uint_eq(sw_carrier_version(base->carrier), 0);
}
END_TEST

START_TEST(a_view_of_released_storage_is_a_runtime_error)
{
    struct sw_tensor *base SW__OWNED_TENSOR = cpu_tensor(4, 0, "4:1");
    struct sw_tensor *view = NULL;

    ck_assert_int_eq(sw__tensor_view(NULL, 0, base->layout, &view), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__tensor_view(base, 1, base->layout, &view), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_carrier_release(base->carrier), SW_OK);
    ck_assert_int_eq(sw__tensor_view(base, 0, base->layout, &view), SW_RUNTIME_ERROR);
    ck_assert_ptr_null(view);
}
END_TEST

START_TEST(a_fresh_result_is_canonical_on_the_class_of_its_operand)
{
    struct sw_tensor *like SW__OWNED_TENSOR = cpu_tensor(24, 3, "(2,(3,2)):(9,(1,3))");
    struct sw_layout *expected SW__OWNED_LAYOUT = layout_of("(2,(3,2)):(1,(2,6))");
    struct sw_tensor *made SW__OWNED_TENSOR = NULL;

    ck_assert_int_eq(sw__tensor_allocate(like, SW_BOOL, sw_tensor_shape(like), &made), SW_OK);
    ck_assert(sw_layout_equal(made->layout, expected));
    ck_assert_int_eq(made->dtype, SW_BOOL);
    ck_assert_int_eq(made->offset, 0);
    ck_assert_uint_eq(sw_carrier_size(made->carrier), 12);
    ck_assert_ptr_eq(sw_tensor_carrier_class(made), sw_cpu_class());
    ck_assert_ptr_ne(made->carrier, like->carrier);
    ck_assert(sw_tensor_is_mutable(made));
}
END_TEST

START_TEST(a_canonical_operand_shares_its_layout_with_the_result)
{
    struct sw_tensor *like SW__OWNED_TENSOR = cpu_tensor(6, 0, "(2,3):(1,2)");
    struct sw_tensor *made SW__OWNED_TENSOR = NULL;

    ck_assert_int_eq(sw__tensor_allocate(like, SW_FLOAT32, sw_tensor_shape(like), &made), SW_OK);
    ck_assert_ptr_eq(made->layout, like->layout);
}
END_TEST

START_TEST(a_fresh_result_on_a_user_s_class_is_of_that_class)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = layout_of("2:1");
    struct sw_carrier *carrier SW__OWNED_CARRIER = foreign_new(2, SW_FLOAT32);
    struct sw_tensor *like SW__OWNED_TENSOR = NULL;
    struct sw_tensor *made SW__OWNED_TENSOR = NULL;
    struct sw_tree *shape SW__OWNED_TREE = NULL;

    ck_assert_int_eq(sw_tensor_new(carrier, 0, layout, &like), SW_OK);
    ck_assert_int_eq(sw_tree_parse("(5,2)", &shape), SW_OK);
    ck_assert_int_eq(sw__tensor_allocate(like, SW_INT32, shape, &made), SW_OK);
    ck_assert_ptr_eq(sw_tensor_carrier_class(made), &foreign_class);
    ck_assert_int_eq(sw_tensor_size(made), 10);
    ck_assert_int_eq(sw__tensor_allocate(like, SW_FLOAT64, shape, &made), SW_VALUE_ERROR);
}
END_TEST

CHECK_MAIN("tensor", a_tensor_needs_offset_plus_cosize_slots, an_offset_is_not_negative_and_stays_inside_64_bits,
           arguments_of_another_kind_are_type_errors, a_carrier_without_a_dtype_is_a_value_error,
           queries_tell_what_it_was_made_of, queries_of_what_is_no_tensor_are_harmless,
           a_tensor_keeps_its_carrier_alive_and_does_not_release_it, a_view_shares_the_carrier_and_changes_no_version,
           a_view_of_released_storage_is_a_runtime_error, a_fresh_result_is_canonical_on_the_class_of_its_operand,
           a_canonical_operand_shares_its_layout_with_the_result, a_fresh_result_on_a_user_s_class_is_of_that_class)
