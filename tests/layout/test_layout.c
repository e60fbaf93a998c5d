/*
 * Layouts: construction and what is known of one.
 */
#include "config.h"

#include <check.h>
#include <pthread.h>

#include "check_main.h"
#include "layout/texts.h"

START_TEST(shape_and_stride_must_nest_alike_and_hold_valid_leaves)
{
    static const struct row rows[] = {
        { "(2,3)", "(1,4)", "(2,3):(1,4)" },
        { "()", "()", "():()" },
        { "(2,())", "(1,())", "(2,()):(1,())" },
        { "0", "1", "ValueError" },
        { "2", "-1", "ValueError" },
        { "(2,(3))", "(1,2)", "ValueError" },
        { "(2,3)", "1", "ValueError" },
        { "(2,3)", "(1,*)", "TypeError" },
        { "(2,*)", "(1,1)", "TypeError" },
        { "(1099511627776,1099511627776)", "(0,0)", "OverflowError" },
        { "(3,3)", "(4611686018427387904,0)", "OverflowError" },
        { "(2,2)", "(4611686018427387903,4611686018427387903)",
          "(2,2):(4611686018427387903,4611686018427387903)" },
        { "(2,2)", "(4611686018427387904,4611686018427387904)", "OverflowError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].a), *stride = read_tree(rows[i].b);
        struct sw_layout *layout = NULL;
        enum sw_status status = sw_layout_new(shape, stride, &layout);

        expect_layout(rows[i].a, status, &layout, rows[i].expected);
        sw_tree_unref(shape);
        sw_tree_unref(stride);
    }
}
END_TEST

START_TEST(derived_quantities)
{
    static const struct {
        const char *text;
        int64_t size, cosize;
        size_t rank, depth, n_leaves;
        uint32_t is_canonical;
    } rows[] = {
        { "(2,3):(1,4)", 6, 10, 2, 1, 2, 0 },
        { "(4,2):(0,1)", 8, 2, 2, 1, 2, 0 },
        { "(2,(3,4)):(1,(10,100))", 24, 322, 2, 2, 3, 0 },
        { "((2,(3,1)),4):((1,(2,5)),6)", 24, 24, 2, 3, 4, 0 },
        { "((2,(3,1)),4):((1,(2,6)),6)", 24, 24, 2, 3, 4, 1 },
        { "(2,1,3):(1,2,2)", 6, 6, 3, 1, 3, 1 },
        { "():()", 1, 1, 0, 1, 0, 1 },
        { "20:2", 20, 39, 1, 1, 1, 0 },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_layout *layout = read_layout(rows[i].text);

        ck_assert_int_eq(sw_layout_size(layout), rows[i].size);
        ck_assert_int_eq(sw_layout_cosize(layout), rows[i].cosize);
        ck_assert_uint_eq(sw_layout_rank(layout), rows[i].rank);
        ck_assert_uint_eq(sw_layout_depth(layout), rows[i].depth);
        ck_assert_uint_eq(sw_layout_n_leaves(layout), rows[i].n_leaves);
        ck_assert_uint_eq(layout->is_canonical, rows[i].is_canonical);
        sw_layout_unref(layout);
    }
}
END_TEST

START_TEST(leaves_stand_in_arrays_depth_first)
{
    static const int64_t extents[] = { 2, 3, 1, 4 }, strides[] = { 1, 2, 5, 6 };
    struct sw_layout *nested = read_layout("((2,(3,1)),4):((1,(2,5)),6)");
    struct sw_layout *flat = read_layout("(2,3,1,4):(1,2,5,6)");

    for (size_t i = 0; i < 4; i++) {
        ck_assert_int_eq(nested->extents[i], extents[i]);
        ck_assert_int_eq(nested->strides[i], strides[i]);
        ck_assert_int_eq(flat->extents[i], extents[i]);
        ck_assert_int_eq(flat->strides[i], strides[i]);
    }
    sw_layout_unref(nested);
    sw_layout_unref(flat);
}
END_TEST

START_TEST(canonical_strides_are_running_products)
{
    static const struct row rows[] = {
        { "(2,(3,4))", "", "(2,(3,4)):(1,(2,6))" },
        { "(2,1,3)", "", "(2,1,3):(1,2,2)" },
        { "()", "", "():()" },
        { "7", "", "7:1" },
        { "((3),())", "", "((3),()):((1),())" },
        { "(2,0)", "", "ValueError" },
        { "(2,*)", "", "TypeError" },
        { "(4294967296,4294967296)", "", "OverflowError" },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].a);
        struct sw_layout *layout = NULL;
        enum sw_status status = sw_layout_canonical(shape, &layout);

        if (status == SW_OK) {
            ck_assert_uint_eq(layout->is_canonical, 1);
            ck_assert_int_eq(layout->size, layout->cosize);
            ck_assert_ptr_eq(sw_layout_shape(layout), shape);
        }
        expect_layout(rows[i].a, status, &layout, rows[i].expected);
        sw_tree_unref(shape);
    }
}
END_TEST

START_TEST(flat_layouts_of_either_order)
{
    static const int64_t extents[] = { 2, 3, 4 }, bad[] = { 2, 0 };
    static const int64_t huge[] = { INT64_C(1) << 40, INT64_C(1) << 40 };
    struct sw_layout *layout = NULL;

    expect_layout("column", sw_layout_column_major(extents, 3, &layout), &layout, "(2,3,4):(1,2,6)");
    expect_layout("row", sw_layout_row_major(extents, 3, &layout), &layout, "(2,3,4):(12,4,1)");
    expect_layout("row", sw_layout_row_major(NULL, 0, &layout), &layout, "():()");
    expect_layout("row", sw_layout_row_major(bad, 2, &layout), &layout, "ValueError");
    expect_layout("column", sw_layout_column_major(bad, 2, &layout), &layout, "ValueError");
    expect_layout("row", sw_layout_row_major(huge, 2, &layout), &layout, "OverflowError");
    expect_layout("row", sw_layout_row_major(NULL, 2, &layout), &layout, "TypeError");
}
END_TEST

START_TEST(equality_is_of_shape_and_stride)
{
    struct sw_layout *a = read_layout("(2,3):(1,2)"), *b = read_layout("(2,3):(1,2)");
    struct sw_layout *c = read_layout("(2,3):(3,1)"), *d = read_layout("((2),3):((1),2)");

    ck_assert(sw_layout_equal(a, a) && sw_layout_equal(a, b));
    ck_assert(!sw_layout_equal(a, c) && !sw_layout_equal(a, d) && !sw_layout_equal(a, NULL));
    sw_layout_unref(a);
    sw_layout_unref(b);
    sw_layout_unref(c);
    sw_layout_unref(d);
}
END_TEST

START_TEST(trees_outlive_the_layout_when_referenced)
{
    struct sw_layout *layout = read_layout("(2,(3,4)):(1,(2,6))");
    struct sw_tree *stride = sw_tree_ref(sw_layout_stride(layout));

    ck_assert_ptr_eq(sw_layout_ref(layout), layout);
    sw_layout_unref(layout);
    sw_layout_unref(layout);
    expect_tree("stride", SW_OK, &stride, "(1,(2,6))");
}
END_TEST

static void *take_and_drop(void *argument)
{
    struct sw_layout *layout = argument;

    for (int i = 0; i < 1000; i++) {
        struct sw_layout *flat = NULL;

        if (sw_layout_flatten(layout, &flat) != SW_OK)
            return NULL;
        sw_layout_unref(flat);
    }
    sw_layout_unref(layout);
    return layout;
}

START_TEST(threads_share_a_layout_and_any_of_them_drops_it)
{
    enum { N_THREADS = 4 };
    struct sw_layout *layout = read_layout("(2,3):(1,2)");
    pthread_t threads[N_THREADS];
    void *result = NULL;

    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_drop, sw_layout_ref(layout)), 0);
    sw_layout_unref(layout);
    for (int i = 0; i < N_THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], &result), 0);
        ck_assert_ptr_nonnull(result);
    }
}
END_TEST

START_TEST(what_is_no_layout_is_refused)
{
    struct sw_tree *tree = read_tree("(2,3)");
    const struct sw_layout *wrong[] = { NULL, (const struct sw_layout *)(const void *)tree };
    struct sw_layout *layout = NULL;

    for (size_t i = 0; i < 2; i++) {
        ck_assert_int_eq(sw_layout_size(wrong[i]) + sw_layout_cosize(wrong[i]), 0);
        ck_assert_uint_eq(sw_layout_rank(wrong[i]) + sw_layout_depth(wrong[i]) + sw_layout_n_leaves(wrong[i]), 0);
        ck_assert_ptr_null(sw_layout_shape(wrong[i]));
        ck_assert_ptr_null(sw_layout_stride(wrong[i]));
        ck_assert_int_eq(sw_layout_new(tree, (const struct sw_tree *)(const void *)layout, &layout), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_layout_flatten(wrong[i], &layout), SW_TYPE_ERROR);
        ck_assert_int_eq(sw_layout_broadcast_to(wrong[i], tree, &layout), SW_TYPE_ERROR);
    }
    ck_assert_int_eq(sw_layout_canonical(NULL, &layout), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_layout_new(NULL, tree, &layout), SW_TYPE_ERROR);
    ck_assert_ptr_null(sw_layout_ref(NULL));
    sw_layout_unref(NULL);
    sw_tree_unref(tree);
}
END_TEST

START_TEST(the_canonical_layout_of_a_shape_is_made_once)
{
    struct sw_layout *layout, *first, *second, *own;

    ck_assert_int_eq(sw_layout_parse("(3,(2,5)):(10,(5,1))", &layout), SW_OK);
    ck_assert_int_eq(sw__layout_canonical_like(layout, &first), SW_OK);
    ck_assert_int_eq(sw__layout_canonical_like(layout, &second), SW_OK);
    ck_assert_ptr_eq(first, second);
    ck_assert(first->is_canonical && sw_tree_equal(first->shape, layout->shape));
    ck_assert_int_eq(first->cosize, 30);
    ck_assert_int_eq(sw__layout_canonical_like(first, &own), SW_OK);
    ck_assert_ptr_eq(own, first);
    sw_layout_unref(layout);
    ck_assert_int_eq(sw_layout_size(first), 30);
    sw_layout_unref(first);
    sw_layout_unref(second);
    sw_layout_unref(own);
}
END_TEST

CHECK_MAIN("layout", the_canonical_layout_of_a_shape_is_made_once,
           shape_and_stride_must_nest_alike_and_hold_valid_leaves, derived_quantities,
           leaves_stand_in_arrays_depth_first, canonical_strides_are_running_products, flat_layouts_of_either_order,
           equality_is_of_shape_and_stride, trees_outlive_the_layout_when_referenced,
           threads_share_a_layout_and_any_of_them_drops_it, what_is_no_layout_is_refused)
