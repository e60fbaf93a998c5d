/*
 * Swizzles: index maps that XOR bit fields of the ordinal into one another.
 * Source and target of a stage do not overlap, so each stage is its own inverse.
 */
#include "config.h"

#include "layout/index_map.h"

static int64_t swizzle_index(const struct sw_index_map *map, int64_t ordinal)
{
    for (size_t i = 0; i < map->n; i++) {
        const struct sw_swizzle_stage *stage = &map->own.stages[i];
        int64_t distance = stage->shift > 0 ? stage->shift : -stage->shift;
        int64_t low = ((INT64_C(1) << stage->bits) - 1) << stage->base;

        if (stage->shift > 0)
            ordinal ^= ordinal >> distance & low;
        else
            ordinal ^= (ordinal & low) << distance;
    }
    return ordinal;
}

static int swizzle_is_identity(const struct sw_index_map *map)
{
    return map->n == 0;
}

static const struct sw__index_map_class swizzle_kind = {
    .kind = SW_INDEX_MAP_SWIZZLE,
    .index = swizzle_index,
    .is_injective = sw__index_map_injective,
    .is_identity = swizzle_is_identity,
};

static enum sw_status check_stage(const struct sw_swizzle_stage *stage, size_t number, int64_t size_bits)
{
    int64_t bits = stage->bits, base = stage->base, shift = stage->shift;

    if (bits < 1)
        return sw_error_set(SW_VALUE_ERROR, "stage %zu of a swizzle has %lld bits, not at least 1", number,
                            (long long)bits);
    if (base < 0)
        return sw_error_set(SW_VALUE_ERROR, "stage %zu of a swizzle has the negative base %lld", number,
                            (long long)base);
    if (shift < bits && shift > -bits)
        return sw_error_set(SW_VALUE_ERROR, "stage %zu of a swizzle moves %lld bits by only %lld", number,
                            (long long)bits, (long long)shift);
    /* Each by itself first: their sum could leave 64 bits. */
    if (bits > size_bits || base > size_bits || shift > size_bits || shift < -size_bits ||
        base + bits + (shift > 0 ? shift : -shift) > size_bits)
        return sw_error_set(SW_VALUE_ERROR, "stage %zu of a swizzle reaches beyond the %lld bits of its size", number,
                            (long long)size_bits);
    return SW_OK;
}

static int is_same_stage(const struct sw_swizzle_stage *a, const struct sw_swizzle_stage *b)
{
    return a->bits == b->bits && a->base == b->base && a->shift == b->shift;
}

/* A stage after its own like undoes it. */
static void append_stages(struct sw_index_map *map, const struct sw_swizzle_stage *stages, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (map->n > 0 && is_same_stage(&map->own.stages[map->n - 1], &stages[i]))
            map->n--;
        else
            map->own.stages[map->n++] = stages[i];
}

static enum sw_status allocate(const struct sw_tree *shape, int64_t size, size_t n_stages,
                               struct sw_index_map **ret_map)
{
    SW__TRY(sw__index_map_new(&swizzle_kind, n_stages, sizeof(struct sw_swizzle_stage), shape, size, ret_map));
    (*ret_map)->codomain_size = size;
    (*ret_map)->n = 0;
    return SW_OK;
}

enum sw_status sw_index_map_swizzle(const struct sw_tree *shape, const struct sw_swizzle_stage *stages,
                                    size_t n_stages, struct sw_index_map **ret_map)
{
    struct sw_index_map *map;
    int64_t size;

    SW__TRY(sw_shape_size(shape, &size));
    if ((size & (size - 1)) != 0)
        return sw_error_set(SW_VALUE_ERROR, "the size of a swizzle is %lld, not a power of two", (long long)size);
    if (stages == NULL && n_stages > 0)
        return sw_error_set(SW_TYPE_ERROR, "the stages are NULL");
    for (size_t i = 0; i < n_stages; i++)
        SW__TRY(check_stage(&stages[i], i, __builtin_ctzll((unsigned long long)size)));
    SW__TRY(allocate(shape, size, n_stages, &map));
    append_stages(map, stages, n_stages);
    *ret_map = map;
    return SW_OK;
}

enum sw_status sw__swizzle_compose(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                   struct sw_index_map **ret_map)
{
    struct sw_index_map *map;

    *ret_map = NULL;
    if (outer->size != inner->size)
        return SW_OK;
    SW__TRY(allocate(inner->shape, inner->size, outer->n + inner->n, &map));
    append_stages(map, inner->own.stages, inner->n);
    append_stages(map, outer->own.stages, outer->n);
    *ret_map = map;
    return SW_OK;
}
