/*
 * Trees: making, sharing, asking.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"
#include "layout/tree.h"

static const int64_t two_three_four[] = {2, SW_TREE_NESTED(2), 3, 4};

START_TEST(node_form_and_text_form_agree)
{
    struct sw_tree *tree = NULL, *text = read_tree("(2,(3,4))");

    ck_assert_int_eq(sw_tree_new(two_three_four, 4, &tree), SW_OK);
    ck_assert(sw_tree_equal(tree, text));
    ck_assert_uint_eq(tree->kind, SW_KIND_TREE);
    ck_assert_uint_eq(tree->n_nodes, 4);
    ck_assert_uint_eq(sw_tree_n_modes(tree), 2);
    ck_assert_uint_eq(sw_tree_n_leaves(tree), 3);
    ck_assert_uint_eq(sw_tree_depth(tree), 2);
    sw_tree_unref(tree);
    sw_tree_unref(text);
}
END_TEST

START_TEST(depth_counts_nesting_levels)
{
    static const struct {
        const char *text;
        size_t n_modes, n_leaves, depth;
    } rows[] = {
        { "()", 0, 0, 1 },      { "5", 1, 1, 1 },           { "(5,6)", 2, 2, 1 },
        { "(())", 1, 0, 2 },    { "((5))", 1, 1, 2 },       { "((2,(3,1)),4)", 2, 4, 3 },
        { "(1,(),2)", 3, 2, 2 }, { "(((1,2)),((3)),4)", 3, 4, 3 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *tree = read_tree(rows[i].text);

        ck_assert_uint_eq(sw_tree_n_modes(tree), rows[i].n_modes);
        ck_assert_uint_eq(sw_tree_n_leaves(tree), rows[i].n_leaves);
        ck_assert_uint_eq(sw_tree_depth(tree), rows[i].depth);
        sw_tree_unref(tree);
    }
}
END_TEST

START_TEST(a_nested_mode_may_not_announce_more_than_there_is)
{
    static const int64_t short_by_one[] = { 2, SW_TREE_NESTED(3), 3, 4 };
    static const int64_t nothing_in_it[] = { SW_TREE_NESTED(1) };
    struct sw_tree *tree = NULL;

    ck_assert_int_eq(sw_tree_new(short_by_one, 4, &tree), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tree_new(nothing_in_it, 1, &tree), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tree_new(NULL, 1, &tree), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_tree_new(two_three_four, (size_t)SW_TREE_MAX_NODES + 1, &tree), SW_VALUE_ERROR);
    ck_assert_ptr_null(tree);
}
END_TEST

START_TEST(nesting_is_bounded)
{
    int64_t nodes[SW__TREE_MAX_DEPTH];
    struct sw_tree *tree = NULL;

    for (size_t i = 0; i < SW__TREE_MAX_DEPTH; i++)
        nodes[i] = SW_TREE_NESTED(1);
    nodes[SW__TREE_MAX_DEPTH - 1] = SW_TREE_NESTED(0);
    ck_assert_int_eq(sw_tree_new(nodes, SW__TREE_MAX_DEPTH, &tree), SW_VALUE_ERROR);
    nodes[SW__TREE_MAX_DEPTH - 1] = 7;
    ck_assert_int_eq(sw_tree_new(nodes, SW__TREE_MAX_DEPTH, &tree), SW_OK);
    ck_assert_uint_eq(sw_tree_depth(tree), SW__TREE_MAX_DEPTH);
    sw_tree_unref(tree);
}
END_TEST

START_TEST(a_flat_tree_takes_no_value_that_means_nesting)
{
    static const int64_t leaves[] = { -5, 0, SW_TREE_ANY };
    static const int64_t too_small[] = { 1, SW_TREE_NESTED(0) };
    struct sw_tree *tree = NULL;

    ck_assert_int_eq(sw_tree_flat(too_small, 2, &tree), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_tree_flat(NULL, 2, &tree), SW_TYPE_ERROR);
    expect_tree("flat", sw_tree_flat(leaves, 3, &tree), &tree, "(-5,0,*)");
    expect_tree("flat", sw_tree_flat(NULL, 0, &tree), &tree, "()");
}
END_TEST

START_TEST(leaves_are_counted_depth_first)
{
    struct sw_tree *nested = read_tree("((2,(3)),(),4)"), *flat = read_tree("(7,8)");
    int64_t value = -1;

    for (size_t i = 0; i < 3; i++) {
        ck_assert_int_eq(sw_tree_leaf(nested, i, &value), SW_OK);
        ck_assert_int_eq(value, (int64_t)i + 2);
    }
    ck_assert_int_eq(sw_tree_leaf(nested, 3, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(sw_tree_leaf(flat, 1, &value), SW_OK);
    ck_assert_int_eq(value, 8);
    ck_assert_int_eq(sw_tree_leaf(flat, 2, &value), SW_INDEX_ERROR);
    ck_assert_int_eq(value, 8);
    sw_tree_unref(nested);
    sw_tree_unref(flat);
}
END_TEST

START_TEST(a_mode_is_a_tree_of_its_own)
{
    static const char *const expected[] = { "2", "(3,(4))", "()", "5", "IndexError" };
    struct sw_tree *tree = read_tree("(2,(3,(4)),(),5)");

    for (size_t i = 0; i < N_ROWS(expected); i++) {
        struct sw_tree *mode = NULL;

        expect_tree("mode", sw_tree_mode(tree, i, &mode), &mode, expected[i]);
    }
    sw_tree_unref(tree);
}
END_TEST

START_TEST(equality_is_of_values_and_nesting)
{
    static const struct {
        const char *a, *b;
        int equal, congruent;
    } rows[] = {
        { "(3)", "3", 1, 1 },         { "((3))", "(3)", 0, 0 },       { "(2,(3,4))", "(2,(3,4))", 1, 1 },
        { "(2,(3,4))", "(1,(2,6))", 0, 1 }, { "((2,3),4)", "(2,(3,4))", 0, 0 }, { "()", "()", 1, 1 },
        { "(2,3)", "(2,3,4)", 0, 0 }, { "(1,(2),3)", "(1,2,(3))", 0, 0 }, { "((1,2),3)", "((1),2,3)", 0, 0 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *a = read_tree(rows[i].a), *b = read_tree(rows[i].b);

        ck_assert_msg(sw_tree_equal(a, b) == rows[i].equal, "%s %s", rows[i].a, rows[i].b);
        ck_assert_msg(sw_tree_congruent(a, b) == rows[i].congruent, "%s %s", rows[i].a, rows[i].b);
        if (rows[i].equal)
            ck_assert(a->hash == b->hash);
        sw_tree_unref(a);
        sw_tree_unref(b);
    }
}
END_TEST

START_TEST(what_is_no_tree_is_refused)
{
    struct sw_layout *layout = read_layout("2:1");
    const struct sw_tree *wrong[] = { NULL, (const struct sw_tree *)(const void *)layout };
    struct sw_tree *tree = NULL;
    char *text = NULL;
    int64_t value;

    for (size_t i = 0; i < 2; i++) {
        ck_assert_uint_eq(sw_tree_n_modes(wrong[i]) + sw_tree_n_leaves(wrong[i]) + sw_tree_depth(wrong[i]), 0);
        ck_assert_int_eq(sw_tree_leaf(wrong[i], 0, &value), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_tree_mode(wrong[i], 0, &tree), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_tree_format(wrong[i], &text), SW_TYPE_ERROR);
        ck_assert(!sw_tree_equal(wrong[i], wrong[i]));
        ck_assert(!sw_tree_congruent(wrong[i], wrong[i]));
    }
    sw_layout_unref(layout);
    ck_assert_ptr_null(sw_tree_ref(NULL));
    sw_tree_unref(NULL);
}
END_TEST

START_TEST(a_reference_keeps_a_tree)
{
    struct sw_tree *tree = read_tree("(2,3)");

    ck_assert_ptr_eq(sw_tree_ref(tree), tree);
    sw_tree_unref(tree);
    ck_assert_uint_eq(sw_tree_n_leaves(tree), 2);
    sw_tree_unref(tree);
}
END_TEST

CHECK_MAIN("tree", node_form_and_text_form_agree, depth_counts_nesting_levels,
           a_nested_mode_may_not_announce_more_than_there_is, nesting_is_bounded,
           a_flat_tree_takes_no_value_that_means_nesting, leaves_are_counted_depth_first, a_mode_is_a_tree_of_its_own,
           equality_is_of_values_and_nesting, what_is_no_tree_is_refused, a_reference_keeps_a_tree)
