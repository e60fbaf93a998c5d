/*
 * Reading, writing and releasing through the public entry points: the checks
 * that every class has in common, in their fixed order, around its hooks.
 */
#include "config.h"

#include "carrier/carrier.h"

enum sw_status sw__carrier_check_live(const struct sw_carrier *carrier)
{
    if (carrier->released)
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier was released");
    return SW_OK;
}

static int is_intrinsically_mutable(const struct sw_carrier *carrier)
{
    const struct sw_carrier_class *carrier_class = carrier->carrier_class;

    return carrier_class->set != NULL && carrier_class->is_mutable != NULL && carrier_class->is_mutable(carrier);
}

enum sw_status sw__carrier_check_writable(const struct sw_carrier *carrier)
{
    SW__TRY(sw__carrier_check_live(carrier));
    SW__TRY(sw__carrier_check_accessible(carrier, "write to"));
    if (!is_intrinsically_mutable(carrier))
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier is not mutable");
    return SW_OK;
}

int sw_carrier_is_mutable(const struct sw_carrier *carrier)
{
    return sw_carrier_class_of(carrier) != NULL && !carrier->released && !sw__carrier_is_locked(carrier) &&
           is_intrinsically_mutable(carrier);
}

static enum sw_status check_slot(const struct sw_carrier *carrier, int64_t slot)
{
    size_t size = carrier->carrier_class->size(carrier);

    if (slot < 0 || (uint64_t)slot >= size)
        return sw_error_set(SW_INDEX_ERROR, "slot %lld of a carrier of %zu slots", (long long)slot, size);
    return SW_OK;
}

enum sw_status sw_carrier_get(const struct sw_carrier *carrier, int64_t slot, struct sw_scalar *ret_value)
{
    struct sw_scalar value = { 0 };

    SW__TRY(sw__carrier_check(carrier, "what is read"));
    SW__TRY(sw__carrier_check_live(carrier));
    SW__TRY(check_slot(carrier, slot));
    SW__TRY(carrier->carrier_class->get(carrier, (size_t)slot, &value));
    *ret_value = value;
    return SW_OK;
}

enum sw_status sw_carrier_set(struct sw_carrier *carrier, int64_t slot, const struct sw_scalar *value)
{
    SW__TRY(sw__carrier_check(carrier, "what is written"));
    SW__TRY(sw__carrier_check_writable(carrier));
    SW__TRY(check_slot(carrier, slot));
    if (value == NULL)
        return sw_error_set(SW_TYPE_ERROR, "no value to write");
    uint64_t before = carrier->version;
    SW__TRY(carrier->carrier_class->set(carrier, (size_t)slot, value));
    /* A hook may have advanced it itself; one write is one step. */
    if (carrier->version == before)
        carrier->version++;
    return SW_OK;
}

enum sw_status sw_carrier_bump_version(struct sw_carrier *carrier)
{
    SW__TRY(sw__carrier_check(carrier, "what has a version"));
    SW__TRY(sw__carrier_check_accessible(carrier, "advance the version of"));
    carrier->version++;
    return SW_OK;
}

enum sw_status sw_carrier_release(struct sw_carrier *carrier)
{
    SW__TRY(sw__carrier_check(carrier, "what is released"));
    if (carrier->released)
        return SW_OK;
    SW__TRY(sw__carrier_check_accessible(carrier, "release"));
    carrier->released = 1;
    if (carrier->carrier_class->release != NULL)
        carrier->carrier_class->release(carrier);
    return SW_OK;
}
