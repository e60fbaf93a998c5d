/*
 * The weak hooks, and what they do when no tool replaces them: feed the
 * Profiler and the collector of host ranges that are active on the thread, and
 * the counters of storage. An exported weak hook calls only the
 * defaults of the library that made the call, so two copies of the library in
 * one process never feed each other's Profilers.
 */
#include "config.h"

#include "base/hooks.h"
#include "base/range.h"
#include "profiler/control.h"
#include "profiler/memory.h"
#include "profiler/session.h"

#define WEAK __attribute__((weak))

WEAK uint64_t sw_hooks_wanted = 0;

/* ---- Exported and weak: replaced by a tool's ------------------------------------ */

WEAK void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    call->library->defaults->compute_enter(call);
}

WEAK void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    call->library->defaults->compute_exit(call);
}

WEAK void sw_hook_range_enter(struct sw_hook_range *range)
{
    range->library->defaults->range_enter(range);
}

WEAK void sw_hook_range_exit(struct sw_hook_range *range)
{
    range->library->defaults->range_exit(range);
}

WEAK void sw_hook_storage_alloc(const struct sw_hook_storage *storage)
{
    storage->library->defaults->storage_alloc(storage);
}

WEAK void sw_hook_storage_free(const struct sw_hook_storage *storage)
{
    storage->library->defaults->storage_free(storage);
}

WEAK void sw_hook_session_frozen(const struct sw_hook_session *session)
{
    session->library->defaults->session_frozen(session);
}

WEAK int sw_hook_control(struct sw_hook_control *control)
{
    return control->library->defaults->control(control);
}

WEAK void sw_hook_note(const struct sw_hook_note *note)
{
    note->library->defaults->note(note);
}

/* ---- The end of the chain --------------------------------------------------------- */

static void ignore_session(const struct sw_hook_session *session)
{
    (void)session;
}

static void ignore_note(const struct sw_hook_note *note)
{
    (void)note;
}

static const struct sw_hook_table defaults = {
    .struct_bytes = sizeof defaults,
    .wanted = &sw_hooks_wanted,
    .compute_enter = sw__session_compute_enter,
    .compute_exit = sw__session_compute_exit,
    .range_enter = sw__collector_enter,
    .range_exit = sw__collector_exit,
    .storage_alloc = sw__memory_storage_alloc,
    .storage_free = sw__memory_storage_free,
    .session_frozen = ignore_session,
    .control = sw__control_without_shim,
    .note = ignore_note,
};

/* ---- This library's own weak definitions, whatever the loader bound ------------------ */

#define OWN(name, type)                                                                                  \
    extern type sw__own_##name __attribute__((alias("sw_hook_" #name), visibility("hidden")));
SW_HOOKS(OWN)
#undef OWN

static const struct sw_hook_table own = {
    .struct_bytes = sizeof own,
    .wanted = &sw_hooks_wanted,
#define OWN_ENTRY(name, type) .name = sw__own_##name,
    SW_HOOKS(OWN_ENTRY)
#undef OWN_ENTRY
};

const struct sw_hook_library sw__hook_library = {
    .struct_bytes = sizeof sw__hook_library,
    .abi = SW_HOOKS_ABI,
    .version = PACKAGE_VERSION,
    .bound = (const struct sw_hook_table *)(uintptr_t)&sw__hooks,
    .defaults = &defaults,
    .own = &own,
    .storage_number = sw__storage_number,
};
