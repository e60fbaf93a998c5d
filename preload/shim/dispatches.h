/*
 * Ids of the report for what the library dispatches. The hot path is one array
 * look-up by the library's own number; texts are seen once.
 */
#ifndef SHIM_DISPATCHES_H
#define SHIM_DISPATCHES_H

#include <strideweave/hooks.h>

#include "shim/capture.h"

/** Most dispatches of a report, and most of one library. */
#define DISPATCH_LIMIT (UINT32_C(1) << 18)

/*
 * Entry of library_ids.ids: 0 when not yet seen, else the id in the report,
 * together with DISPATCH_HIDDEN when the carrier is not selected; or
 * DISPATCH_REFUSED when there was no room for it.
 */
#define DISPATCH_HIDDEN (UINT32_C(1) << 31)
#define DISPATCH_REFUSED UINT32_MAX

/** Write the recorder's own descriptor. For the holder of the lock. 0 when there is no room. */
int dispatches_start(struct capture *capture);

/** The ids of a library, made at its first boundary; NULL when there are too many. For the holder of the lock. */
struct library_ids *dispatches_library(struct capture *capture, const struct sw_hook_library *library);

/** Bring a descriptor into the report if it is not there; its entry. For the holder of the lock. */
uint32_t dispatches_add(struct capture *capture, struct library_ids *library, const struct sw_hook_dispatch *dispatch);

/**
 * Number of a class in the report, made at first sight; identity is address and
 * serial, equal names stay two. 0 when there are too many. For the holder of the lock.
 */
uint32_t dispatches_class_number(struct capture *capture, const void *address, uint64_t serial);

/** Whether a dispatch id is of a carrier that is not selected. Threads: any. */
static inline int dispatches_hides(const struct capture *capture, uint32_t id)
{
    return capture->hidden != NULL && id < DISPATCH_LIMIT && (capture->hidden[id / 8] >> id % 8 & 1) != 0;
}

#endif
