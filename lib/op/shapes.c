/*
 * Result shapes: runs of nodes copied from operands' shapes.
 */
#include "config.h"

#include "op/shapes.h"

#include <string.h>

#include "layout/tree.h"

size_t sw__shape_leaves_before(const struct sw_tree *shape, size_t n_modes)
{
    size_t end = sw__tree_mode_node(shape, n_modes), n_leaves = 0;

    for (size_t node = 0; node < end; node++)
        n_leaves += !SW_TREE_IS_NESTED(shape->nodes[node]);
    return n_leaves;
}

enum sw_status sw__shape_unwrap_first(const struct sw_tree *shape, struct sw_tree **ret_shape)
{
    size_t begin = SW_TREE_IS_NESTED(shape->nodes[0]);

    return sw_tree_new(shape->nodes + begin, sw__tree_mode_node(shape, 1) - begin, ret_shape);
}

static int64_t size_between(const int64_t *nodes, size_t begin, size_t end)
{
    int64_t size = 1;

    for (size_t node = begin; node < end; node++)
        if (!SW_TREE_IS_NESTED(nodes[node]))
            size *= nodes[node];
    return size;
}

enum sw_status sw__shape_selected_sizes(const struct sw_tree *shape, const struct sw_tree *selection,
                                        int64_t *ret_sizes)
{
    size_t at = 0, end = 0;
    int mirrors = selection->n_modes == shape->n_modes;

    for (size_t i = 0; mirrors && i < selection->n_nodes; i++, at = end) {
        if (SW_TREE_IS_NESTED(selection->nodes[i])) {
            mirrors = shape->nodes[at] == selection->nodes[i];
            end = at + 1;
            continue;
        }
        end = sw__tree_next(shape->nodes, at);
        *ret_sizes++ = size_between(shape->nodes, at, end);
    }
    if (!mirrors)
        return sw_error_set(SW_VALUE_ERROR, "a tensor has not the nesting that the command describes");
    return SW_OK;
}

enum sw_status sw__shape_join(const struct sw__shape_part *parts, size_t n_parts, struct sw_tree **ret_shape)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    size_t begins[SW__SHAPE_PARTS], ends[SW__SHAPE_PARTS], n_nodes = 0;

    for (size_t i = 0; i < n_parts; i++) {
        begins[i] = sw__tree_mode_node(parts[i].shape, parts[i].begin);
        ends[i] = sw__tree_mode_node(parts[i].shape, parts[i].end);
        n_nodes += ends[i] - begins[i];
    }
    SW__TRY(sw__tree_alloc(n_nodes, &shape));
    n_nodes = 0;
    for (size_t i = 0; i < n_parts; i++) {
        memcpy(shape->nodes + n_nodes, parts[i].shape->nodes + begins[i], (ends[i] - begins[i]) * sizeof shape->nodes[0]);
        n_nodes += ends[i] - begins[i];
    }
    SW__TRY(sw__tree_seal(shape));
    *ret_shape = sw__take(shape);
    return SW_OK;
}
