/*
 * The one rule by which neighbouring leaves are merged.
 */
#ifndef LAYOUT_COALESCE_H
#define LAYOUT_COALESCE_H

#include "base/checked.h"

/**
 * sw__coalesce_leaf - add a leaf to a list of @n leaves that has room for one
 * more. A leaf of extent 1 only stays when it is the first and no other
 * follows. Returns how many leaves there are then.
 */
static inline size_t sw__coalesce_leaf(int64_t *extents, int64_t *strides, size_t n, int64_t extent, int64_t stride)
{
    int64_t continued;

    if (n > 0 && extent == 1)
        return n;
    if (n > 0 && extents[n - 1] == 1)
        n--;
    else if (n > 0 && sw__mul_fits(extents[n - 1], strides[n - 1], &continued) && continued == stride) {
        extents[n - 1] *= extent;
        return n;
    }
    extents[n] = extent;
    strides[n] = stride;
    return n + 1;
}

#endif
