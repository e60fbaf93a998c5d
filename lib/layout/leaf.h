/*
 * What a leaf may hold as an extent or as a stride. INT64_MAX is the marker
 * SW_TREE_ANY, so sizes, cosizes and strides stay below it.
 */
#ifndef LAYOUT_LEAF_H
#define LAYOUT_LEAF_H

#include <strideweave/hooks.h>

#include "base/checked.h"

/** Record why @value is no extent; returns TypeError or ValueError. */
enum sw_status sw__not_an_extent(int64_t value) __attribute__((cold));
/** Record why @value is no stride. */
enum sw_status sw__not_a_stride(int64_t value) __attribute__((cold));
/** Record that @what (a size, a stride) is beyond 64 bits; returns SW_OVERFLOW_ERROR. */
enum sw_status sw__leaf_overflow(const char *what) __attribute__((cold));

static inline enum sw_status sw__check_extent(int64_t value)
{
    return __builtin_expect(value >= 1 && value != SW_TREE_ANY, 1) ? SW_OK : sw__not_an_extent(value);
}

static inline enum sw_status sw__check_stride(int64_t value)
{
    return __builtin_expect(value >= 0 && value != SW_TREE_ANY, 1) ? SW_OK : sw__not_a_stride(value);
}

/** @a * @b for factors that are not negative; OverflowError about @what. */
static inline enum sw_status sw__leaf_product(int64_t a, int64_t b, const char *what, int64_t *ret_product)
{
    int64_t product;

    if (__builtin_expect(!sw__mul_fits(a, b, &product) || product == SW_TREE_ANY, 0)) {
        sw__leaf_overflow(what);
        return SW_OVERFLOW_ERROR;
    }
    *ret_product = product;
    return SW_OK;
}

/** Product of the extents among @n_nodes nodes of a checked shape. */
static inline int64_t sw__nodes_size(const int64_t *nodes, size_t n_nodes)
{
    int64_t size = 1;

    for (size_t i = 0; i < n_nodes; i++)
        if (!SW_TREE_IS_NESTED(nodes[i]))
            size *= nodes[i];
    return size;
}

#endif
