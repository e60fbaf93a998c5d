/*
 * Shape lists: Python's tuple text, well-formedness, equality.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "base/alloc.h"
#include "check_main.h"

#define NESTED(k) (INT64_MIN + (k))
#define LIST(n, ...)                                                                                  \
    ((struct sw__analyze_shapes){ n, (uint32_t)(sizeof((int64_t[]){ __VA_ARGS__ }) / sizeof(int64_t)), \
                                  (const int64_t[]){ __VA_ARGS__ } })

static void check_text(const struct sw__analyze_shapes *list, const char *expected)
{
    char *text SW__OWNED = NULL;

    ck_assert_int_eq(sw__analyze_shapes_format(list, &text), SW_OK);
    ck_assert_str_eq(text, expected);
}

START_TEST(text_is_the_tuple_that_python_writes)
{
    struct sw__analyze_shapes matrix_and_scalar = LIST(2, 2, 2, 3, -1);
    struct sw__analyze_shapes one_mode = LIST(1, 1, 2);
    struct sw__analyze_shapes rank_zero = LIST(1, 0);
    struct sw__analyze_shapes nested = LIST(1, 4, NESTED(2), 2, 3, 4);
    struct sw__analyze_shapes nested_last = LIST(1, 4, 2, NESTED(2), 3, 4);
    struct sw__analyze_shapes nested_single = LIST(1, 3, NESTED(1), NESTED(1), 7);
    struct sw__analyze_shapes nested_empty = LIST(2, 2, NESTED(0), 5, -1);
    struct sw__analyze_shapes no_inputs = { 0, 0, NULL };

    check_text(&matrix_and_scalar, "((2, 3), None)");
    check_text(&one_mode, "((2,),)");
    check_text(&rank_zero, "((),)");
    check_text(&nested, "(((2, 3), 4),)");
    check_text(&nested_last, "((2, (3, 4)),)");
    check_text(&nested_single, "((((7,),),),)");
    check_text(&nested_empty, "(((), 5), None)");
    check_text(&no_inputs, "()");
    check_text(NULL, "None");
}
END_TEST

START_TEST(largest_extent_keeps_all_digits)
{
    struct sw__analyze_shapes list = LIST(1, 2, INT64_MAX, 1);

    check_text(&list, "((9223372036854775807, 1),)");
}
END_TEST

START_TEST(depth_of_two_hundred_is_written)
{
    int64_t words[202] = { 201 };
    struct sw__analyze_shapes list = { 1, 202, words };
    char *text SW__OWNED = NULL;

    for (size_t i = 1; i <= 200; i++)
        words[i] = NESTED(1);
    words[201] = 5;
    ck_assert_int_eq(sw__analyze_shapes_format(&list, &text), SW_OK);
    ck_assert_uint_eq(strspn(text, "("), 202);
    ck_assert(strstr(text, "(5,),)") != NULL);
}
END_TEST

START_TEST(words_that_contradict_the_counts_are_refused)
{
    struct sw__analyze_shapes too_few_inputs = LIST(1, 1, 2, -1);
    struct sw__analyze_shapes too_many_inputs = LIST(3, 1, 2, -1);
    struct sw__analyze_shapes count_too_large = LIST(1, 3, 2, 2);
    struct sw__analyze_shapes count_negative = LIST(1, -2);
    struct sw__analyze_shapes modes_missing = LIST(1, 2, NESTED(3), 1);
    struct sw__analyze_shapes extent_negative = LIST(1, 1, -5);
    struct sw__analyze_shapes *bad[] = { &too_few_inputs, &too_many_inputs, &count_too_large,
                                         &count_negative, &modes_missing,   &extent_negative };

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char *text = NULL;
        ck_assert_int_eq(sw__analyze_shapes_valid(bad[i]), 0);
        ck_assert_int_eq(sw__analyze_shapes_format(bad[i], &text), SW_VALUE_ERROR);
        ck_assert_ptr_null(text);
    }
}
END_TEST

START_TEST(nesting_that_differs_is_never_equal)
{
    struct sw__analyze_shapes left = LIST(1, 4, NESTED(2), 2, 3, 4);
    struct sw__analyze_shapes right = LIST(1, 4, 2, NESTED(2), 3, 4);
    struct sw__analyze_shapes again = LIST(1, 4, NESTED(2), 2, 3, 4);

    ck_assert(!sw__analyze_shapes_equal(&left, &right));
    ck_assert(sw__analyze_shapes_equal(&left, &again));
    ck_assert_uint_eq(sw__analyze_shapes_hash(&left), sw__analyze_shapes_hash(&again));
}
END_TEST

CHECK_MAIN("shapes", text_is_the_tuple_that_python_writes, largest_extent_keeps_all_digits,
           depth_of_two_hundred_is_written, words_that_contradict_the_counts_are_refused,
           nesting_that_differs_is_never_equal)
