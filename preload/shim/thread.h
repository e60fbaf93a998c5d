/*
 * What the shim keeps of one thread of the program, and the recording of its
 * events. Found through one pointer in thread-local storage; zeroed by the
 * kernel in a forked child, so that one load per boundary notices the fork.
 */
#ifndef SHIM_THREAD_H
#define SHIM_THREAD_H

#include <strideweave/hooks.h>
#include <swprof/format.h>

#include "record/clock.h"
#include "record/frames.h"
#include "shim/aggregates.h"
#include "shim/capture.h"
#include "shim/dispatches.h"
#include "shim/flows.h"
#include "shim/notes.h"
#include "shim/operation.h"
#include "shim/shim.h"
#include "shim/stacks.h"

/** Where the operations of a thread go. */
enum thread_mode {
    THREAD_EVENTS = 0,    /* into events, as long as there is room */
    THREAD_RING = 1,      /* into events, over the oldest ones in the end */
    THREAD_AGGREGATES = 2 /* into aggregates alone */
};

enum thread_after {
    THREAD_ENDED = 1, /* the thread's end was seen: every event moves it */
    THREAD_LATE = 2,  /* the report was frozen: freeze it again */
    THREAD_CLOSES = 4 /* a handler that interrupted a hook ended the round: freeze its session */
};

/** A power of two. */
#define THREAD_SHAPES 64

/* Written by its own thread; `ready` and `usual_library` are cleared by the one that freezes the report. */
struct thread {
    struct sw__frames frames;     /* first: the sink finds the thread by it */
    uint32_t ready;               /* 0: not, or no longer, set up in this process; atomic, relaxed */
    uint32_t after;               /* enum thread_after */
    uintptr_t busy;               /* stack address of a hook at work on this structure, else 0: stored with release order */
    uint64_t token;               /* marks the boundaries recorded here */
    /* The library with whose boundaries nobody else is to be called; NULL: none, or the thread is not ready. Atomic, relaxed. */
    const struct sw_hook_library *usual_library;
    const struct sw_hook_library *library; /* that `ids` is of */
    const uint32_t *ids;
    struct swprof_event *cursor;  /* where the next event goes */
    struct swprof_event *limit;   /* end of what is present of the chunk */
    struct swprof_block *chunk;   /* NULL before the first */
    struct swprof_thread *report; /* its record in a block of THREADS */
    struct capture *capture;
    uint64_t last;                /* latest stamp of the thread: none is earlier than one before it; atomic, relaxed */
    uint64_t now;                 /* the end of frames that are found to have been left */
    uint32_t n_selected;          /* open frames of selected carriers */
    uint32_t n_chunks;
    uint64_t tool_begin;          /* time of the slow path not yet written as an event; 0: none */
    uint64_t tool_end;
    uint64_t retry;               /* losses before room is asked for again */
    uint32_t lost_reason;         /* 1 + enum swprof_lost while there is no room */
    int32_t tid;
    uint32_t number;
    struct thread *next_ended;
    uint32_t shapes_seen[THREAD_SHAPES]; /* references of lists that calls had: guesses; 0: none */
    /*
     * Of other modes than THREAD_EVENTS. There `limit` is NULL or the cursor, so that every
     * operation passes through thread_put_slow() and the usual path pays nothing for them.
     */
    uint32_t mode;                /* enum thread_mode */
    uint32_t n_children;
    uint64_t *children;           /* per depth: ticks of the children so far of the operation that is open there */
    uint64_t events_inside;       /* ticks of the events inside of the open operations, those that no event encloses */
    struct aggregates aggregates;
    struct thread_stacks stacks;
    struct thread_flows flows;
    struct swprof_event *ring_limit;
    struct ring_list ring;
    struct notes notes;
    struct thread *next; /* of all: set once, read without the lock; last, as all before it is wiped for another user */
} __attribute__((aligned(64)));

extern __thread struct thread *thread_self __attribute__((tls_model("initial-exec")));

/** Once, when the shim is loaded. */
void thread_load(void);

/**
 * The calling thread's structure, set up; NULL when there is no report or no
 * room in it. For the holder of the lock.
 */
struct thread *thread_start(struct capture *capture);

/** Make all threads' structures not ready: the report is frozen. For the holder of the lock. */
void threads_stop(struct capture *capture);

/** Room for more frames. 0 when there is none: the depth is at its limit or there is no memory. */
int thread_deepen(struct thread *thread);

/** Count a boundary of the thread that is not in the report. */
void thread_lose(struct thread *thread, enum swprof_lost reason);

/** thread_put() when there is no room at hand, or the duration needs two slots. */
void thread_put_slow(OPERATION_PARAMETERS);

/** An operation at @depth ends unrecorded: what ran inside of it is nobody's child. */
void thread_forget_children(struct thread *thread, uint32_t depth);

/** thread_end_children() where there is no room for them yet. */
uint64_t thread_end_deep_children(struct thread *thread, uint32_t depth, uint64_t duration);

/**
 * An operation at @depth ends: it is a child of the one around it. Returns the
 * ticks of its own children; for modes that have room for them.
 */
static inline uint64_t thread_end_children(struct thread *thread, uint32_t depth, uint64_t duration)
{
    uint64_t nested;

    if (UNLIKELY(depth >= thread->n_children))
        return thread_end_deep_children(thread, depth, duration);
    nested = thread->children[depth];
    thread->children[depth] = 0;
    if (depth > 0)
        thread->children[depth - 1] += duration;
    return nested < duration ? nested : duration;
}

/** Room for the children of operations up to @depth. 0 when there is no memory. */
int thread_start_children(struct thread *thread, uint32_t depth);

/** Account the slow path from @begin until now as the tool's time. */
void thread_account(struct thread *thread, uint64_t begin);

/** End, at @end, the operations that began at @begin or later: they are known to have been left by a jump. */
void thread_leave_since(struct thread *thread, uint64_t begin, uint64_t end);

/** Write the accounted time as a hidden event of the recorder, when an operation is open around it. */
void thread_put_tool(struct thread *thread);

/** What has to be done after an event of a thread that has ended, or of a frozen report. */
void thread_after(struct thread *thread, uint64_t end);

static inline uint64_t thread_now(void)
{
    return sw__clock_ticks(__atomic_load_n(&shim.clock, __ATOMIC_RELAXED));
}

/**
 * A stamp of the thread, never before its last one: processors' counters may be
 * a little apart, and a signal handler may have run operations since the clock
 * was read.
 */
static inline uint64_t thread_stamp(struct thread *thread, uint64_t ticks)
{
    uint64_t last = __atomic_load_n(&thread->last, __ATOMIC_RELAXED);
    uint64_t stamp = ticks > last ? ticks : last;

    __atomic_store_n(&thread->last, stamp, __ATOMIC_RELAXED);
    return stamp;
}

/** Append an event: an operation with the dispatch and shapes of @frame. */
static inline void thread_put(OPERATION_PARAMETERS)
{
    struct swprof_event *slot = thread->cursor;

    if (UNLIKELY(slot >= thread->limit || duration >= SWPROF_EVENT_WIDE_DURATION)) {
        thread_put_slow(OPERATION);
        return;
    }
    operation_write(slot, frame, start, duration, depth, flags);
    thread->cursor = slot + 1;
    events_publish(thread->chunk, slot + 1);
    thread->report->n_events += (flags & SWPROF_EVENT_HIDDEN) == 0;
}

/** Record an operation that has ended, in @ways of enum shim_ways, unless its carrier is hidden and nothing selected encloses it. */
static inline void thread_put_frame(struct thread *thread, const struct swprof_frame *frame, uint32_t depth,
                                    uint64_t end, uint32_t flags, uint32_t ways)
{
    uint64_t start = frame->start;

    if (UNLIKELY(ways & SHIM_FILTERED)) {
        if (!dispatches_hides(thread->capture, frame->dispatch))
            thread->n_selected--;
        else if (thread->n_selected == 0) {
            thread_forget_children(thread, depth);
            return;
        } else {
            flags |= SWPROF_EVENT_HIDDEN;
        }
    }
    if (UNLIKELY(start == 0)) /* left before the clock was read */
        start = end;
    if (UNLIKELY(ways & SHIM_STACKS))
        thread_put_slow(thread, frame, start, end - start, depth, flags);
    else
        thread_put(thread, frame, start, end - start, depth, flags);
}

/** An operation has ended: its event, and the notes of what it took and made. */
static inline void thread_end_frame(struct thread *thread, const struct swprof_frame *frame, uint32_t depth,
                                    uint64_t end, uint32_t flags, uint32_t ways)
{
    end = thread_stamp(thread, end);
    thread_put_frame(thread, frame, depth, end, flags, ways);
    if (UNLIKELY(ways & SHIM_FLOWS))
        flows_put(thread, frame, depth, end);
}

#endif
