/*
 * Composition of index maps: by the rule of their kinds where there is one,
 * else as a list of maps that is walked for each index.
 */
#include "config.h"

#include "layout/compose.h"
#include "layout/index_map.h"

static int64_t composition_index(const struct sw_index_map *map, int64_t ordinal)
{
    for (size_t i = 0; i < map->n; i++)
        ordinal = sw__index_map_at(map->own.parts[i], ordinal);
    return ordinal;
}

static enum sw_status composition_is_injective(const struct sw_index_map *map, enum sw_answer *ret_answer)
{
    enum sw_answer answer;

    for (size_t i = 0; i < map->n; i++) {
        SW__TRY(sw_index_map_is_injective(map->own.parts[i], &answer));
        if (answer != SW_ANSWER_YES) {
            /* Two coordinates that the innermost map sends to one index stay together; an outer one may not meet
             * the ordinals that it sends to one. */
            *ret_answer = i == 0 ? answer : SW_ANSWER_UNKNOWN;
            return SW_OK;
        }
    }
    *ret_answer = SW_ANSWER_YES;
    return SW_OK;
}

/* Nothing is enumerated: a list of maps that undo each other goes unnoticed. */
static int composition_is_identity(const struct sw_index_map *map)
{
    (void)map;
    return 0;
}

static const struct sw__index_map_class composition_kind = {
    .kind = SW_INDEX_MAP_COMPOSITION,
    .index = composition_index,
    .is_injective = composition_is_injective,
    .is_identity = composition_is_identity,
};

/* The maps that a map consists of, the innermost first. */
static struct sw_index_map *const *links_of(struct sw_index_map *const *map, size_t *ret_n)
{
    int is_composition = (*map)->index_map_class == &composition_kind;

    *ret_n = is_composition ? (*map)->n : 1;
    return is_composition ? (*map)->own.parts : map;
}

static enum sw_status chain(struct sw_index_map *outer, struct sw_index_map *inner, struct sw_index_map **ret_map)
{
    struct sw_index_map *map SW__OWNED_INDEX_MAP = NULL;
    size_t n_inner, n_outer;
    struct sw_index_map *const *inner_links = links_of(&inner, &n_inner);
    struct sw_index_map *const *outer_links = links_of(&outer, &n_outer);

    SW__TRY(sw__index_map_new(&composition_kind, n_inner + n_outer, sizeof inner, inner->shape, inner->size, &map));
    map->codomain_size = outer->codomain_size;
    for (size_t i = 0; i < n_inner; i++)
        SW__TRY(sw__index_map_add_part(map, inner_links[i]));
    for (size_t i = 0; i < n_outer; i++)
        SW__TRY(sw__index_map_add_part(map, outer_links[i]));
    *ret_map = sw__take(map);
    return SW_OK;
}

static enum sw_status compose_layouts(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                      struct sw_index_map **ret_map)
{
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;

    *ret_map = NULL;
    SW__TRY(sw__layout_try_compose(outer->layout, inner->layout, &layout));
    return layout != NULL ? sw_index_map_from_layout(layout, ret_map) : SW_OK;
}

typedef enum sw_status compose_fn(const struct sw_index_map *outer, const struct sw_index_map *inner,
                                  struct sw_index_map **ret_map);

/* What two maps of one kind become. */
static compose_fn *const by_kind[] = {
    [SW_INDEX_MAP_LAYOUT] = compose_layouts,
    [SW_INDEX_MAP_PERMUTATION] = sw__permutation_compose,
    [SW_INDEX_MAP_SWIZZLE] = sw__swizzle_compose,
    [SW_INDEX_MAP_PRODUCT] = sw__product_compose,
    [SW_INDEX_MAP_COMPOSITION] = NULL,
};

static int changes_nothing(const struct sw_index_map *map)
{
    return map->index_map_class->is_identity(map);
}

enum sw_status sw_index_map_compose(struct sw_index_map *outer, struct sw_index_map *inner,
                                    struct sw_index_map **ret_map)
{
    struct sw_index_map *map = NULL;

    SW__TRY(sw__check_index_map(outer, "the outer argument"));
    SW__TRY(sw__check_index_map(inner, "the inner argument"));
    if (inner->codomain_size > outer->size)
        return sw_error_set(SW_VALUE_ERROR, "the inner map reaches index %lld of an outer map of size %lld",
                            (long long)inner->codomain_size - 1, (long long)outer->size);
    if (changes_nothing(inner) && sw_tree_equal(inner->shape, outer->shape)) {
        *ret_map = sw_index_map_ref(outer);
        return SW_OK;
    }
    if (changes_nothing(outer) && inner->codomain_size == outer->codomain_size) {
        *ret_map = sw_index_map_ref(inner);
        return SW_OK;
    }
    enum sw_index_map_kind kind = outer->index_map_class->kind;
    if (kind == inner->index_map_class->kind && by_kind[kind] != NULL)
        SW__TRY(by_kind[kind](outer, inner, &map));
    if (map == NULL)
        return chain(outer, inner, ret_map);
    *ret_map = map;
    return SW_OK;
}
