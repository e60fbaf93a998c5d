/*
 * Result shapes put together from the modes of operands' shapes.
 */
#ifndef OP_SHAPES_H
#define OP_SHAPES_H

#include "layout/layout.h"

/** Leaves below the top-level modes [0, @n_modes). */
size_t sw__shape_leaves_before(const struct sw_tree *shape, size_t n_modes);
/** Mode 0 as a shape: a leaf n gives (n), a nested mode its own modes at the top level. */
SW_NODISCARD enum sw_status sw__shape_unwrap_first(const struct sw_tree *shape, struct sw_tree **ret_shape);

/**
 * Sizes of the subtrees of @shape that the leaves of @selection name, in order, to @ret_sizes. ValueError when it does
 * not mirror the shape.
 */
SW_NODISCARD enum sw_status sw__shape_selected_sizes(const struct sw_tree *shape, const struct sw_tree *selection,
                                                     int64_t *ret_sizes);

/** Top-level modes [@begin, @end) of a shape. */
struct sw__shape_part {
    const struct sw_tree *shape;
    size_t begin;
    size_t end;
};

/** Most parts that are joined. */
#define SW__SHAPE_PARTS 4

/** The parts' modes one after another. */
SW_NODISCARD enum sw_status sw__shape_join(const struct sw__shape_part *parts, size_t n_parts,
                                           struct sw_tree **ret_shape);

#endif
