/*
 * The section index_map, and compositions of layouts, which may be index maps
 * of another kind.
 */
#include "config.h"

#include <string.h>

#include "conformance.h"

#define MAX_LIST 16
/* A map of more indices is not tabulated. */
#define MAX_TABLE 4096

static const char *const kind_names[] = {
    [SW_INDEX_MAP_NONE] = "none",       [SW_INDEX_MAP_LAYOUT] = "Layout",   [SW_INDEX_MAP_PERMUTATION] = "Permutation",
    [SW_INDEX_MAP_SWIZZLE] = "Swizzle", [SW_INDEX_MAP_PRODUCT] = "Product", [SW_INDEX_MAP_COMPOSITION] = "Composition",
};

static enum sw_status build_map(struct trial *trial, const json_t *json, struct sw_index_map **ret_map);

/* Everything that the case file may ask about a map. */
static enum sw_status map_came(const struct sw_index_map *map, json_t **ret_came)
{
    enum sw_answer answer;
    int64_t index, size = sw_index_map_size(map);
    json_t *came = json_object(), *properties = json_object(), *table = json_array();

    TRY(sw_index_map_is_injective(map, &answer));
    for (int64_t i = 0; i < size && size <= MAX_TABLE; i++) {
        TRY(sw_index_map_index_ordinal(map, i, &index));
        json_array_append_new(table, json_integer(index));
    }
    json_object_set_new(properties, "shape", show_tree(sw_index_map_shape(map)));
    json_object_set_new(properties, "codomain_size", json_integer(sw_index_map_codomain_size(map)));
    json_object_set_new(properties, "is_injective",
                        answer == SW_ANSWER_UNKNOWN ? json_null() : json_boolean(answer == SW_ANSWER_YES));
    json_object_set_new(properties, "table", table);
    json_object_set_new(came, "kind", json_string(kind_names[sw_index_map_kind(map)]));
    json_object_set_new(came, "index_map", properties);
    if (sw_index_map_layout(map) != NULL)
        json_object_set_new(came, "layout", show_layout(sw_index_map_layout(map)));
    *ret_came = came;
    return SW_OK;
}

static enum sw_status build_permutation(struct trial *trial, const json_t *json, struct sw_index_map **ret_map)
{
    int64_t values[MAX_LIST];
    size_t n = build_integers(json_object_get(json, "values"), values, MAX_LIST);

    (void)trial;
    return sw_index_map_permutation(values, n, json_integer_value(json_object_get(json, "codomain_size")), ret_map);
}

static enum sw_status build_swizzle(struct trial *trial, const json_t *json, struct sw_index_map **ret_map)
{
    const json_t *list = json_object_get(json, "stages");
    struct sw_swizzle_stage stages[MAX_LIST];
    struct sw_tree *shape;
    int64_t numbers[3];
    size_t n = 0;

    for (; n < json_array_size(list) && n < MAX_LIST; n++) {
        build_integers(json_array_get(list, n), numbers, N_ELEMENTS(numbers));
        stages[n] = (struct sw_swizzle_stage){ numbers[0], numbers[1], numbers[2] };
    }
    TRY(build_tree(trial, json_object_get(json, "shape"), &shape));
    return sw_index_map_swizzle(shape, stages, n, ret_map);
}

static enum sw_status build_product(struct trial *trial, const json_t *json, struct sw_index_map **ret_map)
{
    const json_t *list = json_object_get(json, "children");
    struct sw_index_map *children[MAX_LIST];
    size_t n = 0;

    for (; n < json_array_size(list) && n < MAX_LIST; n++)
        TRY(build_map(trial, json_array_get(list, n), &children[n]));
    return sw_index_map_product(children, n, ret_map);
}

static enum sw_status build_from_layout(struct trial *trial, const json_t *json, struct sw_index_map **ret_map)
{
    struct sw_layout *layout;

    TRY(build_layout(trial, json, &layout));
    return sw_index_map_from_layout(layout, ret_map);
}

static const struct {
    const char *kind;
    enum sw_status (*build)(struct trial *trial, const json_t *json, struct sw_index_map **ret_map);
} builders[] = {
    { "Permutation", build_permutation },
    { "Swizzle", build_swizzle },
    { "Product", build_product },
    { "Layout", build_from_layout },
};

/* What says nothing of its kind is a layout. */
static enum sw_status build_map(struct trial *trial, const json_t *json, struct sw_index_map **ret_map)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    struct sw_index_map *map = NULL;

    for (size_t i = 0; i < N_ELEMENTS(builders); i++) {
        if (strcmp(kind != NULL ? kind : "Layout", builders[i].kind) != 0)
            continue;
        TRY(builders[i].build(trial, json, &map));
        *ret_map = trial_index_map(trial, map);
        return SW_OK;
    }
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "the driver knows no index map of the kind %s", kind);
}

static enum sw_status construct(struct trial *trial, json_t **ret_came)
{
    struct sw_index_map *map;

    TRY(build_map(trial, trial->args, &map));
    return map_came(map, ret_came);
}

/* Composition of layouts gives the same layout, or refuses what is none. */
static void compare_with_layouts(struct trial *trial, const struct sw_index_map *outer,
                                 const struct sw_index_map *inner, const struct sw_index_map *composed)
{
    struct sw_layout *layout = NULL;
    enum sw_status status;

    if (sw_index_map_layout(outer) == NULL || sw_index_map_layout(inner) == NULL)
        return;
    status = sw_layout_compose(sw_index_map_layout(outer), sw_index_map_layout(inner), &layout);
    trial_layout(trial, layout);
    if (sw_index_map_layout(composed) == NULL ? status != SW_VALUE_ERROR
                                              : !sw_layout_equal(layout, sw_index_map_layout(composed)))
        trial_fail(trial, "sw_layout_compose() and sw_index_map_compose() differ");
}

enum sw_status compose_maps(struct trial *trial, json_t **ret_came)
{
    struct sw_index_map *outer, *inner, *composed = NULL;

    TRY(build_map(trial, json_object_get(trial->args, "outer"), &outer));
    TRY(build_map(trial, json_object_get(trial->args, "inner"), &inner));
    TRY(sw_index_map_compose(outer, inner, &composed));
    trial_index_map(trial, composed);
    compare_with_layouts(trial, outer, inner, composed);
    return map_came(composed, ret_came);
}

static const struct action actions[] = {
    { "construct", construct },
    { "compose", compose_maps },
};

void run_index_map(struct trial *trial)
{
    trial_run(trial, actions, N_ELEMENTS(actions));
}
