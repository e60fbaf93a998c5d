/*
 * Slicing.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(integers_remove_modes_and_ranges_keep_parts)
{
    static const struct {
        const char *layout, *key;
        int64_t offset;
        const char *expected;
    } rows[] = {
        { "(5,10):(1,5)", "(2,(1,9,*))", 7, "8:5" },
        { "(5,10):(1,5)", "(2,(1,9,2))", 7, "4:10" },
        { "(5,10):(1,5)", "((*,*,*),(-1,*,*))", 45, "(5,1):(1,5)" },
        { "(5,10):(1,5)", "((*,*,*),(5,100,*))", 25, "(5,5):(1,5)" },
        { "(5,10):(1,5)", "((-100,-3,*),0)", 0, "2:1" },
        { "(5,10):(1,5)", "((*,*,5),(0,10,10))", 0, "(1,1):(5,50)" },
        { "(10,(2,3)):(1,(10,20))", "(0,(*,*,*))", 0, "((2,3)):((10,20))" },
        { "(10,(2,3)):(1,(10,20))", "(3,(*,*,1))", 3, "((2,3)):((10,20))" },
        { "(10,(2,3)):(1,(10,20))", "((0,4,*),5)", 50, "4:1" },
        { "4:3", "((1,3,*))", 3, "2:3" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].layout), *out = NULL;
        struct sw_tree *key = read_tree(rows[i].key);
        int64_t offset = -7;
        enum sw_status status = sw_layout_slice(layout, key, &offset, &out);

        expect_layout(rows[i].key, status, &out, rows[i].expected);
        ck_assert_int_eq(offset, rows[i].offset);
        sw_layout_unref(layout);
        sw_tree_unref(key);
    }
}
END_TEST

START_TEST(faulty_keys_are_refused)
{
    static const struct row rows[] = {
        { "(5,10):(1,5)", "(2,(1,9,3))", "ValueError" },      /* the step does not divide 8 */
        { "(5,10):(1,5)", "(5,(*,*,*))", "ValueError" },      /* out of range */
        { "(5,10):(1,5)", "(-1,(*,*,*))", "ValueError" },     /* never from the end */
        { "(5,10):(1,5)", "((3,3,*),0)", "ValueError" },      /* empty */
        { "(5,10):(1,5)", "((4,2,*),0)", "ValueError" },
        { "(5,10):(1,5)", "((7,*,*),0)", "ValueError" },
        { "(5,10):(1,5)", "((*,*,0),0)", "ValueError" },
        { "(5,10):(1,5)", "((*,*,-1),0)", "ValueError" },
        { "(5,10):(1,5)", "((*,*,*))", "ValueError" },        /* one key for two modes */
        { "(5,10):(1,5)", "((*,*,*),0,0)", "ValueError" },
        { "(10,(2,3)):(1,(10,20))", "(0,(0,2,*))", "ValueError" },
        { "(10,(2,3)):(1,(10,20))", "(0,(*,*,2))", "ValueError" },
        { "(10,(2,3)):(1,(10,20))", "((*,*,*),6)", "ValueError" },
        { "(5,10):(1,5)", "(2,3)", "ValueError" },            /* an element */
        { "():()", "()", "ValueError" },
        { "(5,10):(1,5)", "(*,(*,*,*))", "TypeError" },
        { "(5,10):(1,5)", "((1,2),0)", "TypeError" },
        { "(5,10):(1,5)", "((1,2,1,1),0)", "TypeError" },
        { "(5,10):(1,5)", "((1,(2),1),0)", "TypeError" },
        { "(5,10):(1,5)", "(*,*)", "TypeError" },
        { "2:4611686018427387904", "((*,*,2))", "OverflowError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].a), *out = NULL;
        struct sw_tree *key = read_tree(rows[i].b);
        int64_t offset = -7;
        enum sw_status status = sw_layout_slice(layout, key, &offset, &out);

        expect_layout(rows[i].b, status, &out, rows[i].expected);
        ck_assert_int_eq(offset, -7);
        sw_layout_unref(layout);
        sw_tree_unref(key);
    }
}
END_TEST

START_TEST(an_element_is_read_by_another_call)
{
    struct sw_layout *layout = read_layout("(5,10):(1,5)"), *out = NULL;
    struct sw_tree *key = read_tree("(2,3)");
    int64_t offset;

    ck_assert_int_eq(sw_layout_slice(layout, key, &offset, &out), SW_VALUE_ERROR);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "sw_tensor_get"));
    ck_assert_int_eq(sw_layout_slice(layout, NULL, &offset, &out), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_slice(NULL, key, &offset, &out), SW_TYPE_ERROR);
    sw_layout_unref(layout);
    sw_tree_unref(key);
}
END_TEST

CHECK_MAIN("slice", integers_remove_modes_and_ranges_keep_parts, faulty_keys_are_refused,
           an_element_is_read_by_another_call)
