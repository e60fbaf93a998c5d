/*
 * Slicing: an integer takes one element of a mode and removes it, a range
 * keeps part of a mode.
 */
#include "config.h"

#include "layout/builder.h"
#include "layout/leaf.h"
#include "layout/make.h"

/* A range as it stands in a key: each of the three an integer or SW_TREE_ANY. */
struct range {
    int64_t start;
    int64_t stop;
    int64_t step;
};

static enum sw_status read_range(const int64_t *nodes, struct range *ret_range)
{
    if (nodes[0] != SW_TREE_NESTED(3) || SW_TREE_IS_NESTED(nodes[1]) || SW_TREE_IS_NESTED(nodes[2]) ||
        SW_TREE_IS_NESTED(nodes[3]))
        return sw_error_set(SW_TYPE_ERROR, "a slice key is neither an integer nor (start,stop,step)");
    *ret_range = (struct range){ nodes[1], nodes[2], nodes[3] };
    if (ret_range->step == SW_TREE_ANY)
        ret_range->step = 1;
    return SW_OK;
}

/* A bound that may count from the end, clipped to [0, extent]. */
static int64_t clip(int64_t bound, int64_t extent)
{
    if (bound < 0)
        bound += extent;
    return bound < 0 ? 0 : bound > extent ? extent : bound;
}

static enum sw_status slice_leaf(struct sw__layout_builder *builder, const struct range *range, int64_t extent,
                                 int64_t stride, int64_t *offset)
{
    int64_t start = range->start == SW_TREE_ANY ? 0 : clip(range->start, extent);
    int64_t stop = range->stop == SW_TREE_ANY ? extent : clip(range->stop, extent);
    int64_t spread;

    if (range->step <= 0)
        return sw_error_set(SW_VALUE_ERROR, "the step of a slice is %lld, it must be positive", (long long)range->step);
    if (stop <= start)
        return sw_error_set(SW_VALUE_ERROR, "the slice from %lld to %lld is empty", (long long)start, (long long)stop);
    if ((stop - start) % range->step != 0)
        return sw_error_set(SW_VALUE_ERROR, "the step %lld of a slice does not divide its length %lld",
                            (long long)range->step, (long long)(stop - start));
    SW__TRY(sw__leaf_product(stride, range->step, "the stride of a slice", &spread));
    *offset += start * stride;
    sw__layout_builder_leaf(builder, (stop - start) / range->step, spread);
    return SW_OK;
}

static enum sw_status slice_mode(struct sw__layout_builder *builder, const struct range *range,
                                 const struct sw__modes *mode, int64_t *offset)
{
    if (sw__modes_is_leaf(mode))
        return slice_leaf(builder, range, mode->extents[0], mode->strides[0], offset);
    if (range->start != SW_TREE_ANY || range->stop != SW_TREE_ANY || range->step != 1)
        return sw_error_set(SW_VALUE_ERROR, "a nested mode can only be sliced as a whole");
    sw__layout_builder_copy(builder, mode);
    return SW_OK;
}

/* Add the index of one element of a mode, named by its ordinal. */
static enum sw_status pick(const struct sw__modes *mode, int64_t ordinal, int64_t *offset)
{
    int64_t size = sw__nodes_size(mode->extents, mode->n_nodes);

    if (ordinal == SW_TREE_ANY)
        return sw_error_set(SW_TYPE_ERROR, "a slice key is neither an integer nor (start,stop,step)");
    if (ordinal < 0 || ordinal >= size)
        return sw_error_set(SW_VALUE_ERROR, "slice key %lld is outside of [0, %lld)", (long long)ordinal,
                            (long long)size);
    for (size_t i = 0; i < mode->n_nodes; i++) {
        if (SW_TREE_IS_NESTED(mode->extents[i]))
            continue;
        *offset += ordinal % mode->extents[i] * mode->strides[i];
        ordinal /= mode->extents[i];
    }
    return SW_OK;
}

static enum sw_status slice_modes(struct sw__layout_builder *builder, const struct sw_layout *layout,
                                  const struct sw_tree *key, int64_t *offset)
{
    struct sw__modes all = sw__modes_of(layout);
    size_t node = 0, entry = 0;

    for (size_t i = 0; i < all.n_modes; i++) {
        struct sw__modes mode = sw__modes_whole(&all, node);
        struct range range = { 0, 0, 1 };

        if (SW_TREE_IS_NESTED(key->nodes[entry])) {
            SW__TRY(read_range(key->nodes + entry, &range));
            SW__TRY(slice_mode(builder, &range, &mode, offset));
        } else {
            SW__TRY(pick(&mode, key->nodes[entry], offset));
        }
        node += mode.n_nodes;
        entry = sw__tree_next(key->nodes, entry);
    }
    return SW_OK;
}

enum sw_status sw_layout_slice(const struct sw_layout *layout, const struct sw_tree *key, int64_t *ret_offset,
                               struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;
    struct sw_layout *sliced = NULL;
    int64_t offset = 0;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw__check_tree(key, "the slice key"));
    if (key->n_modes != layout->shape->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "%u slice keys for a layout of rank %u", key->n_modes,
                            layout->shape->n_modes);
    SW__TRY(slice_modes(&builder, layout, key, &offset));
    if (sw__tree_is_flat(key))
        return sw_error_set(SW_VALUE_ERROR, "a slice needs at least one range; sw_tensor_get() reads an element");
    SW__TRY(sw__layout_builder_finish(&builder, &sliced));
    *ret_offset = offset;
    *ret_layout = sliced;
    return SW_OK;
}
