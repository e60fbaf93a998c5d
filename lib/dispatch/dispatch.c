/*
 * From a carrier and a name to a fresh, stamped operation. Crosses no boundary.
 */
#include "config.h"

#include "base/intern.h"
#include "base/range.h"
#include "carrier/carrier.h"
#include "dispatch/operation.h"

static enum sw_status check_fresh(const struct sw_operation *operation, const char *name,
                                  const struct sw_carrier_class *carrier_class)
{
    if (operation == NULL || operation->kind != SW_KIND_OPERATION)
        return sw_error_set(SW_TYPE_ERROR, "carrier class %s dispatched '%s' to something that is not an operation",
                            carrier_class->head.qualified_name, name);
    if (operation->dispatch != NULL)
        return sw_error_set(SW_TYPE_ERROR,
                            "carrier class %s dispatched '%s' to an operation that was already dispatched as '%s'",
                            carrier_class->head.qualified_name, name, operation->dispatch->name);
    return SW_OK;
}

/* A name that is the same at each call from one place is interned at the first one. */
static const char *make_key(const char *name, const char **kept)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_CACHE_KEY);
    const char *interned = kept != NULL ? __atomic_load_n(kept, __ATOMIC_ACQUIRE) : NULL;
    if (__builtin_expect(interned != NULL, 1))
        return interned;
    interned = sw__intern(name);
    if (kept != NULL)
        __atomic_store_n(kept, interned, __ATOMIC_RELEASE);
    return interned;
}

enum sw_status sw__carrier_dispatch(struct sw_carrier *carrier, const char *name, const char **kept,
                                    struct sw_operation **ret_operation)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_DISPATCH_LOOKUP);
    struct sw_operation *operation SW__OWNED_OPERATION = NULL;

    SW__TRY(sw__carrier_check(carrier, "carrier"));
    if (name == NULL)
        return sw_error_set(SW_TYPE_ERROR, "a dispatch name is a string, got NULL");
    const char *interned = make_key(name, kept);
    if (interned == NULL)
        return SW_MEMORY_ERROR;
    struct sw_carrier_class *carrier_class = carrier->carrier_class;
    if (carrier_class->dispatch == NULL)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "carrier class %s has no operation '%s'",
                            carrier_class->head.qualified_name, name);
    SW__TRY(carrier_class->dispatch(carrier, interned, &operation));
    SW__TRY(check_fresh(operation, interned, carrier_class));
    SW__TRY(sw__dispatch_entry(interned, &carrier_class->head, &operation->operation_class->head,
                               &operation->dispatch));
    operation->carrier_class = carrier_class;
    *ret_operation = sw__take(operation);
    return SW_OK;
}

enum sw_status sw_carrier_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    return sw__carrier_dispatch(carrier, name, NULL, ret_operation);
}
