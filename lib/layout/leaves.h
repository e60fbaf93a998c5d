/*
 * The leaves of a layout that matter, in order of their strides: what
 * questions about the set of indices are answered from.
 */
#ifndef LAYOUT_LEAVES_H
#define LAYOUT_LEAVES_H

#include "layout/layout.h"

/** A size of 63 bits is the product of at most 62 extents above 1. */
#define SW__MAX_LEAVES 62

struct sw__leaf {
    int64_t extent;
    int64_t stride;
};

struct sw__leaves {
    size_t n;
    struct sw__leaf at[SW__MAX_LEAVES];
};

/** Fill in the leaves of extent above 1, smallest stride first. */
void sw__leaves_sort(struct sw__leaves *leaves, const struct sw_layout *layout);

/** Whether @n sorted leaves have the strides 1, e0, e0*e1, ...; *ret_size is then the product of all extents. */
int sw__leaves_compact(const struct sw__leaf *leaves, size_t n, int64_t *ret_size);

#endif
