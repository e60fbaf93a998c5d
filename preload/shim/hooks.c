/*
 * The hooks that libstrideweave calls. The order at entry is bookkeeping, next
 * tool, clock; at exit clock, next tool, bookkeeping: what the tools do lies
 * outside the interval that is measured.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "record/sys.h"
#include "shim/cost.h"
#include "shim/dispatches.h"
#include "shim/events.h"
#include "shim/hooks.h"
#include "shim/launch.h"
#include "shim/ready.h"
#include "shim/rounds.h"
#include "shim/shapes.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/thread.h"

/* Keeps the compiler from moving accesses across; a signal handler on this thread is all that could see them. */
#define BARRIER() __atomic_signal_fence(__ATOMIC_SEQ_CST)
/* Compiled once for what is usual, with most questions answered, and once for all else. */
#define ALWAYS_INLINE inline __attribute__((always_inline))

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

static int has_next_tool(const struct sw_hook_library *library)
{
    return (shim.next_enter != NULL && shim.next_enter != library->own->compute_enter) ||
           (shim.next_exit != NULL && shim.next_exit != library->own->compute_exit);
}

/* The thread is ready, the library speaks our ABI, and there is no next tool. */
static inline int is_of_usual_library(const struct thread *thread, const struct sw_hook_compute *call)
{
    return __atomic_load_n(&thread->usual_library, __ATOMIC_RELAXED) == call->library;
}

/* Nothing but shapes is to be looked out for. */
static inline int are_usual(uint32_t ways)
{
    return (ways | SHIM_SHAPES) == (SHIM_RECORDING | SHIM_SHAPES);
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

    stacks_hide(call->library);
    slow_begin(&slow);
    slow_lock(&capture->lock);
    library = dispatches_library(capture, call->library);
    if (library != NULL) {
        entry = dispatches_add(capture, library, call->dispatch);
        thread->library = library->library;
        thread->ids = library->ids;
        /* Under the lock, as whoever stops the thread. */
        if (__atomic_load_n(&thread->ready, __ATOMIC_RELAXED))
            __atomic_store_n(&thread->usual_library, has_next_tool(call->library) ? NULL : call->library,
                             __ATOMIC_RELAXED);
    }
    slow_unlock(&capture->lock);
    /* Of a hidden carrier, or refused, it would write no event; DISPATCH_REFUSED has that bit too. */
    if ((entry & DISPATCH_HIDDEN) == 0 && !has_next_tool(call->library) &&
        !__atomic_exchange_n(&capture->has_cost, 1, __ATOMIC_RELAXED))
        cost_measure(thread, call);
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

static __attribute__((noinline)) uint32_t shapes_seldom_seen(struct thread *thread, const struct sw_hook_compute *call)
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

/* Calls of one dispatch with the same shapes had the same list: a guess, which its content confirms. */
static __attribute__((noinline)) uint32_t shapes_of(struct thread *thread, const struct sw_hook_compute *call)
{
    uint32_t *seen = &thread->shapes_seen[(call->dispatch->id + shapes_sum(call)) % THREAD_SHAPES];

    if (UNLIKELY(*seen == 0 || !shapes_are(thread->capture, *seen, call)))
        *seen = shapes_seldom_seen(thread, call);
    return *seen;
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
static ALWAYS_INLINE struct swprof_frame *enter(struct thread *thread, struct sw_hook_compute *call, uintptr_t stack,
                                                uint32_t ways)
{
    struct swprof_frame *frame;
    uint32_t entry, shapes, calls = 0;

    thread->busy = stack;
    BARRIER();
    entry = resolve(thread, call);
    if (UNLIKELY(entry == DISPATCH_REFUSED)) {
        thread_lose(thread, SWPROF_LOST_TABLE);
        goto refused;
    }
    shapes = UNLIKELY(ways & SHIM_SHAPES) ? shapes_of(thread, call) : 0;
    if (UNLIKELY(ways & SHIM_STACKS) && (entry & DISPATCH_HIDDEN) == 0)
        calls = stacks_of(thread);
    frame = sw__frames_enter(&thread->frames, stack, (uintptr_t)call);
    if (UNLIKELY(frame == NULL) && (frame = enter_deeper(thread, stack, (uintptr_t)call)) == NULL) {
        thread_lose(thread, SWPROF_LOST_DEPTH);
        goto refused;
    }
    if (UNLIKELY(ways & SHIM_STACKS))
        stacks_keep(&thread->stacks, thread->frames.depth - 1, calls);
    if (UNLIKELY(ways & SHIM_FLOWS))
        flows_enter(thread, call, thread->frames.depth - 1);
    frame->start = 0;
    frame->dispatch = entry & ~DISPATCH_HIDDEN;
    frame->shapes = shapes;
    if (UNLIKELY(ways & SHIM_FILTERED))
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

/* The thread's structure when this boundary is to be recorded, else NULL. */
static struct thread *thread_for(struct sw_hook_compute *call, uintptr_t stack)
{
    struct thread *thread;

    if (!shim_load() || shim.inert || !speaks_our_abi(call))
        return NULL;
    __atomic_store_n(&shim.hooked, 1, __ATOMIC_RELAXED);
    if ((shim_ways() & SHIM_RECORDING) == 0)
        return NULL;
    thread = ready_thread();
    if (thread != NULL) {
        if (call->flags & SW_HOOK_RECORDED) {
            /* The same structure again, without an exit: by hand. */
            if (call->tool_token == thread->token)
                thread_lose(thread, SWPROF_LOST_ANOMALY);
            return NULL;
        }
        if (thread->busy != 0 && ready_is_at_work(thread, stack)) {
            thread_lose(thread, SWPROF_LOST_REENTRY);
            return NULL;
        }
        return thread;
    }
    return call->flags & SW_HOOK_RECORDED ? NULL : ready_start();
}

/* The last that is done at entry. */
static ALWAYS_INLINE void begin(struct thread *thread, struct swprof_frame *frame, uint64_t now)
{
    frame->start = thread_stamp(thread, now);
    __atomic_store_n(&thread->report->depth, thread->frames.depth, __ATOMIC_RELEASE);
    BARRIER();
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
}

static __attribute__((noinline)) void enter_unusual(struct sw_hook_compute *call, uintptr_t stack)
{
    struct thread *thread = thread_for(call, stack);
    struct swprof_frame *frame = thread != NULL ? enter(thread, call, stack, shim_ways()) : NULL;

    sw_hook_pass_compute_enter(call, shim.next_enter);
    if (frame != NULL)
        begin(thread_self, frame, thread_now());
}

SW_API void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    struct thread *thread = thread_self;
    uint32_t ways = shim_ways();
    struct swprof_frame *frame;

    if (UNLIKELY(thread == NULL || !is_of_usual_library(thread, call) || thread->busy != 0 || !are_usual(ways) ||
                 (call->flags & SW_HOOK_RECORDED) != 0)) {
        enter_unusual(call, stack);
        return;
    }
    frame = enter(thread, call, stack, ways & SHIM_SHAPES);
    sw_hook_pass_compute_enter(call, NULL);
    if (LIKELY(frame != NULL))
        begin(thread, frame, thread_now());
}

void own_compute_enter(struct sw_hook_compute *call) __attribute__((alias("sw_hook_compute_enter")));

/* ---- Exit --------------------------------------------------------------------------------- */

/* Operations inside of it were left without their exits, or it is not open at all. */
static __attribute__((noinline)) struct swprof_frame *leave_crossed(struct thread *thread, uintptr_t stack,
                                                                    uint64_t token, uint64_t end)
{
    struct swprof_frame *frame;

    thread->now = end;
    frame = sw__frames_leave_crossed(&thread->frames, stack, token);
    thread->now = 0;
    return frame;
}

static ALWAYS_INLINE void leave(struct thread *thread, const struct sw_hook_compute *call, uintptr_t stack,
                                uint64_t end, uint32_t ways)
{
    struct swprof_frame *frame;

    thread->busy = stack;
    BARRIER();
    frame = sw__frames_leave_top(&thread->frames, (uintptr_t)call);
    if (UNLIKELY(frame == NULL))
        frame = leave_crossed(thread, stack, (uintptr_t)call, end);
    if (LIKELY(frame != NULL)) {
        if (UNLIKELY(ways & SHIM_FLOWS))
            flows_leave(thread, call);
        thread_end_frame(thread, frame, thread->frames.depth, end,
                         (call->flags & SW_HOOK_SUCCEEDED) != 0 ? SWPROF_EVENT_SUCCEEDED : 0, ways);
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
        if (ready_is_at_work(thread, stack))
            thread_lose(thread, SWPROF_LOST_REENTRY);
        else
            leave(thread, call, stack, end, shim_ways());
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

static __attribute__((noinline)) void leave_unusual(struct sw_hook_compute *call, uintptr_t stack, uint64_t end)
{
    struct thread *thread;

    sw_hook_pass_compute_exit(call, shim.next_exit);
    thread = thread_self;
    if (thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED) && thread->busy == 0 &&
        call->tool_token == thread->token && speaks_our_abi(call))
        leave(thread, call, stack, end, shim_ways());
    else if (call->flags & SW_HOOK_RECORDED)
        leave_slow(call, stack, end);
}

SW_API void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    uint64_t end = thread_now();
    uintptr_t stack = (uintptr_t)__builtin_frame_address(0);
    struct thread *thread = thread_self;

    if (LIKELY(thread != NULL && is_of_usual_library(thread, call) && are_usual(shim_ways()))) {
        sw_hook_pass_compute_exit(call, NULL);
        if (LIKELY(thread->busy == 0 && call->tool_token == thread->token))
            leave(thread, call, stack, end, 0);
        else if (call->flags & SW_HOOK_RECORDED)
            leave_slow(call, stack, end);
    } else {
        leave_unusual(call, stack, end);
    }
}

void own_compute_exit(struct sw_hook_compute *call) __attribute__((alias("sw_hook_compute_exit")));
