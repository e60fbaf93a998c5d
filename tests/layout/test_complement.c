/*
 * Complements.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

struct complement_row {
    const char *layout;
    int64_t cotarget;
    const char *expected;
};

static void check_rows(const struct complement_row *rows, size_t n_rows)
{
    for (size_t i = 0; i < n_rows; i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;

        expect_layout(rows[i].layout, sw_layout_complement(layout, rows[i].cotarget, &out), &out, rows[i].expected);
        sw_layout_unref(layout);
    }
}

START_TEST(complements_fill_the_gaps)
{
    static const struct complement_row rows[] = {
        { "4:1", 24, "6:4" },
        { "4:2", 24, "(2,3):(1,8)" },
        { "6:4", 24, "4:1" },
        { "(2,4):(1,6)", 24, "3:2" },
        { "(2,2):(1,6)", 24, "(3,2):(2,12)" },
        { "(4,6):(1,4)", 24, "():()" },
        { "24:1", 24, "():()" },
        { "1:1", 24, "24:1" },
    };

    check_rows(rows, N_ROWS(rows));
}
END_TEST

START_TEST(extents_of_one_do_not_count)
{
    static const struct complement_row rows[] = {
        { "1:0", 24, "24:1" },
        { "(4,1):(1,7)", 24, "6:4" },
        { "():()", 24, "24:1" },
        { "():()", 1, "():()" },
    };

    check_rows(rows, N_ROWS(rows));
}
END_TEST

START_TEST(overlaps_and_odd_strides_have_no_complement)
{
    static const struct complement_row rows[] = {
        { "4:8", 24, "ValueError" },
        { "5:1", 24, "ValueError" },
        { "(2,2):(1,3)", 24, "ValueError" },
        { "(3,2):(2,3)", 24, "ValueError" },
        { "(4,2):(1,1)", 24, "ValueError" },
        { "(4,2):(0,1)", 24, "ValueError" },
        { "2:4611686018427387904", 24, "ValueError" },
        { "4:1", 0, "ValueError" },
        { "4:1", -4, "ValueError" },
        { "4:1", INT64_MAX, "OverflowError" },
    };

    check_rows(rows, N_ROWS(rows));
    struct sw_layout *out = NULL;
    ck_assert_int_eq(sw_layout_complement(NULL, 24, &out), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("complement", complements_fill_the_gaps, extents_of_one_do_not_count,
           overlaps_and_odd_strides_have_no_complement)
