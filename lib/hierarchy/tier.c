/*
 * Tiers: claiming a carrier, and the ways of giving it up.
 */
#include "config.h"

#include "hierarchy/tier.h"

#include "hierarchy/access.h"

enum sw_status sw__tier_claim(struct sw__tier *tier, struct sw_carrier *carrier)
{
    SW__TRY(sw_carrier_claim(carrier, &tier->token));
    tier->carrier = sw_carrier_ref(carrier);
    return SW_OK;
}

enum sw_status sw__tier_release(const struct sw__tier *tier)
{
    struct sw__access access SW__OWNED_ACCESS = SW__NO_ACCESS;

    SW__TRY(sw__access_begin(&access, tier->carrier, tier->token));
    return sw_carrier_release(tier->carrier);
}

void sw__tier_leave(struct sw__tier *tier)
{
    if (tier->carrier == NULL)
        return;
    /* Fails only inside of a scope, which is then the caller's race: nobody gets the carrier afterwards. */
    enum sw_status status = sw_carrier_relinquish(tier->carrier, tier->token);
    (void)status;
    sw_carrier_unref(sw__take(tier->carrier));
}

void sw__tier_discard(struct sw__tier *tier)
{
    if (tier->carrier == NULL)
        return;
    enum sw_status status = sw__tier_release(tier);
    (void)status;
    sw__tier_leave(tier);
}
