/*
 * Index maps: what they map, what they refuse, what two of them become.
 */
#include "config.h"

#include <strideweave/index_map.h>

#include "check_main.h"
#include "layout/texts.h"

static struct sw_index_map *from_layout(const char *text)
{
    struct sw_layout *layout = read_layout(text);
    struct sw_index_map *map = NULL;

    ck_assert_int_eq(sw_index_map_from_layout(layout, &map), SW_OK);
    sw_layout_unref(layout);
    return map;
}

static struct sw_index_map *permutation(const int64_t *values, size_t n, int64_t codomain_size)
{
    struct sw_index_map *map = NULL;

    ck_assert_msg(sw_index_map_permutation(values, n, codomain_size, &map) == SW_OK, "%s", sw_error_message());
    return map;
}

static struct sw_index_map *swizzle(const char *shape_text, const struct sw_swizzle_stage *stages, size_t n)
{
    struct sw_tree *shape = read_tree(shape_text);
    struct sw_index_map *map = NULL;

    ck_assert_msg(sw_index_map_swizzle(shape, stages, n, &map) == SW_OK, "%s", sw_error_message());
    sw_tree_unref(shape);
    return map;
}

/* Both arguments are given up. */
static struct sw_index_map *compose(struct sw_index_map *outer, struct sw_index_map *inner)
{
    struct sw_index_map *map = NULL;

    ck_assert_msg(sw_index_map_compose(outer, inner, &map) == SW_OK, "%s", sw_error_message());
    sw_index_map_unref(outer);
    sw_index_map_unref(inner);
    return map;
}

static struct sw_index_map *product(struct sw_index_map *first, struct sw_index_map *second)
{
    struct sw_index_map *children[] = { first, second };
    struct sw_index_map *map = NULL;

    ck_assert_msg(sw_index_map_product(children, 2, &map) == SW_OK, "%s", sw_error_message());
    sw_index_map_unref(first);
    sw_index_map_unref(second);
    return map;
}

/* The map is given up. */
static void expect_map(struct sw_index_map *map, enum sw_index_map_kind kind, const char *shape_text,
                       int64_t codomain_size, enum sw_answer injective, const int64_t *table)
{
    struct sw_tree *shape = read_tree(shape_text), *coordinate = NULL;
    enum sw_answer answer;
    int64_t size, index;

    ck_assert_int_eq(sw_index_map_kind(map), kind);
    ck_assert(sw_tree_equal(sw_index_map_shape(map), shape));
    ck_assert_int_eq(sw_shape_size(shape, &size), SW_OK);
    ck_assert_int_eq(sw_index_map_size(map), size);
    ck_assert_int_eq(sw_index_map_codomain_size(map), codomain_size);
    ck_assert_int_eq(sw_index_map_is_injective(map, &answer), SW_OK);
    ck_assert_int_eq(answer, injective);
    for (int64_t i = 0; i < size; i++) {
        ck_assert_int_eq(sw_index_map_index_ordinal(map, i, &index), SW_OK);
        ck_assert_msg(index == table[i], "ordinal %d has index %d, not %d", (int)i, (int)index, (int)table[i]);
        ck_assert_int_eq(sw_shape_decode(shape, i, &coordinate), SW_OK);
        ck_assert_int_eq(sw_index_map_index(map, coordinate, &index), SW_OK);
        ck_assert_int_eq(index, table[i]);
        sw_tree_unref(coordinate);
    }
    ck_assert_int_eq(sw_index_map_index_ordinal(map, size, &index), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_index_ordinal(map, -1, &index), SW_VALUE_ERROR);
    sw_tree_unref(shape);
    sw_index_map_unref(map);
}

#define VALUES(...) ((const int64_t[]){ __VA_ARGS__ })
#define STAGES(...) ((const struct sw_swizzle_stage[]){ __VA_ARGS__ })
#define ORDINALS_4_BIT_SWIZZLED VALUES(0, 1, 2, 3, 5, 4, 7, 6, 10, 11, 8, 9, 15, 14, 13, 12)

START_TEST(a_layout_is_an_index_map)
{
    struct sw_index_map *map = from_layout("(2,3):(3,1)");

    ck_assert_ptr_nonnull(sw_index_map_layout(map));
    expect_map(map, SW_INDEX_MAP_LAYOUT, "(2,3)", 6, SW_ANSWER_YES, VALUES(0, 3, 1, 4, 2, 5));
    expect_map(from_layout("(2,2):(0,3)"), SW_INDEX_MAP_LAYOUT, "(2,2)", 4, SW_ANSWER_NO, VALUES(0, 0, 3, 3));
}
END_TEST

START_TEST(a_permutation_lists_its_indices)
{
    expect_map(permutation(VALUES(4, 3), 2, 10), SW_INDEX_MAP_PERMUTATION, "(2)", 10, SW_ANSWER_YES, VALUES(4, 3));
}
END_TEST

START_TEST(a_permutation_has_distinct_values_in_range)
{
    struct sw_index_map *map = NULL;

    ck_assert_int_eq(sw_index_map_permutation(NULL, 0, 1, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(NULL, 2, 4, &map), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(VALUES(1, 1), 2, 4, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(VALUES(4), 1, 4, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(VALUES(-1), 1, 4, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(VALUES(0), 1, 0, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_permutation(VALUES(0), 1, INT64_MAX, &map), SW_VALUE_ERROR);
    ck_assert_ptr_null(map);
}
END_TEST

START_TEST(swizzles_move_bits_either_way)
{
    expect_map(swizzle("(16)", STAGES({ 2, 0, 2 }), 1), SW_INDEX_MAP_SWIZZLE, "(16)", 16, SW_ANSWER_YES,
               ORDINALS_4_BIT_SWIZZLED);
    expect_map(swizzle("(16)", STAGES({ 2, 0, -2 }), 1), SW_INDEX_MAP_SWIZZLE, "(16)", 16, SW_ANSWER_YES,
               VALUES(0, 5, 10, 15, 4, 1, 14, 11, 8, 13, 2, 7, 12, 9, 6, 3));
    expect_map(swizzle("(4,4)", STAGES({ 1, 0, 2 }, { 1, 1, 2 }), 2), SW_INDEX_MAP_SWIZZLE, "(4,4)", 16,
               SW_ANSWER_YES, ORDINALS_4_BIT_SWIZZLED);
    expect_map(swizzle("()", NULL, 0), SW_INDEX_MAP_SWIZZLE, "()", 1, SW_ANSWER_YES, VALUES(0));
}
END_TEST

START_TEST(a_swizzle_stays_within_the_bits_of_its_size)
{
    static const struct {
        const char *shape;
        struct sw_swizzle_stage stage;
    } rows[] = {
        { "(8)", { 2, 0, 2 } },  { "(8)", { 2, 0, -2 } },  { "(16)", { 2, 0, 1 } },
        { "(16)", { 2, 0, -1 } }, { "(16)", { 0, 0, 1 } },  { "(16)", { -1, 0, 1 } },
        { "(16)", { 1, -1, 1 } }, { "(16)", { 1, 0, 0 } },  { "(6)", { 1, 0, 1 } },
        { "(16)", { 1, INT64_MAX, 1 } }, { "(16)", { INT64_MAX, 0, INT64_MAX } }, { "(16)", { 1, 0, INT64_MIN } },
    };

    for (size_t i = 0; i < N_ROWS(rows); i++) {
        struct sw_tree *shape = read_tree(rows[i].shape);
        struct sw_index_map *map = NULL;

        ck_assert_msg(sw_index_map_swizzle(shape, &rows[i].stage, 1, &map) == SW_VALUE_ERROR, "row %zu", i);
        ck_assert_ptr_null(map);
        sw_tree_unref(shape);
    }
}
END_TEST

START_TEST(a_product_packs_its_children)
{
    expect_map(product(permutation(VALUES(4, 3), 2, 10), permutation(VALUES(2, 9), 2, 15)), SW_INDEX_MAP_PRODUCT,
               "(2,2)", 150, SW_ANSWER_YES, VALUES(24, 23, 94, 93));
    expect_map(product(from_layout("2:0"), from_layout("2:1")), SW_INDEX_MAP_PRODUCT, "(2,2)", 2, SW_ANSWER_NO,
               VALUES(0, 0, 1, 1));
    /* A shape of more than a leaf becomes a nested mode; the second child adds 4*1. */
    expect_map(product(from_layout("(2,2):(2,1)"), permutation(VALUES(1), 1, 2)), SW_INDEX_MAP_PRODUCT, "((2,2),1)",
               8, SW_ANSWER_YES, VALUES(4, 6, 5, 7));
}
END_TEST

START_TEST(a_product_has_two_maps_and_fits_64_bits)
{
    struct sw_index_map *child = permutation(VALUES(0), 1, INT64_C(1) << 40), *map = NULL;
    struct sw_index_map *children[] = { child, child };

    ck_assert_int_eq(sw_index_map_product(children, 1, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_product(children, 2, &map), SW_OVERFLOW_ERROR);
    children[1] = NULL;
    ck_assert_int_eq(sw_index_map_product(children, 2, &map), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_index_map_product(NULL, 2, &map), SW_TYPE_ERROR);
    ck_assert_ptr_null(map);
    sw_index_map_unref(child);
}
END_TEST

START_TEST(two_maps_of_a_kind_become_one_of_it)
{
    expect_map(compose(permutation(VALUES(3, 1, 0, 2), 4, 10), permutation(VALUES(2, 0), 2, 4)),
               SW_INDEX_MAP_PERMUTATION, "(2)", 10, SW_ANSWER_YES, VALUES(0, 3));
    expect_map(compose(swizzle("(16)", STAGES({ 1, 0, 3 }), 1), swizzle("(4,4)", STAGES({ 2, 0, 2 }), 1)),
               SW_INDEX_MAP_SWIZZLE, "(4,4)", 16, SW_ANSWER_YES,
               VALUES(0, 1, 2, 3, 5, 4, 7, 6, 11, 10, 9, 8, 14, 15, 12, 13));
    expect_map(compose(product(permutation(VALUES(1, 0), 2, 2), permutation(VALUES(0, 1), 2, 2)),
                       product(permutation(VALUES(1, 0), 2, 2), permutation(VALUES(1, 0), 2, 2))),
               SW_INDEX_MAP_PRODUCT, "(2,2)", 4, SW_ANSWER_YES, VALUES(2, 3, 0, 1));
    expect_map(compose(from_layout("20:2"), from_layout("(2,2):(4,1)")), SW_INDEX_MAP_LAYOUT, "(2,2)", 11,
               SW_ANSWER_YES, VALUES(0, 8, 2, 10));
}
END_TEST

START_TEST(stages_that_undo_each_other_drop_out)
{
    struct sw_index_map *map = compose(swizzle("(16)", STAGES({ 2, 0, 2 }), 1), swizzle("16", STAGES({ 2, 0, 2 }), 1));
    struct sw_index_map *other = compose(map, permutation(VALUES(5, 9), 2, 16));

    /* Nothing is left of the swizzle, so the permutation stays what it is. */
    expect_map(other, SW_INDEX_MAP_PERMUTATION, "(2)", 16, SW_ANSWER_YES, VALUES(5, 9));
}
END_TEST

START_TEST(other_pairs_are_walked_for_each_index)
{
    expect_map(compose(swizzle("(16)", STAGES({ 2, 0, 2 }), 1), from_layout("(4,4):(4,1)")), SW_INDEX_MAP_COMPOSITION,
               "(4,4)", 16, SW_ANSWER_YES, VALUES(0, 5, 10, 15, 1, 4, 11, 14, 2, 7, 8, 13, 3, 6, 9, 12));
    expect_map(compose(from_layout("(4,4):(4,1)"), swizzle("(16)", STAGES({ 2, 0, 2 }), 1)), SW_INDEX_MAP_COMPOSITION,
               "(16)", 16, SW_ANSWER_YES, VALUES(0, 4, 8, 12, 5, 1, 13, 9, 10, 14, 2, 6, 15, 11, 7, 3));
}
END_TEST

START_TEST(compositions_of_layouts_that_are_no_layouts)
{
    expect_map(compose(from_layout("(3,2):(1,5)"), from_layout("(3,2):(2,1)")), SW_INDEX_MAP_COMPOSITION, "(3,2)", 8,
               SW_ANSWER_YES, VALUES(0, 2, 6, 1, 5, 7));
    expect_map(compose(from_layout("(4,6,8,10):(2,3,5,7)"), from_layout("6:12")), SW_INDEX_MAP_COMPOSITION, "(6)", 120,
               SW_ANSWER_UNKNOWN, VALUES(0, 9, 5, 14, 10, 19));
    expect_map(compose(from_layout("(4,2):(1,5)"), from_layout("3:0")), SW_INDEX_MAP_COMPOSITION, "(3)", 9,
               SW_ANSWER_NO, VALUES(0, 0, 0));
}
END_TEST

START_TEST(a_map_that_changes_nothing_gives_the_other)
{
    expect_map(compose(from_layout("(2,3):(1,2)"), permutation(VALUES(5, 0, 3), 3, 6)), SW_INDEX_MAP_PERMUTATION,
               "(3)", 6, SW_ANSWER_YES, VALUES(5, 0, 3));
    expect_map(compose(permutation(VALUES(5, 0, 3), 3, 6), from_layout("3:1")), SW_INDEX_MAP_PERMUTATION, "(3)", 6,
               SW_ANSWER_YES, VALUES(5, 0, 3));
}
END_TEST

START_TEST(the_inner_codomain_stays_within_the_outer_size)
{
    struct sw_index_map *outer = from_layout("2:1"), *inner = permutation(VALUES(0), 1, 3), *map = NULL;

    ck_assert_int_eq(sw_index_map_compose(outer, inner, &map), SW_VALUE_ERROR);
    ck_assert_int_eq(sw_index_map_compose(outer, NULL, &map), SW_TYPE_ERROR);
    ck_assert_int_eq(sw_index_map_compose(NULL, inner, &map), SW_TYPE_ERROR);
    ck_assert_ptr_null(map);
    sw_index_map_unref(outer);
    sw_index_map_unref(inner);
}
END_TEST

START_TEST(maps_nest_as_deep_as_1000_levels)
{
    struct sw_index_map *deep = permutation(VALUES(0), 1, 1), *leaf = permutation(VALUES(0), 1, 1), *next = NULL;
    int levels = 1;

    for (;;) {
        struct sw_index_map *children[] = { deep, leaf };

        if (sw_index_map_product(children, 2, &next) != SW_OK)
            break;
        sw_index_map_unref(deep);
        deep = next;
        levels++;
    }
    ck_assert_int_eq(levels, 1000);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), "levels deep"));
    sw_index_map_unref(deep);
    sw_index_map_unref(leaf);
}
END_TEST

START_TEST(what_is_no_map_has_no_properties)
{
    int64_t index;

    ck_assert_int_eq(sw_index_map_kind(NULL), SW_INDEX_MAP_NONE);
    ck_assert_ptr_null(sw_index_map_shape(NULL));
    ck_assert_ptr_null(sw_index_map_layout(NULL));
    ck_assert_int_eq(sw_index_map_size(NULL), 0);
    ck_assert_int_eq(sw_index_map_codomain_size(NULL), 0);
    ck_assert_int_eq(sw_index_map_index_ordinal(NULL, 0, &index), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("index_map", a_layout_is_an_index_map, a_permutation_lists_its_indices,
           a_permutation_has_distinct_values_in_range, swizzles_move_bits_either_way,
           a_swizzle_stays_within_the_bits_of_its_size, a_product_packs_its_children,
           a_product_has_two_maps_and_fits_64_bits, two_maps_of_a_kind_become_one_of_it,
           stages_that_undo_each_other_drop_out, other_pairs_are_walked_for_each_index,
           compositions_of_layouts_that_are_no_layouts, a_map_that_changes_nothing_gives_the_other,
           the_inner_codomain_stays_within_the_outer_size, maps_nest_as_deep_as_1000_levels,
           what_is_no_map_has_no_properties)
