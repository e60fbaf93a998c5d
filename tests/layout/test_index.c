/*
 * The index function.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(every_name_of_an_element_has_its_index)
{
    static const struct {
        const char *layout, *coordinate;
        int64_t index;
    } rows[] = {
        { "(2,(3,4)):(1,(10,100))", "(1,(2,3))", 321 },
        { "(2,(3,4)):(1,(10,100))", "(1,11)", 321 },
        { "(2,(3,4)):(1,(10,100))", "23", 321 },
        { "(2,(3,4)):(1,(10,100))", "5", 21 },
        { "(2,(3,4)):(1,(10,100))", "0", 0 },
        { "(3,4):(2,10)", "5", 14 },
        { "(3,4):(2,10)", "(2,1)", 14 },
        { "():()", "0", 0 },
        { "():()", "()", 0 },
        { "((2,(3,4)),5):((1,(10,100)),1000)", "((1,11),4)", 4321 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout);
        struct sw_tree *coordinate = read_tree(rows[i].coordinate);
        int64_t index = -1;

        ck_assert_int_eq(sw_layout_index(layout, coordinate, &index), SW_OK);
        ck_assert_int_eq(index, rows[i].index);
        sw_layout_unref(layout);
        sw_tree_unref(coordinate);
    }
}
END_TEST

START_TEST(what_names_no_element_is_refused)
{
    static const struct {
        const char *coordinate;
        enum sw_status status;
    } rows[] = {
        { "24", SW_VALUE_ERROR },      { "-1", SW_VALUE_ERROR },      { "()", SW_VALUE_ERROR },
        { "(1,2,3)", SW_VALUE_ERROR }, { "(1,(2))", SW_VALUE_ERROR }, { "(1,12)", SW_VALUE_ERROR },
        { "(2,0)", SW_VALUE_ERROR },   { "(1,(3,0))", SW_VALUE_ERROR }, { "((1),0)", SW_VALUE_ERROR },
        { "(1,*)", SW_TYPE_ERROR },    { "*", SW_TYPE_ERROR },
    };
    struct sw_layout *layout = read_layout("(2,(3,4)):(1,(10,100))");

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *coordinate = read_tree(rows[i].coordinate);
        int64_t index = -7;

        ck_assert_msg(sw_layout_index(layout, coordinate, &index) == rows[i].status, "%s", rows[i].coordinate);
        ck_assert_int_eq(index, -7);
        sw_tree_unref(coordinate);
    }
    int64_t index;
    ck_assert_int_eq(sw_layout_index(layout, NULL, &index), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_index_ordinal(layout, 24, &index), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_layout_index_ordinal(NULL, 0, &index), SW_TYPE_ERROR);
    sw_layout_unref(layout);
}
END_TEST

START_TEST(ordinals_count_the_first_mode_fastest)
{
    static const int64_t expected[] = { 0, 4, 8, 1, 5, 9, 2, 6, 10 };
    struct sw_layout *layout = read_layout("(3,3):(4,1)");

    for (size_t i = 0; i < N_ROWS(expected); i++) {
        int64_t index = -1;

        ck_assert_int_eq(sw_layout_index_ordinal(layout, (int64_t)i, &index), SW_OK);
        ck_assert_int_eq(index, expected[i]);
    }
    sw_layout_unref(layout);
}
END_TEST

CHECK_MAIN("index", every_name_of_an_element_has_its_index, what_names_no_element_is_refused,
           ordinals_count_the_first_mode_fastest)
