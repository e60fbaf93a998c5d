/*
 * The defining equations of the layout algebra, on random small layouts. What a
 * call refuses is not counted against it, but must not be all there is.
 */
#include "config.h"

#include <strideweave/index_map.h>

#include "check_main.h"
#include "layout/texts.h"

#define N_TRIALS 3000
#define MAX_NODES 16
/* Six leaves of at most 8. */
#define MAX_INDICES 262144

/* xorshift64*: the same layouts on every run and machine. */
static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static int64_t below(int64_t n)
{
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    return (int64_t)(state * UINT64_C(0x2545f4914f6cdd1d) >> 33) % n;
}

static int64_t one_of(const int64_t *values, size_t n)
{
    return values[below((int64_t)n)];
}

struct nodes {
    int64_t shape[MAX_NODES];
    int64_t stride[MAX_NODES];
    size_t n;
};

static void push(struct nodes *nodes, int64_t extent, int64_t stride)
{
    ck_assert_uint_lt(nodes->n, MAX_NODES);
    nodes->shape[nodes->n] = extent;
    nodes->stride[nodes->n++] = stride;
}

/* Up to three modes, each a leaf or, if @nests, a pair. Strides mostly go on from what came before. */
static struct sw_layout *random_layout(int nests)
{
    static const int64_t extents[] = { 1, 2, 2, 3, 4, 4, 6, 8 };
    static const int64_t odd_strides[] = { 0, 1, 2, 3, 5, 8 };
    struct nodes nodes = { .n = 0 };
    struct sw_tree *shape = NULL, *stride = NULL;
    struct sw_layout *layout = NULL;
    int64_t reach = 1;

    for (int64_t modes = 1 + below(3); modes > 0; modes--) {
        int64_t leaves = nests && below(3) == 0 ? 2 : 1;

        if (leaves > 1)
            push(&nodes, SW_TREE_NESTED(leaves), SW_TREE_NESTED(leaves));
        for (; leaves > 0; leaves--) {
            int64_t extent = one_of(extents, N_ROWS(extents));

            push(&nodes, extent, below(4) == 0 ? one_of(odd_strides, N_ROWS(odd_strides)) : reach * (1 + below(2)));
            reach *= extent;
        }
    }
    ck_assert_int_eq(sw_tree_new(nodes.shape, nodes.n, &shape), SW_OK);
    ck_assert_int_eq(sw_tree_new(nodes.stride, nodes.n, &stride), SW_OK);
    ck_assert_int_eq(sw_layout_new(shape, stride, &layout), SW_OK);
    sw_tree_unref(shape);
    sw_tree_unref(stride);
    return layout;
}

static int64_t at(const struct sw_layout *layout, int64_t ordinal)
{
    int64_t index;

    ck_assert_int_eq(sw_layout_index_ordinal(layout, ordinal, &index), SW_OK);
    return index;
}

/* What the outer layout gives for each leaf of an inner coordinate by itself, summed. */
static int64_t by_leaf(const struct sw_layout *outer, const struct sw_layout *inner, int64_t ordinal)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < inner->n_leaves; i++) {
        sum += at(outer, ordinal % inner->extents[i] * inner->strides[i]);
        ordinal /= inner->extents[i];
    }
    return sum;
}

START_TEST(a_composition_is_the_inner_function_then_the_outer)
{
    int n_composed = 0, n_layouts = 0;

    for (int i = 0; i < N_TRIALS; i++) {
        struct sw_layout *outer = random_layout(1), *inner = random_layout(1), *layout = NULL;
        struct sw_index_map *outer_map = NULL, *inner_map = NULL, *map = NULL;
        int64_t index;

        ck_assert_int_eq(sw_index_map_from_layout(outer, &outer_map), SW_OK);
        ck_assert_int_eq(sw_index_map_from_layout(inner, &inner_map), SW_OK);
        if (sw_index_map_compose(outer_map, inner_map, &map) == SW_OK) {
            n_composed++;
            for (int64_t k = 0; k < sw_layout_size(inner); k++) {
                ck_assert_int_eq(sw_index_map_index_ordinal(map, k, &index), SW_OK);
                ck_assert_int_eq(index, at(outer, at(inner, k)));
            }
        } else {
            ck_assert_int_gt(sw_layout_cosize(inner), sw_layout_size(outer));
        }
        if (sw_layout_compose(outer, inner, &layout) == SW_OK) {
            n_layouts++;
            for (int64_t k = 0; k < sw_layout_size(inner); k++)
                ck_assert_int_eq(at(layout, k), at(outer, at(inner, k)));
        }
        sw_layout_unref(layout);
        sw_layout_unref(outer);
        sw_layout_unref(inner);
        sw_index_map_unref(outer_map);
        sw_index_map_unref(inner_map);
        sw_index_map_unref(map);
    }
    ck_assert_int_gt(n_composed, N_TRIALS / 4);
    ck_assert_int_gt(n_layouts, N_TRIALS / 20);
}
END_TEST

START_TEST(a_composition_by_mode_is_the_sum_over_the_inner_leaves)
{
    int n_composed = 0;

    for (int i = 0; i < N_TRIALS; i++) {
        struct sw_layout *outer = random_layout(0), *inner = random_layout(1), *layout = NULL;

        /* Beyond it an outer layout of one leaf is taken to go on. */
        if (sw_layout_cosize(inner) <= sw_layout_size(outer) &&
            sw_layout_compose_by_mode(outer, inner, &layout) == SW_OK) {
            n_composed++;
            ck_assert_int_eq(sw_layout_size(layout), sw_layout_size(inner));
            for (int64_t k = 0; k < sw_layout_size(inner); k++)
                ck_assert_int_eq(at(layout, k), by_leaf(outer, inner, k));
        }
        sw_layout_unref(layout);
        sw_layout_unref(outer);
        sw_layout_unref(inner);
    }
    ck_assert_int_gt(n_composed, N_TRIALS / 20);
}
END_TEST

/* Whether the sums of an index of each layout are [0, n), each once. */
static int tile_exactly(const struct sw_layout *a, const struct sw_layout *b, int64_t n)
{
    static unsigned char seen[MAX_INDICES];

    ck_assert_int_le(n, MAX_INDICES);
    memset(seen, 0, (size_t)n);
    if (sw_layout_size(a) * sw_layout_size(b) != n)
        return 0;
    for (int64_t i = 0; i < sw_layout_size(a); i++)
        for (int64_t k = 0; k < sw_layout_size(b); k++) {
            int64_t sum = at(a, i) + at(b, k);

            if (sum >= n || seen[sum]++)
                return 0;
        }
    return 1;
}

START_TEST(a_layout_and_its_complement_tile_the_cotarget)
{
    static const int64_t cotargets[] = { 1, 2, 8, 12, 24, 48, 96, 192, 1024 };
    int n_found = 0;

    for (int i = 0; i < N_TRIALS; i++) {
        struct sw_layout *layout = random_layout(1), *complement = NULL;
        int64_t cotarget = one_of(cotargets, N_ROWS(cotargets));
        int injective;

        if (sw_layout_complement(layout, cotarget, &complement) == SW_OK) {
            n_found++;
            ck_assert(tile_exactly(layout, complement, cotarget));
            ck_assert_int_eq(sw_layout_is_injective(layout, &injective), SW_OK);
            ck_assert(injective);
        }
        sw_layout_unref(layout);
        sw_layout_unref(complement);
    }
    ck_assert_int_gt(n_found, N_TRIALS / 20);
}
END_TEST

static int ascending(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static void sorted_indices(const struct sw_layout *layout, int64_t *indices)
{
    for (int64_t i = 0; i < sw_layout_size(layout); i++)
        indices[i] = at(layout, i);
    qsort(indices, (size_t)sw_layout_size(layout), sizeof *indices, ascending);
}

START_TEST(a_division_keeps_every_element)
{
    static int64_t before[MAX_INDICES], after[MAX_INDICES];
    int n_divided = 0;

    for (int i = 0; i < N_TRIALS; i++) {
        struct sw_layout *layout = random_layout(0), *tile = random_layout(0), *divided = NULL;

        if (sw_layout_divide(layout, tile, &divided) == SW_OK) {
            n_divided++;
            ck_assert_int_eq(sw_layout_size(divided), sw_layout_size(layout));
            sorted_indices(layout, before);
            sorted_indices(divided, after);
            ck_assert_mem_eq(before, after, (size_t)sw_layout_size(layout) * sizeof *before);
        }
        sw_layout_unref(layout);
        sw_layout_unref(tile);
        sw_layout_unref(divided);
    }
    ck_assert_int_gt(n_divided, N_TRIALS / 20);
}
END_TEST

START_TEST(injectivity_is_what_counting_says)
{
    static int64_t indices[MAX_INDICES];
    int n_injective = 0;

    for (int i = 0; i < N_TRIALS; i++) {
        struct sw_layout *layout = random_layout(1);
        int injective, repeats = 0;

        sorted_indices(layout, indices);
        for (int64_t k = 1; k < sw_layout_size(layout); k++)
            repeats |= indices[k] == indices[k - 1];
        ck_assert_int_eq(sw_layout_is_injective(layout, &injective), SW_OK);
        ck_assert_int_eq(injective, !repeats);
        n_injective += injective;
        sw_layout_unref(layout);
    }
    ck_assert_int_gt(n_injective, N_TRIALS / 20);
    ck_assert_int_lt(n_injective, N_TRIALS - N_TRIALS / 20);
}
END_TEST

CHECK_MAIN("laws", a_composition_is_the_inner_function_then_the_outer,
           a_composition_by_mode_is_the_sum_over_the_inner_leaves,
           a_layout_and_its_complement_tile_the_cotarget, a_division_keeps_every_element,
           injectivity_is_what_counting_says)
