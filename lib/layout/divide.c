/*
 * Division: a layout seen as tiles and the rest, that is, composed mode by mode
 * with a tile and with the tile's complement.
 */
#include "config.h"

#include "layout/by_mode.h"
#include "layout/complement.h"
#include "layout/leaf.h"
#include "layout/make.h"
#include "layout/tiler.h"

static struct sw__modes modes_of_builder(const struct sw__layout_builder *builder, size_t n_modes)
{
    return (struct sw__modes){ builder->extents.at, builder->strides.at, builder->extents.n, n_modes };
}

/* The modes of (tile, complement of tile in the size of the mode). */
static enum sw_status pair_with_rest(struct sw__layout_builder *pair, const struct sw__modes *mode,
                                     const struct sw_layout *tile, size_t *ret_n)
{
    struct sw__layout_builder rest SW__BUILDER;
    struct sw__modes tile_modes = sw__modes_of(tile);

    sw__layout_builder_init(&rest);
    SW__TRY(sw__complement(&rest, tile, sw__nodes_size(mode->extents, mode->n_nodes)));
    size_t place = sw__layout_builder_open(pair);
    sw__layout_builder_copy(pair, &tile_modes);
    size_t n = sw__layout_builder_append(pair, place, tile_modes.n_modes);
    place = sw__layout_builder_open(pair);
    struct sw__modes rest_modes = modes_of_builder(&rest, rest.extents.n);
    sw__layout_builder_copy(pair, &rest_modes);
    *ret_n = n + sw__layout_builder_append(pair, place, rest_modes.n_modes);
    SW__TRY(sw__layout_builder_status(&rest));
    return sw__layout_builder_status(pair);
}

static enum sw_status divide_mode(struct sw__layout_builder *builder, const struct sw__modes *mode,
                                  const struct sw_layout *tile)
{
    struct sw__layout_builder pair SW__BUILDER;
    size_t n = 0;

    sw__layout_builder_init(&pair);
    SW__TRY(pair_with_rest(&pair, mode, tile, &n));
    struct sw__modes pair_modes = modes_of_builder(&pair, n);
    return sw__by_mode_append(builder, mode, &pair_modes);
}

enum sw_status sw_layout_divide(const struct sw_layout *layout, const struct sw_layout *tile,
                                struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_layout(tile, "the tile"));
    struct sw__modes modes = sw__modes_of(layout);
    SW__TRY(divide_mode(&builder, &modes, tile));
    SW__TRY(sw__layout_builder_status(&builder));
    /* The result was appended as one mode; a layout is what is in it. */
    if (builder.extents.n > 0 && SW_TREE_IS_NESTED(builder.extents.at[0]))
        sw__layout_builder_unwrap(&builder, 0);
    return sw__layout_builder_finish(&builder, ret_layout);
}

enum sw_status sw_layout_divide_tiler(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                      size_t n_tiles, struct sw_layout **ret_layout)
{
    return sw__layout_tile(layout, tiles, n_tiles, divide_mode, ret_layout);
}

/* Compose a mode with @with and add the result as one mode; 1:0 stands for nothing. */
static enum sw_status add_part(struct sw__layout_builder *builder, const struct sw__modes *mode,
                               const struct sw__modes *with)
{
    size_t before = builder->extents.n;

    SW__TRY(sw__by_mode_append(builder, mode, with));
    if (builder->extents.n == before)
        sw__layout_builder_leaf(builder, 1, 0);
    return SW_OK;
}

static enum sw_status add_tile(struct sw__layout_builder *builder, const struct sw__modes *mode,
                               const struct sw_layout *tile)
{
    struct sw__modes with = sw__modes_of(tile);

    return add_part(builder, mode, &with);
}

static enum sw_status add_rest(struct sw__layout_builder *builder, const struct sw__modes *mode,
                               const struct sw_layout *tile)
{
    struct sw__layout_builder rest SW__BUILDER;

    sw__layout_builder_init(&rest);
    SW__TRY(sw__complement(&rest, tile, sw__nodes_size(mode->extents, mode->n_nodes)));
    SW__TRY(sw__layout_builder_status(&rest));
    struct sw__modes with = modes_of_builder(&rest, rest.extents.n);
    return add_part(builder, mode, &with);
}

/* One leading mode of what @part makes of each divided mode; a group of one is its member. */
static enum sw_status add_group(struct sw__layout_builder *builder, const struct sw__modes *all,
                                const struct sw_layout *const *tiles, size_t n_tiles, sw__tile_fn *part,
                                size_t *ret_node)
{
    size_t node = 0, place = 0;

    if (n_tiles > 1)
        place = sw__layout_builder_open(builder);
    for (size_t i = 0; i < n_tiles; i++) {
        struct sw__modes mode = sw__modes_content(all, node);

        SW__TRY(part(builder, &mode, tiles[i]));
        node = sw__tree_next(all->extents, node);
    }
    if (n_tiles > 1)
        sw__layout_builder_close(builder, place, n_tiles);
    *ret_node = node;
    return SW_OK;
}

enum sw_status sw_layout_divide_zipped(const struct sw_layout *layout, const struct sw_layout *const *tiles,
                                       size_t n_tiles, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    size_t node;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_tiler(layout, tiles, n_tiles));
    struct sw__modes all = sw__modes_of(layout);
    SW__TRY(add_group(&builder, &all, tiles, n_tiles, add_tile, &node));
    SW__TRY(add_group(&builder, &all, tiles, n_tiles, add_rest, &node));
    struct sw__modes trailing = { all.extents + node, all.strides + node, all.n_nodes - node, all.n_modes - n_tiles };
    sw__layout_builder_copy(&builder, &trailing);
    return sw__layout_builder_finish(&builder, ret_layout);
}
