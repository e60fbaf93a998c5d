/*
 * Carriers' storage as tools and the counters of this process see it.
 */
#include "config.h"

#include <strideweave/memory.h>

#include "base/hooks.h"
#include "carrier/storage.h"
#include "dispatch/operation.h"
#include "tensor/tensor.h"

#if SW_ENABLE_PROFILING

static uint64_t last_number; /* of a carrier; atomic */

/* A carrier has its number from the first time that anybody is told of it, by whichever thread. */
static uint64_t number_of(struct sw_carrier *carrier)
{
    uint64_t number = __atomic_load_n(&carrier->number, __ATOMIC_RELAXED);

    if (number != 0)
        return number;
    const uint64_t next = __atomic_add_fetch(&last_number, 1, __ATOMIC_RELAXED);
    /* Another thread may have been faster: this one is nobody's then. */
    return __atomic_compare_exchange_n(&carrier->number, &number, next, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)
               ? next
               : number;
}

uint64_t sw__storage_number(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? number_of(tensor->carrier) : 0;
}

static struct sw_hook_storage describe(struct sw_carrier *carrier, uint64_t bytes, int is_counted, uint32_t flags)
{
    return (struct sw_hook_storage){
        .struct_bytes = sizeof(struct sw_hook_storage),
        .flags = flags | (is_counted ? SW_HOOK_STORAGE_COUNTED : 0),
        .library = &sw__hook_library,
        .carrier_class = &carrier->carrier_class->head,
        .carrier = carrier,
        .bytes = bytes,
        .carrier_serial = sw__class_serial(&carrier->carrier_class->head),
        .carrier_number = number_of(carrier),
    };
}

static __attribute__((noinline)) void tell_made(struct sw_carrier *carrier, uint64_t bytes, uint32_t flags)
{
    const int is_counted = sw_memory_is_counting();
    const struct sw_hook_storage storage = describe(carrier, bytes, is_counted, flags);

    if (!(flags & SW_HOOK_STORAGE_REFUSED))
        carrier->is_counted = (uint32_t)is_counted;
    sw__hooks.storage_alloc(&storage);
}

static __attribute__((noinline)) void tell_gone(struct sw_carrier *carrier, uint64_t bytes)
{
    const struct sw_hook_storage storage = describe(carrier, bytes, carrier->is_counted != 0, 0);

    sw__hooks.storage_free(&storage);
    carrier->is_counted = 0;
}

void sw__storage_made(struct sw_carrier *carrier, uint64_t bytes)
{
    if (__builtin_expect(sw__hook_is_wanted(SW_HOOK_WANT_STORAGE), 0) && bytes != 0)
        tell_made(carrier, bytes, 0);
}

void sw__storage_refused(struct sw_carrier *carrier, uint64_t bytes)
{
    if (__builtin_expect(sw__hook_is_wanted(SW_HOOK_WANT_STORAGE), 0) && bytes != 0)
        tell_made(carrier, bytes, SW_HOOK_STORAGE_REFUSED);
}

/* What was counted is counted back whoever wants to know now. */
void sw__storage_gone(struct sw_carrier *carrier, uint64_t bytes)
{
    if (__builtin_expect(sw__hook_is_wanted(SW_HOOK_WANT_STORAGE) || carrier->is_counted, 0) && bytes != 0)
        tell_gone(carrier, bytes);
}

#else

uint64_t sw__storage_number(const struct sw_tensor *tensor)
{
    (void)tensor;
    return 0;
}

void sw__storage_made(struct sw_carrier *carrier, uint64_t bytes)
{
    (void)carrier;
    (void)bytes;
}

void sw__storage_refused(struct sw_carrier *carrier, uint64_t bytes)
{
    (void)carrier;
    (void)bytes;
}

void sw__storage_gone(struct sw_carrier *carrier, uint64_t bytes)
{
    (void)carrier;
    (void)bytes;
}

#endif

/* ---- For the authors of classes ------------------------------------------------------------- */

enum sw_status sw_carrier_storage_made(struct sw_carrier *carrier, uint64_t bytes)
{
    SW__TRY(sw__carrier_check(carrier, "what has storage"));
    sw__storage_made(carrier, bytes);
    return SW_OK;
}

enum sw_status sw_carrier_storage_gone(struct sw_carrier *carrier, uint64_t bytes)
{
    SW__TRY(sw__carrier_check(carrier, "what has storage"));
    sw__storage_gone(carrier, bytes);
    return SW_OK;
}

enum sw_status sw_carrier_storage_refused(struct sw_carrier *carrier, uint64_t bytes)
{
    SW__TRY(sw__carrier_check(carrier, "what wants storage"));
    sw__storage_refused(carrier, bytes);
    return SW_OK;
}
