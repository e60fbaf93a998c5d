/*
 * The text form of trees.
 */
#include "config.h"

#include <check.h>
#include <stdio.h>

#include "check_main.h"
#include "layout/texts.h"
#include "layout/tree.h"

START_TEST(texts_are_read_and_written)
{
    static const char *const rows[][2] = {
        { "()", "()" },
        { "7", "(7)" },
        { "(7)", "(7)" },
        { "((7))", "((7))" },
        { "(2,(3,4))", "(2,(3,4))" },
        { " ( 2 ,\t( 3, 4 ) )\n", "(2,(3,4))" },
        { "(*,(-1,*,2))", "(*,(-1,*,2))" },
        { "(1,(),(()))", "(1,(),(()))" },
        { "9223372036854775806", "(9223372036854775806)" },
        { "-9223372036837998591", "(-9223372036837998591)" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *tree = read_tree(rows[i][0]);
        char *text = NULL;

        ck_assert_int_eq(sw_tree_format(tree, &text), SW_OK);
        ck_assert_str_eq(text, rows[i][1]);
        sw_free(text);
        sw_tree_unref(tree);
    }
}
END_TEST

START_TEST(faulty_texts_are_refused_with_their_position)
{
    static const struct {
        const char *text, *position;
    } rows[] = {
        { "", "position 0" },          { "(", "position 1" },       { "(2", "position 2" },
        { "(2,", "position 3" },       { "(2,)", "position 3" },    { "(,2)", "position 1" },
        { "(2 3)", "position 3" },     { "2)", "position 1" },      { "(2))", "position 3" },
        { "2,3", "position 1" },       { "(2,x)", "position 3" },   { "(-)", "position 2" },
        { "(+1)", "position 1" },      { "(2.5)", "position 2" },   { "() ()", "position 3" },
        { "(9223372036854775807)", "position 1" },                  { "99999999999999999999", "position 0" },
        { "(1,-9223372036854775808)", "position 3" },               { "(1,-9223372036837998592)", "position 3" },
        { "--1", "position 1" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *tree = NULL;

        expect_tree(rows[i].text, sw_tree_parse(rows[i].text, &tree), &tree, "ValueError");
        ck_assert_msg(strstr(sw_error_message(), rows[i].position) != NULL, "%s: %s", rows[i].text,
                      sw_error_message());
    }
}
END_TEST

START_TEST(no_text_is_a_type_error)
{
    struct sw_tree *tree = NULL;

    ck_assert_int_eq(sw_tree_parse(NULL, &tree), SW_TYPE_ERROR);
}
END_TEST

START_TEST(nesting_is_read_to_its_bound_and_no_further)
{
    char text[3 * SW__TREE_MAX_DEPTH + 8];
    struct sw_tree *tree = NULL;

    memset(text, '(', SW__TREE_MAX_DEPTH);
    memset(text + SW__TREE_MAX_DEPTH, ')', SW__TREE_MAX_DEPTH);
    text[2 * SW__TREE_MAX_DEPTH] = '\0';
    ck_assert_int_eq(sw_tree_parse(text, &tree), SW_OK);
    ck_assert_uint_eq(sw_tree_depth(tree), SW__TREE_MAX_DEPTH);
    char *printed = NULL;
    ck_assert_int_eq(sw_tree_format(tree, &printed), SW_OK);
    ck_assert_str_eq(printed, text);
    sw_free(printed);
    sw_tree_unref(tree);
    tree = NULL;
    memset(text, '(', SW__TREE_MAX_DEPTH + 1);
    text[SW__TREE_MAX_DEPTH + 1] = '\0';
    expect_tree("deep", sw_tree_parse(text, &tree), &tree, "ValueError");
}
END_TEST

START_TEST(long_texts_are_read)
{
    enum { N = 5000 };
    static char text[N * 8 + 3];
    char *end = text;
    char *printed = NULL;

    *end++ = '(';
    for (int i = 0; i < N; i++)
        end += sprintf(end, i % 2 ? "%d," : "(%d),", i);
    strcpy(end - 1, ")");
    struct sw_tree *tree = read_tree(text);
    ck_assert_uint_eq(sw_tree_n_leaves(tree), N);
    ck_assert_int_eq(sw_tree_format(tree, &printed), SW_OK);
    ck_assert_str_eq(printed, text);
    sw_free(printed);
    sw_tree_unref(tree);
}
END_TEST

CHECK_MAIN("tree_text", texts_are_read_and_written, faulty_texts_are_refused_with_their_position,
           no_text_is_a_type_error, nesting_is_read_to_its_bound_and_no_further, long_texts_are_read)
