/*
 * Layout commands: the trees they stand for, and what is no command.
 */
#include "config.h"

#include "op/command.h"

#include "op_test.h"

typedef enum sw_status compile_fn(const char *text, struct sw_tree **ret_selection, struct sw_tree **ret_output);

static void assert_tree(struct sw_tree *tree, const char *expected)
{
    char *text;

    assert_ok(sw_tree_format(tree, &text));
    ck_assert_str_eq(text, expected);
    sw_free(text);
    sw_tree_unref(tree);
}

static void assert_compiles(compile_fn *compile, const char *text, const char *selection_text, const char *output_text)
{
    struct sw_tree *selection, *output;

    assert_ok(compile(text, &selection, &output));
    assert_tree(selection, selection_text);
    assert_tree(output, output_text);
}

static void assert_refused(compile_fn *compile, const char *text, enum sw_status expected)
{
    struct sw_tree *selection = NULL, *output = NULL;

    assert_status(compile(text, &selection, &output), expected);
    ck_assert_ptr_null(selection);
    ck_assert_ptr_null(output);
}

START_TEST(symbols_are_numbered_in_reading_order)
{
    assert_compiles(sw__command_rearrange, "a (c d) b -> b (a d) c", "(*,(*,*),*)", "(3,(0,2),1)");
    assert_compiles(sw__command_rearrange, "a->a", "(*)", "(0)");
    assert_compiles(sw__command_rearrange, "\tx_1  Y2\n->((Y2)x_1)", "(*,*)", "(((1),0))");
}
END_TEST

START_TEST(a_one_is_anonymous_on_the_left_and_inserts_a_mode_on_the_right)
{
    assert_compiles(sw__command_rearrange, "1 a 1 b -> b 1 a", "(*,*,*,*)", "(3,*,1)");
}
END_TEST

START_TEST(a_reduction_keeps_what_is_named_and_folds_the_rest_in_order)
{
    assert_compiles(sw__command_reduce, "a b c -> a c", "(*,*,*)", "((0,2),(1))");
    assert_compiles(sw__command_reduce, "a (b c) -> c", "(*,(*,*))", "((2),(0,1))");
    assert_compiles(sw__command_reduce, "a b c -> (a c)", "(*,*,*)", "(((0,2)),(1))");
    assert_compiles(sw__command_reduce, "a b -> 1", "(*,*)", "((*),(0,1))");
    assert_compiles(sw__command_reduce, "a 1 -> a", "(*,*)", "((0),(1))");
}
END_TEST

START_TEST(a_reduction_of_nothing_is_refused)
{
    assert_refused(sw__command_reduce, "a b -> b a", SW_VALUE_ERROR);
    assert_refused(sw__command_reduce, "a -> a 1", SW_VALUE_ERROR);
}
END_TEST

START_TEST(text_outside_of_the_grammar_is_refused)
{
    static const char *const texts[] = {
        "",
        "a",
        "a ->",
        "-> a",
        "a b -> a -> b",
        "a, b -> a b",
        "a () -> a",
        "a -> ()",
        "(a -> a",
        "a) -> a",
        "a -> (a",
        "a -> a)",
        "a a -> a",
        "a -> a a",
        "a -> b",
        "a - > a",
        "a > a",
        "a -> a -",
        "1x -> 1",
        "2 -> 1",
        "a 10 -> a",
        "a.b -> a",
        "\xc3\xa4 -> 1",
        "a -> a,",
        "_a -> 1",
        "a b ... -> a",
    };

    for (size_t i = 0; i < N_OF(texts); i++) {
        assert_refused(sw__command_rearrange, texts[i], SW_VALUE_ERROR);
        assert_refused(sw__command_reduce, texts[i], SW_VALUE_ERROR);
    }
}
END_TEST

START_TEST(a_refusal_names_the_position)
{
    assert_refused(sw__command_rearrange, "a b -> a ? b", SW_VALUE_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "position 10"));
}
END_TEST

START_TEST(a_command_must_be_a_string)
{
    assert_refused(sw__command_rearrange, NULL, SW_TYPE_ERROR);
    assert_refused(sw__command_reduce, NULL, SW_TYPE_ERROR);
}
END_TEST

START_TEST(deep_nesting_is_no_special_case)
{
    char text[2100];
    size_t at = 0;

    for (int i = 0; i < 900; i++)
        text[at++] = '(';
    text[at++] = 'a';
    for (int i = 0; i < 900; i++)
        text[at++] = ')';
    strcpy(text + at, "->a");
    struct sw_tree *selection, *output;
    assert_ok(sw__command_rearrange(text, &selection, &output));
    ck_assert_uint_eq(sw_tree_depth(selection), 901);
    sw_tree_unref(selection);
    sw_tree_unref(output);
}
END_TEST

CHECK_MAIN("command", symbols_are_numbered_in_reading_order,
           a_one_is_anonymous_on_the_left_and_inserts_a_mode_on_the_right,
           a_reduction_keeps_what_is_named_and_folds_the_rest_in_order, a_reduction_of_nothing_is_refused,
           text_outside_of_the_grammar_is_refused, a_refusal_names_the_position, a_command_must_be_a_string,
           deep_nesting_is_no_special_case)
