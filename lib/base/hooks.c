/*
 * The table through which every hook is called. Its entries are relocations
 * against the exported weak symbols, so they point to a preloaded tool's
 * functions when there is one, whatever the compiler knows about the defaults.
 */
#include "config.h"

#include "base/hooks.h"

const volatile struct sw_hook_table sw__hooks = {
    sizeof(struct sw_hook_table),
    0,
    &sw_hooks_wanted,
#define HOOK_ENTRY(name, type) sw_hook_##name,
    SW_HOOKS(HOOK_ENTRY)
#undef HOOK_ENTRY
};

const struct sw_hook_library *sw_hook_library_info(void)
{
    return &sw__hook_library;
}
