/*
 * Building layouts: the shape's and the stride's entries grow in step.
 */
#include "config.h"

#include "layout/builder.h"

#include <string.h>

#include "layout/coalesce.h"
#include "layout/make.h"

void sw__layout_builder_clear(struct sw__layout_builder *builder)
{
    sw__nodes_clear(&builder->extents);
    sw__nodes_clear(&builder->strides);
}

static int reserve(struct sw__layout_builder *builder, size_t n_more)
{
    return sw__nodes_reserve(&builder->extents, n_more) && sw__nodes_reserve(&builder->strides, n_more);
}

void sw__layout_builder_copy(struct sw__layout_builder *builder, const struct sw__modes *modes)
{
    struct sw__nodes *extents = &builder->extents, *strides = &builder->strides;

    if (modes->n_nodes == 0 || !reserve(builder, modes->n_nodes))
        return;
    memcpy(extents->at + extents->n, modes->extents, modes->n_nodes * sizeof extents->at[0]);
    memcpy(strides->at + strides->n, modes->strides, modes->n_nodes * sizeof strides->at[0]);
    extents->n += modes->n_nodes;
    strides->n += modes->n_nodes;
}

void sw__layout_builder_coalesce(struct sw__layout_builder *builder, size_t begin, int64_t extent, int64_t stride)
{
    struct sw__nodes *extents = &builder->extents, *strides = &builder->strides;

    if (!reserve(builder, 1))
        return;
    size_t n = sw__coalesce_leaf(extents->at + begin, strides->at + begin, extents->n - begin, extent, stride);
    extents->n = begin + n;
    strides->n = begin + n;
}

size_t sw__layout_builder_open(struct sw__layout_builder *builder)
{
    sw__layout_builder_leaf(builder, SW_TREE_NESTED(0), SW_TREE_NESTED(0));
    return builder->extents.n - 1;
}

void sw__layout_builder_close(struct sw__layout_builder *builder, size_t place, size_t n_modes)
{
    if (sw__layout_builder_status(builder) != SW_OK)
        return;
    builder->extents.at[place] = SW_TREE_NESTED(n_modes);
    builder->strides.at[place] = SW_TREE_NESTED(n_modes);
}

static void remove_entry(struct sw__nodes *nodes, size_t place)
{
    nodes->n--;
    memmove(nodes->at + place, nodes->at + place + 1, (nodes->n - place) * sizeof nodes->at[0]);
}

/* Drop the entry that opened a nested mode: its content moves up to the level of the mode. */
static void remove_opening(struct sw__layout_builder *builder, size_t place)
{
    remove_entry(&builder->extents, place);
    remove_entry(&builder->strides, place);
}

size_t sw__layout_builder_append(struct sw__layout_builder *builder, size_t place, size_t n_modes)
{
    if (sw__layout_builder_status(builder) != SW_OK)
        return 0;
    size_t n_nodes = builder->extents.n - place - 1;
    int is_leaf = n_nodes == 1 && !SW_TREE_IS_NESTED(builder->extents.at[place + 1]);
    if (n_modes == 0 || is_leaf)
        remove_opening(builder, place);
    else
        sw__layout_builder_close(builder, place, n_modes);
    return n_modes > 0;
}

size_t sw__layout_builder_unwrap(struct sw__layout_builder *builder, size_t place)
{
    if (sw__layout_builder_status(builder) != SW_OK)
        return 0;
    size_t n_modes = SW_TREE_COUNT(builder->extents.at[place]);
    remove_opening(builder, place);
    return n_modes;
}

enum sw_status sw__layout_builder_finish(struct sw__layout_builder *builder, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tree *stride SW__OWNED_TREE = NULL;

    SW__TRY(sw__layout_builder_status(builder));
    SW__TRY(sw_tree_new(builder->extents.at, builder->extents.n, &shape));
    SW__TRY(sw__tree_alloc(builder->strides.n, &stride));
    memcpy(stride->nodes, builder->strides.at, builder->strides.n * sizeof stride->nodes[0]);
    sw__tree_seal_like(stride, shape);
    return sw__layout_adopt(&shape, &stride, ret_layout);
}

enum sw_status sw__layout_of_modes(const struct sw__modes *modes, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tree *stride SW__OWNED_TREE = NULL;

    SW__TRY(sw_tree_new(modes->extents, modes->n_nodes, &shape));
    SW__TRY(sw_tree_new(modes->strides, modes->n_nodes, &stride));
    return sw__layout_adopt(&shape, &stride, ret_layout);
}
