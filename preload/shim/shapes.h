/*
 * Shape lists in the report, each stored once. Looking one up takes no lock: it
 * costs a mix of the trees' own hashes and a comparison with what is stored.
 */
#ifndef SHIM_SHAPES_H
#define SHIM_SHAPES_H

#include <strideweave/hooks.h>

#include "shim/capture.h"

/** Most distinct lists of a report, and most words of one. */
#define SHAPES_MOST (UINT32_C(1) << 16)
#define SHAPES_MOST_WORDS (UINT32_C(1) << 12)

/** Key of the input shapes of a boundary (at its entry). */
uint64_t shapes_key(const struct sw_hook_compute *call);

/** Reference of the list with these shapes, 0 when it is not in the report. */
uint32_t shapes_find(const struct capture *capture, const struct sw_hook_compute *call, uint64_t key);

/** Store a list. For the holder of the lock. 0 when there is no room. */
uint32_t shapes_add(struct capture *capture, const struct sw_hook_compute *call, uint64_t key);

#endif
