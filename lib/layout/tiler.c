/*
 * Applying a list of tiles to the leading modes of a layout.
 */
#include "config.h"

#include "layout/tiler.h"

#include "layout/by_mode.h"
#include "layout/make.h"

static enum sw_status too_many(size_t n_tiles, const struct sw_layout *layout)
{
    return sw_error_set(SW_VALUE_ERROR, "%zu tiles for a layout of rank %u", n_tiles, layout->shape->n_modes);
}

enum sw_status sw__check_tiler(const struct sw_layout *layout, const struct sw_layout *const *tiles, size_t n_tiles)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    if (tiles == NULL && n_tiles > 0)
        return sw_error_set(SW_TYPE_ERROR, "the list of tiles is NULL");
    for (size_t i = 0; i < n_tiles; i++)
        SW__TRY(sw__check_layout(tiles[i], "a tile"));
    if (n_tiles > layout->shape->n_modes)
        return too_many(n_tiles, layout);
    return SW_OK;
}

enum sw_status sw__layout_tile(const struct sw_layout *layout, const struct sw_layout *const *tiles, size_t n_tiles,
                               sw__tile_fn *tile_mode, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    size_t node = 0;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_tiler(layout, tiles, n_tiles));
    struct sw__modes all = sw__modes_of(layout);
    for (size_t i = 0; i < n_tiles; i++) {
        struct sw__modes mode = sw__modes_content(&all, node);

        SW__TRY(tile_mode(&builder, &mode, tiles[i]));
        node = sw__tree_next(all.extents, node);
    }
    struct sw__modes rest = { all.extents + node, all.strides + node, all.n_nodes - node, all.n_modes - n_tiles };
    sw__layout_builder_copy(&builder, &rest);
    return sw__layout_builder_finish(&builder, ret_layout);
}

static enum sw_status compose_mode(struct sw__layout_builder *builder, const struct sw__modes *mode,
                                   const struct sw_layout *tile)
{
    struct sw__modes tile_modes = sw__modes_of(tile);

    return sw__by_mode_append(builder, mode, &tile_modes);
}

enum sw_status sw_layout_compose_tiler(const struct sw_layout *outer, const struct sw_layout *const *tiles,
                                       size_t n_tiles, struct sw_layout **ret_layout)
{
    return sw__layout_tile(outer, tiles, n_tiles, compose_mode, ret_layout);
}

/* The modes of a canonical layout, with every mode's strides starting at 1. */
static enum sw_status unit_stride_modes(const struct sw_tree *shape, struct sw_tree **ret_stride)
{
    struct sw_tree *stride SW__OWNED_TREE = NULL;

    SW__TRY(sw_shape_check(shape));
    SW__TRY(sw__tree_alloc(shape->n_nodes, &stride));
    for (size_t node = 0; node < shape->n_nodes;) {
        size_t end = sw__tree_next(shape->nodes, node);
        int64_t step = 1;

        for (; node < end; node++) {
            int nests = SW_TREE_IS_NESTED(shape->nodes[node]);
            stride->nodes[node] = nests ? shape->nodes[node] : step;
            step *= nests ? 1 : shape->nodes[node];
        }
    }
    sw__tree_seal_like(stride, shape);
    *ret_stride = sw__take(stride);
    return SW_OK;
}

enum sw_status sw_layout_compose_shape(const struct sw_layout *outer, const struct sw_tree *shape,
                                       struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    size_t node = 0, tile_node = 0;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(outer, "the outer argument"));
    SW__TRY(sw__check_tree(shape, "the shape"));
    if (shape->n_modes > outer->shape->n_modes)
        return too_many(shape->n_modes, outer);
    SW__TRY(unit_stride_modes(shape, &stride));
    struct sw__modes all = sw__modes_of(outer);
    struct sw__modes tiles = { shape->nodes, stride->nodes, shape->n_nodes, shape->n_modes };
    for (size_t i = 0; i < shape->n_modes; i++) {
        struct sw__modes mode = sw__modes_content(&all, node), tile = sw__modes_content(&tiles, tile_node);

        SW__TRY(sw__by_mode_append(&builder, &mode, &tile));
        node = sw__tree_next(all.extents, node);
        tile_node = sw__tree_next(tiles.extents, tile_node);
    }
    struct sw__modes rest = { all.extents + node, all.strides + node, all.n_nodes - node, all.n_modes - tiles.n_modes };
    sw__layout_builder_copy(&builder, &rest);
    return sw__layout_builder_finish(&builder, ret_layout);
}
