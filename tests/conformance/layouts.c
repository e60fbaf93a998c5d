/*
 * The sections layout, index, compose and divide: values without tensors.
 */
#include "config.h"

#include "conformance.h"

#define MAX_LIST 16

/* The layout that the arguments describe by "shape" and "stride". */
static enum sw_status own_layout(struct trial *trial, struct sw_layout **ret_layout)
{
    return build_layout(trial, trial->args, ret_layout);
}

static enum sw_status named_layout(struct trial *trial, const char *key, struct sw_layout **ret_layout)
{
    return build_layout(trial, json_object_get(trial->args, key), ret_layout);
}

static enum sw_status named_tree(struct trial *trial, const char *key, struct sw_tree **ret_tree)
{
    return build_tree(trial, json_object_get(trial->args, key), ret_tree);
}

static enum sw_status layout_came(struct trial *trial, struct sw_layout *layout, json_t **ret_came)
{
    *ret_came = show_field("layout", show_layout(trial_layout(trial, layout)));
    return SW_OK;
}

static void append_profile(json_t *profile, const json_t *tree)
{
    const json_t *mode;

    for (size_t i = 0; i < json_array_size(tree); i++) {
        mode = json_array_get(tree, i);
        if (!json_is_array(mode)) {
            json_array_append_new(profile, json_string("Leaf"));
            continue;
        }
        json_array_append_new(profile, json_string("Push"));
        append_profile(profile, mode);
        json_array_append_new(profile, json_string("Pop"));
    }
}

static enum sw_status show_leaves(const struct sw_layout *layout, json_t **ret_leaves)
{
    int64_t extent;
    int64_t stride;

    *ret_leaves = json_array();
    for (size_t i = 0; i < sw_layout_n_leaves(layout); i++) {
        TRY(sw_tree_leaf(sw_layout_shape(layout), i, &extent));
        TRY(sw_tree_leaf(sw_layout_stride(layout), i, &stride));
        json_array_append_new(*ret_leaves, json_pack("[I,I]", (json_int_t)extent, (json_int_t)stride));
    }
    return SW_OK;
}

static enum sw_status describe(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    json_t *shape;
    json_t *leaves;
    json_t *profile = trial_json(trial, json_array());
    int injective;
    int broadcast_only;

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_is_injective(layout, &injective));
    TRY(sw_layout_is_broadcast_only(layout, &broadcast_only));
    TRY(show_leaves(layout, &leaves));
    leaves = trial_json(trial, leaves);
    shape = trial_json(trial, show_tree(sw_layout_shape(layout)));
    append_profile(profile, shape);
    *ret_came = json_pack("{s:{s:I,s:I,s:I,s:I,s:O,s:b,s:b,s:O}}", "value", "size", (json_int_t)sw_layout_size(layout),
                          "cosize", (json_int_t)sw_layout_cosize(layout), "rank", (json_int_t)sw_layout_rank(layout),
                          "depth", (json_int_t)sw_layout_depth(layout), "leaves", leaves, "is_injective", injective,
                          "only_broadcast_aliasing", broadcast_only, "profile", profile);
    return SW_OK;
}

static enum sw_status construct(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;

    TRY(own_layout(trial, &layout));
    *ret_came = show_field("layout", show_layout(layout));
    return SW_OK;
}

static enum sw_status coalesce(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_coalesce(layout, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status coalesce_by_mode(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_tree *selection;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(named_tree(trial, "tree", &selection));
    TRY(sw_layout_coalesce_by_mode(layout, selection, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status flatten(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_flatten(layout, &result));
    return layout_came(trial, result, ret_came);
}

typedef enum sw_status layout_pair_fn(const struct sw_layout *a, const struct sw_layout *b,
                                      struct sw_layout **ret_layout);

static enum sw_status of_two(struct trial *trial, const char *first, const char *second, layout_pair_fn *function,
                             json_t **ret_came)
{
    struct sw_layout *a;
    struct sw_layout *b;
    struct sw_layout *result = NULL;

    TRY(named_layout(trial, first, &a));
    TRY(named_layout(trial, second, &b));
    TRY(function(a, b, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status concat(struct trial *trial, json_t **ret_came)
{
    return of_two(trial, "a", "b", sw_layout_concat, ret_came);
}

static enum sw_status append(struct trial *trial, json_t **ret_came)
{
    return of_two(trial, "a", "b", sw_layout_append, ret_came);
}

static enum sw_status compose_by_mode(struct trial *trial, json_t **ret_came)
{
    return of_two(trial, "outer", "inner", sw_layout_compose_by_mode, ret_came);
}

static enum sw_status divide(struct trial *trial, json_t **ret_came)
{
    return of_two(trial, "layout", "tile", sw_layout_divide, ret_came);
}

typedef enum sw_status layout_tiler_fn(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                       size_t n_tiles, struct sw_layout **ret_layout);

static enum sw_status of_tiler(struct trial *trial, const char *key, layout_tiler_fn *function, json_t **ret_came)
{
    const json_t *list = json_object_get(trial->args, "tiler");
    const struct sw_layout *tiles[MAX_LIST];
    struct sw_layout *layout;
    struct sw_layout *tile;
    struct sw_layout *result = NULL;
    size_t n = 0;

    TRY(named_layout(trial, key, &layout));
    while (n < json_array_size(list) && n < MAX_LIST) {
        TRY(build_layout(trial, json_array_get(list, n), &tile));
        tiles[n++] = tile;
    }
    TRY(function(layout, tiles, n, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status compose_tiler(struct trial *trial, json_t **ret_came)
{
    return of_tiler(trial, "outer", sw_layout_compose_tiler, ret_came);
}

static enum sw_status divide_tiler(struct trial *trial, json_t **ret_came)
{
    return of_tiler(trial, "layout", sw_layout_divide_tiler, ret_came);
}

static enum sw_status divide_zipped(struct trial *trial, json_t **ret_came)
{
    return of_tiler(trial, "layout", sw_layout_divide_zipped, ret_came);
}

static enum sw_status compose_shape(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *outer;
    struct sw_tree *shape;
    struct sw_layout *result = NULL;

    TRY(named_layout(trial, "outer", &outer));
    TRY(named_tree(trial, "shape", &shape));
    TRY(sw_layout_compose_shape(outer, shape, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status complement(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;

    TRY(named_layout(trial, "layout", &layout));
    TRY(sw_layout_complement(layout, json_integer_value(json_object_get(trial->args, "cotarget")), &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status select_mode(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_mode(layout, (size_t)json_integer_value(json_object_get(trial->args, "mode")), &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status select_range(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_modes(layout, (size_t)json_integer_value(json_object_get(trial->args, "start")),
                        (size_t)json_integer_value(json_object_get(trial->args, "stop")), &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status permute(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_layout *result = NULL;
    int64_t order[MAX_LIST];
    size_t n = build_integers(json_object_get(trial->args, "order"), order, MAX_LIST);

    TRY(own_layout(trial, &layout));
    TRY(sw_layout_permute(layout, order, n, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status rearrange(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_tree *output;
    struct sw_tree *selection = NULL;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(named_tree(trial, "output", &output));
    if (json_is_array(json_object_get(trial->args, "selection")))
        TRY(named_tree(trial, "selection", &selection));
    TRY(sw_layout_rearrange(layout, output, selection, &result));
    return layout_came(trial, result, ret_came);
}

typedef enum sw_status layout_target_fn(const struct sw_layout *layout, const struct sw_tree *shape,
                                        struct sw_layout **ret_layout);

static enum sw_status of_target(struct trial *trial, layout_target_fn *function, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_tree *target;
    struct sw_layout *result = NULL;

    TRY(own_layout(trial, &layout));
    TRY(named_tree(trial, "target", &target));
    TRY(function(layout, target, &result));
    return layout_came(trial, result, ret_came);
}

static enum sw_status broadcast_to(struct trial *trial, json_t **ret_came)
{
    return of_target(trial, sw_layout_broadcast_to, ret_came);
}

static enum sw_status reshape(struct trial *trial, json_t **ret_came)
{
    return of_target(trial, sw_layout_reshape, ret_came);
}

static enum sw_status uniform_preimage_extent(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_tree *target;
    int found = 0;
    int64_t extent = 0;

    TRY(own_layout(trial, &layout));
    TRY(named_tree(trial, "target", &target));
    TRY(sw_layout_uniform_preimage_extent(layout, target, &found, &extent));
    *ret_came = show_field("value", found ? json_integer(extent) : json_null());
    return SW_OK;
}

static enum sw_status layout_index(struct trial *trial, json_t **ret_came)
{
    struct sw_layout *layout;
    struct sw_tree *coordinate;
    int64_t index = 0;
    int64_t by_ordinal = 0;

    TRY(own_layout(trial, &layout));
    TRY(named_tree(trial, "key", &coordinate));
    TRY(sw_layout_index(layout, coordinate, &index));
    if (json_is_integer(json_object_get(trial->args, "key"))) {
        TRY(sw_layout_index_ordinal(layout, json_integer_value(json_object_get(trial->args, "key")), &by_ordinal));
        if (by_ordinal != index)
            trial_fail(trial, "sw_layout_index() gives %lld, sw_layout_index_ordinal() %lld", (long long)index,
                       (long long)by_ordinal);
    }
    *ret_came = show_field("value", json_integer(index));
    return SW_OK;
}

static enum sw_status shape_decode(struct trial *trial, json_t **ret_came)
{
    struct sw_tree *shape;
    struct sw_tree *coordinate = NULL;

    TRY(named_tree(trial, "shape", &shape));
    TRY(sw_shape_decode(shape, json_integer_value(json_object_get(trial->args, "ordinal")), &coordinate));
    *ret_came = show_field("value", show_tree(trial_tree(trial, coordinate)));
    return SW_OK;
}

static enum sw_status shape_encode(struct trial *trial, json_t **ret_came)
{
    struct sw_tree *shape;
    struct sw_tree *coordinate;
    int64_t ordinal = 0;

    TRY(named_tree(trial, "shape", &shape));
    TRY(named_tree(trial, "coordinate", &coordinate));
    TRY(sw_shape_encode(shape, coordinate, &ordinal));
    *ret_came = show_field("value", json_integer(ordinal));
    return SW_OK;
}

static const struct action actions[] = {
    { "describe", describe },
    { "construct", construct },
    { "coalesce", coalesce },
    { "coalesce_by_mode", coalesce_by_mode },
    { "flatten", flatten },
    { "concat", concat },
    { "append", append },
    { "select_mode", select_mode },
    { "select_range", select_range },
    { "permute", permute },
    { "rearrange", rearrange },
    { "broadcast_to", broadcast_to },
    { "reshape_layout", reshape },
    { "uniform_preimage_extent", uniform_preimage_extent },
    { "layout_index", layout_index },
    { "shape_decode", shape_decode },
    { "shape_encode", shape_encode },
    { "compose", compose_maps },
    { "compose_by_mode", compose_by_mode },
    { "compose_tiler", compose_tiler },
    { "compose_shape", compose_shape },
    { "complement", complement },
    { "logical_divide", divide },
    { "tiler_divide", divide_tiler },
    { "zipped_divide", divide_zipped },
};

void run_layout(struct trial *trial)
{
    trial_run(trial, actions, N_ELEMENTS(actions));
}
