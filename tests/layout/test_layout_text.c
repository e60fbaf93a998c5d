/*
 * The text form of layouts.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(texts_are_read_and_written)
{
    static const char *const rows[][2] = {
        { "20:2", "(20):(2)" },
        { "(2,(3,4)):(1,(2,6))", "(2,(3,4)):(1,(2,6))" },
        { "():()", "():()" },
        { " (2, 3) : (1, 2) ", "(2,3):(1,2)" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i][0]);
        char *text = NULL;

        ck_assert_int_eq(sw_layout_format(layout, &text), SW_OK);
        ck_assert_str_eq(text, rows[i][1]);
        sw_free(text);
        sw_layout_unref(layout);
    }
}
END_TEST

START_TEST(faulty_texts_are_value_errors)
{
    static const char *const rows[] = { "", "20", "20:", ":2", "20:2:1", "(2,3):(1,2", "20;2", "(2,3)(1,2)", "(2,3):1",
                                        "0:1", "2:-1", "(2):(1) x" };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = NULL;

        expect_layout(rows[i], sw_layout_parse(rows[i], &layout), &layout, "ValueError");
    }
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    struct sw_layout *layout = NULL;
    char *text = NULL;

    ck_assert_int_eq(sw_layout_parse(NULL, &layout), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_format(NULL, &text), SW_TYPE_ERROR);
    expect_layout("any", sw_layout_parse("(2,*):(1,2)", &layout), &layout, "TypeError");
}
END_TEST

CHECK_MAIN("layout_text", texts_are_read_and_written, faulty_texts_are_value_errors, wrong_kinds_are_type_errors)
