/*
 * Shape lists in the report, each stored once. Looking one up takes no lock: it
 * costs a mix of the trees' own hashes and a comparison with what is stored; the
 * comparison alone where the caller has a good guess.
 */
#ifndef SHIM_SHAPES_H
#define SHIM_SHAPES_H

#include <strideweave/hooks.h>

#include "shim/capture.h"

/** Most distinct lists of a report, and most words of one. */
#define SHAPES_MOST (UINT32_C(1) << 16)
#define SHAPES_MOST_WORDS (UINT32_C(1) << 12)

/** Whether the list with this reference has the input shapes of a boundary (at its entry). */
int shapes_are(const struct capture *capture, uint32_t reference, const struct sw_hook_compute *call);

/** Of the same shapes the same number, of others most likely another. */
static inline uint32_t shapes_sum(const struct sw_hook_compute *call)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);

        sum = 3 * sum + (shape != NULL ? (uint32_t)shape->hash : 1);
    }
    return sum;
}

/** Key of the input shapes of a boundary (at its entry). */
uint64_t shapes_key(const struct sw_hook_compute *call);

/** Reference of the list with these shapes, 0 when it is not in the report. */
uint32_t shapes_find(const struct capture *capture, const struct sw_hook_compute *call, uint64_t key);

/** Store a list. For the holder of the lock. 0 when there is no room. */
uint32_t shapes_add(struct capture *capture, const struct sw_hook_compute *call, uint64_t key);

#endif
