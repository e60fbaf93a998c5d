/*
 * Chunks of events: the first of 4 KiB, doubling to 256 KiB, made present in
 * steps of at most 64 KiB by the thread that fills them.
 */
#include "config.h"

#include "shim/events.h"

#include "record/sys.h"
#include "shim/slow.h"
#include "shim/thread.h"

#define MOST_CHUNK_PAGES 64
/* Losses for want of space after which it is asked for again; a full report stays full. */
#define RETRY_LOSSES 4096

static struct swprof_event *first_slot(struct swprof_block *chunk)
{
    return (struct swprof_event *)(void *)(chunk + 1);
}

/* End of the last whole slot below an offset in the chunk. */
static struct swprof_event *slot_end(struct swprof_block *chunk, uint64_t n_bytes)
{
    return first_slot(chunk) + (n_bytes - sizeof *chunk) / sizeof(struct swprof_event);
}

/* More of the current chunk. 0 when all of it is present already, or the file system refuses. */
static int extend(struct thread *thread, enum swprof_lost *reason)
{
    struct swprof_block *chunk = thread->chunk;
    uint64_t n_bytes, present;

    if (chunk == NULL || thread->limit == slot_end(chunk, report_block_bytes(chunk)))
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
    thread->limit = slot_end(chunk, present + n_bytes);
    return 1;
}

static int new_chunk(struct thread *thread, enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    uint32_t pages = thread->n_chunks < 6 ? 1u << thread->n_chunks : MOST_CHUNK_PAGES;
    struct swprof_block form = {
        .type = SWPROF_BLOCK_EVENTS, .pages = pages, .thread = thread->number, .first_id = thread->n_chunks};
    struct swprof_block *chunk = NULL;

    slow_lock(&capture->lock);
    /* Near the cap a smaller one may still fit. */
    if (!capture->frozen || (thread->after & THREAD_LATE))
        for (; chunk == NULL && form.pages > 0; form.pages /= 2)
            chunk = report_block(&capture->report, &form, &capture->scratch, reason);
    slow_unlock(&capture->lock);
    if (chunk == NULL)
        return 0;
    thread->chunk = chunk;
    thread->cursor = first_slot(chunk);
    thread->limit = slot_end(chunk, report_block_bytes(chunk) < REPORT_POPULATE_BYTES ? report_block_bytes(chunk)
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

void thread_lose(struct thread *thread, enum swprof_lost reason)
{
    struct swprof_thread *report = thread->report;
    uint64_t now = thread_now();

    if (report->lost_begin == 0)
        report->lost_begin = now;
    report->lost_end = now;
    report->lost[reason]++;
}

/* Whether there is any use in asking for room now. */
static int may_ask(struct thread *thread)
{
    if (thread->lost_reason == 0)
        return 1;
    return thread->lost_reason != 1 + SWPROF_LOST_FULL && ++thread->retry % RETRY_LOSSES == 0;
}

void thread_put_slow(struct thread *thread, const struct swprof_event *event, uint64_t duration)
{
    uint32_t n_slots = duration >= SWPROF_EVENT_WIDE_DURATION ? 2 : 1;
    struct swprof_event *slot;
    enum swprof_lost reason = SWPROF_LOST_FULL;

    if (thread->limit - thread->cursor < n_slots && (!may_ask(thread) || !make_room(thread, n_slots, &reason))) {
        if (thread->lost_reason == 0)
            thread->lost_reason = 1 + (uint32_t)reason;
        thread_lose(thread, (enum swprof_lost)(thread->lost_reason - 1));
        thread_put_tool(thread);
        return;
    }
    thread->lost_reason = 0;
    slot = thread->cursor;
    *slot = *event;
    slot->word |= n_slots == 2 ? SWPROF_EVENT_WIDE_DURATION : duration;
    if (n_slots == 2)
        slot[1] = (struct swprof_event){.start = duration, .flags = SWPROF_EVENT_EXTENSION};
    thread->cursor = slot + n_slots;
    __atomic_store_n(&thread->chunk->published, (uint64_t)((char *)thread->cursor - (char *)first_slot(thread->chunk)),
                     __ATOMIC_RELEASE);
    thread->report->n_events += (event->flags & SWPROF_EVENT_HIDDEN) == 0;
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
    struct swprof_event event = {.depth = (uint16_t)thread->frames.depth,
                                 .flags = SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN};
    uint64_t duration;

    if (thread->tool_begin == 0)
        return;
    event.start = thread_stamp(thread, thread->tool_begin);
    duration = thread_stamp(thread, thread->tool_end) - event.start;
    thread->tool_begin = 0;
    /* Outside of operations, and where only hidden ones are open, it is inside nobody's time. */
    if (thread->frames.depth == 0 || (shim.filtered && thread->n_selected == 0) || thread->cursor >= thread->limit ||
        duration >= SWPROF_EVENT_WIDE_DURATION)
        return;
    thread_put(thread, &event, SWPROF_DISPATCH_RECORDER, duration);
}

static struct thread *thread_of(struct sw__frames *frames)
{
    return (struct thread *)(void *)frames; /* its first member */
}

static void left(struct sw__frames *frames, const struct swprof_frame *frame, uint32_t depth)
{
    struct thread *thread = thread_of(frames);
    struct swprof_frame copy = *frame;

    thread_end_frame(thread, &copy, depth, thread->now != 0 ? thread->now : thread_now(), SWPROF_EVENT_HEALED);
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
