/*
 * Checks of coordinates that encoding and indexing share.
 */
#ifndef LAYOUT_COORDINATE_H
#define LAYOUT_COORDINATE_H

#include <strideweave/tree.h>

/** TypeError for SW_TREE_ANY, ValueError outside of [0, size). */
SW_NODISCARD enum sw_status sw__check_ordinal(int64_t ordinal, int64_t size);
/** Whether @coordinate is a tree with as many modes as @shape. */
SW_NODISCARD enum sw_status sw__check_coordinate(const struct sw_tree *shape, const struct sw_tree *coordinate);
/** Whether an entry of a coordinate may stand where @shape_node stands: the same nesting, or an ordinal. */
SW_NODISCARD enum sw_status sw__check_coordinate_node(int64_t shape_node, int64_t coordinate_node);

#endif
