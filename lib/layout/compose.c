/*
 * Composition of layouts as functions: the inner index is an ordinal of the
 * outer layout. The result keeps the inner layout's leaves, or splits them;
 * where that cannot be, the composition is no layout.
 */
#include "config.h"

#include "layout/compose.h"

#include "layout/by_mode.h"
#include "layout/leaf.h"
#include "layout/leaves.h"
#include "layout/make.h"

/* Whether the index of every ordinal k is factor*k; the factor is 0 for size 1. */
static int is_ordinal_scale(const struct sw_layout *layout, int64_t *ret_factor)
{
    int64_t before = 1, factor = 0;

    for (size_t i = 0; i < layout->n_leaves; i++) {
        int64_t expected;

        if (layout->extents[i] == 1)
            continue;
        if (before == 1)
            factor = layout->strides[i];
        else if (!sw__mul_fits(factor, before, &expected) || layout->strides[i] != expected)
            return 0;
        before *= layout->extents[i];
    }
    *ret_factor = factor;
    return 1;
}

int sw__layout_is_identity(const struct sw_layout *layout)
{
    int64_t factor;

    return layout->size == 1 || (is_ordinal_scale(layout, &factor) && factor == 1);
}

/* Whether each leaf of @coarse became a leaf or subtree of that size. */
static int refines(const struct sw_layout *fine, const struct sw_layout *coarse)
{
    const struct sw_tree *a = fine->shape, *b = coarse->shape;
    size_t node = 0;

    if (a->n_modes != b->n_modes)
        return 0;
    for (size_t i = 0; i < b->n_nodes; i++) {
        if (SW_TREE_IS_NESTED(b->nodes[i])) {
            if (a->nodes[node++] != b->nodes[i])
                return 0;
            continue;
        }
        size_t end = sw__tree_next(a->nodes, node);
        if (sw__nodes_size(a->nodes + node, end - node) != b->nodes[i])
            return 0;
        node = end;
    }
    return 1;
}

static int is_compact(const struct sw_layout *layout)
{
    struct sw__leaves leaves;
    int64_t size;

    sw__leaves_sort(&leaves, layout);
    return sw__leaves_compact(leaves.at, leaves.n, &size);
}

enum sw_status sw__layout_scaled(const struct sw_layout *layout, int64_t factor, struct sw_layout **ret_layout)
{
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    const struct sw_tree *old = layout->stride;

    if (factor == 1) {
        *ret_layout = sw_layout_ref(layout);
        return SW_OK;
    }
    SW__TRY(sw__tree_alloc(old->n_nodes, &stride));
    for (size_t i = 0; i < old->n_nodes; i++) {
        stride->nodes[i] = old->nodes[i];
        if (!SW_TREE_IS_NESTED(old->nodes[i]))
            SW__TRY(sw__leaf_product(old->nodes[i], factor, "the stride of a composition", &stride->nodes[i]));
    }
    sw__tree_seal_like(stride, old);
    struct sw_tree *shape SW__OWNED_TREE = sw_tree_ref(layout->shape);
    return sw__layout_adopt(&shape, &stride, ret_layout);
}

/* A compact inner layout may do mode by mode, if that only splits its leaves. */
static enum sw_status compose_compact(const struct sw_layout *outer, const struct sw_layout *inner,
                                      struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    struct sw_layout *candidate SW__OWNED_LAYOUT = NULL;
    const char *refusal = NULL;
    size_t n;

    *ret_layout = NULL;
    sw__layout_builder_init(&builder);
    struct sw__modes outer_modes = sw__modes_of(outer), inner_modes = sw__modes_of(inner);
    enum sw_status status = sw__by_mode(&builder, &outer_modes, &inner_modes, &refusal, &n);
    if (refusal != NULL)
        return SW_OK;
    SW__TRY(status);
    SW__TRY(sw__layout_builder_finish(&builder, &candidate));
    if (refines(candidate, inner))
        *ret_layout = sw__take(candidate);
    return SW_OK;
}

enum sw_status sw__layout_try_compose(const struct sw_layout *outer, const struct sw_layout *inner,
                                      struct sw_layout **ret_layout)
{
    int64_t factor;

    *ret_layout = NULL;
    if (sw__layout_is_identity(inner) && sw_tree_equal(inner->shape, outer->shape)) {
        *ret_layout = sw_layout_ref(outer);
        return SW_OK;
    }
    if (sw__layout_is_identity(outer) && inner->cosize == outer->cosize) {
        *ret_layout = sw_layout_ref(inner);
        return SW_OK;
    }
    if (is_ordinal_scale(outer, &factor))
        return sw__layout_scaled(inner, factor, ret_layout);
    if (!sw__tree_is_flat(outer->shape) || !is_compact(inner))
        return SW_OK;
    return compose_compact(outer, inner, ret_layout);
}

enum sw_status sw_layout_compose(const struct sw_layout *outer, const struct sw_layout *inner,
                                 struct sw_layout **ret_layout)
{
    struct sw_layout *composed = NULL;

    SW__TRY(sw__check_layout(outer, "the outer argument"));
    SW__TRY(sw__check_layout(inner, "the inner argument"));
    if (inner->cosize > outer->size)
        return sw_error_set(SW_VALUE_ERROR, "the inner layout reaches index %lld of an outer layout of size %lld",
                            (long long)inner->cosize - 1, (long long)outer->size);
    SW__TRY(sw__layout_try_compose(outer, inner, &composed));
    if (composed == NULL)
        return sw_error_set(SW_VALUE_ERROR, "the composition is not representable as a layout");
    *ret_layout = composed;
    return SW_OK;
}
