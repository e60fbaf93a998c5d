/*
 * The hooks that libstrideweave calls. The order at entry is bookkeeping, next
 * tool, clock; at exit clock, next tool, bookkeeping: what the tools do lies
 * outside the interval that is measured.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "record/sys.h"
#include "shim/control.h"
#include "shim/dispatches.h"
#include "shim/events.h"
#include "shim/launch.h"
#include "shim/rounds.h"
#include "shim/shapes.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

/* Keeps the compiler from moving accesses across; a signal handler on this thread is all that could see them. */
#define BARRIER() __atomic_signal_fence(__ATOMIC_SEQ_CST)

__attribute__((constructor)) static void constructor(void)
{
    shim_load();
}

__attribute__((destructor)) static void destructor(void)
{
    if (shim.inert)
        return;
    launch_tell_end();
    capture_freeze();
}

static int speaks_our_abi(const struct sw_hook_compute *call)
{
    return SW_HOOKS_ABI_MAJOR(call->library->abi) == SW_HOOKS_ABI_MAJOR(SW_HOOKS_ABI);
}

/* ---- Entry, for a thread that is set up -------------------------------------------- */

/* First sight of a dispatch, or of a library by this thread. */
static __attribute__((noinline)) uint32_t resolve_slow(struct thread *thread, const struct sw_hook_compute *call)
{
    struct capture *capture = thread->capture;
    uint64_t begin = thread_now();
    uint32_t entry = DISPATCH_REFUSED;
    struct library_ids *library;
    struct slow slow;

    slow_begin(&slow);
    slow_lock(&capture->lock);
    library = dispatches_library(capture, call->library);
    if (library != NULL) {
        entry = dispatches_add(capture, library, call->dispatch);
        thread->library = library->library;
        thread->ids = library->ids;
    }
    slow_unlock(&capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
    thread_put_tool(thread);
    return entry;
}

static inline uint32_t resolve(struct thread *thread, const struct sw_hook_compute *call)
{
    uint32_t id = call->dispatch->id;

    if (LIKELY(call->library == thread->library && id < DISPATCH_LIMIT)) {
        uint32_t entry = __atomic_load_n(&thread->ids[id], __ATOMIC_ACQUIRE);

        if (LIKELY(entry != 0))
            return entry;
    }
    return resolve_slow(thread, call);
}

static __attribute__((noinline)) uint32_t shapes_of(struct thread *thread, const struct sw_hook_compute *call)
{
    struct capture *capture = thread->capture;
    uint64_t key = shapes_key(call);
    uint32_t reference = shapes_find(capture, call, key);
    struct slow slow;
    uint64_t begin;

    if (LIKELY(reference != 0))
        return reference;
    begin = thread_now();
    slow_begin(&slow);
    slow_lock(&capture->lock);
    reference = shapes_add(capture, call, key);
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (reference == 0)
        thread->report->lost[SWPROF_LOST_SHAPES]++;
    thread_account(thread, begin);
    thread_put_tool(thread);
    return reference;
}

static __attribute__((noinline)) struct swprof_frame *enter_deeper(struct thread *thread, uintptr_t stack,
                                                                   uint64_t token)
{
    struct slow slow;
    int deeper;

    slow_begin(&slow);
    deeper = thread_deepen(thread);
    slow_end(&slow);
    return deeper ? sw__frames_enter(&thread->frames, stack, token) : NULL;
}

/*
 * The frame of a boundary that is recorded, its start still open: the structure
 * stays busy until the clock was read, so that no handler's operation seems to
 * begin before the one that it interrupted.
 */
static inline __attribute__((always_inline)) struct swprof_frame *enter(struct thread *thread, struct sw_hook_compute *call, uintptr_t stack)
{
    struct swprof_frame *frame;
    uint32_t entry, shapes;

    thread->busy = stack;
    BARRIER();
    entry = resolve(thread, call);
    if (UNLIKELY(entry == DISPATCH_REFUSED)) {
        thread_lose(thread, SWPROF_LOST_TABLE);
        goto refused;
    }
    shapes = UNLIKELY(__atomic_load_n(&shim.shapes, __ATOMIC_RELAXED)) ? shapes_of(thread, call) : 0;
    frame = sw__frames_enter(&thread->frames, stack, (uintptr_t)call);
    if (UNLIKELY(frame == NULL) && (frame = enter_deeper(thread, stack, (uintptr_t)call)) == NULL) {
        thread_lose(thread, SWPROF_LOST_DEPTH);
        goto refused;
    }
    frame->start = 0;
    frame->dispatch = entry & ~DISPATCH_HIDDEN;
    frame->shapes = shapes;
    if (UNLIKELY(shim.filtered))
        thread->n_selected += (entry & DISPATCH_HIDDEN) == 0;
    call->flags |= SW_HOOK_RECORDED;
    call->tool_token = thread->token;
    return frame;
refused:
    BARRIER();
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
    return NULL;
}

/* ---- Entry, for all others ------------------------------------------------------------ */

/* A hook of this thread is at work further up, or was when something jumped out of it. */
static int is_at_work(struct thread *thread, uintptr_t stack)
{
    struct sw__alternate alternate;

    if (stack < thread->busy)
        return 1;
    sw__alternate_now(&alternate);
    if (alternate.in_use && stack >= alternate.low && stack < alternate.high)
        return 1;
    sw__stack_learn(&thread->frames.stack);
    if (!sw__stack_has(&thread->frames.stack, stack) || !sw__stack_has(&thread->frames.stack, thread->busy))
        return 1;
    thread->busy = 0;
    thread_lose(thread, SWPROF_LOST_ANOMALY);
    return 0;
}

static struct thread *start_thread(struct capture *capture)
{
    uint32_t full = __atomic_load_n(&capture->no_more_threads, __ATOMIC_RELAXED);
    struct thread *thread;
    struct slow slow;

    if (full != 0) {
        capture_lose(capture, (enum swprof_lost)(full - 1));
        return NULL;
    }
    slow_begin(&slow);
    slow_lock(&capture->lock);
    thread = thread_start(capture);
    full = capture->no_more_threads;
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (thread == NULL && full != 0)
        capture_lose(capture, (enum swprof_lost)(full - 1));
    return thread;
}

/* The thread's structure when this boundary is to be recorded, else NULL. */
static struct thread *thread_for(struct sw_hook_compute *call, uintptr_t stack)
{
    struct thread *thread = thread_self;
    struct capture *capture;

    if (!shim_load() || shim.inert || !speaks_our_abi(call))
        return NULL;
    __atomic_store_n(&shim.hooked, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&shim.recording, __ATOMIC_ACQUIRE))
        return NULL;
    if (thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED)) {
        if (call->flags & SW_HOOK_RECORDED) {
            /* The same structure again, without an exit: by hand. */
            if (call->tool_token == thread->token)
                thread_lose(thread, SWPROF_LOST_ANOMALY);
            return NULL;
        }
        if (thread->busy != 0 && is_at_work(thread, stack)) {
            thread_lose(thread, SWPROF_LOST_REENTRY);
            return NULL;
        }
        return thread;
    }
    capture = call->flags & SW_HOOK_RECORDED ? NULL : capture_get();
    return capture != NULL ? start_thread(capture) : NULL;
}

static __attribute__((noinline)) struct swprof_frame *enter_slow(struct sw_hook_compute *call, uintptr_t stack)
{
    struct thread *thread = thread_for(call, stack);

    return thread != NULL ? enter(thread, call, stack) : NULL;
}

SW_API void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    struct thread *thread = thread_self;
    struct swprof_frame *frame;
    sw_hook_compute_fn *next;

    if (LIKELY(thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED) && thread->busy == 0 &&
               __atomic_load_n(&shim.recording, __ATOMIC_RELAXED) && speaks_our_abi(call) &&
               (call->flags & SW_HOOK_RECORDED) == 0))
        frame = enter(thread, call, stack);
    else
        frame = enter_slow(call, stack);
    next = shim.next_enter;
    sw_hook_pass_compute_enter(call, next);
    if (UNLIKELY(frame == NULL))
        return;
    thread = thread_self;
    frame->start = thread_stamp(thread, thread_now());
    __atomic_store_n(&thread->report->depth, thread->frames.depth, __ATOMIC_RELEASE);
    BARRIER();
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
}

void own_compute_enter(struct sw_hook_compute *call) __attribute__((alias("sw_hook_compute_enter")));

/* ---- Exit --------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) void leave(struct thread *thread, const struct sw_hook_compute *call, uintptr_t stack, uint64_t end)
{
    struct swprof_frame *frame;

    thread->busy = stack;
    BARRIER();
    thread->now = end;
    frame = sw__frames_leave(&thread->frames, stack, (uintptr_t)call);
    thread->now = 0;
    if (LIKELY(frame != NULL)) {
        thread_end_frame(thread, frame, thread->frames.depth, end,
                         (call->flags & SW_HOOK_SUCCEEDED) != 0 ? SWPROF_EVENT_SUCCEEDED : 0);
        /* Behind the event: killed in between, the operation is in the report twice rather than not at all. */
        __atomic_store_n(&thread->report->depth, thread->frames.depth, __ATOMIC_RELEASE);
    }
    BARRIER();
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
    if (UNLIKELY(thread->after != 0))
        thread_after(thread, end);
}

/* The exit of a boundary that this thread did not enter, or that another tool recorded. */
static __attribute__((noinline)) void leave_slow(const struct sw_hook_compute *call, uintptr_t stack, uint64_t end)
{
    struct thread *thread = thread_self;
    struct capture *capture;

    if (shim.inert || !speaks_our_abi(call) || call->tool_token == 0)
        return;
    if (thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED) && call->tool_token == thread->token) {
        /* Entered before a handler interrupted the recorder, and left by it. */
        if (is_at_work(thread, stack))
            thread_lose(thread, SWPROF_LOST_REENTRY);
        else
            leave(thread, call, stack, end);
        return;
    }
    capture = capture_get();
    if (capture == NULL)
        return;
    for (const struct thread *other = __atomic_load_n(&capture->threads, __ATOMIC_ACQUIRE); other != NULL;
         other = other->next)
        if (other->token == call->tool_token && other != thread)
            capture_lose(capture, SWPROF_LOST_ANOMALY);
}

SW_API void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    uint64_t end = thread_now();
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    struct thread *thread = thread_self;

    sw_hook_pass_compute_exit(call, shim.next_exit);
    if (LIKELY(thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED) && thread->busy == 0 &&
               call->tool_token == thread->token && speaks_our_abi(call)))
        leave(thread, call, stack, end);
    else if (call->flags & SW_HOOK_RECORDED)
        leave_slow(call, stack, end);
}
