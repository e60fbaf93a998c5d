/*
 * Trees taken as shapes: their check, their size and the two directions
 * between ordinals and coordinates. The first mode varies fastest at every
 * level, which makes an ordinal the canonical index of its coordinate.
 */
#include "config.h"

#include "layout/coordinate.h"
#include "layout/leaf.h"
#include "layout/tree.h"

enum sw_status sw__not_an_extent(int64_t value)
{
    if (value == SW_TREE_ANY)
        return sw_error_set(SW_TYPE_ERROR, "an extent of a shape is not an integer");
    return sw_error_set(SW_VALUE_ERROR, "an extent of a shape is %lld, it must be at least 1", (long long)value);
}

enum sw_status sw__not_a_stride(int64_t value)
{
    if (value == SW_TREE_ANY)
        return sw_error_set(SW_TYPE_ERROR, "a stride is not an integer");
    return sw_error_set(SW_VALUE_ERROR, "a stride is %lld, it must not be negative", (long long)value);
}

enum sw_status sw__leaf_overflow(const char *what)
{
    return sw_error_set(SW_OVERFLOW_ERROR, "%s does not fit in 64 bits", what);
}

enum sw_status sw_shape_size(const struct sw_tree *shape, int64_t *ret_size)
{
    int64_t size = 1;

    SW__TRY(sw__check_tree(shape, "the shape"));
    for (size_t i = 0; i < shape->n_nodes; i++) {
        if (SW_TREE_IS_NESTED(shape->nodes[i]))
            continue;
        SW__TRY(sw__check_extent(shape->nodes[i]));
        SW__TRY(sw__leaf_product(size, shape->nodes[i], "the size of a shape", &size));
    }
    *ret_size = size;
    return SW_OK;
}

enum sw_status sw_shape_check(const struct sw_tree *shape)
{
    int64_t size;

    return sw_shape_size(shape, &size);
}

enum sw_status sw__check_ordinal(int64_t ordinal, int64_t size)
{
    if (ordinal == SW_TREE_ANY)
        return sw_error_set(SW_TYPE_ERROR, "a coordinate is not an integer");
    if (ordinal < 0 || ordinal >= size)
        return sw_error_set(SW_VALUE_ERROR, "coordinate %lld is outside of [0, %lld)", (long long)ordinal,
                            (long long)size);
    return SW_OK;
}

enum sw_status sw_shape_decode(const struct sw_tree *shape, int64_t ordinal, struct sw_tree **ret_coordinate)
{
    struct sw_tree *coordinate = NULL;
    int64_t size;

    SW__TRY(sw_shape_size(shape, &size));
    SW__TRY(sw__check_ordinal(ordinal, size));
    SW__TRY(sw__tree_alloc(shape->n_nodes, &coordinate));
    for (size_t i = 0; i < shape->n_nodes; i++) {
        int64_t node = shape->nodes[i];

        coordinate->nodes[i] = SW_TREE_IS_NESTED(node) ? node : ordinal % node;
        ordinal = SW_TREE_IS_NESTED(node) ? ordinal : ordinal / node;
    }
    sw__tree_seal_like(coordinate, shape);
    *ret_coordinate = coordinate;
    return SW_OK;
}

enum sw_status sw__check_coordinate_node(int64_t shape_node, int64_t coordinate_node)
{
    if (coordinate_node == shape_node || !SW_TREE_IS_NESTED(coordinate_node))
        return SW_OK;
    if (!SW_TREE_IS_NESTED(shape_node))
        return sw_error_set(SW_VALUE_ERROR, "a coordinate nests where the shape has a single extent");
    return sw_error_set(SW_VALUE_ERROR, "a nested coordinate has %u components where the shape has %u modes",
                        SW_TREE_COUNT(coordinate_node), SW_TREE_COUNT(shape_node));
}

enum sw_status sw__check_coordinate(const struct sw_tree *shape, const struct sw_tree *coordinate)
{
    SW__TRY(sw__check_tree(coordinate, "the coordinate"));
    if (coordinate->n_modes != shape->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "the coordinate has %u components where the shape has %u modes",
                            coordinate->n_modes, shape->n_modes);
    return SW_OK;
}

enum sw_status sw_shape_encode(const struct sw_tree *shape, const struct sw_tree *coordinate, int64_t *ret_ordinal)
{
    int64_t size, ordinal = 0, before = 1;

    SW__TRY(sw_shape_size(shape, &size));
    if (sw__is_tree(coordinate) && sw__tree_is_leaf(coordinate)) {
        SW__TRY(sw__check_ordinal(coordinate->nodes[0], size));
        *ret_ordinal = coordinate->nodes[0];
        return SW_OK;
    }
    SW__TRY(sw__check_coordinate(shape, coordinate));
    size_t node = 0;
    for (size_t i = 0; i < coordinate->n_nodes; i++) {
        SW__TRY(sw__check_coordinate_node(shape->nodes[node], coordinate->nodes[i]));
        if (SW_TREE_IS_NESTED(coordinate->nodes[i])) {
            node++;
            continue;
        }
        size_t end = sw__tree_next(shape->nodes, node);
        int64_t extent = sw__nodes_size(shape->nodes + node, end - node);
        SW__TRY(sw__check_ordinal(coordinate->nodes[i], extent));
        ordinal += coordinate->nodes[i] * before;
        before *= extent;
        node = end;
    }
    *ret_ordinal = ordinal;
    return SW_OK;
}
