/*
 * Selecting elements by a layout over ordinals.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(selections_that_are_layouts)
{
    static const struct row rows[] = {
        { "12:1", "(3,4):(4,1)", "(3,4):(4,1)" },
        { "(3,4):(4,1)", "(4,3):(3,1)", "(4,3):(1,4)" },
        { "(5,4):(4,1)", "(2,2):(1,2)", "(2,2):(4,8)" },           /* within the first mode */
        { "((5,4)):((4,1))", "(2,2):(1,2)", "(2,2):(4,8)" },
        { "((3,4)):((4,1))", "(4,3):(3,1)", "(4,3):(1,4)" },       /* found on the flattened layout */
        { "(3,4):(4,1)", "((4),3):((3),1)", "((4),3):((1),4)" },
        { "20:3", "2:5", "2:15" },
        { "():()", "1:1", "1:1" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_select)
}
END_TEST

START_TEST(selections_that_are_no_layouts_or_alias_are_refused)
{
    static const struct row rows[] = {
        { "(5,4):(4,1)", "(2,2):(1,5)", "ValueError" },
        { "(5,4):(4,1)", "(2,2):(0,1)", "ValueError" }, /* names an element twice */
        { "(5,4):(0,1)", "2:1", "ValueError" },         /* its elements share storage */
        { "(5,4):(4,1)", "21:1", "ValueError" },        /* reaches too far */
        { "(2,3):(3,1)", "6:1", "ValueError" },
    };

    EXPECT_OF_LAYOUTS(rows, sw_layout_select)
}
END_TEST

START_TEST(a_success_leaves_the_error_text_alone)
{
    struct sw_layout *layout = read_layout("(5,4):(4,1)"), *selector = read_layout("(2,2):(1,2)"), *out = NULL;

    sw_error_set(SW_VALUE_ERROR, "an earlier failure");
    ck_assert_int_eq(sw_layout_select(layout, selector, &out), SW_OK);
    ck_assert_str_eq(sw_error_message(), "an earlier failure");
    sw_layout_unref(out);
    sw_layout_unref(layout);
    sw_layout_unref(selector);
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    struct sw_layout *layout = read_layout("2:1"), *out = NULL;

    ck_assert_int_eq(sw_layout_select(layout, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_select(NULL, layout, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("select", selections_that_are_layouts, selections_that_are_no_layouts_or_alias_are_refused,
           a_success_leaves_the_error_text_alone, wrong_kinds_are_type_errors)
