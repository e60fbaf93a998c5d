/*
 * Fresh carriers from a prototype or from a class alone, and the question which
 * dtypes a carrier can store.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "base/options.h"
#include "dtype/dtype.h"

enum sw_status sw_carrier_supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype, int *ret_supported)
{
    SW__TRY(sw__carrier_check(carrier, "what is asked for its dtypes"));
    SW__TRY(sw__dtype_check(dtype));
    if (carrier->carrier_class->supports_dtype != NULL)
        *ret_supported = carrier->carrier_class->supports_dtype(carrier, dtype) != 0;
    else
        *ret_supported = carrier->carrier_class->dtype(carrier) == dtype;
    return SW_OK;
}

static enum sw_status check_like(const struct sw_carrier *prototype, int mutable_storage, enum sw_dtype dtype)
{
    int supported;

    SW__TRY(sw__carrier_check(prototype, "the prototype"));
    SW__TRY(sw__check_boolean("mutable_storage", mutable_storage));
    SW__TRY(sw_carrier_supports_dtype(prototype, dtype, &supported));
    if (!supported)
        return sw_error_set(SW_VALUE_ERROR, "carriers of class %s do not store %s",
                            prototype->carrier_class->head.qualified_name, sw_dtype_name(dtype));
    return SW_OK;
}

/* Classes are written by others too: what their factory returned is looked at once. */
static enum sw_status hand_over(struct sw_carrier **made, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    SW__TRY(sw__carrier_check(*made, "what the class returned as fresh storage"));
    if (sw_carrier_dtype(*made) != dtype)
        return sw_error_set(SW_TYPE_ERROR, "the class returned storage of %s where %s was asked for",
                            sw_dtype_name(sw_carrier_dtype(*made)), sw_dtype_name(dtype));
    *ret_carrier = sw__take(*made);
    return SW_OK;
}

enum sw_status sw_carrier_new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                                   int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    SW__TRY(check_like(prototype, mutable_storage, dtype));
    if (values == NULL && n != 0)
        return sw_error_set(SW_TYPE_ERROR, "no values for %zu slots", n);
    SW__TRY(prototype->carrier_class->new_like(prototype, values, n, mutable_storage, dtype, &made));
    return hand_over(&made, dtype, ret_carrier);
}

enum sw_status sw_carrier_allocate_like(const struct sw_carrier *prototype, int64_t n, int mutable_storage,
                                        enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    SW__TRY(check_like(prototype, mutable_storage, dtype));
    SW__TRY(sw__check_boolean("uninitialized", uninitialized));
    if (n < 0)
        return sw_error_set(SW_VALUE_ERROR, "a carrier has no %lld slots", (long long)n);
    SW__TRY(
        prototype->carrier_class->allocate_like(prototype, (size_t)n, mutable_storage, dtype, uninitialized, &made));
    return hand_over(&made, dtype, ret_carrier);
}

enum sw_status sw__carrier_allocate(struct sw_carrier_class *carrier_class, size_t n, enum sw_dtype dtype,
                                    int uninitialized, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    SW__TRY(sw__carrier_class_check(carrier_class));
    SW__TRY(sw__dtype_check(dtype));
    if (carrier_class->allocate == NULL)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "class %s makes no storage without a prototype",
                            carrier_class->head.qualified_name);
    SW__TRY(carrier_class->allocate(carrier_class, n, 1, dtype, uninitialized, &made));
    return hand_over(&made, dtype, ret_carrier);
}
