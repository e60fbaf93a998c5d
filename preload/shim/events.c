/*
 * Chunks of events: the first of 4 KiB, doubling to 1 MiB, in a small report to
 * 256 KiB, made present in steps of at most 64 KiB by the thread that fills them.
 */
#include "config.h"

#include "shim/events.h"

#include "record/sys.h"
#include "shim/aggregates.h"
#include "shim/ring.h"
#include "shim/slow.h"

#define MOST_DOUBLINGS 8
/* Half of the largest chunk may stay empty for each thread: only where so many of them fit are they larger. */
#define SMALL_CHUNK_PAGES 64
#define LEAST_LARGE_CHUNKS 128
/* Losses for want of space after which it is asked for again; a full report stays full. */
#define RETRY_LOSSES 4096

struct swprof_event *events_end(struct swprof_block *chunk, uint64_t n_bytes)
{
    return events_of(chunk) + (n_bytes - sizeof *chunk) / sizeof(struct swprof_event);
}

/* More of the current chunk. 0 when all of it is present already, or the file system refuses. */
static int extend(struct thread *thread, enum swprof_lost *reason)
{
    struct swprof_block *chunk = thread->chunk;
    uint64_t n_bytes, present;

    if (chunk == NULL || thread->limit == events_end(chunk, report_block_bytes(chunk)))
        return 0;
    /* The limit is the last whole slot: what is present ends at the next step. */
    present = (uint64_t)((char *)thread->limit - (char *)chunk) + sizeof(struct swprof_event) - 1;
    present -= present % REPORT_POPULATE_BYTES;
    n_bytes = report_block_bytes(chunk) - present;
    if (n_bytes > REPORT_POPULATE_BYTES)
        n_bytes = REPORT_POPULATE_BYTES;
    *reason = SWPROF_LOST_SPACE;
    if (!report_populate((char *)chunk + present, n_bytes))
        return 0;
    thread->limit = events_end(chunk, present + n_bytes);
    return 1;
}

static uint32_t pages_of_next(const struct thread *thread)
{
    uint32_t pages = 1u << (thread->n_chunks < MOST_DOUBLINGS ? thread->n_chunks : MOST_DOUBLINGS);
    uint64_t cap_pages = thread->capture->report.header->cap_bytes / SWPROF_BLOCK_ALIGN;

    return pages > SMALL_CHUNK_PAGES && pages > cap_pages / LEAST_LARGE_CHUNKS ? SMALL_CHUNK_PAGES : pages;
}

static int new_chunk(struct thread *thread, enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct swprof_block form = {
        .type = SWPROF_BLOCK_EVENTS, .pages = pages_of_next(thread), .thread = thread->number, .first_id = thread->n_chunks};
    struct swprof_block *chunk = NULL;

    slow_lock(&capture->lock);
    /* Near the cap a smaller one may still fit. */
    if (!capture->frozen || (thread->after & THREAD_LATE))
        for (; chunk == NULL && form.pages > 0; form.pages /= 2)
            chunk = report_block(&capture->report, &form, &capture->scratch, reason);
    slow_unlock(&capture->lock);
    if (chunk == NULL)
        return 0;
    chunk->previous = thread->chunk == NULL ? 0 : (uint64_t)((char *)thread->chunk - (char *)capture->report.header);
    thread->chunk = chunk;
    thread->cursor = events_of(chunk);
    thread->limit = events_end(chunk, report_block_bytes(chunk) < REPORT_POPULATE_BYTES ? report_block_bytes(chunk)
                                                                                        : REPORT_POPULATE_BYTES);
    thread->n_chunks++;
    return 1;
}

/* Room for @n_slots events behind one another. */
static int make_room(struct thread *thread, uint32_t n_slots, enum swprof_lost *reason)
{
    uint64_t begin = thread_now();
    struct slow slow;
    int made = 1;

    slow_begin(&slow);
    *reason = SWPROF_LOST_FULL;
    while (thread->limit - thread->cursor < n_slots && (made = extend(thread, reason)) != 0)
        ;
    if (!made)
        made = new_chunk(thread, reason);
    slow_end(&slow);
    thread_account(thread, begin);
    return made;
}

void events_go_on(struct thread *thread)
{
    struct swprof_block *chunk = thread->chunk;

    __atomic_store_n(&chunk->n_owners, chunk->n_owners + 1, __ATOMIC_RELEASE);
    *thread->cursor++ = (struct swprof_event){.start = thread->number, .flags = SWPROF_EVENT_OWNER};
    thread->n_chunks = 1;
    events_publish(chunk, thread->cursor);
}

static void lose_at(struct thread *thread, enum swprof_lost reason, uint64_t now)
{
    struct swprof_thread *report = thread->report;

    if (report->lost_begin == 0)
        report->lost_begin = now;
    report->lost_end = now;
    report->lost[reason] += report->lost[reason] != UINT64_MAX;
}

void thread_lose(struct thread *thread, enum swprof_lost reason)
{
    lose_at(thread, reason, thread_now());
}

/* Whether there is any use in asking for room now. */
static int may_ask(struct thread *thread)
{
    if (thread->lost_reason == 0)
        return 1;
    return thread->lost_reason != 1 + SWPROF_LOST_FULL && ++thread->retry % RETRY_LOSSES == 0;
}

/* Aggregates instead: as an event the operation is lost all the same, unless there are to be none. */
static inline void add_up(OPERATION_PARAMETERS)
{
    enum swprof_lost reason = SWPROF_LOST_FULL;

    if (LIKELY(aggregates_put(OPERATION, &reason)) && thread->lost_reason == 0)
        return;
    if (thread->lost_reason != 0)
        reason = (enum swprof_lost)(thread->lost_reason - 1);
    if ((flags & SWPROF_EVENT_HIDDEN) == 0)
        lose_at(thread, reason, start + duration);
}

static void find_no_room(OPERATION_PARAMETERS)
{
    uint64_t begin = thread_now();
    struct slow slow;
    int taken_over;

    slow_begin(&slow);
    taken_over = aggregates_take_over(thread, depth, start);
    slow_end(&slow);
    thread_account(thread, begin);
    if (taken_over)
        add_up(OPERATION);
    else if ((flags & SWPROF_EVENT_HIDDEN) == 0)
        thread_lose(thread, (enum swprof_lost)(thread->lost_reason - 1));
}

static __attribute__((noinline)) void put_event(OPERATION_PARAMETERS)
{
    uint32_t stack = stacks_at(&thread->stacks, frame, depth);
    int is_wide = duration >= SWPROF_EVENT_WIDE_DURATION || stack != 0;
    enum swprof_lost reason = SWPROF_LOST_FULL;

    if (thread->limit - thread->cursor < 1 + is_wide &&
        (!may_ask(thread) || !make_room(thread, 1 + (uint32_t)is_wide, &reason))) {
        if (thread->lost_reason == 0)
            thread->lost_reason = 1 + (uint32_t)reason;
        find_no_room(OPERATION);
        return;
    }
    thread->lost_reason = 0;
    operation_write(thread->cursor, frame, start, is_wide ? SWPROF_EVENT_WIDE_DURATION : duration, depth, flags);
    if (is_wide)
        thread->cursor[1] = (struct swprof_event){
            .start = duration, .shapes = stack, .flags = (uint8_t)(SWPROF_EVENT_EXTENSION | stacks_flag(stack))};
    thread->cursor += 1 + is_wide;
    events_publish(thread->chunk, thread->cursor);
    thread->report->n_events += (flags & SWPROF_EVENT_HIDDEN) == 0;
}

void thread_put_slow(OPERATION_PARAMETERS)
{
    if (LIKELY(thread->mode == THREAD_AGGREGATES))
        add_up(OPERATION);
    else if (thread->mode == THREAD_RING)
        ring_put(OPERATION);
    else
        put_event(OPERATION);
    if (UNLIKELY(thread->tool_begin != 0))
        thread_put_tool(thread);
}

void thread_account(struct thread *thread, uint64_t begin)
{
    uint64_t end = thread_now();

    if (end <= begin)
        return;
    thread->report->tool_ticks += end - begin;
    if (thread->tool_begin == 0)
        thread->tool_begin = begin;
    thread->tool_end = end;
}

void thread_put_tool(struct thread *thread)
{
    static const struct swprof_frame recorder = {.dispatch = SWPROF_DISPATCH_RECORDER};
    uint32_t depth = thread->frames.depth;
    uint64_t start, duration;

    if (thread->tool_begin == 0)
        return;
    start = thread_stamp(thread, thread->tool_begin);
    duration = thread_stamp(thread, thread->tool_end) - start;
    thread->tool_begin = 0;
    /* Outside of operations, and where only hidden ones are open, it is inside nobody's time. */
    if (depth == 0 || ((shim_ways() & SHIM_FILTERED) && thread->n_selected == 0))
        return;
    if (thread->mode != THREAD_EVENTS)
        thread_end_children(thread, depth, duration);
    else if (thread->cursor < thread->limit && duration < SWPROF_EVENT_WIDE_DURATION)
        thread_put(thread, &recorder, start, duration, depth, SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN);
}

static struct thread *thread_of(struct sw__frames *frames)
{
    return (struct thread *)(void *)frames; /* its first member */
}

static void left(struct sw__frames *frames, const struct swprof_frame *frame, uint32_t depth)
{
    struct thread *thread = thread_of(frames);
    struct swprof_frame copy = *frame;

    thread_end_frame(thread, &copy, depth, thread->now != 0 ? thread->now : thread_now(), SWPROF_EVENT_HEALED,
                     shim_ways());
}

static void anomaly(struct sw__frames *frames)
{
    thread_lose(thread_of(frames), SWPROF_LOST_ANOMALY);
}

const struct sw__frames_sink thread_sink = {left, anomaly};

void thread_leave_since(struct thread *thread, uint64_t begin, uint64_t end)
{
    struct sw__frames *frames = &thread->frames;

    thread->busy = (uintptr_t)__builtin_frame_address(0);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->now = end;
    while (frames->depth > 0) {
        const struct swprof_frame *top = sw__frames_at(frames, frames->depth - 1);

        if (top->start < begin)
            break;
        frames->depth--;
        left(frames, top, frames->depth);
    }
    thread->now = 0;
    __atomic_store_n(&thread->report->depth, frames->depth, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&thread->busy, 0, __ATOMIC_RELEASE);
    if (thread->after != 0)
        thread_after(thread, end);
}
