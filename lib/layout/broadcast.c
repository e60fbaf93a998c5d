/*
 * Broadcasting: congruent shapes, leaf by leaf equal extents or 1. There is no
 * alignment of ranks.
 */
#include "config.h"

#include "base/alloc.h"
#include "layout/leaf.h"
#include "layout/make.h"

static enum sw_status not_congruent(const struct sw_tree *from, const struct sw_tree *to)
{
    char *from_text SW__OWNED = NULL, *to_text SW__OWNED = NULL;

    SW__TRY(sw_tree_format(from, &from_text));
    SW__TRY(sw_tree_format(to, &to_text));
    return sw_error_set(SW_VALUE_ERROR, "shapes %.80s and %.80s do not nest alike: they cannot be broadcast to each other",
                        from_text, to_text);
}

static enum sw_status not_compatible(const struct sw_tree *from, const struct sw_tree *to, size_t node)
{
    char *from_text SW__OWNED = NULL, *to_text SW__OWNED = NULL;

    SW__TRY(sw_tree_format(from, &from_text));
    SW__TRY(sw_tree_format(to, &to_text));
    return sw_error_set(SW_VALUE_ERROR, "extent %lld of shape %.80s cannot be broadcast to extent %lld of shape %.80s",
                        (long long)from->nodes[node], from_text, (long long)to->nodes[node], to_text);
}

/* Strides of @layout for the congruent shape @target. */
static enum sw_status spread(const struct sw_layout *layout, const struct sw_tree *target, int64_t *strides)
{
    const int64_t *from = layout->shape->nodes, *to = target->nodes;

    for (size_t i = 0; i < target->n_nodes; i++) {
        if (from[i] == to[i]) {
            strides[i] = layout->stride->nodes[i];
            continue;
        }
        SW__TRY(sw__check_extent(to[i]));
        if (from[i] != 1)
            return not_compatible(layout->shape, target, i);
        strides[i] = 0;
    }
    return SW_OK;
}

enum sw_status sw_layout_broadcast_to(const struct sw_layout *layout, const struct sw_tree *shape,
                                      struct sw_layout **ret_layout)
{
    struct sw_tree *stride SW__OWNED_TREE = NULL;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_tree(shape, "the shape"));
    if (sw_tree_equal(layout->shape, shape)) {
        *ret_layout = sw_layout_ref(layout);
        return SW_OK;
    }
    if (!sw__tree_congruent(layout->shape, shape))
        return not_congruent(layout->shape, shape);
    SW__TRY(sw__tree_alloc(shape->n_nodes, &stride));
    SW__TRY(spread(layout, shape, stride->nodes));
    sw__tree_seal_like(stride, shape);
    struct sw_tree *target SW__OWNED_TREE = sw_tree_ref(shape);
    return sw__layout_adopt(&target, &stride, ret_layout);
}

static enum sw_status merged_shape(const struct sw_tree *a, const struct sw_tree *b, struct sw_tree **ret_shape)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    int64_t size;

    SW__TRY(sw__tree_alloc(a->n_nodes, &shape));
    for (size_t i = 0; i < a->n_nodes; i++)
        shape->nodes[i] = a->nodes[i] == 1 ? b->nodes[i] : a->nodes[i];
    sw__tree_seal_like(shape, a);
    SW__TRY(sw_shape_size(shape, &size));
    *ret_shape = sw__take(shape);
    return SW_OK;
}

/* The common shape of two; one of them itself where it will do. */
static enum sw_status common_shape(const struct sw_tree *a, const struct sw_tree *b, struct sw_tree **ret_shape)
{
    int a_grows = 0, b_grows = 0;

    if (a != b && !sw__tree_congruent(a, b))
        return not_congruent(a, b);
    for (size_t i = 0; a != b && i < a->n_nodes; i++) {
        if (a->nodes[i] == b->nodes[i])
            continue;
        if (a->nodes[i] != 1 && b->nodes[i] != 1)
            return not_compatible(a, b, i);
        a_grows |= a->nodes[i] == 1;
        b_grows |= b->nodes[i] == 1;
    }
    if (a_grows && b_grows)
        return merged_shape(a, b, ret_shape);
    *ret_shape = sw_tree_ref(a_grows ? b : a);
    return SW_OK;
}

enum sw_status sw__shape_broadcast(const struct sw_tree *const *shapes, size_t n_shapes, struct sw_tree **ret_shape)
{
    if (n_shapes == 0)
        return sw_error_set(SW_VALUE_ERROR, "there is no common shape of no shapes");
    struct sw_tree *common SW__OWNED_TREE = sw_tree_ref(shapes[0]);
    for (size_t i = 1; i < n_shapes; i++) {
        struct sw_tree *next = NULL;

        SW__TRY(common_shape(common, shapes[i], &next));
        sw_tree_unref(common);
        common = next;
    }
    *ret_shape = sw__take(common);
    return SW_OK;
}
