/*
 * Reshaping and the query for uniform preimages.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(evenly_spaced_layouts_take_any_shape_of_their_size)
{
    static const struct row rows[] = {
        { "(2,3):(2,4)", "(3,(2))", "(3,(2)):(2,(6))" },
        { "(1,6,1):(5,1,9)", "(2,3)", "(2,3):(1,2)" },
        { "(2,3):(0,0)", "6", "6:0" },
        { "((2,3),4):((1,2),6)", "(4,6)", "(4,6):(1,4)" },
        { "1:1", "()", "():()" },
        { "(1,1):(3,5)", "1", "1:3" },
        { "():()", "1", "1:0" },
        { "():()", "()", "():()" },
        { "((6)):((1))", "(2,3)", "(2,3):(1,2)" },
        { "((6)):((5))", "(3,2)", "(3,2):(5,15)" },
        { "(2,3):(1,2)", "(1,6,1)", "(1,6,1):(1,1,6)" },
    };

    EXPECT_OF_LAYOUT_AND_TREE(rows, sw_layout_reshape)
}
END_TEST

START_TEST(other_layouts_and_sizes_are_refused)
{
    static const struct row rows[] = {
        { "(2,3):(0,1)", "6", "ValueError" },
        { "(2,3):(3,1)", "6", "ValueError" },
        { "(2,3):(1,2)", "5", "ValueError" },
        { "(2,3):(1,2)", "(6,0)", "ValueError" },
        { "(2,3):(1,2)", "(6,*)", "TypeError" },
        { "3:4611686018427387903", "(3,1)", "OverflowError" },
    };

    EXPECT_OF_LAYOUT_AND_TREE(rows, sw_layout_reshape)
    struct sw_layout *layout = read_layout("2:1"), *out = NULL;
    ck_assert_int_eq(sw_layout_reshape(layout, NULL, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

START_TEST(uniform_preimages_are_found_without_enumerating)
{
    static const struct {
        const char *layout, *shape;
        int found;
        int64_t extent;
    } rows[] = {
        { "(4,3):(0,1)", "3", 1, 4 },
        { "(2,3):(3,1)", "(2,3)", 1, 1 },
        { "(2,2):(1,1)", "3", 0, -7 },
        { "(2,3):(1,2)", "7", 0, -7 },
        { "((2,3),4):((0,0),0)", "1", 1, 24 },
        { "(1000000000,1000000000):(0,1)", "1000000000", 1, 1000000000 },
        { "(1,1):(3,5)", "1", 1, 1 },
        { "():()", "()", 1, 1 },
        { "3:2", "3", 0, -7 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout);
        struct sw_tree *shape = read_tree(rows[i].shape);
        int found = -1;
        int64_t extent = -7;

        ck_assert_int_eq(sw_layout_uniform_preimage_extent(layout, shape, &found, &extent), SW_OK);
        ck_assert_msg(found == rows[i].found, "%s", rows[i].layout);
        ck_assert_int_eq(extent, rows[i].extent);
        ck_assert_int_eq(sw_layout_uniform_preimage_extent(layout, NULL, &found, &extent), SW_TYPE_ERROR);
        sw_layout_unref(layout);
        sw_tree_unref(shape);
    }
}
END_TEST

CHECK_MAIN("reshape", evenly_spaced_layouts_take_any_shape_of_their_size, other_layouts_and_sizes_are_refused,
           uniform_preimages_are_found_without_enumerating)
