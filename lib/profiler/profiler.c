/*
 * Making, entering and leaving a Profiler. An entry attempt uses it up; results
 * exist only after a successful exit on the thread that entered.
 */
#include "config.h"

#include "profiler/profiler.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/options.h"
#include "base/hooks.h"
#include "dispatch/operation.h"
#include "profiler/session_clock.h"

enum sw_status sw__profiler_check(const struct sw_profiler *profiler)
{
    if (profiler == NULL || profiler->kind != SW_KIND_PROFILER)
        return sw_error_set(SW_TYPE_ERROR, "expected a Profiler, got something else");
    return SW_OK;
}

/* The options as they were before stack_depth. */
#define FIRST_OPTIONS_BYTES offsetof(struct sw_profiler_options, stack_depth)

/* ---- Making -------------------------------------------------------------------------- */

static enum sw_status check_carriers(const struct sw_profiler_options *options)
{
    if (options->carriers == NULL && options->n_carriers != 0)
        return sw_error_set(SW_TYPE_ERROR, "carriers must be an array of carrier classes, got NULL for %zu of them",
                            options->n_carriers);
    for (size_t i = 0; i < options->n_carriers; i++)
        if (options->carriers[i] == NULL || options->carriers[i]->head.kind != SW_KIND_CARRIER_CLASS)
            return sw_error_set(SW_TYPE_ERROR, "carriers must contain only carrier classes, entry %zu is none", i);
    return SW_OK;
}

static enum sw_status copy_selection(const struct sw_profiler_options *options, struct sw__selection *selection)
{
    selection->all = options->carriers == NULL;
    selection->n = options->n_carriers;
    selection->classes = sw__alloc(selection->n * sizeof *selection->classes);
    if (selection->classes == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < selection->n; i++) {
        selection->classes[i].address = &options->carriers[i]->head;
        selection->classes[i].serial = sw__class_serial(&options->carriers[i]->head);
    }
    return SW_OK;
}

static enum sw_status check_stack_depth(const struct sw_profiler_options *options)
{
    if (options->stack_depth > SW_PROFILER_MOST_STACK_DEPTH)
        return sw_error_set(SW_VALUE_ERROR, "stack_depth must be at most %d, got %u", SW_PROFILER_MOST_STACK_DEPTH,
                            options->stack_depth);
    return SW_OK;
}

enum sw_status sw_profiler_new(const struct sw_profiler_options *options, struct sw_profiler **ret_profiler)
{
    struct sw_profiler_options known = SW_PROFILER_OPTIONS_INIT;

    if (options != NULL)
        SW__TRY(sw__check_bytes("Profiler options", options->struct_bytes, FIRST_OPTIONS_BYTES));
    SW__TRY(sw__options_read(options, &known, sizeof known));
    SW__TRY(sw__check_boolean("record_shapes", known.record_shapes));
    SW__TRY(check_carriers(&known));
    SW__TRY(check_stack_depth(&known));
    struct sw_profiler *profiler SW__OWNED = sw__alloc_zero(sizeof *profiler);
    if (profiler == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(copy_selection(&known, &profiler->selection));
    profiler->kind = SW_KIND_PROFILER;
    profiler->state = SW__PROFILER_FRESH;
    profiler->extent = (struct sw__extent){ known.record_shapes, 0 };
    if (known.stack_depth != 0)
        profiler->stacks = sw__stacks_load();
    if (profiler->stacks == SW_PROFILER_STACKS_RECORDED)
        profiler->extent.stack_depth = known.stack_depth;
    *ret_profiler = sw__take(profiler);
    return SW_OK;
}

enum sw_status sw_profile(const struct sw_profiler_options *options, struct sw_profiler **ret_profiler)
{
    return sw_profiler_new(options, ret_profiler);
}

enum sw_profiler_stacks sw_profiler_stacks(const struct sw_profiler *profiler)
{
    return profiler != NULL && profiler->kind == SW_KIND_PROFILER ? profiler->stacks : SW_PROFILER_STACKS_OFF;
}

/* ---- Entering and leaving -------------------------------------------------------------- */

static int change_state(struct sw_profiler *profiler, enum sw__profiler_state from, enum sw__profiler_state to)
{
    uint32_t expected = (uint32_t)from;

    return __atomic_compare_exchange_n(&profiler->state, &expected, (uint32_t)to, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_ACQUIRE);
}

enum sw_status sw_profiler_enter(struct sw_profiler *profiler)
{
    struct sw__session *session SW__OWNED_SESSION = NULL;

    SW__TRY(sw__profiler_check(profiler));
#if !SW_ENABLE_PROFILING
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "this library was built without profiling");
#endif
    if (!change_state(profiler, SW__PROFILER_FRESH, SW__PROFILER_SPENT))
        return sw_error_set(SW_RUNTIME_ERROR, "Profiler contexts are single-use: entry was attempted before");
    if (sw__session_current() != NULL)
        return sw_error_set(SW_RUNTIME_ERROR, "a Profiler session is already active on this thread");
    SW__TRY(sw__session_new(&profiler->selection, &profiler->extent, &session));
    SW__TRY(sw__session_activate(session));
    profiler->session = sw__take(session);
    __atomic_store_n(&profiler->state, SW__PROFILER_ACTIVE, __ATOMIC_RELEASE);
    return SW_OK;
}

/* The Profiler loses its session: no results will come. */
static void abandon(struct sw_profiler *profiler)
{
    if (!change_state(profiler, SW__PROFILER_ACTIVE, SW__PROFILER_SPENT))
        return;
    sw__session_abandon(profiler->session);
    sw__session_unref(profiler->session);
    profiler->session = NULL;
}

#if SW_ENABLE_PROFILING
static void tell_tools(struct sw_profiler *profiler)
{
    if (!sw__hook_is_wanted(SW_HOOK_WANT_SESSION))
        return;
    const struct sw__frozen *frozen = profiler->frozen;
    const struct sw__selection *selection = &profiler->selection;
    struct sw_hook_session session = {
        .struct_bytes = sizeof session,
        .flags = (profiler->extent.shapes ? SW_HOOK_SESSION_SHAPES : 0) |
                 (selection->all ? 0 : SW_HOOK_SESSION_SELECTED),
        .library = &sw__hook_library,
        .profiler = profiler,
        .begin_ns = frozen->begin_ns,
        .end_ns = frozen->end_ns,
        .thread_id = frozen->thread_id,
        .n_events = frozen->n_events,
        .clock = sw__session_clock,
        .begin = { frozen->begin.ticks, frozen->begin.monotonic_ns },
        .end = { frozen->end.ticks, frozen->end.monotonic_ns },
        .carriers = selection->all ? NULL : selection->classes,
        .n_carriers = selection->n,
    };
    sw__hooks.session_frozen(&session);
}
#else
static void tell_tools(struct sw_profiler *profiler)
{
    (void)profiler;
}
#endif

static enum sw_status complete(struct sw_profiler *profiler)
{
    enum sw_status status = sw__session_freeze(profiler->session, &profiler->frozen);

    if (status != SW_OK) {
        abandon(profiler);
        sw__session_current();
        return status;
    }
    sw__session_deactivate();
    sw__session_unref(profiler->session);
    profiler->session = NULL;
    __atomic_store_n(&profiler->state, SW__PROFILER_COMPLETED, __ATOMIC_RELEASE);
    tell_tools(profiler);
    return SW_OK;
}

enum sw_status sw_profiler_exit(struct sw_profiler *profiler)
{
    SW__TRY(sw__profiler_check(profiler));
    if (__atomic_load_n(&profiler->state, __ATOMIC_ACQUIRE) != SW__PROFILER_ACTIVE)
        return sw_error_set(SW_RUNTIME_ERROR, "Profiler context is not active");
    if (sw__session_is_abandoned(profiler->session)) {
        abandon(profiler);
        return sw_error_set(SW_RUNTIME_ERROR, "Profiler context is not active: its session was abandoned");
    }
    if (!sw__session_is_own(profiler->session)) {
        abandon(profiler);
        return sw_error_set(SW_RUNTIME_ERROR, "a Profiler session must be left on the thread that entered it; "
                                              "the session is abandoned");
    }
    if (sw__session_n_open(profiler->session) != 0)
        return sw_error_set(SW_RUNTIME_ERROR, "a Profiler session cannot be left during one of its operations");
    return complete(profiler);
}

void sw_profiler_free(struct sw_profiler *profiler)
{
    if (profiler == NULL || profiler->kind != SW_KIND_PROFILER)
        return;
    if (__atomic_load_n(&profiler->state, __ATOMIC_ACQUIRE) == SW__PROFILER_ACTIVE) {
        abandon(profiler);
        sw__session_current();
    }
    sw__frozen_free(profiler->frozen);
    sw__free(profiler->event_array);
    sw__stack_names_free(profiler->stack_names);
    sw__free(profiler->selection.classes);
    profiler->kind = 0;
    sw__free(profiler);
}
