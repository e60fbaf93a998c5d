/*
 * Profilers of the program that have completed, as sessions of the report. What
 * they recorded is there already; a session says which part of it was theirs.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "record/clock.h"
#include "record/clock_map.h"
#include "record/sys.h"
#include "shim/dispatches.h"
#include "shim/rounds.h"
#include "shim/series.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

/* A moment of the library on the report's clock, which SWPROF_CLOCK may have made another one. */
static uint64_t ticks_of(const struct sw_hook_session *session, const struct sw_hook_moment *moment)
{
    struct swprof_anchor now, from, to;
    struct sw__clock_map map; /* with the clocks exchanged: from nanoseconds to ticks */

    if (session->clock == shim.clock)
        return moment->ticks;
    if (shim.clock == SWPROF_CLOCK_MONOTONIC)
        return (uint64_t)moment->monotonic_ns;
    sw__clock_anchor(shim.clock, &now);
    from.ticks = (uint64_t)shim.first.monotonic_ns;
    from.monotonic_ns = (int64_t)shim.first.ticks;
    to.ticks = (uint64_t)now.monotonic_ns;
    to.monotonic_ns = (int64_t)now.ticks;
    sw__clock_map_init(&map, &from, &to);
    return (uint64_t)sw__clock_map_ns(&map, (uint64_t)moment->monotonic_ns);
}

/* Reference to the list of what was selected, which may be nothing; 0 when there is no room. */
static uint32_t put_carriers(struct capture *capture, const struct sw_hook_session *session)
{
    uint64_t n_bytes = sizeof(struct swprof_carriers) + session->n_carriers * sizeof(uint32_t);
    struct swprof_carriers *list;
    enum swprof_lost reason;

    if (session->n_carriers > DISPATCH_LIMIT)
        return 0;
    list = series_room(capture, &capture->carriers, SWPROF_BLOCK_CARRIERS, n_bytes, 0, &reason);
    if (list == NULL)
        return 0;
    list->n_numbers = (uint32_t)session->n_carriers;
    for (uint32_t i = 0; i < list->n_numbers; i++)
        list->numbers[i] =
            dispatches_class_number(capture, session->carriers[i].address, session->carriers[i].serial);
    series_publish(&capture->carriers, n_bytes);
    return report_reference(&capture->report, list);
}

static uint32_t thread_of(const struct capture *capture)
{
    const struct thread *thread = thread_self;

    return thread != NULL && thread->capture == capture ? 1 + thread->number : 0;
}

static void put(struct capture *capture, const struct sw_hook_session *session)
{
    struct swprof_session *record;
    enum swprof_lost reason;
    uint32_t carriers = 0;

    /* Without its selection it would be another one. */
    if ((session->flags & SW_HOOK_SESSION_SELECTED) && (carriers = put_carriers(capture, session)) == 0)
        return;
    record = series_room(capture, &capture->sessions, SWPROF_BLOCK_SESSIONS, sizeof *record, 0, &reason);
    if (record == NULL)
        return;
    record->kind = SWPROF_SESSION_PROFILER;
    record->state = SWPROF_SESSION_FROZEN;
    record->begin.ticks = ticks_of(session, &session->begin);
    record->begin.monotonic_ns = session->begin.monotonic_ns;
    record->end.ticks = ticks_of(session, &session->end);
    record->end.monotonic_ns = session->end.monotonic_ns;
    if (record->end.ticks < record->begin.ticks) /* processors' counters may be a little apart */
        record->end.ticks = record->begin.ticks;
    record->begin_realtime_ns = shim.realtime_ns + (session->begin.monotonic_ns - shim.first.monotonic_ns);
    record->flags = (session->flags & SW_HOOK_SESSION_SHAPES ? SWPROF_SESSION_SHAPES : 0) |
                    (rounds_cover(record->begin.ticks) ? 0 : SWPROF_SESSION_PARTIAL);
    record->n_events = session->n_events;
    record->tid = session->thread_id;
    record->thread = thread_of(capture);
    record->carriers = carriers;
    series_publish(&capture->sessions, sizeof *record);
}

/* A thread that is ready after the report was frozen is inside of an operation, at whose end it is frozen again. */
static int is_late(const struct capture *capture)
{
    return capture->frozen && (thread_of(capture) == 0 || !__atomic_load_n(&thread_self->ready, __ATOMIC_RELAXED));
}

/* A Profiler is not left during an operation: what began in it and is still open was left by a jump. */
static void end_operations(const struct capture *capture, const struct sw_hook_session *session)
{
    struct thread *thread = thread_self;

    /* It knows nothing of the operations of another copy of the library. */
    if (thread_of(capture) == 0 || !__atomic_load_n(&thread->ready, __ATOMIC_RELAXED) || thread->busy != 0 ||
        thread->frames.depth == 0 || capture->n_libraries != 1)
        return;
    thread_leave_since(thread, ticks_of(session, &session->begin), ticks_of(session, &session->end));
}

static void keep(struct capture *capture, const struct sw_hook_session *session)
{
    int late, open;
    struct slow slow;

    end_operations(capture, session);
    slow_begin(&slow);
    slow_lock(&capture->lock);
    late = is_late(capture);
    open = !late || capture_thaw(capture);
    if (open)
        put(capture, session);
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (late && open)
        capture_freeze();
}

SW_API void sw_hook_session_frozen(const struct sw_hook_session *session)
{
    int known = shim_load() && !shim.inert &&
                SW_HOOKS_ABI_MAJOR(session->library->abi) == SW_HOOKS_ABI_MAJOR(SW_HOOKS_ABI) &&
                SW_HOOK_HAS(session, struct sw_hook_session, n_carriers);
    struct capture *capture = known ? capture_get() : NULL;

    /* Without a report there was no operation that it could be about. */
    if (capture != NULL && __atomic_load_n(&capture->state, __ATOMIC_ACQUIRE) == CAPTURE_READY)
        keep(capture, session);
    sw_hook_pass_session_frozen(session, shim.next_session);
}
