/*
 * Reshaping without copying, and the query behind it: which ordinals share an
 * index.
 */
#include "config.h"

#include "layout/leaf.h"
#include "layout/leaves.h"
#include "layout/make.h"

/* The step of a layout whose ordinals have the indices 0, step, 2*step, ...; 0 returned when it has none. */
static int regular_step(const struct sw_layout *layout, int64_t *ret_step)
{
    int64_t reach = 0; /* extent times stride of what was passed; a size-1 layout keeps its first stride */
    int found = 0;

    *ret_step = layout->n_leaves > 0 ? layout->strides[0] : 0;
    for (size_t i = 0; i < layout->n_leaves; i++) {
        if (layout->extents[i] == 1)
            continue;
        if (!found)
            *ret_step = layout->strides[i];
        else if (layout->strides[i] != reach)
            return 0;
        found = 1;
        if (!sw__mul_fits(layout->extents[i], layout->strides[i], &reach))
            reach = -1; /* no stride goes on from there */
    }
    return 1;
}

enum sw_status sw_layout_reshape(const struct sw_layout *layout, const struct sw_tree *shape,
                                 struct sw_layout **ret_layout)
{
    int64_t size, step = 1;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw_shape_size(shape, &size));
    if (size != layout->size)
        return sw_error_set(SW_VALUE_ERROR, "a layout of size %lld cannot be reshaped to size %lld",
                            (long long)layout->size, (long long)size);
    if (!layout->is_canonical || layout->n_leaves == 0) {
        if (!regular_step(layout, &step))
            return sw_error_set(SW_VALUE_ERROR, "a layout whose indices are not evenly spaced cannot be reshaped");
    }
    return sw__layout_regular(shape, step, ret_layout);
}

enum sw_status sw_layout_uniform_preimage_extent(const struct sw_layout *layout, const struct sw_tree *shape,
                                                 int *ret_found, int64_t *ret_extent)
{
    struct sw__leaves leaves;
    int64_t target, size = 0, repeated = 1;
    size_t n_zero = 0;

    SW__TRY(sw__check_layout(layout, "the argument"));
    SW__TRY(sw_shape_size(shape, &target));
    sw__leaves_sort(&leaves, layout);
    for (; n_zero < leaves.n && leaves.at[n_zero].stride == 0; n_zero++)
        repeated *= leaves.at[n_zero].extent;
    *ret_found = sw__leaves_compact(leaves.at + n_zero, leaves.n - n_zero, &size) && size == target;
    if (*ret_found)
        *ret_extent = repeated;
    return SW_OK;
}
