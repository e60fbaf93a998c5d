/*
 * Injectivity and aliasing.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

struct answer {
    const char *layout;
    int injective, broadcast_only;
};

static void check_answers(const struct answer *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        struct sw_layout *layout = read_layout(rows[i].layout);
        int injective = -1, broadcast_only = -1;

        ck_assert_int_eq(sw_layout_is_injective(layout, &injective), SW_OK);
        ck_assert_int_eq(sw_layout_is_broadcast_only(layout, &broadcast_only), SW_OK);
        ck_assert_msg(injective == rows[i].injective, "%s", rows[i].layout);
        ck_assert_msg(broadcast_only == rows[i].broadcast_only, "%s", rows[i].layout);
        sw_layout_unref(layout);
    }
}

START_TEST(answers_for_small_layouts)
{
    static const struct answer rows[] = {
        { "(2,3):(1,4)", 1, 0 },
        { "(4,2):(0,1)", 0, 1 },
        { "(4,2):(1,1)", 0, 0 },
        { "(3,2):(2,3)", 1, 0 },
        { "(3,3):(2,3)", 1, 0 },
        { "(4,3):(2,3)", 0, 0 },
        { "(2,2,2):(1,3,4)", 0, 0 },
        { "(2,(4,3)):(1,(0,2))", 0, 1 },
        { "(1,3):(0,1)", 1, 0 },
        { "():()", 1, 0 },
        { "(4,2,2):(0,1,1)", 0, 0 },
        { "(4,3,3):(0,2,3)", 0, 1 },
        { "(4,5):(0,0)", 0, 1 },
    };

    check_answers(rows, N_ROWS(rows));
}
END_TEST

START_TEST(answers_for_layouts_too_large_to_list)
{
    static const struct answer rows[] = {
        /* a*s = b*t first happens at a = t, b = s when s and t have no common divisor. */
        { "(1000000000,999999999):(999999999,1000000000)", 1, 0 },
        { "(1000000001,1000000000):(999999999,1000000000)", 0, 0 },
        { "(1000000000,1000000000):(0,1)", 0, 1 },
        { "(1000000,1000000):(1,999999)", 0, 0 },
    };

    check_answers(rows, N_ROWS(rows));
}
END_TEST

START_TEST(wrong_kinds_are_type_errors)
{
    int answer = -7;

    ck_assert_int_eq(sw_layout_is_injective(NULL, &answer), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_is_broadcast_only(NULL, &answer), SW_TYPE_ERROR);
    ck_assert_int_eq(answer, -7);
}
END_TEST

CHECK_MAIN("injective", answers_for_small_layouts, answers_for_layouts_too_large_to_list,
           wrong_kinds_are_type_errors)
