/*
 * Walking the indices of a layout in ordinal order, a run at a time:
 *
 *     sw__walk_begin(&walk, layout);
 *     do {
 *         for (int64_t i = 0; i < walk.run; i++)
 *             ... walk.index + i * walk.stride ...
 *     } while (sw__walk_next(&walk));
 */
#ifndef CARRIER_WALK_H
#define CARRIER_WALK_H

#include "base/checked.h"
#include "layout/layout.h"

/* Leaves of extent above 1: their product is the size, which has 63 bits. */
#define SW__WALK_LEAVES 63

struct sw__walk {
    int64_t index;  /* of the first element of the current run */
    int64_t run;    /* elements per run, at least 1 */
    int64_t stride; /* between the elements of a run */
    size_t n_outer; /* loops around the run */
    int64_t extents[SW__WALK_LEAVES];
    int64_t strides[SW__WALK_LEAVES];
    int64_t counters[SW__WALK_LEAVES];
};

/* Whether the next leaf continues this one: the two are one loop then. */
static inline int sw__walk_continues(int64_t extent, int64_t stride, int64_t next_stride)
{
    int64_t span;

    return sw__mul_fits(extent, stride, &span) && next_stride == span;
}

static inline void sw__walk_begin(struct sw__walk *walk, const struct sw_layout *layout)
{
    int64_t *extent = &walk->run;
    int64_t *stride = &walk->stride;

    walk->index = 0;
    walk->run = 1;
    walk->stride = 1;
    walk->n_outer = 0;
    for (uint32_t leaf = 0; leaf < layout->n_leaves; leaf++) {
        if (layout->extents[leaf] == 1)
            continue;
        if (walk->run == 1) {
            walk->run = layout->extents[leaf];
            walk->stride = layout->strides[leaf];
        } else if (sw__walk_continues(*extent, *stride, layout->strides[leaf])) {
            *extent *= layout->extents[leaf];
        } else {
            extent = &walk->extents[walk->n_outer];
            stride = &walk->strides[walk->n_outer];
            *extent = layout->extents[leaf];
            *stride = layout->strides[leaf];
            walk->counters[walk->n_outer++] = 0;
        }
    }
}

/** 0 when the run was the last one. */
static inline int sw__walk_next(struct sw__walk *walk)
{
    for (size_t loop = 0; loop < walk->n_outer; loop++) {
        walk->index += walk->strides[loop];
        if (++walk->counters[loop] < walk->extents[loop])
            return 1;
        walk->index -= walk->strides[loop] * walk->extents[loop];
        walk->counters[loop] = 0;
    }
    return 0;
}

#endif
