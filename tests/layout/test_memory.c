/*
 * Trees, layouts and index maps when memory runs out: each allocation of each
 * call fails once. The call then says MemoryError, gives nothing out and keeps
 * nothing.
 */
#include "config.h"

#include <strideweave/index_map.h>

#include "allocations.h"

#ifdef SW_FAILURE_INJECTION

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct sw_tree *shape, *key, *swapped;
static struct sw_layout *layout, *inner, *tile, *narrow, *row;
static struct sw_index_map *map, *swizzle, *permutation;

static const int64_t order[] = { 1, 0 };
static const int64_t values[] = { 3, 1, 2, 0 };
static const struct sw_swizzle_stage stages[] = { { 1, 0, 2 }, { 1, 1, 1 } };

/* A call whose result is given back at once. */
#define CALL(name, type, call)                                                     \
    static enum sw_status run_##name(const void *unused)                           \
    {                                                                              \
        struct sw_##type *out = NULL;                                              \
        int64_t offset __attribute__((unused)) = 4711;                             \
        enum sw_status status = call;                                              \
        (void)unused;                                                              \
        ck_assert_msg((status == SW_OK) == (out != NULL), "output of " #name);     \
        ck_assert_msg(status == SW_OK || offset == 4711, "offset of " #name);      \
        sw_##type##_unref(out);                                                    \
        return status;                                                             \
    }
#define CALLS(X)                                                                                  \
    X(tree_parse, tree, sw_tree_parse("((2,3),(4,(5,6)))", &out))                                 \
    X(tree_flat, tree, sw_tree_flat(values, 4, &out))                                             \
    X(layout_parse, layout, sw_layout_parse("((2,3),4):((1,2),6)", &out))                         \
    X(canonical, layout, sw_layout_canonical(shape, &out))                                        \
    X(column_major, layout, sw_layout_column_major(values, 3, &out))                              \
    X(row_major, layout, sw_layout_row_major(values, 3, &out))                                    \
    X(mode, layout, sw_layout_mode(layout, 0, &out))                                              \
    X(concat, layout, sw_layout_concat(layout, row, &out))                                        \
    X(append, layout, sw_layout_append(layout, row, &out))                                        \
    X(flatten, layout, sw_layout_flatten(layout, &out))                                           \
    X(coalesce, layout, sw_layout_coalesce(layout, &out))                                         \
    X(permute, layout, sw_layout_permute(layout, order, 2, &out))                                 \
    X(broadcast_to, layout, sw_layout_broadcast_to(narrow, shape, &out))                          \
    X(reshape, layout, sw_layout_reshape(layout, shape, &out))                                    \
    X(unsqueeze, layout, sw_layout_unsqueeze(layout, 1, &out))                                    \
    X(squeeze, layout, sw_layout_squeeze(narrow, 1, &out))                                        \
    X(rearrange, layout, sw_layout_rearrange(row, swapped, NULL, &out))                           \
    X(compose, layout, sw_layout_compose(row, inner, &out))                                       \
    X(compose_by_mode, layout, sw_layout_compose_by_mode(row, inner, &out))                       \
    X(compose_tiler, layout, sw_layout_compose_tiler(row, (const struct sw_layout *[]){ tile }, 1, &out)) \
    X(complement, layout, sw_layout_complement(tile, 24, &out))                                   \
    X(divide, layout, sw_layout_divide(row, tile, &out))                                          \
    X(divide_tiler, layout, sw_layout_divide_tiler(row, (const struct sw_layout *[]){ tile }, 1, &out)) \
    X(divide_zipped, layout, sw_layout_divide_zipped(row, (const struct sw_layout *[]){ tile }, 1, &out)) \
    X(select, layout, sw_layout_select(row, inner, &out))                                         \
    X(slice, layout, sw_layout_slice(row, key, &offset, &out))                                    \
    X(from_layout, index_map, sw_index_map_from_layout(layout, &out))                             \
    X(permutation, index_map, sw_index_map_permutation(values, 4, 4, &out))                       \
    X(swizzle, index_map, sw_index_map_swizzle(sw_index_map_shape(swizzle), stages, 2, &out))     \
    X(product, index_map, sw_index_map_product((struct sw_index_map *[]){ map, swizzle }, 2, &out)) \
    X(compose_maps, index_map, sw_index_map_compose(swizzle, permutation, &out))
CALLS(CALL)

static enum sw_status run_format(const void *unused)
{
    char *out = NULL;
    enum sw_status status = sw_layout_format(layout, &out);

    (void)unused;
    ck_assert((status == SW_OK) == (out != NULL));
    sw_free(out);
    return status;
}

static void make_arguments(void)
{
    struct sw_tree *sixteen;

    ck_assert(sw_tree_parse("((2,3),4)", &shape) == SW_OK && sw_tree_parse("(1,(0,*,2))", &key) == SW_OK &&
              sw_tree_parse("(1,0)", &swapped) == SW_OK &&
              sw_tree_parse("(4,4)", &sixteen) == SW_OK);
    ck_assert(sw_layout_parse("((2,3),4):((1,2),6)", &layout) == SW_OK &&
              sw_layout_parse("(2,2):(1,2)", &inner) == SW_OK && sw_layout_parse("(2):(1)", &tile) == SW_OK &&
              sw_layout_parse("((1,3),1):((1,2),6)", &narrow) == SW_OK && sw_layout_parse("(4,6):(6,1)", &row) == SW_OK);
    ck_assert(sw_index_map_from_layout(row, &map) == SW_OK &&
              sw_index_map_swizzle(sixteen, stages, 2, &swizzle) == SW_OK &&
              sw_index_map_permutation(values, 4, 16, &permutation) == SW_OK);
    sw_tree_unref(sixteen);
}

static void drop_arguments(void)
{
    struct sw_layout *layouts[] = { layout, inner, tile, narrow, row };
    struct sw_index_map *maps[] = { map, swizzle, permutation };

    for (size_t i = 0; i < N_OF(layouts); i++)
        sw_layout_unref(layouts[i]);
    for (size_t i = 0; i < N_OF(maps); i++)
        sw_index_map_unref(maps[i]);
    sw_tree_unref(shape);
    sw_tree_unref(key);
    sw_tree_unref(swapped);
}

START_TEST(every_call_survives_the_failure_of_every_allocation)
{
    static const struct {
        const char *name;
        allocating_fn *run;
    } calls[] = {
#define ROW(name, type, call) { #name, run_##name },
        CALLS(ROW)
#undef ROW
        { "format", run_format },
    };

    make_arguments();
    for (size_t i = 0; i < N_OF(calls); i++)
        ck_assert_msg(fail_each_allocation(calls[i].run, NULL, calls[i].name, SW_OK) > 0, "%s allocates nothing",
                      calls[i].name);
    drop_arguments();
}
END_TEST

CHECK_MAIN("memory", every_call_survives_the_failure_of_every_allocation)

#else

#include <stdio.h>

int main(void)
{
    puts("skipped: built without --enable-failure-injection");
    return 77;
}

#endif
