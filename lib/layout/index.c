/*
 * The index function: the sum of leaf coordinate times leaf stride. Nothing
 * here can overflow, since a layout's size and cosize were found to fit.
 */
#include "config.h"

#include "layout/coordinate.h"
#include "layout/leaf.h"
#include "layout/make.h"

/* Index of an ordinal among @n_nodes nodes of a shape and its stride. */
static int64_t index_of_ordinal(const int64_t *shape, const int64_t *stride, size_t n_nodes, int64_t ordinal)
{
    int64_t index = 0;

    for (size_t i = 0; i < n_nodes && ordinal > 0; i++) {
        if (SW_TREE_IS_NESTED(shape[i]))
            continue;
        index += ordinal % shape[i] * stride[i];
        ordinal /= shape[i];
    }
    return index;
}

int64_t sw__layout_at(const struct sw_layout *layout, int64_t ordinal)
{
    return index_of_ordinal(layout->extents, layout->strides, layout->n_leaves, ordinal);
}

enum sw_status sw_layout_index_ordinal(const struct sw_layout *layout, int64_t ordinal, int64_t *ret_index)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_ordinal(ordinal, layout->size));
    *ret_index = sw__layout_at(layout, ordinal);
    return SW_OK;
}

enum sw_status sw_layout_index(const struct sw_layout *layout, const struct sw_tree *coordinate, int64_t *ret_index)
{
    int64_t index = 0;

    SW__TRY(sw__check_layout(layout, "the argument"));
    if (sw__is_tree(coordinate) && sw__tree_is_leaf(coordinate))
        return sw_layout_index_ordinal(layout, coordinate->nodes[0], ret_index);
    const struct sw_tree *shape = layout->shape;
    SW__TRY(sw__check_coordinate(shape, coordinate));
    size_t node = 0;
    for (size_t i = 0; i < coordinate->n_nodes; i++) {
        int64_t component = coordinate->nodes[i];

        SW__TRY(sw__check_coordinate_node(shape->nodes[node], component));
        if (SW_TREE_IS_NESTED(component)) {
            node++;
            continue;
        }
        size_t end = sw__tree_next(shape->nodes, node);
        SW__TRY(sw__check_ordinal(component, sw__nodes_size(shape->nodes + node, end - node)));
        index += index_of_ordinal(shape->nodes + node, layout->stride->nodes + node, end - node, component);
        node = end;
    }
    *ret_index = index;
    return SW_OK;
}
