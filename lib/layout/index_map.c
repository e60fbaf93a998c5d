/*
 * Index maps: sharing, reading, and the kind that is a layout.
 */
#include "config.h"

#include "layout/index_map.h"

#include "base/alloc.h"
#include "base/refs.h"
#include "layout/compose.h"
#include "layout/coordinate.h"
#include "layout/make.h"

enum sw_status sw__check_index_map(const struct sw_index_map *map, const char *what)
{
    if (sw__is_index_map(map))
        return SW_OK;
    return sw_error_set(SW_TYPE_ERROR, "%s is not an index map", what);
}

enum sw_status sw__index_map_new(const struct sw__index_map_class *index_map_class, size_t n, size_t entry_bytes,
                                 const struct sw_tree *shape, int64_t size, struct sw_index_map **ret_map)
{
    size_t bytes;

    if (__builtin_mul_overflow(n, entry_bytes, &bytes) || __builtin_add_overflow(bytes, sizeof **ret_map, &bytes))
        return sw_error_set(SW_OVERFLOW_ERROR, "an index map of %zu entries is beyond the address space", n);
    struct sw_index_map *map = sw__alloc_zero(bytes);
    if (map == NULL)
        return SW_MEMORY_ERROR;
    map->kind = SW_KIND_INDEX_MAP;
    map->n_refs = 1;
    map->index_map_class = index_map_class;
    map->shape = sw_tree_ref(shape);
    map->size = size;
    map->depth = 1;
    map->n = n;
    *ret_map = map;
    return SW_OK;
}

enum sw_status sw__index_map_add_part(struct sw_index_map *map, struct sw_index_map *part)
{
    if (part->depth >= SW__INDEX_MAP_MAX_DEPTH)
        return sw_error_set(SW_VALUE_ERROR, "index maps nest more than %d levels deep", SW__INDEX_MAP_MAX_DEPTH);
    map->own.parts[map->n_parts++] = sw_index_map_ref(part);
    if (map->depth <= part->depth)
        map->depth = part->depth + 1;
    return SW_OK;
}

struct sw_index_map *sw_index_map_ref(struct sw_index_map *map)
{
    if (map != NULL)
        sw__refs_get(&map->n_refs);
    return map;
}

void sw_index_map_unref(struct sw_index_map *map)
{
    if (map == NULL || !sw__refs_put(&map->n_refs))
        return;
    for (uint32_t i = 0; i < map->n_parts; i++)
        sw_index_map_unref(map->own.parts[i]);
    sw_layout_unref(map->layout);
    sw_tree_unref(map->shape);
    sw__free(map);
}

/* ---- The kind that is a layout ---------------------------------------------------- */

static int64_t layout_index(const struct sw_index_map *map, int64_t ordinal)
{
    return sw__layout_at(map->layout, ordinal);
}

static enum sw_status layout_is_injective(const struct sw_index_map *map, enum sw_answer *ret_answer)
{
    int injective;

    SW__TRY(sw_layout_is_injective(map->layout, &injective));
    *ret_answer = injective ? SW_ANSWER_YES : SW_ANSWER_NO;
    return SW_OK;
}

static int layout_is_identity(const struct sw_index_map *map)
{
    return sw__layout_is_identity(map->layout);
}

static const struct sw__index_map_class layout_kind = {
    .kind = SW_INDEX_MAP_LAYOUT,
    .index = layout_index,
    .is_injective = layout_is_injective,
    .is_identity = layout_is_identity,
};

enum sw_status sw_index_map_from_layout(const struct sw_layout *layout, struct sw_index_map **ret_map)
{
    struct sw_index_map *map;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__index_map_new(&layout_kind, 0, 0, layout->shape, layout->size, &map));
    map->layout = sw_layout_ref(layout);
    map->codomain_size = layout->cosize;
    *ret_map = map;
    return SW_OK;
}

/* ---- Reading -------------------------------------------------------------------------- */

enum sw_status sw__index_map_injective(const struct sw_index_map *map, enum sw_answer *ret_answer)
{
    (void)map;
    *ret_answer = SW_ANSWER_YES;
    return SW_OK;
}

enum sw_index_map_kind sw_index_map_kind(const struct sw_index_map *map)
{
    return sw__is_index_map(map) ? map->index_map_class->kind : SW_INDEX_MAP_NONE;
}

const struct sw_tree *sw_index_map_shape(const struct sw_index_map *map)
{
    return sw__is_index_map(map) ? map->shape : NULL;
}

int64_t sw_index_map_size(const struct sw_index_map *map)
{
    return sw__is_index_map(map) ? map->size : 0;
}

int64_t sw_index_map_codomain_size(const struct sw_index_map *map)
{
    return sw__is_index_map(map) ? map->codomain_size : 0;
}

const struct sw_layout *sw_index_map_layout(const struct sw_index_map *map)
{
    return sw__is_index_map(map) ? map->layout : NULL;
}

enum sw_status sw_index_map_is_injective(const struct sw_index_map *map, enum sw_answer *ret_answer)
{
    SW__TRY(sw__check_index_map(map, "the argument"));
    return map->index_map_class->is_injective(map, ret_answer);
}

enum sw_status sw_index_map_index_ordinal(const struct sw_index_map *map, int64_t ordinal, int64_t *ret_index)
{
    SW__TRY(sw__check_index_map(map, "the argument"));
    SW__TRY(sw__check_ordinal(ordinal, map->size));
    *ret_index = sw__index_map_at(map, ordinal);
    return SW_OK;
}

enum sw_status sw_index_map_index(const struct sw_index_map *map, const struct sw_tree *coordinate, int64_t *ret_index)
{
    int64_t ordinal;

    SW__TRY(sw__check_index_map(map, "the argument"));
    SW__TRY(sw_shape_encode(map->shape, coordinate, &ordinal));
    *ret_index = sw__index_map_at(map, ordinal);
    return SW_OK;
}
