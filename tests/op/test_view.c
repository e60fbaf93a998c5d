/*
 * Views: the same carrier, the layouts and offsets, what is refused before and
 * inside the boundary.
 */
#include "config.h"

#include "layout/layout.h"
#include "op_test.h"

static struct sw_tensor *counting(struct sw_carrier_class *on, const char *layout)
{
    static double slots[60];

    for (int i = 0; i < 60; i++)
        slots[i] = i;
    return tensor_at(on, SW_FLOAT32, layout, 0, slots, 60);
}

/* A view on the carrier of @in, then given back. */
static void assert_view(struct sw_tensor *view, const struct sw_tensor *in, int64_t offset, const char *layout)
{
    ck_assert_ptr_eq(sw_tensor_carrier(view), sw_tensor_carrier(in));
    ck_assert_int_eq(sw_tensor_offset(view), offset);
    assert_layout(view, layout);
    sw_tensor_unref(view);
}

START_TEST(views_place_the_same_storage_anew)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(5,10):(1,5)"), *out;
        struct sw_tree *shape SW__OWNED_TREE = tree_of("(10,5)");
        struct sw_tree *key SW__OWNED_TREE = tree_of("(2,(1,9,2))");
        struct sw_tree *selector_shape SW__OWNED_TREE = tree_of("(2,2)");
        struct sw_tree *selector_stride SW__OWNED_TREE = tree_of("(1,5)");
        assert_ok(sw_reshape(in, shape, &out));
        assert_view(out, in, 0, "(10,5):(1,10)");
        assert_ok(sw_permute(in, (const int64_t[]){ 1, 0 }, 2, &out));
        assert_view(out, in, 0, "(10,5):(5,1)");
        assert_ok(sw_slice(in, key, &out));
        assert_view(out, in, 7, "(4):(10)");
        assert_ok(sw_as_strided(in, selector_shape, selector_stride, &out));
        assert_view(out, in, 0, "(2,2):(1,5)");
        assert_ok(sw_unsqueeze(in, -1, &out));
        assert_view(out, in, 0, "(5,10,1):(1,5,0)");
        assert_ok(sw_unsqueeze(in, 1, &out));
        struct sw_tensor *squeezed;
        assert_ok(sw_squeeze(out, -2, &squeezed));
        assert_view(squeezed, in, 0, "(5,10):(1,5)");
        sw_tensor_unref(out);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(offsets_add_up)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(5,10):(1,5)"), *first, *second;
        struct sw_tree *key SW__OWNED_TREE = tree_of("((1,*,*),(2,*,*))");
        assert_ok(sw_slice(in, key, &first));
        assert_ok(sw_slice(first, key, &second));
        assert_view(second, in, 22, "(3,6):(1,5)");
        sw_tensor_unref(first);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(rearrangement_by_trees_and_by_command)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(2,(3,4)):(1,(2,6))"), *out;
        struct sw_tree *output SW__OWNED_TREE = tree_of("((2,0),1)");
        struct sw_tree *by_mode SW__OWNED_TREE = tree_of("(1,*,0)");
        struct sw_tree *selection SW__OWNED_TREE = tree_of("(*,*)");
        assert_ok(sw_rearrange(in, output, NULL, &out));
        assert_view(out, in, 0, "((4,2),3):((6,1),2)");
        assert_ok(sw_rearrange(in, by_mode, selection, &out));
        assert_view(out, in, 0, "((3,4),1,2):((2,6),0,1)");
        assert_ok(sw_rearrange_command(in, "a (b c) -> (c a) b", &out));
        assert_view(out, in, 0, "((4,2),3):((6,1),2)");
        assert_status(sw_rearrange_command(in, "a (b c) -> a b", &out), SW_VALUE_ERROR);
        assert_status(sw_rearrange_command(in, "(a b) c -> a b c", &out), SW_VALUE_ERROR);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(broadcasts_and_their_form_with_named_modes)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(2,1):(1,2)"), *out;
        struct sw_tree *shape SW__OWNED_TREE = tree_of("(2,7)");
        struct sw_tree *target SW__OWNED_TREE = tree_of("(4,2,5,3)");
        assert_ok(sw_broadcast_to(in, shape, &out));
        assert_view(out, in, 0, "(2,7):(1,0)");
        uint64_t before = sw_boundary_count();
        assert_ok(sw_broadcast_in_dim(in, target, (const int64_t[]){ 1, 3 }, 2, &out));
        ck_assert_uint_eq(sw_boundary_count() - before, 3);
        assert_view(out, in, 0, "(4,2,5,3):(0,1,0,0)");
        before = sw_boundary_count();
        out = NULL;
        assert_status(sw_broadcast_in_dim(in, target, (const int64_t[]){ 1 }, 1, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_in_dim(in, target, (const int64_t[]){ 3, 1 }, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_in_dim(in, target, (const int64_t[]){ 1, 1 }, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_in_dim(in, target, (const int64_t[]){ -1, 1 }, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_in_dim(in, target, (const int64_t[]){ 1, 4 }, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_in_dim(in, NULL, NULL, 2, &out), SW_TYPE_ERROR);
        assert_status(sw_broadcast_in_dim(in, target, NULL, 2, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(every_dtype_can_be_viewed)
{
    FOR_BOTH(on) {
        struct sw_tensor *flags = BOOL(on, "(2,1):(1,1)", 1, 0), *out;
        assert_ok(sw_squeeze(flags, 1, &out));
        assert_bool(out, "(2):(1)", 1, 0);
        sw_tensor_unref(flags);
    }
}
END_TEST

START_TEST(kinds_are_judged_before_the_boundary_and_fit_inside)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(2,3):(3,1)"), *out = NULL;
        struct sw_tree *six SW__OWNED_TREE = tree_of("(6)");
        uint64_t before = sw_boundary_count();
        assert_status(sw_reshape(in, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_reshape(NULL, six, &out), SW_TYPE_ERROR);
        assert_status(sw_permute(in, NULL, 2, &out), SW_TYPE_ERROR);
        assert_status(sw_rearrange(in, NULL, six, &out), SW_TYPE_ERROR);
        assert_status(sw_rearrange_command(in, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_rearrange_command(in, "a b ->", &out), SW_VALUE_ERROR);
        assert_status(sw_as_strided(in, six, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_slice(in, NULL, &out), SW_TYPE_ERROR);
        assert_status(sw_unsqueeze(NULL, 0, &out), SW_TYPE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 0);
        assert_status(sw_reshape(in, six, &out), SW_VALUE_ERROR);
        assert_status(sw_permute(in, (const int64_t[]){ 0, 0 }, 2, &out), SW_VALUE_ERROR);
        assert_status(sw_squeeze(in, 0, &out), SW_VALUE_ERROR);
        assert_status(sw_unsqueeze(in, 3, &out), SW_VALUE_ERROR);
        assert_status(sw_broadcast_to(in, six, &out), SW_VALUE_ERROR);
        ck_assert_uint_eq(sw_boundary_count() - before, 5);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
    }
}
END_TEST

START_TEST(views_dispatched_directly_check_their_arguments)
{
    struct sw_tensor *in = counting(sw_cpu_class(), "(2,3):(1,2)"), *out = NULL;
    struct sw_tensor *generic = counting(sw_generic_class(), "(2,3):(1,2)");
    struct sw_carrier *carrier = sw_tensor_carrier(in);
    const struct sw_operand text[] = { sw_operand_tensor(in), sw_operand_string("x"), sw_operand_none() };
    const struct sw_operand foreign[] = { sw_operand_tensor(generic), sw_operand_integer(0) };
    static const char *const names[] = { "broadcast_to", "reshape", "permute", "squeeze", "unsqueeze", "view" };

    for (size_t i = 0; i < N_OF(names); i++)
        assert_status(forward(names[i], carrier, text, 2, &out), SW_TYPE_ERROR);
    assert_status(forward("rearrange", carrier, text, 3, &out), SW_TYPE_ERROR);
    assert_status(forward("as_strided", carrier, text, 3, &out), SW_TYPE_ERROR);
    assert_status(forward("reshape", carrier, text, 1, &out), SW_TYPE_ERROR);
    assert_status(forward("squeeze", carrier, text, 1, &out), SW_TYPE_ERROR);
    assert_status(forward("squeeze", carrier, text + 1, 1, &out), SW_TYPE_ERROR);
    assert_status(forward("squeeze", carrier, NULL, 0, &out), SW_TYPE_ERROR);
    assert_status(forward("unsqueeze", carrier, foreign, 2, &out), SW_TYPE_ERROR);
    sw_tensor_unref(generic);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(released_storage_has_no_views)
{
    FOR_BOTH(on) {
        struct sw_tensor *in = counting(on, "(2,3):(1,2)"), *out = NULL;
        assert_ok(sw_carrier_release(sw_tensor_carrier(in)));
        assert_status(sw_unsqueeze(in, 0, &out), SW_RUNTIME_ERROR);
        assert_status(sw_unsqueeze(in, 9, &out), SW_RUNTIME_ERROR);
        ck_assert_ptr_null(out);
        sw_tensor_unref(in);
    }
}
END_TEST

CHECK_MAIN("view", views_place_the_same_storage_anew, offsets_add_up, rearrangement_by_trees_and_by_command,
           broadcasts_and_their_form_with_named_modes, every_dtype_can_be_viewed,
           kinds_are_judged_before_the_boundary_and_fit_inside, views_dispatched_directly_check_their_arguments,
           released_storage_has_no_views)
