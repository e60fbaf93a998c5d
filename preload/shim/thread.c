/*
 * Beginning and end of a thread's record.
 */
#include "config.h"

#include "shim/thread.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>
#include <sys/prctl.h>

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"
#include "shim/events.h"
#include "shim/memory.h"
#include "shim/ring.h"
#include "shim/rounds.h"
#include "shim/series.h"
#include "shim/slow.h"

__thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

static pthread_key_t end_key;
static int has_end_key;

#define SLAB_BYTES (UINT64_C(64) << 10)

/* Called in several rounds of destructors, as long as operations may still run in others. */
static void note_end(void *pointer)
{
    struct thread *thread = pointer;
    struct capture *capture = thread->capture;
    struct slow slow;

    slow_begin(&slow);
    if (__atomic_load_n(&thread->ready, __ATOMIC_RELAXED) && thread == thread_self) {
        thread->report->end = thread_now();
        syscall(SYS_prctl, PR_GET_NAME, thread->report->name, 0, 0, 0);
        __atomic_store_n(&thread->report->state, SWPROF_THREAD_ENDED, __ATOMIC_RELEASE);
        if (!(thread->after & THREAD_ENDED)) {
            thread->after |= THREAD_ENDED;
            slow_lock(&capture->lock);
            thread->next_ended = capture->ended != NULL ? capture->ended->next_ended : thread;
            if (capture->ended != NULL)
                capture->ended->next_ended = thread;
            capture->ended = thread;
            slow_unlock(&capture->lock);
        }
    }
    slow_end(&slow);
}

SW__AT_LOAD void thread_load(void)
{
    /* At load time, when the key is surely one of those for which setting a value allocates nothing. */
    has_end_key = pthread_key_create(&end_key, note_end) == 0;
}

/* The structure of a thread that ended first, when the kernel knows that thread no more. */
static struct thread *take_ended(struct capture *capture)
{
    struct thread *last = capture->ended;
    struct thread *first = last != NULL ? last->next_ended : NULL;

    if (first == NULL || syscall(SYS_tgkill, capture->process.pid, first->tid, 0) == 0 || errno != ESRCH)
        return NULL;
    if (first == last)
        capture->ended = NULL;
    else
        last->next_ended = first->next_ended;
    return first;
}

static struct thread *take_new(struct capture *capture)
{
    struct thread *thread;

    if (capture->n_spare == 0) {
        capture->spare = memory_wiped_on_fork(SLAB_BYTES);
        if (capture->spare == NULL)
            return NULL;
        capture->n_spare = SLAB_BYTES / sizeof *thread;
    }
    thread = capture->spare++;
    capture->n_spare--;
    thread->next = capture->threads;
    __atomic_store_n(&capture->threads, thread, __ATOMIC_RELEASE);
    return thread;
}

/* Room of a former user: frames, what is left of its chunk, aggregates to add to. All else is forgotten. */
static void reset(struct thread *thread, struct capture *capture)
{
    struct swprof_frame *outer = thread->frames.outer;
    struct swprof_frame *deep = thread->frames.deep;
    uint32_t n_deep = thread->frames.n_deep;
    struct aggregates aggregates = thread->aggregates;
    struct notes notes = {.chunk = thread->notes.chunk, .cursor = thread->notes.cursor, .used = thread->notes.used};
    struct thread_stacks stacks = thread->stacks;
    struct thread_flows flows = {.inputs = thread->flows.inputs};
    struct swprof_block *chunk = thread->chunk;
    struct swprof_event *cursor = thread->cursor;
    struct swprof_event *limit = thread->limit;
    int goes_on = chunk != NULL && thread->mode == THREAD_EVENTS && limit - cursor >= EVENTS_LEAST_REST;

    if (thread->children != NULL)
        memory_release(thread->children, thread->n_children * sizeof *thread->children);
    if (thread->notes.open != NULL)
        memory_release(thread->notes.open, NOTES_MOST_OPEN * sizeof *thread->notes.open);
    ring_leave(capture, &thread->ring);
    sw__zero(thread, offsetof(struct thread, next));
    thread->frames.outer = outer;
    thread->frames.deep = deep;
    thread->frames.n_deep = n_deep;
    thread->aggregates = aggregates;
    notes_inherit(&thread->notes, &notes);
    thread->stacks = stacks;
    thread->flows = flows;
    if (goes_on) {
        thread->chunk = chunk;
        thread->cursor = cursor;
        thread->limit = limit;
    }
}

static void begin(struct thread *thread, struct capture *capture, struct swprof_thread *report, int32_t tid)
{
    thread->capture = capture;
    thread->report = report;
    thread->tid = tid;
    thread->number = capture->n_threads++;
    /* Differs from what another thread, another shim, or the parent of a forked child has set. */
    thread->token = (uintptr_t)thread | (uint64_t)(capture->process.pid & 0xffff) << 48;
    thread->frames.n_outer = SWPROF_OPEN_FRAMES;
    thread->frames.sink = &thread_sink;
    report->tid = tid;
    report->number = thread->number;
    report->frames = report_reference(&capture->report, thread->frames.outer);
    report->state = SWPROF_THREAD_LIVE;
    report->begin = tid == shim.pid ? shim.first.ticks : thread_now();
    syscall(SYS_prctl, PR_GET_NAME, report->name, 0, 0, 0);
    series_publish(&capture->thread_records, sizeof *report);
    if (thread->chunk != NULL)
        events_go_on(thread);
}

/* The frames of a thread whose structure is new. */
static int has_frames(struct capture *capture, struct thread *thread, enum swprof_lost *reason)
{
    const uint64_t n_bytes = SWPROF_OPEN_FRAMES * sizeof *thread->frames.outer;

    if (thread->frames.outer != NULL)
        return 1;
    thread->frames.outer = series_room(capture, &capture->frames, SWPROF_BLOCK_FRAMES, n_bytes, 0, reason);
    if (thread->frames.outer == NULL)
        return 0;
    series_publish(&capture->frames, n_bytes);
    return 1;
}

/* Both ways of recording but the usual one are chosen at the start. Without memory for them there are events. */
static void choose_mode(struct thread *thread)
{
    if (shim.settings.policy == SWPROF_POLICY_SUMMARY)
        aggregates_start(thread);
    else if (shim.settings.policy == SWPROF_POLICY_RING)
        ring_start(thread);
}

static struct thread *make(struct capture *capture, int32_t tid)
{
    enum swprof_lost reason = SWPROF_LOST_SPACE;
    struct thread *thread = take_ended(capture);
    struct swprof_thread *report = NULL;

    if (thread != NULL)
        reset(thread, capture);
    else
        thread = take_new(capture);
    if (thread != NULL && has_frames(capture, thread, &reason))
        report = series_room(capture, &capture->thread_records, SWPROF_BLOCK_THREADS, sizeof *report, 0, &reason);
    if (report == NULL) {
        __atomic_store_n(&capture->no_more_threads, 1 + (uint32_t)reason, __ATOMIC_RELAXED);
        return NULL;
    }
    begin(thread, capture, report, tid);
    choose_mode(thread);
    stacks_start(&thread->stacks);
    flows_start(&thread->flows);
    return thread;
}

struct thread *thread_start(struct capture *capture)
{
    struct thread *thread = thread_self;

    if (!capture_start(capture))
        return NULL;
    if (capture->frozen) {
        if (!capture_thaw(capture))
            return NULL;
        if (thread != NULL && thread->capture == capture) {
            thread->after |= THREAD_LATE;
            __atomic_store_n(&thread->ready, 1, __ATOMIC_RELAXED);
            return thread;
        }
    }
    thread = make(capture, (int32_t)syscall(SYS_gettid));
    if (thread == NULL)
        return NULL;
    if (capture->frozen)
        thread->after |= THREAD_LATE;
    thread_self = thread;
    __atomic_store_n(&thread->ready, 1, __ATOMIC_RELAXED);
    if (has_end_key)
        pthread_setspecific(end_key, thread);
    return thread;
}

void threads_stop(struct capture *capture)
{
    for (struct thread *thread = capture->threads; thread != NULL; thread = thread->next) {
        __atomic_store_n(&thread->ready, 0, __ATOMIC_RELAXED);
        __atomic_store_n(&thread->usual_library, NULL, __ATOMIC_RELAXED);
    }
}

int thread_deepen(struct thread *thread)
{
    struct sw__frames *frames = &thread->frames;
    uint32_t most = SW__FRAMES_MAX - frames->n_outer;
    uint32_t n_deep = frames->n_deep == 0 ? 2 * frames->n_outer : 2 * frames->n_deep;
    struct swprof_frame *deep;

    if (frames->n_deep == most)
        return 0;
    n_deep = n_deep < most ? n_deep : most;
    deep = memory_reserve((uint64_t)n_deep * sizeof *deep);
    if (deep == NULL)
        return 0;
    sw__copy(deep, frames->deep, frames->n_deep * sizeof *deep);
    memory_release(frames->deep, frames->n_deep * sizeof *deep);
    frames->deep = deep;
    frames->n_deep = n_deep;
    return 1;
}

#define FIRST_CHILDREN 512

/* Twice what there is would be asked for again and again: the second step is the last. */
static int grow_children(struct thread *thread)
{
    uint32_t n = thread->n_children == 0 ? FIRST_CHILDREN : SW__FRAMES_MAX + 1;
    uint64_t *children = n == thread->n_children ? NULL : memory_reserve(n * sizeof *children);

    if (children == NULL)
        return 0;
    if (thread->children != NULL) {
        sw__copy(children, thread->children, thread->n_children * sizeof *children);
        memory_release(thread->children, thread->n_children * sizeof *children);
    }
    thread->children = children;
    thread->n_children = n;
    return 1;
}

int thread_start_children(struct thread *thread, uint32_t depth)
{
    while (depth >= thread->n_children)
        if (!grow_children(thread))
            return 0;
    return 1;
}

uint64_t thread_end_deep_children(struct thread *thread, uint32_t depth, uint64_t duration)
{
    struct slow slow;
    int grown;

    slow_begin(&slow);
    grown = thread_start_children(thread, depth);
    slow_end(&slow);
    if (grown)
        return thread_end_children(thread, depth, duration);
    thread_lose(thread, SWPROF_LOST_ANOMALY);
    return 0;
}

void thread_forget_children(struct thread *thread, uint32_t depth)
{
    if (depth < thread->n_children)
        thread->children[depth] = 0;
}

void thread_after(struct thread *thread, uint64_t end)
{
    if (thread->after & THREAD_ENDED)
        thread->report->end = end;
    if (thread->after & THREAD_CLOSES) {
        thread->after &= ~(uint32_t)THREAD_CLOSES;
        rounds_close(thread->capture);
    }
    if ((thread->after & THREAD_LATE) && thread->frames.depth == 0)
        capture_freeze();
}
