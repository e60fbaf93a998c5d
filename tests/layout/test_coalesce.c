/*
 * Flattening and coalescing.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(flattening_lists_all_leaves)
{
    static const struct row rows[] = {
        { "(2,(3,(4,5))):(1,(2,(6,24)))", "", "(2,3,4,5):(1,2,6,24)" },
        { "(2,3):(1,2)", "", "(2,3):(1,2)" },
        { "((3)):((7))", "", "3:7" },
        { "((),2):((),1)", "", "2:1" },
        { "():()", "", "():()" },
    };

    EXPECT_OF_LAYOUT(rows, sw_layout_flatten)
}
END_TEST

START_TEST(coalescing_merges_leaves_that_go_on_from_each_other)
{
    static const struct row rows[] = {
        { "(2,(1,6)):(1,(6,2))", "", "12:1" },
        { "(1,(1,2)):(1,(5,25))", "", "2:25" },
        { "(2,3):(3,1)", "", "(2,3):(3,1)" },
        { "(4,2):(0,0)", "", "8:0" },
        { "(4,2):(0,1)", "", "(4,2):(0,1)" },
        { "(2,3,4):(1,2,7)", "", "(6,4):(1,7)" },
        { "(4,1,3):(2,99,8)", "", "12:2" },
        { "(1,1):(7,9)", "", "1:7" },
        { "3:7", "", "3:7" },
        { "((3)):((7))", "", "3:7" },
        { "():()", "", "():()" },
        { "(2,2):(9223372036854775806,0)", "", "(2,2):(9223372036854775806,0)" },
    };

    EXPECT_OF_LAYOUT(rows, sw_layout_coalesce)
}
END_TEST

START_TEST(kernels_get_no_leaf_for_size_one)
{
    static const struct {
        const char *layout;
        size_t n;
        int64_t extents[2], strides[2];
    } rows[] = {
        { "(2,(1,6)):(1,(6,2))", 1, { 12 }, { 1 } },
        { "(4,1,2):(0,5,1)", 2, { 4, 2 }, { 0, 1 } },
        { "(1,1):(7,9)", 0, { 0 }, { 0 } },
        { "():()", 0, { 0 }, { 0 } },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout);
        int64_t extents[4], strides[4];
        size_t n = sw__layout_coalesced(layout, extents, strides);

        ck_assert_uint_eq(n, rows[i].n);
        for (size_t k = 0; k < n; k++) {
            ck_assert_int_eq(extents[k], rows[i].extents[k]);
            ck_assert_int_eq(strides[k], rows[i].strides[k]);
        }
        sw_layout_unref(layout);
    }
}
END_TEST

CHECK_MAIN("coalesce", flattening_lists_all_leaves, coalescing_merges_leaves_that_go_on_from_each_other,
           kernels_get_no_leaf_for_size_one)
