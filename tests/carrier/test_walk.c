/*
 * Walking a layout's indices in ordinal order, against the index function.
 */
#include "config.h"

#include "carrier/walk.h"
#include "check_main.h"

static const char *const layouts[] = {
    "():()",
    "1:0",
    "5:1",
    "5:3",
    "4:0",
    "(2,3):(1,2)",
    "(2,3):(3,1)",
    "(2,3):(1,4)",
    "(1,3,1):(7,2,9)",
    "(4,2):(0,1)",
    "(3,2):(2,3)",
    "(2,(3,4)):(1,(2,6))",
    "((2,2),(2,2),2):((1,4),(2,8),16)",
    "(2,2,2,2):(8,4,2,1)",
    "(2,(4,3)):(1,(0,2))",
};

static void walk_like_the_index_function(const char *text)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw__walk walk;
    int64_t ordinal = 0;

    ck_assert_int_eq(sw_layout_parse(text, &layout), SW_OK);
    sw__walk_begin(&walk, layout);
    do {
        for (int64_t i = 0; i < walk.run; i++) {
            int64_t index = -1;

            ck_assert_int_eq(sw_layout_index_ordinal(layout, ordinal++, &index), SW_OK);
            ck_assert_msg(walk.index + i * walk.stride == index, "%s at ordinal %lld", text, (long long)ordinal - 1);
        }
    } while (sw__walk_next(&walk));
    ck_assert_int_eq(ordinal, layout->size);
}

START_TEST(indices_come_in_ordinal_order)
{
    for (size_t i = 0; i < sizeof layouts / sizeof *layouts; i++)
        walk_like_the_index_function(layouts[i]);
}
END_TEST

START_TEST(a_compact_layout_is_one_run)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw__walk walk;

    ck_assert_int_eq(sw_layout_parse("(2,(3,4),1,5):(1,(2,6),99,24)", &layout), SW_OK);
    sw__walk_begin(&walk, layout);
    ck_assert_int_eq(walk.run, 120);
    ck_assert_int_eq(walk.stride, 1);
    ck_assert(!sw__walk_next(&walk));
}
END_TEST

START_TEST(a_layout_may_have_any_number_of_leaves)
{
    static const int64_t ones[500] = { [0 ... 498] = 1, [499] = 3 };
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw__walk walk;

    ck_assert_int_eq(sw_layout_column_major(ones, 500, &layout), SW_OK);
    sw__walk_begin(&walk, layout);
    ck_assert_int_eq(walk.run, 3);
    ck_assert_uint_eq(walk.n_outer, 0);
}
END_TEST

/* 62 leaves of extent 2 that do not merge: as many loops as a size of 63 bits can need. */
START_TEST(the_deepest_possible_walk_fits)
{
    static int64_t extents[62], strides[62];
    struct sw_tree *shape SW__OWNED_TREE = NULL, *stride SW__OWNED_TREE = NULL;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw__walk walk;

    for (int i = 0; i < 62; i++) {
        extents[i] = 2;
        strides[i] = i % 2;
    }
    ck_assert_int_eq(sw_tree_flat(extents, 62, &shape), SW_OK);
    ck_assert_int_eq(sw_tree_flat(strides, 62, &stride), SW_OK);
    ck_assert_int_eq(sw_layout_new(shape, stride, &layout), SW_OK);
    sw__walk_begin(&walk, layout);
    ck_assert_uint_eq(walk.n_outer, 61);
    ck_assert(sw__walk_next(&walk));
    ck_assert_int_eq(walk.index, 1);
}
END_TEST

CHECK_MAIN("walk", indices_come_in_ordinal_order, a_compact_layout_is_one_run, a_layout_may_have_any_number_of_leaves,
           the_deepest_possible_walk_fits)
