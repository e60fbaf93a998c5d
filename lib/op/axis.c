/*
 * What operations along an axis share: the parts of a layout, the axis
 * operand, index tensors.
 */
#include "config.h"

#include "op/axis.h"

#include "base/alloc.h"
#include "layout/tree.h"
#include "op/check.h"
#include "op/shapes.h"

void sw__axis_clear(struct sw__axis *axis)
{
    sw__source_clear(&axis->before);
    sw__source_clear(&axis->along);
    sw__source_clear(&axis->after);
}

enum sw_status sw__axis_init(struct sw__axis *axis, const struct sw_tensor *in, size_t mode)
{
    const struct sw_layout *layout = in->layout;
    size_t begin = sw__shape_leaves_before(layout->shape, mode);
    size_t end = sw__shape_leaves_before(layout->shape, mode + 1);

    SW__TRY(sw__source_init_leaves(&axis->before, in, in->dtype, 0, begin));
    SW__TRY(sw__source_init_leaves(&axis->along, in, in->dtype, begin, end));
    return sw__source_init_leaves(&axis->after, in, in->dtype, end, layout->n_leaves);
}

enum sw_status sw__axis_operand(const struct sw__op *op, const struct sw_operand *operand, const struct sw_tensor *in,
                                size_t *ret_mode)
{
    if (operand->kind != SW_OPERAND_INTEGER)
        return sw_error_set(SW_TYPE_ERROR, "%s: the axis must be an integer", op->name);
    if (operand->as.integer < 0 || operand->as.integer >= (int64_t)in->layout->shape->n_modes)
        return sw_error_set(SW_VALUE_ERROR, "%s: axis %lld of a tensor with %u modes", op->name,
                            (long long)operand->as.integer, in->layout->shape->n_modes);
    *ret_mode = (size_t)operand->as.integer;
    return SW_OK;
}

int64_t sw__axis_extent(const struct sw_tensor *in, size_t mode)
{
    const struct sw_layout *layout = in->layout;

    if (sw__tree_is_flat(layout->shape))
        return layout->extents[mode];
    size_t end = sw__shape_leaves_before(layout->shape, mode + 1);
    int64_t extent = 1;

    for (size_t leaf = sw__shape_leaves_before(layout->shape, mode); leaf < end; leaf++)
        extent *= layout->extents[leaf];
    return extent;
}

struct sw__extents sw__axis_extents(const struct sw_tensor *in, size_t mode)
{
    int64_t before = 1, along = sw__axis_extent(in, mode);

    for (size_t i = 0; i < mode; i++)
        before *= sw__axis_extent(in, i);
    return (struct sw__extents){ (size_t)before, (size_t)along, (size_t)(in->layout->size / before / along) };
}

static enum sw_status read_indices(const struct sw__op *op, const struct sw_tensor *index, int64_t extent,
                                   int64_t *indices)
{
    struct sw__source source SW__OWNED_SOURCE = { .cursor = { 0 } };
    int32_t buffer[SW__BLOCK];
    const size_t n = (size_t)index->layout->size;

    SW__TRY(sw__source_init(&source, index, SW_INT32));
    for (size_t done = 0; done < n;) {
        size_t block = n - done < SW__BLOCK ? n - done : SW__BLOCK;
        const int32_t *values = sw__source_read(&source, block, buffer);
        for (size_t i = 0; i < block; i++) {
            if (values[i] < 0 || values[i] >= extent)
                return sw_error_set(SW_INDEX_ERROR, "%s: index %d at ordinal %zu is outside of [0, %lld)", op->name,
                                    values[i], done + i, (long long)extent);
            indices[done + i] = values[i];
        }
        done += block;
    }
    return SW_OK;
}

enum sw_status sw__axis_indices(const struct sw__op *op, const struct sw_tensor *index, int64_t extent,
                                int64_t **ret_indices)
{
    const size_t n = (size_t)index->layout->size;
    int64_t *indices SW__OWNED = NULL;

    if (n > SIZE_MAX / sizeof *indices || (indices = sw__alloc(n * sizeof *indices)) == NULL)
        return sw_error_set(SW_MEMORY_ERROR, "no memory for %zu indices", n);
    SW__TRY(read_indices(op, index, extent, indices));
    *ret_indices = sw__take(indices);
    return SW_OK;
}

enum sw_status sw__axis_replace(const struct sw_tensor *in, size_t mode, const struct sw_tree *replacement,
                                struct sw_tree **ret_shape)
{
    const struct sw_tree *shape = in->layout->shape;
    const struct sw__shape_part parts[] = {
        { shape, 0, mode },
        { replacement, 0, replacement->n_modes },
        { shape, mode + 1, shape->n_modes },
    };

    return sw__shape_join(parts, sizeof parts / sizeof parts[0], ret_shape);
}
