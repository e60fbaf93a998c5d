/*
 * Eviction and promotion: the values change tiers, all of them or none.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "hierarchy/access.h"
#include "hierarchy/evictable.h"
#include "hierarchy/move.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

static enum sw_status check_movable(const struct sw_carrier *carrier)
{
    if (sw__evictable_of(carrier) == NULL)
        return sw_error_set(SW_TYPE_ERROR, "only an Evictable carrier is evicted and promoted");
    SW__TRY(sw__carrier_check_live(carrier));
    return sw__carrier_check_accessible(carrier, "evict and promote");
}

/* A tier that was left behind has been released, and a secondary tier may have begun too small. */
static int has_room(const struct sw__evictable *evictable, enum sw__level level)
{
    return sw_carrier_size(evictable->tiers[level].carrier) >= evictable->size;
}

/* Every slot is about to be written. */
static enum sw_status make_tier(const struct sw__evictable *evictable, enum sw__level level, struct sw__tier *tier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    SW__TRY(sw_carrier_allocate_like(evictable->tiers[level].carrier, (int64_t)evictable->size, 1, evictable->dtype, 1,
                                     &carrier));
    return sw__tier_claim(tier, carrier);
}

/* All slots as one flat tensor. */
static enum sw_status move_slots(const struct sw__evictable *evictable, const struct sw__tier *from,
                                 const struct sw__tier *to)
{
    struct sw__access source SW__OWNED_ACCESS = SW__NO_ACCESS;
    struct sw__access destination SW__OWNED_ACCESS = SW__NO_ACCESS;
    struct sw_layout *layout SW__OWNED_LAYOUT = NULL;
    struct sw_tensor *values SW__OWNED_TENSOR = NULL;
    struct sw_tensor *moved SW__OWNED_TENSOR = NULL;
    const int64_t extent = (int64_t)evictable->size;

    SW__TRY(sw_layout_column_major(&extent, 1, &layout));
    SW__TRY(sw_tensor_new(from->carrier, 0, layout, &values));
    SW__TRY(sw__access_begin(&source, from->carrier, from->token));
    SW__TRY(sw__access_begin(&destination, to->carrier, to->token));
    return sw__move_lowered(values, to->carrier, &moved);
}

static enum sw_status move_to(struct sw_carrier *carrier, enum sw__level level)
{
    struct sw__tier replaced SW__DISCARDED_TIER = SW__NO_TIER;

    SW__TRY(check_movable(carrier));
    struct sw__evictable *evictable = sw__evictable_of(carrier);
    struct sw__tier *from = &evictable->tiers[evictable->level];
    struct sw__tier *to = &evictable->tiers[level];
    if (from == to)
        return SW_OK;
    if (has_room(evictable, level)) {
        SW__TRY(move_slots(evictable, from, to));
    } else {
        struct sw__tier fresh SW__DISCARDED_TIER = SW__NO_TIER;

        SW__TRY(make_tier(evictable, level, &fresh));
        SW__TRY(move_slots(evictable, from, &fresh));
        replaced = *to;
        *to = fresh;
        fresh.carrier = NULL;
    }
    evictable->level = level;
    return SW_OK;
}

enum sw_status sw_evictable_evict(struct sw_carrier *carrier)
{
    return move_to(carrier, SW__SECONDARY);
}

enum sw_status sw_evictable_promote(struct sw_carrier *carrier)
{
    return move_to(carrier, SW__PRIMARY);
}
