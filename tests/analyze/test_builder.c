/*
 * The growing text and its number forms.
 */
#include "config.h"

#include "analyze/builder.h"
#include "base/alloc.h"
#include "check_main.h"

START_TEST(decimal_has_one_digit_behind_a_point)
{
    static const struct {
        double value;
        const char *expected;
    } cases[] = { { 0.0, "0.0" },          { 15.5, "15.5" },     { 0.25, "0.2" }, { 0.75, "0.8" },
                  { 99.96, "100.0" },      { -1.5, "-1.5" },     { 1e18, "1000000000000000000.0" } };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw__builder text SW__OWNED_BUILDER = { 0 };
        ck_assert_int_eq(sw__builder_decimal(&text, cases[i].value), SW_OK);
        ck_assert_str_eq(text.bytes, cases[i].expected);
    }
}
END_TEST

START_TEST(pieces_add_up)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    char *whole SW__OWNED = NULL;

    ck_assert_int_eq(sw__builder_string(&text, "a"), SW_OK);
    ck_assert_int_eq(sw__builder_repeat(&text, '-', 100), SW_OK);
    ck_assert_int_eq(sw__builder_integer(&text, INT64_MIN), SW_OK);
    ck_assert_int_eq(sw__builder_append(&text, "xyz", 1), SW_OK);
    ck_assert_int_eq(sw__builder_take(&text, &whole), SW_OK);
    ck_assert_uint_eq(strlen(whole), 1 + 100 + 20 + 1);
    ck_assert_str_eq(whole + 100, "--9223372036854775808x");
    ck_assert_ptr_null(text.bytes);
}
END_TEST

START_TEST(nothing_appended_is_an_empty_text)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    char *whole SW__OWNED = NULL;

    ck_assert_int_eq(sw__builder_take(&text, &whole), SW_OK);
    ck_assert_str_eq(whole, "");
}
END_TEST

CHECK_MAIN("builder", decimal_has_one_digit_behind_a_point, pieces_add_up, nothing_appended_is_an_empty_text)
