/*
 * By-mode composition.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(each_leaf_picks_elements_of_the_outer_layout)
{
    static const struct row rows[] = {
        { "(4,6,8,10):(2,3,5,7)", "6:12", "(2,3):(9,5)" },
        { "(3,6,2,8):(1,3,18,36)", "16:9", "16:9" },
        { "(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)" },
        { "3:1", "2:2", "2:2" },
        { "(4,6):(1,5)", "(1,2):(7,1)", "(1,2):(0,1)" },
        { "(4,6):(1,5)", "(2,(2)):(1,(2))", "(2,2):(1,2)" },
        { "(4,6):(1,5)", "((2,2)):((1,2))", "(2,2):(1,2)" },
        { "(4,6):(1,5)", "():()", "():()" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose_by_mode)
}
END_TEST

START_TEST(composition_refuses_a_stride_that_does_not_divide)
{
    static const struct row rows[] = {
        { "(3,2):(1,5)", "(3,2):(2,1)", "ValueError" }, /* 2 and 3 */
        { "(5,4):(4,1)", "2:2", "ValueError" },         /* 2 and 5, though 20 is even */
        { "(4,6):(1,5)", "2:5", "ValueError" },         /* 5 and the size 24 */
        { "(6,4):(1,7)", "2:8", "ValueError" },         /* 6 and 8 */
        { "(4,6):(1,5)", "6:1", "ValueError" },         /* 4 and the extent 6 */
        { "(4,6):(1,5)", "3:0", "ValueError" },
        { "(4,6):(1,5)", "48:1", "ValueError" }, /* more than there are */
        { "((4,6)):((1,5))", "2:1", "ValueError" },
        { "():()", "2:1", "ValueError" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose_by_mode)
}
END_TEST

START_TEST(stride_products_are_checked)
{
    static const struct row rows[] = { { "2:4611686018427387904", "2:2", "OverflowError" } };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose_by_mode)
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    struct sw_layout *layout = read_layout("2:1"), *out = NULL;

    ck_assert_int_eq(sw_layout_compose_by_mode(layout, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_compose_by_mode(NULL, layout, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("by_mode", each_leaf_picks_elements_of_the_outer_layout,
           composition_refuses_a_stride_that_does_not_divide, stride_products_are_checked,
           wrong_kinds_are_type_errors)
