/*
 * Leaves sorted by stride.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/leaves.h"
#include "layout/texts.h"

START_TEST(leaves_come_in_order_of_strides_without_extents_of_one)
{
    static const int64_t expected[][2] = { { 5, 0 }, { 2, 1 }, { 3, 2 }, { 4, 6 } };
    struct sw_layout *layout = read_layout("(4,(1,3),2,5):(6,(4,2),1,0)");
    struct sw__leaves leaves;

    sw__leaves_sort(&leaves, layout);
    ck_assert_uint_eq(leaves.n, N_ROWS(expected));
    for (size_t i = 0; i < leaves.n; i++) {
        ck_assert_int_eq(leaves.at[i].extent, expected[i][0]);
        ck_assert_int_eq(leaves.at[i].stride, expected[i][1]);
    }
    sw_layout_unref(layout);
}
END_TEST

START_TEST(the_largest_number_of_leaves_fits)
{
    int64_t extents[2 * SW__MAX_LEAVES];
    struct sw_layout *layout = NULL;
    struct sw__leaves leaves;
    int64_t size = 0;

    for (size_t i = 0; i < N_ROWS(extents); i++)
        extents[i] = 1 + (int64_t)(i % 2);
    ck_assert_int_eq(sw_layout_row_major(extents, N_ROWS(extents), &layout), SW_OK);
    sw__leaves_sort(&leaves, layout);
    ck_assert_uint_eq(leaves.n, SW__MAX_LEAVES);
    ck_assert(sw__leaves_compact(leaves.at, leaves.n, &size));
    ck_assert_int_eq(size, INT64_C(1) << SW__MAX_LEAVES);
    sw_layout_unref(layout);
}
END_TEST

START_TEST(compact_strides_start_at_one_and_leave_no_gap)
{
    static const struct {
        const char *layout;
        int compact;
    } rows[] = { { "(4,6):(6,1)", 1 }, { "(4,6):(1,4)", 1 }, { "(4,6):(1,5)", 0 },
                 { "6:2", 0 },         { "(1,1):(3,5)", 1 }, { "(2,2):(1,1)", 0 } };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout);
        struct sw__leaves leaves;
        int64_t size;

        sw__leaves_sort(&leaves, layout);
        ck_assert_int_eq(sw__leaves_compact(leaves.at, leaves.n, &size), rows[i].compact);
        sw_layout_unref(layout);
    }
}
END_TEST

CHECK_MAIN("leaves", leaves_come_in_order_of_strides_without_extents_of_one, the_largest_number_of_leaves_fits,
           compact_strides_start_at_one_and_leave_no_gap)
