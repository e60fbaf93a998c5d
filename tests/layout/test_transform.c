/*
 * Selecting, joining and reordering modes.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(a_mode_is_a_layout)
{
    static const char *const expected[] = { "2:1", "(3,4):(2,6)", "():()", "IndexError" };
    struct sw_layout *layout = read_layout("(2,(3,4),()):(1,(2,6),())");

    for (size_t i = 0; i < N_ROWS(expected); i++) {
        struct sw_layout *mode = NULL;

        expect_layout("mode", sw_layout_mode(layout, i, &mode), &mode, expected[i]);
    }
    sw_layout_unref(layout);
}
END_TEST

START_TEST(a_range_of_modes_keeps_them_as_they_are)
{
    static const struct {
        size_t begin, end;
        const char *expected;
    } rows[] = {
        { 1, 3, "(2,(3,4)):(1,(2,6))" }, { 0, 1, "1:1" }, { 2, 3, "((3,4)):((2,6))" }, { 1, 1, "():()" },
        { 3, 3, "():()" },               { 2, 1, "IndexError" }, { 0, 4, "IndexError" }, { SIZE_MAX, 0, "IndexError" },
    };
    struct sw_layout *layout = read_layout("(1,2,(3,4)):(1,1,(2,6))");

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *modes = NULL;

        expect_layout("modes", sw_layout_modes(layout, rows[i].begin, rows[i].end, &modes), &modes, rows[i].expected);
    }
    sw_layout_unref(layout);
}
END_TEST

START_TEST(concat_puts_modes_side_by_side)
{
    static const struct row rows[] = {
        { "(1,2):(1,2)", "(3,4):(1,2)", "(1,2,3,4):(1,2,1,2)" },
        { "2:1", "():()", "2:1" },
        { "():()", "(2,(3)):(1,(2))", "(2,(3)):(1,(2))" },
        { "1099511627776:0", "1099511627776:0", "OverflowError" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_concat)
}
END_TEST

START_TEST(append_nests_what_is_not_a_single_leaf)
{
    static const struct row rows[] = {
        { "(1,2):(1,2)", "(3,4):(1,2)", "(1,2,(3,4)):(1,2,(1,2))" },
        { "2:1", "():()", "2:1" },
        { "2:1", "3:2", "(2,3):(1,2)" },
        { "():()", "((3)):((2))", "(((3))):(((2)))" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_append)
}
END_TEST

START_TEST(permuting_moves_whole_modes)
{
    static const struct {
        const char *layout;
        int64_t order[3];
        size_t n;
        const char *expected;
    } rows[] = {
        { "(2,(3,4),5):(1,(2,6),24)", { 1, 0, 2 }, 3, "((3,4),2,5):((2,6),1,24)" },
        { "(2,3):(1,2)", { 1, 0 }, 2, "(3,2):(2,1)" },
        { "(2,3):(1,2)", { 0, 0 }, 2, "ValueError" },
        { "(2,3):(1,2)", { 0 }, 1, "ValueError" },
        { "(2,3):(1,2)", { 0, 1, 2 }, 3, "ValueError" },
        { "(2,3):(1,2)", { -1, 0 }, 2, "ValueError" },
        { "(2,3):(1,2)", { 0, 2 }, 2, "ValueError" },
        { "():()", { 0 }, 0, "():()" },
        { "((2,3),2):((1,2),6)", { 1, 0 }, 2, "(2,(2,3)):(6,(1,2))" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;
        enum sw_status status = sw_layout_permute(layout, rows[i].order, rows[i].n, &out);

        expect_layout(rows[i].layout, status, &out, rows[i].expected);
        if (rows[i].n > 0 && rows[i].n == sw_layout_rank(layout))
            ck_assert_int_eq(sw_layout_permute(layout, NULL, rows[i].n, &out), SW_TYPE_ERROR);
        sw_layout_unref(layout);
    }
}
END_TEST

struct dim_row {
    const char *layout;
    int64_t dim;
    const char *expected;
};

START_TEST(unsqueezing_inserts_a_mode_of_extent_one)
{
    static const struct dim_row rows[] = {
        { "(2,3):(1,2)", 0, "(1,2,3):(0,1,2)" },      { "(2,3):(1,2)", 2, "(2,3,1):(1,2,0)" },
        { "(2,3):(1,2)", -1, "(2,3,1):(1,2,0)" },     { "(2,3):(1,2)", -3, "(1,2,3):(0,1,2)" },
        { "(2,3):(1,2)", 3, "ValueError" },           { "(2,3):(1,2)", -4, "ValueError" },
        { "((2,3),4):((1,2),6)", 1, "((2,3),1,4):((1,2),0,6)" },
        { "():()", 0, "1:0" },                        { "():()", -1, "1:0" },
        { "():()", 1, "ValueError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;

        expect_layout(rows[i].layout, sw_layout_unsqueeze(layout, rows[i].dim, &out), &out, rows[i].expected);
        sw_layout_unref(layout);
    }
}
END_TEST

START_TEST(squeezing_removes_a_leaf_of_extent_one)
{
    static const struct dim_row rows[] = {
        { "(2,1):(1,2)", 1, "2:1" },           { "(2,1):(1,2)", -1, "2:1" },
        { "1:1", 0, "():()" },                 { "((2,3),1,4):((1,2),9,6)", 1, "((2,3),4):((1,2),6)" },
        { "(2,1):(1,2)", 0, "ValueError" },    { "((1,1),2):((0,0),1)", 0, "ValueError" },
        { "((1),2):((0),1)", 0, "ValueError" }, { "(2,1):(1,2)", 2, "ValueError" },
        { "(2,1):(1,2)", -3, "ValueError" },   { "():()", 0, "ValueError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;

        expect_layout(rows[i].layout, sw_layout_squeeze(layout, rows[i].dim, &out), &out, rows[i].expected);
        sw_layout_unref(layout);
    }
}
END_TEST

CHECK_MAIN("transform", a_mode_is_a_layout, a_range_of_modes_keeps_them_as_they_are, concat_puts_modes_side_by_side,
           append_nests_what_is_not_a_single_leaf, permuting_moves_whole_modes,
           unsqueezing_inserts_a_mode_of_extent_one, squeezing_removes_a_leaf_of_extent_one)
