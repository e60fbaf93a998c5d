/*
 * Broadcasting.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(extents_of_one_are_repeated)
{
    static const struct row rows[] = {
        { "(2,(1,3)):(1,(2,2))", "(2,(4,3))", "(2,(4,3)):(1,(0,2))" },
        { "(2,1):(1,2)", "(2,3)", "(2,3):(1,0)" },
        { "(1,1):(7,9)", "(1,5)", "(1,5):(7,0)" },
        { "(2,3):(1,2)", "(2,3)", "(2,3):(1,2)" },
        { "():()", "()", "():()" },
        { "(2,1,3):(1,2,2)", "(2,(4,3))", "ValueError" },
        { "(2,3):(1,2)", "(2,1)", "ValueError" },
        { "(2,3):(1,2)", "(2,4)", "ValueError" },
        { "3:1", "(2,3)", "ValueError" },
        { "(2,1):(1,2)", "(2,0)", "ValueError" },
        { "(2,1):(1,2)", "(2,*)", "TypeError" },
        { "(1099511627776,1):(0,0)", "(1099511627776,1099511627776)", "OverflowError" },
    };

    EXPECT_OF_LAYOUT_AND_TREE(rows, sw_layout_broadcast_to)
}
END_TEST

START_TEST(a_target_that_is_no_shape_is_a_type_error)
{
    struct sw_layout *layout = read_layout("2:1"), *out = NULL;

    ck_assert_int_eq(sw_layout_broadcast_to(layout, NULL, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

START_TEST(the_common_shape_takes_the_larger_extents)
{
    static const struct {
        const char *shapes[3];
        size_t n;
        const char *expected;
    } rows[] = {
        { { "(2,3)" }, 1, "(2,3)" },
        { { "(2,3)", "(2,3)", "(2,3)" }, 3, "(2,3)" },
        { { "(2,1)", "(2,3)", "(1,1)" }, 3, "(2,3)" },
        { { "(2,1)", "(1,3)" }, 2, "(2,3)" },
        { { "(1,(1,5))", "(4,(1,1))", "(1,(6,1))" }, 3, "(4,(6,5))" },
        { { "()", "()" }, 2, "()" },
        { { "(2,3)", "(2,4)" }, 2, "ValueError" },
        { { "(2,1)", "(1,3)", "(3,3)" }, 3, "ValueError" },
        { { "(2,3)", "3" }, 2, "ValueError" },
        { { "(2,3)", "((2),3)" }, 2, "ValueError" },
        { { "" }, 0, "ValueError" },
        { { "(1099511627776,1)", "(1,1099511627776)" }, 2, "OverflowError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        const struct sw_tree *shapes[3];
        struct sw_tree *common = NULL;

        for (size_t k = 0; k < rows[i].n; k++)
            shapes[k] = read_tree(rows[i].shapes[k]);
        enum sw_status status = sw__shape_broadcast(shapes, rows[i].n, &common);
        expect_tree(rows[i].shapes[0], status, &common, rows[i].expected);
        for (size_t k = 0; k < rows[i].n; k++)
            sw_tree_unref(shapes[k]);
    }
}
END_TEST

START_TEST(a_shape_that_will_do_is_shared)
{
    struct sw_tree *small = read_tree("(2,1)"), *large = read_tree("(2,3)"), *common = NULL;
    const struct sw_tree *shapes[] = { small, large };

    ck_assert_int_eq(sw__shape_broadcast(shapes, 2, &common), SW_OK);
    ck_assert_ptr_eq(common, large);
    sw_tree_unref(common);
    sw_tree_unref(small);
    sw_tree_unref(large);
}
END_TEST

START_TEST(a_refusal_names_both_shapes)
{
    static const struct {
        const char *a, *b;
        const char *words;
    } rows[] = {
        { "(2,3)", "(3)", "shapes (2,3) and (3) do not nest alike" },
        { "(2,3)", "(2,(3,1))", "shapes (2,3) and (2,(3,1)) do not nest alike" },
        { "(2,3)", "(2,4)", "extent 3 of shape (2,3) cannot be broadcast to extent 4 of shape (2,4)" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        const struct sw_tree *shapes[] = { read_tree(rows[i].a), read_tree(rows[i].b) };
        struct sw_tree *common = NULL;

        ck_assert_int_eq(sw__shape_broadcast(shapes, 2, &common), SW_VALUE_ERROR);
        ck_assert_msg(strstr(sw_error_message(), rows[i].words) != NULL, "%s", sw_error_message());
        sw_tree_unref(shapes[0]);
        sw_tree_unref(shapes[1]);
    }
}
END_TEST

CHECK_MAIN("broadcast", extents_of_one_are_repeated, a_target_that_is_no_shape_is_a_type_error,
           the_common_shape_takes_the_larger_extents, a_shape_that_will_do_is_shared, a_refusal_names_both_shapes)
