/*
 * Result shapes from the modes of other shapes.
 */
#include "config.h"

#include "op/shapes.h"

#include "op_test.h"

static void assert_text(struct sw_tree *tree, const char *expected)
{
    char *text;

    assert_ok(sw_tree_format(tree, &text));
    ck_assert_str_eq(text, expected);
    sw_free(text);
    sw_tree_unref(tree);
}

START_TEST(leaves_are_counted_up_to_a_mode)
{
    struct sw_tree *shape SW__OWNED_TREE = tree_of("(2,(3,(4,5)),6)");
    struct sw_tree *flat SW__OWNED_TREE = tree_of("(2,3)");

    ck_assert_uint_eq(sw__shape_leaves_before(shape, 0), 0);
    ck_assert_uint_eq(sw__shape_leaves_before(shape, 1), 1);
    ck_assert_uint_eq(sw__shape_leaves_before(shape, 2), 4);
    ck_assert_uint_eq(sw__shape_leaves_before(shape, 3), 5);
    ck_assert_uint_eq(sw__shape_leaves_before(flat, 2), 2);
}
END_TEST

START_TEST(the_first_mode_is_unwrapped_once)
{
    struct sw_tree *leaf SW__OWNED_TREE = tree_of("(2,3)");
    struct sw_tree *nested SW__OWNED_TREE = tree_of("((2,(3,4)),5)");
    struct sw_tree *single SW__OWNED_TREE = tree_of("(((7)),5)");
    struct sw_tree *out;

    assert_ok(sw__shape_unwrap_first(leaf, &out));
    assert_text(out, "(2)");
    assert_ok(sw__shape_unwrap_first(nested, &out));
    assert_text(out, "(2,(3,4))");
    assert_ok(sw__shape_unwrap_first(single, &out));
    assert_text(out, "((7))");
}
END_TEST

START_TEST(parts_are_joined_at_the_top_level)
{
    struct sw_tree *a SW__OWNED_TREE = tree_of("(2,(3,4),5)");
    struct sw_tree *b SW__OWNED_TREE = tree_of("((6,7))");
    struct sw_tree *none SW__OWNED_TREE = tree_of("()");
    const struct sw__shape_part replaced[] = { { a, 0, 1 }, { b, 0, 1 }, { a, 2, 3 } };
    const struct sw__shape_part removed[] = { { a, 0, 1 }, { none, 0, 0 }, { a, 2, 3 } };
    const struct sw__shape_part nothing[] = { { a, 0, 0 }, { none, 0, 0 } };
    struct sw_tree *out;

    assert_ok(sw__shape_join(replaced, 3, &out));
    assert_text(out, "(2,(6,7),5)");
    assert_ok(sw__shape_join(removed, 3, &out));
    assert_text(out, "(2,5)");
    assert_ok(sw__shape_join(nothing, 2, &out));
    assert_text(out, "()");
}
END_TEST

START_TEST(a_selection_has_the_sizes_of_what_its_leaves_name)
{
    struct sw_tree *shape SW__OWNED_TREE = tree_of("(2,(3,4),((5,6),7))");
    struct sw_tree *whole SW__OWNED_TREE = tree_of("(*,*,*)");
    struct sw_tree *deep SW__OWNED_TREE = tree_of("(*,(*,*),(*,*))");
    struct sw_tree *narrow SW__OWNED_TREE = tree_of("(*,*)");
    struct sw_tree *leaf SW__OWNED_TREE = tree_of("((*,*),*,*)");
    int64_t sizes[5] = { 0 };

    assert_ok(sw__shape_selected_sizes(shape, whole, sizes));
    ck_assert(sizes[0] == 2 && sizes[1] == 12 && sizes[2] == 210);
    assert_ok(sw__shape_selected_sizes(shape, deep, sizes));
    ck_assert(sizes[0] == 2 && sizes[1] == 3 && sizes[2] == 4 && sizes[3] == 30 && sizes[4] == 7);
    assert_status(sw__shape_selected_sizes(shape, narrow, sizes), SW_VALUE_ERROR);
    assert_status(sw__shape_selected_sizes(shape, leaf, sizes), SW_VALUE_ERROR);
}
END_TEST

CHECK_MAIN("shapes", leaves_are_counted_up_to_a_mode, the_first_mode_is_unwrapped_once,
           parts_are_joined_at_the_top_level, a_selection_has_the_sizes_of_what_its_leaves_name)
