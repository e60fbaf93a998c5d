/*
 * Layouts: construction, sharing, and what is known of one without work. A
 * flat layout's leaf arrays are the nodes of its two trees; a nested layout
 * carries copies of its leaves behind the structure.
 */
#include "config.h"

#include "layout/layout.h"

#include "base/alloc.h"
#include "base/refs.h"
#include "layout/leaf.h"
#include "layout/make.h"

enum sw_status sw__not_a_layout(const char *what)
{
    return sw_error_set(SW_TYPE_ERROR, "%s is not a layout", what);
}

static void copy_leaves(const struct sw_tree *tree, int64_t *leaves)
{
    for (size_t i = 0; i < tree->n_nodes; i++)
        if (!SW_TREE_IS_NESTED(tree->nodes[i]))
            *leaves++ = tree->nodes[i];
}

/* The trees are borrowed until the caller knows that the layout is complete. */
static struct sw_layout *allocate(const struct sw_tree *shape, const struct sw_tree *stride)
{
    size_t n_leaves = shape->n_leaves;
    int is_flat = sw__tree_is_flat(shape);
    struct sw_layout *layout = sw__alloc(sizeof *layout + (is_flat ? 0 : 2 * n_leaves * sizeof(int64_t)));

    if (layout == NULL)
        return NULL;
    layout->kind = SW_KIND_LAYOUT;
    layout->n_refs = 1;
    layout->n_leaves = shape->n_leaves;
    layout->shape = shape;
    layout->stride = stride;
    layout->canonical = NULL;
    layout->extents = shape->nodes;
    layout->strides = stride->nodes;
    if (!is_flat) {
        int64_t *leaves = (int64_t *)(layout + 1);

        copy_leaves(shape, leaves);
        copy_leaves(stride, leaves + n_leaves);
        layout->extents = leaves;
        layout->strides = leaves + n_leaves;
    }
    return layout;
}

/* Check the leaves and derive size, cosize and is_canonical from them. */
static enum sw_status measure(struct sw_layout *layout)
{
    int64_t size = 1, cosize = 1;
    uint32_t is_canonical = 1;

    for (size_t i = 0; i < layout->n_leaves; i++) {
        int64_t extent = layout->extents[i], stride = layout->strides[i], reach;

        SW__TRY(sw__check_extent(extent));
        SW__TRY(sw__check_stride(stride));
        is_canonical &= stride == size;
        SW__TRY(sw__leaf_product(size, extent, "the size of a layout", &size));
        if (!sw__mul_fits(stride, extent - 1, &reach) || !sw__add_fits(cosize, reach, &cosize))
            return sw__leaf_overflow("the cosize of a layout");
    }
    layout->size = size;
    layout->cosize = cosize;
    layout->is_canonical = is_canonical;
    return SW_OK;
}

enum sw_status sw__layout_adopt(struct sw_tree **shape, struct sw_tree **stride, struct sw_layout **ret_layout)
{
    struct sw_layout *layout SW__OWNED = allocate(*shape, *stride);

    if (layout == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(measure(layout));
    *shape = NULL;
    *stride = NULL;
    *ret_layout = sw__take(layout);
    return SW_OK;
}

/* Fill in the strides of a regular layout; gives the size of the shape. */
static enum sw_status fill_strides(const struct sw_tree *shape, int64_t step, int64_t *strides, int64_t *ret_size)
{
    int64_t size = 1;

    for (size_t i = 0; i < shape->n_nodes; i++) {
        int64_t node = shape->nodes[i];

        if (SW_TREE_IS_NESTED(node)) {
            strides[i] = node;
            continue;
        }
        SW__TRY(sw__check_extent(node));
        SW__TRY(sw__leaf_product(size, step, "a stride", &strides[i]));
        SW__TRY(sw__leaf_product(size, node, "the size of a shape", &size));
    }
    *ret_size = size;
    return SW_OK;
}

enum sw_status sw__layout_regular(const struct sw_tree *shape, int64_t step, struct sw_layout **ret_layout)
{
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    int64_t size;

    SW__TRY(sw__tree_alloc(shape->n_nodes, &stride));
    SW__TRY(fill_strides(shape, step, stride->nodes, &size));
    sw__tree_seal_like(stride, shape);
    struct sw_layout *layout = allocate(shape, stride);
    if (layout == NULL)
        return SW_MEMORY_ERROR;
    layout->size = size;
    layout->cosize = 1 + step * (size - 1);
    layout->is_canonical = step == 1 || layout->n_leaves == 0;
    sw_tree_ref(shape);
    stride = NULL;
    *ret_layout = layout;
    return SW_OK;
}

enum sw_status sw_layout_new(const struct sw_tree *shape, const struct sw_tree *stride, struct sw_layout **ret_layout)
{
    SW__TRY(sw__check_tree(shape, "the shape"));
    SW__TRY(sw__check_tree(stride, "the stride"));
    if (!sw__tree_congruent(shape, stride))
        return sw_error_set(SW_VALUE_ERROR, "the stride does not nest like the shape");
    struct sw_tree *own_shape SW__OWNED_TREE = sw_tree_ref(shape);
    struct sw_tree *own_stride SW__OWNED_TREE = sw_tree_ref(stride);
    return sw__layout_adopt(&own_shape, &own_stride, ret_layout);
}

enum sw_status sw_layout_canonical(const struct sw_tree *shape, struct sw_layout **ret_layout)
{
    SW__TRY(sw__check_tree(shape, "the shape"));
    return sw__layout_regular(shape, 1, ret_layout);
}

/* Of a layout that is not canonical itself; when another thread was faster, what that one made. */
static enum sw_status keep_canonical(struct sw_layout *layout, struct sw_layout **ret_layout)
{
    struct sw_layout *canonical SW__OWNED_LAYOUT = NULL;
    struct sw_layout *kept = NULL;

    SW__TRY(sw__layout_regular(layout->shape, 1, &canonical));
    if (__atomic_compare_exchange_n(&layout->canonical, &kept, canonical, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        kept = sw__take(canonical);
    *ret_layout = kept;
    return SW_OK;
}

enum sw_status sw__layout_canonical_like(const struct sw_layout *layout, struct sw_layout **ret_layout)
{
    struct sw_layout *canonical = (struct sw_layout *)layout;

    if (!layout->is_canonical) {
        canonical = __atomic_load_n(&layout->canonical, __ATOMIC_ACQUIRE);
        if (canonical == NULL)
            SW__TRY(keep_canonical((struct sw_layout *)layout, &canonical));
    }
    *ret_layout = sw_layout_ref(canonical);
    return SW_OK;
}

enum sw_status sw_layout_column_major(const int64_t *extents, size_t n, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;

    SW__TRY(sw_tree_flat(extents, n, &shape));
    return sw_layout_canonical(shape, ret_layout);
}

enum sw_status sw_layout_row_major(const int64_t *extents, size_t n, struct sw_layout **ret_layout)
{
    struct sw_tree *shape SW__OWNED_TREE = NULL;
    struct sw_tree *stride SW__OWNED_TREE = NULL;
    int64_t size = 1;

    SW__TRY(sw_tree_flat(extents, n, &shape));
    SW__TRY(sw__tree_alloc(n, &stride));
    for (size_t i = n; i-- > 0;) {
        SW__TRY(sw__check_extent(extents[i]));
        stride->nodes[i] = size;
        SW__TRY(sw__leaf_product(size, extents[i], "the size of a shape", &size));
    }
    sw__tree_seal_like(stride, shape);
    return sw__layout_adopt(&shape, &stride, ret_layout);
}

struct sw_layout *sw_layout_ref(const struct sw_layout *layout)
{
    struct sw_layout *counted = (struct sw_layout *)layout;

    if (counted != NULL)
        sw__refs_get(&counted->n_refs);
    return counted;
}

void sw_layout_unref(const struct sw_layout *layout)
{
    struct sw_layout *counted = (struct sw_layout *)layout;

    if (counted == NULL || !sw__refs_put(&counted->n_refs))
        return;
    sw_layout_unref(counted->canonical);
    sw_tree_unref(counted->shape);
    sw_tree_unref(counted->stride);
    sw__free(counted);
}

const struct sw_tree *sw_layout_shape(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->shape : NULL;
}

const struct sw_tree *sw_layout_stride(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->stride : NULL;
}

int64_t sw_layout_size(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->size : 0;
}

int64_t sw_layout_cosize(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->cosize : 0;
}

size_t sw_layout_rank(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->shape->n_modes : 0;
}

size_t sw_layout_depth(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->shape->depth : 0;
}

size_t sw_layout_n_leaves(const struct sw_layout *layout)
{
    return sw__is_layout(layout) ? layout->n_leaves : 0;
}

int sw_layout_equal(const struct sw_layout *a, const struct sw_layout *b)
{
    if (!sw__is_layout(a) || !sw__is_layout(b))
        return 0;
    return a == b || (sw_tree_equal(a->shape, b->shape) && sw_tree_equal(a->stride, b->stride));
}
