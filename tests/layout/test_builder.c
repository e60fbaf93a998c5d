/*
 * Building layouts mode by mode.
 */
#include "config.h"

#include <check.h>

#include "check_main.h"
#include "layout/builder.h"
#include "layout/texts.h"

static void expect_built(struct sw__layout_builder *builder, const char *expected)
{
    struct sw_layout *layout = NULL;
    enum sw_status status = sw__layout_builder_finish(builder, &layout);

    expect_layout("built", status, &layout, expected);
    sw__layout_builder_clear(builder);
}

START_TEST(an_appended_leaf_is_no_nested_mode)
{
    struct sw__layout_builder builder;

    sw__layout_builder_init(&builder);
    sw__layout_builder_leaf(&builder, 2, 1);
    size_t place = sw__layout_builder_open(&builder);
    sw__layout_builder_leaf(&builder, 3, 2);
    ck_assert_uint_eq(sw__layout_builder_append(&builder, place, 1), 1);
    expect_built(&builder, "(2,3):(1,2)");
}
END_TEST

START_TEST(an_appended_nothing_is_nothing)
{
    struct sw__layout_builder builder;

    sw__layout_builder_init(&builder);
    sw__layout_builder_leaf(&builder, 2, 1);
    ck_assert_uint_eq(sw__layout_builder_append(&builder, sw__layout_builder_open(&builder), 0), 0);
    expect_built(&builder, "2:1");
}
END_TEST

START_TEST(an_appended_single_nested_mode_stays_nested)
{
    struct sw__layout_builder builder;
    struct sw_layout *nested = read_layout("((3,4)):((5,6))");
    struct sw__modes modes = sw__modes_of(nested);

    sw__layout_builder_init(&builder);
    size_t place = sw__layout_builder_open(&builder);
    sw__layout_builder_copy(&builder, &modes);
    ck_assert_uint_eq(sw__layout_builder_append(&builder, place, 1), 1);
    ck_assert_uint_eq(sw__layout_builder_unwrap(&builder, place), 1);
    sw__layout_builder_leaf(&builder, 7, 8);
    expect_built(&builder, "((3,4),7):((5,6),8)");
    sw_layout_unref(nested);
}
END_TEST

START_TEST(a_closed_mode_stays_nested_even_with_one_leaf)
{
    struct sw__layout_builder builder;

    sw__layout_builder_init(&builder);
    size_t place = sw__layout_builder_open(&builder);
    sw__layout_builder_leaf(&builder, 3, 2);
    sw__layout_builder_close(&builder, place, 1);
    expect_built(&builder, "((3)):((2))");
}
END_TEST

START_TEST(coalesced_leaves_merge_from_their_begin_on)
{
    struct sw__layout_builder builder;

    sw__layout_builder_init(&builder);
    sw__layout_builder_leaf(&builder, 2, 1);
    size_t place = sw__layout_builder_open(&builder);
    sw__layout_builder_coalesce(&builder, place + 1, 2, 2);
    sw__layout_builder_coalesce(&builder, place + 1, 3, 4);
    sw__layout_builder_coalesce(&builder, place + 1, 5, 1);
    sw__layout_builder_append(&builder, place, 2);
    expect_built(&builder, "(2,(6,5)):(1,(2,1))");
}
END_TEST

START_TEST(a_failure_is_reported_at_the_end)
{
    struct sw__layout_builder builder;

    sw__layout_builder_init(&builder);
    ck_assert(!sw__nodes_reserve(&builder.strides, (size_t)SW_TREE_MAX_NODES + 1));
    size_t place = sw__layout_builder_open(&builder);
    sw__layout_builder_coalesce(&builder, place + 1, 2, 2);
    ck_assert_uint_eq(sw__layout_builder_append(&builder, place, 1), 0);
    ck_assert_uint_eq(sw__layout_builder_unwrap(&builder, place), 0);
    expect_built(&builder, "ValueError");
}
END_TEST

START_TEST(many_modes_are_built)
{
    struct sw__layout_builder builder;
    struct sw_layout *layout = NULL;

    sw__layout_builder_init(&builder);
    for (int64_t i = 0; i < 1000; i++)
        sw__layout_builder_leaf(&builder, 1, i);
    ck_assert_int_eq(sw__layout_builder_finish(&builder, &layout), SW_OK);
    ck_assert_uint_eq(layout->n_leaves, 1000);
    ck_assert_int_eq(layout->strides[999], 999);
    sw_layout_unref(layout);
    sw__layout_builder_clear(&builder);
}
END_TEST

CHECK_MAIN("builder", an_appended_leaf_is_no_nested_mode, an_appended_nothing_is_nothing,
           an_appended_single_nested_mode_stays_nested, a_closed_mode_stays_nested_even_with_one_leaf,
           coalesced_leaves_merge_from_their_begin_on, a_failure_is_reported_at_the_end, many_modes_are_built)
