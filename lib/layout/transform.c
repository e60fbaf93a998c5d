/*
 * Selecting, joining and reordering whole modes. Values of leaves never change
 * here.
 */
#include "config.h"

#include "base/alloc.h"
#include "layout/builder.h"
#include "layout/make.h"

enum sw_status sw_layout_mode(const struct sw_layout *layout, size_t mode, struct sw_layout **ret_layout)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    if (mode >= layout->shape->n_modes)
        return sw_error_set(SW_INDEX_ERROR, "there is no mode %zu in a layout of rank %u", mode,
                            layout->shape->n_modes);
    struct sw__modes all = sw__modes_of(layout);
    struct sw__modes content = sw__modes_content(&all, sw__tree_mode_node(layout->shape, mode));
    return sw__layout_of_modes(&content, ret_layout);
}

enum sw_status sw_layout_modes(const struct sw_layout *layout, size_t begin, size_t end, struct sw_layout **ret_layout)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    if (begin > end || end > layout->shape->n_modes)
        return sw_error_set(SW_INDEX_ERROR, "there are no modes %zu to %zu in a layout of rank %u", begin, end,
                            layout->shape->n_modes);
    size_t first = sw__tree_mode_node(layout->shape, begin);
    size_t last = sw__tree_mode_node(layout->shape, end);
    struct sw__modes some = { layout->shape->nodes + first, layout->stride->nodes + first, last - first, end - begin };
    return sw__layout_of_modes(&some, ret_layout);
}

enum sw_status sw_layout_concat(const struct sw_layout *a, const struct sw_layout *b, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(a, "the first argument"));
    SW__TRY(sw__check_layout(b, "the second argument"));
    struct sw__modes modes = sw__modes_of(a);
    sw__layout_builder_copy(&builder, &modes);
    modes = sw__modes_of(b);
    sw__layout_builder_copy(&builder, &modes);
    return sw__layout_builder_finish(&builder, ret_layout);
}

enum sw_status sw_layout_append(const struct sw_layout *a, const struct sw_layout *b, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(a, "the first argument"));
    SW__TRY(sw__check_layout(b, "the second argument"));
    struct sw__modes modes = sw__modes_of(a);
    sw__layout_builder_copy(&builder, &modes);
    size_t place = sw__layout_builder_open(&builder);
    modes = sw__modes_of(b);
    sw__layout_builder_copy(&builder, &modes);
    sw__layout_builder_append(&builder, place, modes.n_modes);
    return sw__layout_builder_finish(&builder, ret_layout);
}

/* @order must name each of @n modes once; @seen has @n zero bytes. */
static enum sw_status check_order(const int64_t *order, size_t n, char *seen)
{
    for (size_t i = 0; i < n; i++) {
        if (order[i] < 0 || (uint64_t)order[i] >= n)
            return sw_error_set(SW_VALUE_ERROR, "the order names mode %lld of a layout of rank %zu",
                                (long long)order[i], n);
        if (seen[order[i]])
            return sw_error_set(SW_VALUE_ERROR, "the order names mode %lld twice", (long long)order[i]);
        seen[order[i]] = 1;
    }
    return SW_OK;
}

enum sw_status sw_layout_permute(const struct sw_layout *layout, const int64_t *order, size_t n,
                                 struct sw_layout **ret_layout)
{
    char *seen SW__OWNED = NULL;
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    if (n != layout->shape->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "the order names %zu modes of a layout of rank %u", n,
                            layout->shape->n_modes);
    if (n > 0 && order == NULL)
        return sw_error_set(SW_TYPE_ERROR, "the order is NULL");
    seen = sw__alloc_zero(n);
    if (seen == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(check_order(order, n, seen));
    struct sw__modes all = sw__modes_of(layout);
    for (size_t i = 0; i < n; i++) {
        struct sw__modes mode = sw__modes_whole(&all, sw__tree_mode_node(layout->shape, (size_t)order[i]));
        sw__layout_builder_copy(&builder, &mode);
    }
    return sw__layout_builder_finish(&builder, ret_layout);
}

/* A position that may count from the end, among @n. */
static enum sw_status resolve(int64_t dim, size_t n, size_t *ret_position)
{
    int64_t count = (int64_t)n;

    if (dim < -count || dim >= count)
        return sw_error_set(SW_VALUE_ERROR, "dimension %lld is outside of [%lld, %lld)", (long long)dim,
                            (long long)-count, (long long)count);
    *ret_position = (size_t)(dim < 0 ? dim + count : dim);
    return SW_OK;
}

/* Copy @layout but for the entries between @first and @end, where @with comes instead. */
static enum sw_status splice(const struct sw_layout *layout, size_t first, size_t end, const struct sw__modes *with,
                             struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    const int64_t *extents = layout->shape->nodes, *strides = layout->stride->nodes;
    struct sw__modes before = { extents, strides, first, 0 };
    struct sw__modes after = { extents + end, strides + end, layout->shape->n_nodes - end, 0 };

    sw__layout_builder_init(&builder);
    sw__layout_builder_copy(&builder, &before);
    sw__layout_builder_copy(&builder, with);
    sw__layout_builder_copy(&builder, &after);
    return sw__layout_builder_finish(&builder, ret_layout);
}

enum sw_status sw_layout_unsqueeze(const struct sw_layout *layout, int64_t dim, struct sw_layout **ret_layout)
{
    static const int64_t extent = 1, stride = 0;
    static const struct sw__modes unit = { &extent, &stride, 1, 1 };
    size_t mode = 0;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(resolve(dim, (size_t)layout->shape->n_modes + 1, &mode));
    size_t node = sw__tree_mode_node(layout->shape, mode);
    return splice(layout, node, node, &unit, ret_layout);
}

enum sw_status sw_layout_squeeze(const struct sw_layout *layout, int64_t dim, struct sw_layout **ret_layout)
{
    static const struct sw__modes nothing;
    size_t mode = 0;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(resolve(dim, layout->shape->n_modes, &mode));
    size_t node = sw__tree_mode_node(layout->shape, mode);
    if (layout->shape->nodes[node] != 1)
        return sw_error_set(SW_VALUE_ERROR, "mode %zu is not a single extent of 1 and cannot be squeezed", mode);
    return splice(layout, node, node + 1, &nothing, ret_layout);
}
