/*
 * A tier: a carrier that an Evictable refers to and owns.
 */
#ifndef HIERARCHY_TIER_H
#define HIERARCHY_TIER_H

#include <strideweave/hierarchy.h>

#include "base/cleanup.h"

struct sw__tier {
    struct sw_carrier *carrier; /* one reference; NULL: no tier */
    uint64_t token;             /* of its claim */
};

/** Refer to @carrier and claim it. RuntimeError when it was released or has an owner. */
SW_NODISCARD enum sw_status sw__tier_claim(struct sw__tier *tier, struct sw_carrier *carrier);
/** Release the carrier as its owner. RuntimeError while another thread is inside a scope of it. */
SW_NODISCARD enum sw_status sw__tier_release(const struct sw__tier *tier);
/** Relinquish the carrier and give back the reference; it may be live. */
void sw__tier_leave(struct sw__tier *tier);
/** Release, then leave: for storage that nobody else has seen, or that was replaced. */
void sw__tier_discard(struct sw__tier *tier);

#define SW__DISCARDED_TIER SW__CLEANUP(sw__tier_discard)
#define SW__NO_TIER { NULL, 0 }

#endif
