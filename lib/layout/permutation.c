/*
 * Permutations: index maps that list their indices.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "layout/index_map.h"

static int64_t permutation_index(const struct sw_index_map *map, int64_t ordinal)
{
    return map->own.values[ordinal];
}

static int permutation_is_identity(const struct sw_index_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        if (map->own.values[i] != (int64_t)i)
            return 0;
    return map->codomain_size == map->size;
}

static const struct sw__index_map_class permutation_kind = {
    .kind = SW_INDEX_MAP_PERMUTATION,
    .index = permutation_index,
    .is_injective = sw__index_map_injective,
    .is_identity = permutation_is_identity,
};

static int ascending(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static enum sw_status check_values(const int64_t *values, size_t n, int64_t codomain_size)
{
    if (n == 0)
        return sw_error_set(SW_VALUE_ERROR, "a permutation has at least one value");
    if (values == NULL)
        return sw_error_set(SW_TYPE_ERROR, "the values are NULL");
    if (codomain_size < 1 || codomain_size == SW_TREE_ANY)
        return sw_error_set(SW_VALUE_ERROR, "the codomain size of a permutation is at least 1, not %lld",
                            (long long)codomain_size);
    for (size_t i = 0; i < n; i++)
        if (values[i] < 0 || values[i] >= codomain_size)
            return sw_error_set(SW_VALUE_ERROR, "value %zu of a permutation is %lld, outside of [0, %lld)", i,
                                (long long)values[i], (long long)codomain_size);
    return SW_OK;
}

static enum sw_status check_distinct(const int64_t *values, size_t n)
{
    int64_t *sorted SW__OWNED = sw__alloc(n * sizeof *sorted);

    if (sorted == NULL)
        return SW_MEMORY_ERROR;
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    for (size_t i = 1; i < n; i++)
        if (sorted[i] == sorted[i - 1])
            return sw_error_set(SW_VALUE_ERROR, "a permutation has the value %lld twice", (long long)sorted[i]);
    return SW_OK;
}

static enum sw_status allocate(size_t n, int64_t codomain_size, struct sw_index_map **ret_map)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    int64_t extent = (int64_t)n;

    SW__TRY(sw_tree_flat(&extent, 1, &shape));
    SW__TRY(sw__index_map_new(&permutation_kind, n, sizeof(int64_t), shape, extent, ret_map));
    (*ret_map)->codomain_size = codomain_size;
    return SW_OK;
}

enum sw_status sw_index_map_permutation(const int64_t *values, size_t n, int64_t codomain_size,
                                        struct sw_index_map **ret_map)
{
    struct sw_index_map *map;

    SW__TRY(check_values(values, n, codomain_size));
    SW__TRY(check_distinct(values, n));
    SW__TRY(allocate(n, codomain_size, &map));
    memcpy(map->own.values, values, n * sizeof *values);
    *ret_map = map;
    return SW_OK;
}

enum sw_status sw__permutation_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                       struct sw_index_map **ret_map)
{
    struct sw_index_map *map;

    SW__TRY(allocate(inner->n, outer->codomain_size, &map));
    for (size_t i = 0; i < inner->n; i++)
        map->own.values[i] = outer->own.values[inner->own.values[i]];
    *ret_map = map;
    return SW_OK;
}
