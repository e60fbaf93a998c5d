/*
 * Scopes of host ranges at the places of the library that are ranges:
 *
 *     struct sw__range range __attribute__((cleanup(sw__range_end)));
 *     sw__range_begin(&range, SW_HOST_RANGE_DISPATCH_CALL);
 *
 * One load and branch while nobody wants them; nothing at all, not even room on
 * the stack, without --enable-host-ranges.
 */
#ifndef BASE_RANGE_H
#define BASE_RANGE_H

#include <strideweave/host_ranges.h>

#include "base/hooks.h"

#if SW_ENABLE_HOST_RANGES

struct sw__range {
    struct sw_hook_range hook;
    uint32_t which; /* enum sw_host_range */
    int is_entered; /* hooks were called */
    /* The collector's: where it has put this passage. */
    const struct sw__thread *owner; /* NULL: nowhere */
    uint64_t session;
    size_t depth;
};

/* The other side of the branch. */
void sw__range_enter(struct sw__range *range, enum sw_host_range which);
void sw__range_exit(struct sw__range *range);

static inline int sw__range_is_wanted(void)
{
    return sw__hook_is_wanted(SW_HOOK_WANT_RANGE) || sw__thread.collector != NULL;
}

static inline void sw__range_begin(struct sw__range *range, enum sw_host_range which)
{
    range->is_entered = 0;
    if (__builtin_expect(sw__range_is_wanted(), 0))
        sw__range_enter(range, which);
}

static inline void sw__range_end(struct sw__range *range)
{
    if (__builtin_expect(range->is_entered, 0))
        sw__range_exit(range);
}

#else

struct sw__range {
};

static inline void sw__range_begin(struct sw__range *range, enum sw_host_range which)
{
    (void)range;
    (void)which;
}

static inline void sw__range_end(struct sw__range *range)
{
    (void)range;
}

#endif

/** What the library's default hooks do with a range: feed the thread's collector. */
void sw__collector_enter(struct sw_hook_range *hook);
void sw__collector_exit(struct sw_hook_range *hook);

#endif
