/*
 * Flattening and coalescing: the same index function with fewer levels and
 * fewer leaves.
 */
#include "config.h"

#include "layout/coalesce.h"

#include "layout/builder.h"
#include "layout/make.h"

enum sw_status sw_layout_flatten(const struct sw_layout *layout, struct sw_layout **ret_layout)
{
    SW__TRY(sw__check_layout(layout, "the argument"));
    if (sw__tree_is_flat(layout->shape)) {
        *ret_layout = sw_layout_ref(layout);
        return SW_OK;
    }
    struct sw__modes leaves = { layout->extents, layout->strides, layout->n_leaves, layout->n_leaves };
    return sw__layout_of_modes(&leaves, ret_layout);
}

enum sw_status sw_layout_coalesce(const struct sw_layout *layout, struct sw_layout **ret_layout)
{
    struct sw__layout_builder builder SW__BUILDER;

    sw__layout_builder_init(&builder);
    SW__TRY(sw__check_layout(layout, "the argument"));
    for (size_t i = 0; i < layout->n_leaves; i++)
        sw__layout_builder_coalesce(&builder, 0, layout->extents[i], layout->strides[i]);
    return sw__layout_builder_finish(&builder, ret_layout);
}

size_t sw__layout_coalesced(const struct sw_layout *layout, int64_t *extents, int64_t *strides)
{
    size_t n = 0;

    for (size_t i = 0; i < layout->n_leaves; i++)
        n = sw__coalesce_leaf(extents, strides, n, layout->extents[i], layout->strides[i]);
    return layout->size == 1 ? 0 : n;
}
