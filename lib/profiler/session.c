/*
 * Sessions: the recorder engine with a sink on the heap, bound to one thread.
 */
#include "config.h"

#include "profiler/session.h"

#include <pthread.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/refs.h"
#include "base/hooks.h"
#include "profiler/frozen.h"
#include "profiler/recording.h"
#include "profiler/session_clock.h"
#include "record/frames.h"

#define FIRST_FRAMES 64

struct sw__session {
    uint32_t n_refs;    /* atomic */
    uint32_t abandoned; /* atomic: set once by any thread, read by the owner */
    /* From here on the owner's alone. */
    const void *owner;  /* address of the owner's thread-local pointer; unique among living threads */
    uint64_t serial;    /* what default_token of its calls holds */
    uint32_t busy;      /* inside the recorder: a signal handler's operations are passed over */
    uint32_t failed;    /* something could not be recorded for want of memory */
    int record_shapes;
    struct sw__selection selection;
    struct sw__frames frames;
    struct sw__recording recording;
    struct swprof_anchor begin;
    int64_t thread_id;
};

static uint64_t n_sessions; /* atomic */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t end_of_thread;
static int key_usable;

/* ---- Frames left without an exit ----------------------------------------------------------- */

static struct sw__entry *entry_of(const struct swprof_frame *frame)
{
    return (struct sw__entry *)(uintptr_t)frame->start;
}

static void frame_left(struct sw__frames *frames, const struct swprof_frame *frame, uint32_t depth)
{
    struct sw__entry *entry = entry_of(frame);

    (void)frames;
    (void)depth;
    entry->end = sw__session_now();
    entry->flags |= SW__ENTRY_HEALED;
}

static void frame_anomaly(struct sw__frames *frames)
{
    (void)frames;
}

static const struct sw__frames_sink sink = {frame_left, frame_anomaly};

/* ---- Life ------------------------------------------------------------------------------------- */

static enum sw_status copy_selection(const struct sw__selection *from, struct sw__selection *to)
{
    *to = *from;
    to->classes = sw__alloc(from->n * sizeof *from->classes);
    if (to->classes == NULL)
        return SW_MEMORY_ERROR;
    if (from->n != 0)
        memcpy(to->classes, from->classes, from->n * sizeof *from->classes);
    return SW_OK;
}

enum sw_status sw__session_new(const struct sw__selection *selection, const struct sw__extent *extent,
                               struct sw__session **ret_session)
{
    struct sw__session *session SW__OWNED_SESSION = sw__alloc_zero(sizeof *session);

    if (session == NULL)
        return SW_MEMORY_ERROR;
    session->n_refs = 1;
    SW__TRY(copy_selection(selection, &session->selection));
    session->record_shapes = extent->shapes;
    if (extent->stack_depth != 0)
        SW__TRY(sw__stack_table_begin(&session->recording.stacks, extent->stack_depth));
    session->frames.sink = &sink;
    session->frames.outer = sw__alloc(FIRST_FRAMES * sizeof *session->frames.outer);
    if (session->frames.outer == NULL)
        return SW_MEMORY_ERROR;
    session->frames.n_outer = FIRST_FRAMES;
    *ret_session = sw__take(session);
    return SW_OK;
}

void sw__session_unref(struct sw__session *session)
{
    if (session == NULL || !sw__refs_put(&session->n_refs))
        return;
    sw__recording_clear(&session->recording);
    sw__free(session->frames.outer);
    sw__free(session->selection.classes);
    sw__free(session);
}

static void thread_ends(void *session)
{
    sw__session_abandon(session);
    sw__thread.session = NULL;
    sw__session_unref(session);
}

/* In the child of a fork only the forking thread lives on, and its session is its parent's. */
static void child_begins(void)
{
    if (sw__thread.session != NULL)
        sw__session_abandon(sw__thread.session);
}

static void prepare_process(void)
{
    key_usable = pthread_key_create(&end_of_thread, thread_ends) == 0;
    pthread_atfork(NULL, NULL, child_begins);
}

enum sw_status sw__session_activate(struct sw__session *session)
{
    pthread_once(&once, prepare_process);
    if (!key_usable || pthread_setspecific(end_of_thread, session) != 0)
        return sw_error_set(SW_MEMORY_ERROR, "no thread-specific storage for a Profiler session");
    sw__refs_get(&session->n_refs);
    session->owner = &sw__thread.session;
    session->serial = __atomic_add_fetch(&n_sessions, 1, __ATOMIC_RELAXED);
    session->thread_id = syscall(SYS_gettid);
    sw__session_anchor(&session->begin);
    sw__thread.session = session;
    return SW_OK;
}

void sw__session_deactivate(void)
{
    struct sw__session *session = sw__thread.session;

    sw__thread.session = NULL;
    pthread_setspecific(end_of_thread, NULL);
    sw__session_unref(session);
}

struct sw__session *sw__session_current(void)
{
    struct sw__session *session = sw__thread.session;

    if (session != NULL && sw__session_is_abandoned(session)) {
        sw__session_deactivate();
        session = NULL;
    }
    return session;
}

int sw__session_is_own(const struct sw__session *session)
{
    return session->owner == &sw__thread.session;
}

void sw__session_abandon(struct sw__session *session)
{
    __atomic_store_n(&session->abandoned, 1, __ATOMIC_RELEASE);
}

int sw__session_is_abandoned(const struct sw__session *session)
{
    return __atomic_load_n(&session->abandoned, __ATOMIC_ACQUIRE) != 0;
}

size_t sw__session_n_open(struct sw__session *session)
{
    sw__frames_heal(&session->frames, (uintptr_t)__builtin_frame_address(0), 0);
    return session->frames.depth;
}

enum sw_status sw__session_freeze(struct sw__session *session, struct sw__frozen **ret_frozen)
{
    struct swprof_anchor end;
    struct sw__clock_map map;
    struct sw__frozen *frozen;

    if (session->failed)
        return sw_error_set(SW_MEMORY_ERROR, "there was no memory for some events of the Profiler");
    sw__session_anchor(&end);
    sw__session_map(&end, &map);
    SW__TRY(sw__recording_freeze(&session->recording, &map, &frozen));
    frozen->thread_id = session->thread_id;
    frozen->begin = session->begin;
    frozen->end = end;
    frozen->begin_ns = sw__clock_map_ns(&map, session->begin.ticks);
    frozen->end_ns = sw__clock_map_ns(&map, end.ticks);
    *ret_frozen = frozen;
    return SW_OK;
}

/* ---- The hooks ------------------------------------------------------------------------------------ */

static int is_selected(const struct sw__selection *selection, const struct sw_hook_dispatch *dispatch)
{
    if (__builtin_expect(selection->all, 1))
        return 1;
    for (size_t i = 0; i < selection->n; i++)
        if (selection->classes[i].address == dispatch->carrier_class &&
            selection->classes[i].serial == dispatch->carrier_serial)
            return 1;
    return 0;
}

static struct swprof_frame *push(struct sw__session *session, const struct sw_hook_compute *call, uintptr_t stack)
{
    struct sw__frames *frames = &session->frames;
    struct swprof_frame *frame = sw__frames_enter(frames, stack, (uint64_t)(uintptr_t)call);

    if (__builtin_expect(frame != NULL, 1))
        return frame;
    struct swprof_frame *grown = sw__realloc(frames->outer, 2 * (size_t)frames->n_outer * sizeof *grown);
    if (grown == NULL)
        return NULL;
    frames->outer = grown;
    frames->n_outer *= 2;
    return sw__frames_enter(frames, stack, (uint64_t)(uintptr_t)call);
}

static struct sw__entry *begin_entry(struct sw__session *session, const struct sw_hook_compute *call, uintptr_t stack)
{
    struct sw__recording *recording = &session->recording;
    int hidden = !is_selected(&session->selection, call->dispatch);
    uint32_t shapes = SW__NO_ENTRY, stack_index = SW__NO_ENTRY;

    if (hidden && session->frames.depth == 0)
        return NULL;
    if (session->record_shapes && !hidden && !sw__shape_table_find(&recording->shapes, call, &shapes))
        goto no_memory;
    if (__builtin_expect(recording->stacks.depth != 0, 0) && !hidden &&
        !sw__stack_table_find(&recording->stacks, &session->frames.stack, &stack_index))
        goto no_memory;
    struct swprof_frame *frame = push(session, call, stack);
    if (frame == NULL)
        goto no_memory;
    struct sw__entry *entry = sw__recording_append(recording, call->dispatch);
    if (entry == NULL) {
        session->frames.depth--;
        goto no_memory;
    }
    const struct swprof_frame *parent =
        session->frames.depth > 1 ? sw__frames_at(&session->frames, session->frames.depth - 2) : NULL;
    frame->start = (uint64_t)(uintptr_t)entry; /* the frame's links to its entry: address and index */
    frame->shapes = recording->n - 1;
    recording->n_hidden += (uint32_t)hidden;
    entry->dispatch = call->dispatch->id;
    entry->parent = parent != NULL ? parent->shapes : SW__NO_ENTRY;
    entry->shapes = shapes;
    if (__builtin_expect(recording->stacks.depth != 0, 0))
        recording->last->stacks[recording->last->n - 1] = stack_index;
    entry->flags = hidden ? SW__ENTRY_HIDDEN : 0;
    if (parent != NULL && (entry_of(parent)->flags & SW__ENTRY_HIDDEN))
        entry->flags |= SW__ENTRY_PARENT_HIDDEN;
    return entry;

no_memory:
    session->failed = 1;
    return NULL;
}

void sw__session_compute_enter(struct sw_hook_compute *call)
{
    struct sw__session *session = sw__session_current();

    call->default_token = 0;
    if (session == NULL || session->busy)
        return;
    session->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct sw__entry *entry = begin_entry(session, call, (uintptr_t)__builtin_frame_address(0));
    if (entry != NULL)
        call->default_token = session->serial;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    session->busy = 0;
    if (entry != NULL)
        entry->start = sw__session_now();
}

void sw__session_compute_exit(struct sw_hook_compute *call)
{
    uint64_t now = sw__session_now();
    struct sw__session *session = sw__thread.session;

    /* A call that this session did not see begin, or that began in one that was abandoned since. */
    if (session == NULL || call->default_token != session->serial || session->busy)
        return;
    session->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct swprof_frame *frame =
        sw__frames_leave(&session->frames, (uintptr_t)__builtin_frame_address(0), (uint64_t)(uintptr_t)call);
    if (frame != NULL) {
        struct sw__entry *entry = entry_of(frame);

        entry->end = now;
        if (call->flags & SW_HOOK_SUCCEEDED)
            entry->flags |= SW__ENTRY_SUCCEEDED;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    session->busy = 0;
}
