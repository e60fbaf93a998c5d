/*
 * Building a layout mode by mode. A builder remembers its first failure, so
 * that only the end is checked; a run of modes names what is copied into it.
 */
#ifndef LAYOUT_BUILDER_H
#define LAYOUT_BUILDER_H

#include "layout/layout.h"
#include "layout/nodes.h"
#include "layout/tree.h"

/** Whole modes that stand side by side, as entries of a shape and of its stride. Borrowed. */
struct sw__modes {
    const int64_t *extents;
    const int64_t *strides;
    size_t n_nodes;
    size_t n_modes;
};

/** All modes of a layout. */
static inline struct sw__modes sw__modes_of(const struct sw_layout *layout)
{
    return (struct sw__modes){ layout->shape->nodes, layout->stride->nodes, layout->shape->n_nodes,
                               layout->shape->n_modes };
}

/** The mode that begins at @node, as it stands. */
static inline struct sw__modes sw__modes_whole(const struct sw__modes *modes, size_t node)
{
    return (struct sw__modes){ modes->extents + node, modes->strides + node, sw__tree_next(modes->extents, node) - node,
                               1 };
}

/** The mode that begins at @node as a layout of its own: a nested one gives its content. */
static inline struct sw__modes sw__modes_content(const struct sw__modes *modes, size_t node)
{
    struct sw__modes mode = sw__modes_whole(modes, node);

    if (SW_TREE_IS_NESTED(mode.extents[0]))
        mode =
            (struct sw__modes){ mode.extents + 1, mode.strides + 1, mode.n_nodes - 1, SW_TREE_COUNT(mode.extents[0]) };
    return mode;
}

static inline int sw__modes_is_leaf(const struct sw__modes *modes)
{
    return modes->n_nodes == 1 && !SW_TREE_IS_NESTED(modes->extents[0]);
}

struct sw__layout_builder {
    struct sw__nodes extents;
    struct sw__nodes strides;
};

#define SW__BUILDER SW__CLEANUP(sw__layout_builder_clear)

static inline void sw__layout_builder_init(struct sw__layout_builder *builder)
{
    sw__nodes_init(&builder->extents);
    sw__nodes_init(&builder->strides);
}

void sw__layout_builder_clear(struct sw__layout_builder *builder);

/** SW_OK as long as nothing failed. */
static inline enum sw_status sw__layout_builder_status(const struct sw__layout_builder *builder)
{
    return builder->extents.status != SW_OK ? builder->extents.status : builder->strides.status;
}

static inline void sw__layout_builder_leaf(struct sw__layout_builder *builder, int64_t extent, int64_t stride)
{
    sw__nodes_push(&builder->extents, extent);
    sw__nodes_push(&builder->strides, stride);
}

/** Copy modes as they stand. */
void sw__layout_builder_copy(struct sw__layout_builder *builder, const struct sw__modes *modes);

/** Add a leaf to those that stand from @begin on, merged with the last one where it goes on from there. */
void sw__layout_builder_coalesce(struct sw__layout_builder *builder, size_t begin, int64_t extent, int64_t stride);

/** Begin a nested mode; returns its place, for the two functions below. */
size_t sw__layout_builder_open(struct sw__layout_builder *builder);
/** End a nested mode of @n_modes modes. */
void sw__layout_builder_close(struct sw__layout_builder *builder, size_t place, size_t n_modes);
/**
 * sw__layout_builder_append - end what was begun at @place by the rule of appending a
 * layout: a single leaf becomes that leaf, nothing becomes nothing, anything
 * else a nested mode. Returns how many modes came of it: 0 or 1.
 */
size_t sw__layout_builder_append(struct sw__layout_builder *builder, size_t place, size_t n_modes);
/** Replace the nested mode that begins at @place by its content; returns how many modes that is. */
size_t sw__layout_builder_unwrap(struct sw__layout_builder *builder, size_t place);

/** The layout that was built. */
SW_NODISCARD enum sw_status sw__layout_builder_finish(struct sw__layout_builder *builder,
                                                      struct sw_layout **ret_layout);

/** A layout of some modes. */
SW_NODISCARD enum sw_status sw__layout_of_modes(const struct sw__modes *modes, struct sw_layout **ret_layout);

#endif
