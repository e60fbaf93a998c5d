/*
 * A host range that somebody wants: through the hook table, or straight to the
 * collector in a library that calls no hooks.
 */
#include "config.h"

#include "base/range.h"

void sw__range_enter(struct sw__range *range, enum sw_host_range which)
{
    range->which = (uint32_t)which;
    range->is_entered = 1;
    range->owner = NULL;
    range->hook = (struct sw_hook_range){
        .struct_bytes = sizeof range->hook,
        .flags = SW_HOOK_RANGE_HOST | (sw__thread.collector != NULL ? (uint32_t)SW_HOOK_RANGE_DEFAULT_WANTED : 0),
        .library = &sw__hook_library,
        .name = sw_host_range_name(which),
    };
#if SW_ENABLE_PROFILING
    sw__hooks.range_enter(&range->hook);
#else
    sw__collector_enter(&range->hook);
#endif
}

void sw__range_exit(struct sw__range *range)
{
#if SW_ENABLE_PROFILING
    sw__hooks.range_exit(&range->hook);
#else
    sw__collector_exit(&range->hook);
#endif
}
