/*
 * Rearranging and coalescing by trees.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(coalescing_by_mode_keeps_the_places_of_the_selection)
{
    static const struct row rows[] = {
        { "((2,3),(4,5)):((1,2),(6,25))", "(*,*)", "(6,(4,5)):(1,(6,25))" },
        { "((2,3),(4,5)):((1,2),(6,24))", "(*,(*,*))", "(6,(4,5)):(1,(6,24))" },
        { "(2,(3,(4,1))):(1,(2,(6,9)))", "(*,(*,*))", "(2,(3,4)):(1,(2,6))" },
        { "(2,((3,4))):(1,((2,6)))", "(*,(*))", "(2,12):(1,2)" },
        { "():()", "()", "():()" },
        { "(2,()):(1,())", "(*,*)", "2:1" },
        { "(2,3):(1,2)", "*", "ValueError" },
        { "(2,3):(1,2)", "(*,(*))", "ValueError" },
        { "(2,(3,4)):(1,(2,6))", "(*,(*))", "ValueError" },
        { "(2,3):(1,2)", "(*,0)", "ValueError" },
    };

    EXPECT_OF_LAYOUT_AND_TREE(rows, sw_layout_coalesce_by_mode)
}
END_TEST

START_TEST(an_output_tree_places_leaves)
{
    static const struct row rows[] = {
        { "(2,3):(1,2)", "(1,*,0)", "(3,1,2):(2,0,1)" },
        { "(2,3):(1,2)", "((1),(0))", "(3,2):(2,1)" },
        { "(2,3,4):(1,2,6)", "((1,2),0)", "((3,4),2):((2,6),1)" },
        { "(1,2,1,3):(7,1,11,2)", "(3,1)", "(3,2):(2,1)" },
        { "(2,(3,4)):(1,(2,6))", "((2,0),1)", "((4,2),3):((6,1),2)" },
        { "():()", "()", "():()" },
        { "():()", "(*,(*,*))", "(1,(1,1)):(0,(0,0))" },
        { "(2,3):(1,2)", "(0,(),(()),1)", "(2,3):(1,2)" },
        { "(2,3):(1,2)", "0", "ValueError" },
        { "(2,3):(1,2)", "(0,0,1)", "ValueError" },
        { "(2,3):(1,2)", "(0,1,2)", "ValueError" },
        { "(2,3):(1,2)", "(0,1,-1)", "ValueError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].a), *out = NULL;
        struct sw_tree *output = read_tree(rows[i].b);
        enum sw_status status = sw_layout_rearrange(layout, output, NULL, &out);

        expect_layout(rows[i].b, status, &out, rows[i].expected);
        sw_layout_unref(layout);
        sw_tree_unref(output);
    }
}
END_TEST

START_TEST(a_selection_names_whole_subtrees)
{
    static const struct {
        const char *layout, *output, *selection, *expected;
    } rows[] = {
        { "(1,(2,3)):(5,(7,14))", "(1,0)", "(*,*)", "((2,3),1):((7,14),5)" },
        { "(1,(2,3)):(5,(7,14))", "1", "(*,*)", "((2,3)):((7,14))" },
        { "(2,(3,(4,5))):(1,(2,(6,24)))", "(2,1,0)", "(*,(*,*))", "((4,5),3,2):((6,24),2,1)" },
        { "(2,(3)):(1,(2))", "(1,0)", "(*,*)", "(3,2):(2,1)" },
        { "(2,3):(1,2)", "(0,1)", "(*,*,*)", "ValueError" },
        { "(2,3):(1,2)", "(0,1)", "(*,(*))", "ValueError" },
        { "(2,3):(1,2)", "(0,1)", "(*,5)", "ValueError" },
        { "(2,(3,4)):(1,(2,6))", "0", "(*,*)", "ValueError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;
        struct sw_tree *output = read_tree(rows[i].output), *selection = read_tree(rows[i].selection);
        enum sw_status status = sw_layout_rearrange(layout, output, selection, &out);

        expect_layout(rows[i].layout, status, &out, rows[i].expected);
        sw_layout_unref(layout);
        sw_tree_unref(output);
        sw_tree_unref(selection);
    }
}
END_TEST

START_TEST(what_is_no_tree_is_a_type_error)
{
    struct sw_layout *layout = read_layout("(2,3):(1,2)"), *out = NULL;
    struct sw_tree *output = read_tree("(0,1)");
    const struct sw_tree *wrong = (const struct sw_tree *)(const void *)layout;

    ck_assert_int_eq(sw_layout_rearrange(layout, NULL, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_rearrange(layout, output, wrong, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_rearrange(NULL, output, NULL, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_coalesce_by_mode(layout, NULL, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
    sw_tree_unref(output);
}
END_TEST

START_TEST(a_refusal_counts_the_modes)
{
    static const struct {
        const char *layout, *selection;
        const char *words;
    } rows[] = {
        { "(2,3,4):(1,2,6)", "(*,*)", "names 2 modes where the layout has 3" },
        { "(2,(3,4)):(1,(2,6))", "(*,(*,*,*))", "names 3 modes where the layout has 2" },
        { "(2,3):(1,2)", "(*,(*,*))", "names 2 modes where the layout has a leaf" },
    };
    struct sw_tree *output = read_tree("(0,1)");

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;
        struct sw_tree *selection = read_tree(rows[i].selection);

        ck_assert_int_eq(sw_layout_rearrange(layout, output, selection, &out), SW_VALUE_ERROR);
        ck_assert_msg(strstr(sw_error_message(), rows[i].words) != NULL, "%s", sw_error_message());
        sw_layout_unref(layout);
        sw_tree_unref(selection);
    }
    sw_tree_unref(output);
}
END_TEST

CHECK_MAIN("rearrange", coalescing_by_mode_keeps_the_places_of_the_selection, an_output_tree_places_leaves,
           a_selection_names_whole_subtrees, what_is_no_tree_is_a_type_error, a_refusal_counts_the_modes)
