/*
 * Leaves sorted by stride.
 */
#include "config.h"

#include "layout/leaves.h"

/* By insertion: they are few, and most often in order already. */
void sw__leaves_sort(struct sw__leaves *leaves, const struct sw_layout *layout)
{
    size_t n = 0;

    for (size_t i = 0; i < layout->n_leaves; i++) {
        struct sw__leaf leaf = { layout->extents[i], layout->strides[i] };
        size_t place = n;

        if (leaf.extent == 1)
            continue;
        for (; place > 0 && leaves->at[place - 1].stride > leaf.stride; place--)
            leaves->at[place] = leaves->at[place - 1];
        leaves->at[place] = leaf;
        n++;
    }
    leaves->n = n;
}

int sw__leaves_compact(const struct sw__leaf *leaves, size_t n, int64_t *ret_size)
{
    int64_t size = 1;

    for (size_t i = 0; i < n; i++) {
        if (leaves[i].stride != size)
            return 0;
        size *= leaves[i].extent;
    }
    *ret_size = size;
    return 1;
}
