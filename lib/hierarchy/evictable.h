/*
 * The inside of an Evictable.
 */
#ifndef HIERARCHY_EVICTABLE_H
#define HIERARCHY_EVICTABLE_H

#include "hierarchy/tier.h"

enum sw__level { SW__PRIMARY, SW__SECONDARY, SW__N_LEVELS };

/** Payload of an Evictable carrier. Only the tiers and the level change after construction. */
struct sw__evictable {
    struct sw__tier tiers[SW__N_LEVELS];
    enum sw__level level; /* where the values are; stays after release */
    size_t size;          /* the primary tier's at construction, like the three below */
    enum sw_dtype dtype;
    int is_mutable;
    uint32_t storable; /* bit d: both tiers store dtype d */
};

extern struct sw_carrier_class sw__evictable_class;

/** NULL for what is no Evictable. */
struct sw__evictable *sw__evictable_of(const struct sw_carrier *carrier);
/** RuntimeError when the values are not on the primary tier, or nowhere any more. */
SW_NODISCARD enum sw_status sw__evictable_check_promoted(const struct sw_carrier *carrier);
/** Whether both tiers can store @dtype. */
static inline int sw__evictable_stores(const struct sw__evictable *evictable, enum sw_dtype dtype)
{
    return (evictable->storable >> dtype & 1) != 0;
}
/** A promoted Evictable over @primary and an empty secondary tier like that of @prototype. */
SW_NODISCARD enum sw_status sw__evictable_over(const struct sw__evictable *prototype, struct sw_carrier *primary,
                                               struct sw_carrier **ret_carrier);

/** The dispatch hook: an adapter around what the primary tier dispatches. */
enum sw_status sw__evictable_dispatch(struct sw_carrier *carrier, const char *name,
                                      struct sw_operation **ret_operation);

/** What an adapter runs on the primary tier; NULL for any other operation. */
const struct sw_operation *sw__adapter_nested(const struct sw_operation *operation);

#endif
