/*
 * Exclusive ownership of a carrier by another one, and the scopes in which the
 * owner's thread may change what it owns.
 */
#include "config.h"

#include <strideweave/hierarchy.h>

#include <pthread.h>

#include "carrier/carrier.h"

/* Of the last claim in the process. */
static uint64_t last_token; /* atomic */

/* Only ever compared, and with what a thread stored that is still running. Never 0. */
static uint64_t this_thread(void)
{
    return (uint64_t)(uintptr_t)pthread_self();
}

static uint64_t thread_inside(const struct sw_carrier *carrier)
{
    return __atomic_load_n(&carrier->access_thread, __ATOMIC_RELAXED);
}

int sw__carrier_is_accessed_here(const struct sw_carrier *carrier)
{
    return thread_inside(carrier) == this_thread();
}

enum sw_status sw__carrier_check_accessible(const struct sw_carrier *carrier, const char *verb)
{
    if (sw__carrier_is_locked(carrier))
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier is owned by another one, which alone may %s it", verb);
    return SW_OK;
}

enum sw_status sw_carrier_claim(struct sw_carrier *carrier, uint64_t *ret_token)
{
    uint64_t nobody = 0;

    SW__TRY(sw__carrier_check(carrier, "what is claimed"));
    SW__TRY(sw__carrier_check_live(carrier));
    uint64_t token = __atomic_add_fetch(&last_token, 1, __ATOMIC_RELAXED);
    if (!__atomic_compare_exchange_n(&carrier->owner_token, &nobody, token, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier is owned by another one already");
    *ret_token = token;
    return SW_OK;
}

static enum sw_status check_owner(const struct sw_carrier *carrier, uint64_t token)
{
    SW__TRY(sw__carrier_check(carrier, "what is owned"));
    if (token == 0 || __atomic_load_n(&carrier->owner_token, __ATOMIC_RELAXED) != token)
        return sw_error_set(SW_RUNTIME_ERROR, "the token is not the one of the carrier's owner");
    return SW_OK;
}

enum sw_status sw_carrier_relinquish(struct sw_carrier *carrier, uint64_t token)
{
    SW__TRY(check_owner(carrier, token));
    if (thread_inside(carrier) != 0)
        return sw_error_set(SW_RUNTIME_ERROR, "the carrier cannot be relinquished inside an owner's access scope");
    /* Release: the next owner sees what this one wrote. */
    __atomic_store_n(&carrier->owner_token, 0, __ATOMIC_RELEASE);
    return SW_OK;
}

enum sw_status sw_carrier_begin_owner_access(struct sw_carrier *carrier, uint64_t token)
{
    uint64_t nobody = 0;

    SW__TRY(check_owner(carrier, token));
    if (!sw__carrier_is_accessed_here(carrier) &&
        !__atomic_compare_exchange_n(&carrier->access_thread, &nobody, this_thread(), 0, __ATOMIC_ACQUIRE,
                                     __ATOMIC_RELAXED))
        return sw_error_set(SW_RUNTIME_ERROR, "another thread is inside an owner's access scope of the carrier");
    carrier->access_depth++;
    return SW_OK;
}

enum sw_status sw_carrier_end_owner_access(struct sw_carrier *carrier, uint64_t token)
{
    SW__TRY(check_owner(carrier, token));
    if (!sw__carrier_is_accessed_here(carrier))
        return sw_error_set(SW_RUNTIME_ERROR, "this thread is not inside an owner's access scope of the carrier");
    if (--carrier->access_depth == 0)
        __atomic_store_n(&carrier->access_thread, 0, __ATOMIC_RELEASE);
    return SW_OK;
}
