/*
 * Composition as functions.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(compositions_that_are_layouts)
{
    static const struct row rows[] = {
        { "20:2", "(5,4):(4,1)", "(5,4):(8,2)" },
        { "(6,2):(8,2)", "(4,3):(3,1)", "((2,2),3):((24,2),8)" },
        { "(10,2):(16,4)", "(5,4):(1,5)", "(5,(2,2)):(16,(80,4))" },
        { "60:2", "(3,(5,2)):(2,(6,30))", "(3,(5,2)):(4,(12,60))" },
        { "3:2", "(2,2):(1,1)", "(2,2):(2,2)" },
        { "(2,3):(3,1)", "(2,3):(1,2)", "(2,3):(3,1)" },
        { "(2,3):(1,2)", "(2,3):(3,1)", "(2,3):(3,1)" },
        { "(2,2):(1,2)", "2:3", "2:3" },
        { "():()", "(1,1):(3,5)", "(1,1):(3,5)" },
        { "(1,1):(7,9)", "(1,1):(3,5)", "(1,1):(7,9)" },
        { "(5,4):(0,0)", "2:3", "2:0" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose)
}
END_TEST

START_TEST(compositions_that_are_no_layouts_are_refused)
{
    static const struct row rows[] = {
        { "(2,3):(3,1)", "6:1", "ValueError" },
        { "(2,2):(1,3)", "4:1", "ValueError" },
        { "(3,2):(1,5)", "(3,2):(2,1)", "ValueError" },
        { "(4,6,8,10):(2,3,5,7)", "6:12", "ValueError" },
        { "(4,2):(1,5)", "3:0", "ValueError" },
        { "((2,2),2):((1,3),7)", "2:1", "ValueError" },
        { "(4,6):(1,5)", "2:2", "ValueError" }, /* composes mode by mode, but is not compact */
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose)
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "not representable as a layout"));
}
END_TEST

START_TEST(the_inner_layout_stays_within_the_outer_size)
{
    static const struct row rows[] = { { "2:1", "3:1", "ValueError" }, { "():()", "2:1", "ValueError" } };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose)
}
END_TEST

START_TEST(stride_products_are_checked)
{
    static const struct row rows[] = { { "20:4", "(2,1):(1,4611686018427387904)", "OverflowError" } };

    EXPECT_OF_LAYOUTS(rows, sw_layout_compose)
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    struct sw_layout *layout = read_layout("2:1"), *out = NULL;

    ck_assert_int_eq(sw_layout_compose(layout, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_compose(NULL, layout, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("compose", compositions_that_are_layouts, compositions_that_are_no_layouts_are_refused,
           the_inner_layout_stays_within_the_outer_size, stride_products_are_checked, wrong_kinds_are_type_errors)
