/*
 * Selecting elements by a layout over source ordinals: several ways to find the
 * composition as a layout are tried in turn.
 */
#include "config.h"

#include "layout/compose.h"
#include "layout/make.h"

/* Keep a layout only if its shape is the one that was asked for. */
static void keep_if_shaped(struct sw_layout **layout, const struct sw_tree *shape)
{
    if (*layout != NULL && !sw_tree_equal((*layout)->shape, shape)) {
        sw_layout_unref(*layout);
        *layout = NULL;
    }
}

static enum sw_status try_as_is(const struct sw_layout *source, const struct sw_layout *selector,
                                struct sw_layout **ret_layout)
{
    SW__TRY(sw__layout_try_compose(source, selector, ret_layout));
    keep_if_shaped(ret_layout, selector->shape);
    return SW_OK;
}

/* The nesting and extents of @model with the strides of a flat layout. */
static enum sw_status nest_like(const struct sw_layout *flat, const struct sw_layout *model,
                                struct sw_layout **ret_layout)
{
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    const struct sw_tree *shape = model->shape;
    size_t leaf = 0;

    SW__TRY(sw__tree_alloc(shape->n_nodes, &stride));
    for (size_t i = 0; i < shape->n_nodes; i++)
        stride->nodes[i] = SW_TREE_IS_NESTED(shape->nodes[i]) ? shape->nodes[i] : flat->strides[leaf++];
    sw__tree_seal_like(stride, shape);
    struct sw_tree *own_shape SW__OWNED_TREE = sw_tree_ref(shape);
    return sw__layout_adopt(&own_shape, &stride, ret_layout);
}

static enum sw_status try_flattened(const struct sw_layout *source, const struct sw_layout *selector,
                                    struct sw_layout **ret_layout)
{
    struct sw_layout *flat_source SW__OWNED_LAYOUT = NULL;
    struct sw_layout *flat_selector SW__OWNED_LAYOUT = NULL;
    struct sw_layout *composed SW__OWNED_LAYOUT = NULL;

    SW__TRY(sw_layout_flatten(source, &flat_source));
    SW__TRY(sw_layout_flatten(selector, &flat_selector));
    SW__TRY(try_as_is(flat_source, flat_selector, &composed));
    if (composed == NULL)
        return SW_OK;
    return nest_like(composed, selector, ret_layout);
}

/* A selector that stays within the first run of evenly spaced elements. */
static enum sw_status try_first_run(const struct sw_layout *source, const struct sw_layout *selector,
                                    struct sw_layout **ret_layout)
{
    struct sw_layout *run SW__OWNED_LAYOUT = NULL;

    SW__TRY(sw_layout_coalesce(source, &run));
    if (run->n_leaves == 0 || selector->cosize > run->extents[0])
        return SW_OK;
    return sw__layout_scaled(selector, run->strides[0], ret_layout);
}

enum sw_status sw_layout_select(const struct sw_layout *layout, const struct sw_layout *selector,
                                struct sw_layout **ret_layout)
{
    struct sw_layout *selected SW__OWNED_LAYOUT = NULL;
    int injective;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_layout(selector, "the selector"));
    SW__TRY(sw_layout_is_injective(selector, &injective));
    if (!injective)
        return sw_error_set(SW_VALUE_ERROR, "the selector names an element twice");
    if (selector->cosize > layout->size)
        return sw_error_set(SW_VALUE_ERROR, "the selector reaches ordinal %lld of a layout of size %lld",
                            (long long)selector->cosize - 1, (long long)layout->size);
    SW__TRY(try_as_is(layout, selector, &selected));
    if (selected == NULL)
        SW__TRY(try_flattened(layout, selector, &selected));
    if (selected == NULL)
        SW__TRY(try_first_run(layout, selector, &selected));
    if (selected == NULL)
        return sw_error_set(SW_VALUE_ERROR, "the selected elements are not representable as a layout");
    SW__TRY(sw_layout_is_injective(selected, &injective));
    if (!injective)
        return sw_error_set(SW_VALUE_ERROR, "the selected elements share storage");
    *ret_layout = sw__take(selected);
    return SW_OK;
}
