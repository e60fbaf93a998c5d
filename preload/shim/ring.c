/*
 * Chunks that are used again. Emptying one is told to readers, and to those of a
 * process killed on the way, by its generation: see swprof/format.h.
 */
#include "config.h"

#include "shim/ring.h"

#include "shim/events.h"
#include "shim/memory.h"
#include "shim/slow.h"
#include "shim/thread.h"

/* One step of making present: 64 KiB; and no more than a 16th of the cap goes with one chunk. */
#define MOST_CHUNK_PAGES (REPORT_POPULATE_BYTES / SWPROF_BLOCK_ALIGN)
#define LEAST_CHUNKS 16
/* Chunks without space for them after which it is asked for again; a full report stays full. */
#define RETRY_CHUNKS 64
/* Losses of a thread after which it looks for a chunk again. */
#define RETRY_LOSSES 256

/* ---- Lists of chunks, for the holder of the lock -------------------------------------------- */

static void append(struct ring_list *list, struct ring_chunk *chunk)
{
    chunk->newer = NULL;
    if (list->newest != NULL)
        list->newest->newer = chunk;
    else
        list->oldest = chunk;
    list->newest = chunk;
    list->n_pages += chunk->block->pages;
}

static struct ring_chunk *take_oldest(struct ring_list *list)
{
    struct ring_chunk *chunk = list->oldest;

    list->oldest = chunk->newer;
    if (list->oldest == NULL)
        list->newest = NULL;
    list->n_pages -= chunk->block->pages;
    return chunk;
}

void ring_hold(struct capture *capture)
{
    capture->ring.period++;
}

/* Chunks that rounds keep which have ended are the oldest of a list. */
static void forget_held(const struct capture *capture, struct ring_list *list)
{
    while (list->oldest != NULL && list->oldest->period != capture->ring.period)
        take_oldest(list);
}

void ring_leave(struct capture *capture, struct ring_list *list)
{
    forget_held(capture, list);
    while (list->oldest != NULL)
        append(&capture->ring.orphans, take_oldest(list));
}

/* The newest chunk of a thread is the one that it writes to. */
static int can_give(const struct ring_list *list)
{
    return list->oldest != NULL && list->oldest != list->newest;
}

/*
 * Whose oldest chunk goes: the thread's own, so that each keeps its newest
 * events, unless somebody has more than twice of what it has. NULL: nobody's.
 */
static struct ring_list *choose(struct thread *thread)
{
    struct capture *capture = thread->capture;
    struct ring_list *orphans = &capture->ring.orphans;
    struct ring_list *own = &thread->ring;
    struct ring_list *richest;

    forget_held(capture, orphans);
    for (struct thread *other = capture->threads; other != NULL; other = other->next)
        forget_held(capture, &other->ring);
    richest = orphans->oldest != NULL ? orphans : NULL;
    for (struct thread *other = capture->threads; other != NULL; other = other->next)
        if (other != thread && can_give(&other->ring) && (richest == NULL || other->ring.n_pages > richest->n_pages))
            richest = &other->ring;
    if (richest != NULL && (!can_give(own) || richest->n_pages > 2 * own->n_pages))
        return richest;
    return own->oldest != NULL ? own : NULL;
}

/* ---- Emptying ------------------------------------------------------------------------------- */

struct contents {
    uint64_t n_events; /* without hidden ones */
    uint64_t begin;    /* start of the first */
    uint64_t end;      /* end of the last */
};

static struct contents look_at(struct swprof_block *block)
{
    const struct swprof_event *events = events_of(block);
    uint64_t n_slots = block->published / sizeof *events;
    struct contents contents = {0, UINT64_MAX, 0};

    for (uint64_t i = 0; i < n_slots; i++) {
        uint64_t duration = events[i].word & SWPROF_EVENT_WIDE_DURATION;

        if (events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_HIDDEN))
            continue;
        if (duration == SWPROF_EVENT_WIDE_DURATION && i + 1 < n_slots)
            duration = events[i + 1].start;
        contents.n_events++;
        contents.begin = events[i].start < contents.begin ? events[i].start : contents.begin;
        contents.end = events[i].start + duration;
    }
    return contents;
}

/* Announce the loss, so that whoever finds the chunk emptied knows it also when it was not yet added. */
static void announce(const struct capture *capture, const struct ring_chunk *chunk, const struct contents *contents)
{
    struct swprof_thread *owner = chunk->owner;

    if (contents->n_events != 0) {
        if (owner->drop_begin == 0 || contents->begin < owner->drop_begin)
            owner->drop_begin = contents->begin;
        owner->drop_end = contents->end;
    }
    /* Nothing is announced while this is being written; what was before has been added. */
    __atomic_store_n(&owner->drop_chunk, 0, __ATOMIC_RELAXED);
    report_store_fence();
    owner->drop_lost = owner->lost[SWPROF_LOST_OLD] + contents->n_events;
    owner->drop_generation = chunk->block->generation;
    __atomic_store_n(&owner->drop_chunk, report_reference(&capture->report, chunk->block), __ATOMIC_RELEASE);
}

static void empty(struct thread *thread, struct ring_chunk *chunk)
{
    struct swprof_block *block = chunk->block;
    struct contents contents = look_at(block);

    announce(thread->capture, chunk, &contents);
    __atomic_store_n(&block->generation, block->generation + 1, __ATOMIC_RELEASE);
    report_store_fence();
    __atomic_store_n(&chunk->owner->lost[SWPROF_LOST_OLD], chunk->owner->drop_lost, __ATOMIC_RELEASE);
    block->published = 0;
    block->thread = thread->number;
    block->first_id = thread->n_chunks;
    sw__clock_anchor(shim.clock, &block->anchor);
    __atomic_store_n(&block->generation, block->generation + 1, __ATOMIC_RELEASE);
    chunk->owner = thread->report;
    chunk->period = thread->capture->ring.period;
}

/* ---- Chunks in use --------------------------------------------------------------------------- */

/* An entry for a chunk; NULL when there is no memory for entries. */
static struct ring_chunk *new_entry(struct capture *capture, struct swprof_block *block, struct swprof_thread *owner)
{
    struct ring *ring = &capture->ring;
    uint64_t cap_pages = capture->report.header->cap_bytes / SWPROF_BLOCK_ALIGN;

    if (ring->chunks == NULL && (ring->chunks = memory_reserve(cap_pages * sizeof *ring->chunks)) == NULL)
        return NULL;
    ring->chunks[ring->n_chunks] = (struct ring_chunk){.block = block, .owner = owner, .period = ring->period};
    return &ring->chunks[ring->n_chunks++];
}

void ring_add(struct capture *capture, struct ring_list *list, struct swprof_block *block, struct swprof_thread *owner)
{
    struct ring_chunk *entry = new_entry(capture, block, owner);

    if (entry != NULL)
        append(list, entry);
}

struct swprof_block *ring_take(struct capture *capture, struct ring_list *list)
{
    struct ring_chunk *entry;

    forget_held(capture, list);
    if (list->oldest == NULL)
        return NULL;
    entry = take_oldest(list);
    entry->period = capture->ring.period;
    append(list, entry);
    return entry->block;
}

/* ---- A thread's next chunk ------------------------------------------------------------------ */

static struct ring_chunk *new_chunk(struct thread *thread, enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct ring *ring = &capture->ring;
    uint64_t cap_pages = capture->report.header->cap_bytes / SWPROF_BLOCK_ALIGN;
    uint64_t pages = thread->n_chunks < 4 ? 1u << thread->n_chunks : MOST_CHUNK_PAGES;
    struct swprof_block form = {.type = SWPROF_BLOCK_EVENTS, .thread = thread->number, .first_id = thread->n_chunks};
    struct swprof_block *block = NULL;

    *reason = SWPROF_LOST_SPACE;
    if (ring->n_refused % RETRY_CHUNKS != 0) {
        ring->n_refused++;
        return NULL;
    }
    if (ring->chunks == NULL && (ring->chunks = memory_reserve(cap_pages * sizeof *ring->chunks)) == NULL)
        return NULL;
    if (pages > cap_pages / LEAST_CHUNKS)
        pages = cap_pages / LEAST_CHUNKS;
    for (form.pages = (uint32_t)pages; block == NULL && form.pages > 0; form.pages /= 2)
        block = report_block(&capture->report, &form, &capture->scratch, reason);
    ring->n_refused = block == NULL && *reason == SWPROF_LOST_SPACE;
    if (block == NULL)
        return NULL;
    return new_entry(capture, block, thread->report);
}

static struct ring_chunk *next_chunk(struct thread *thread, enum swprof_lost *reason)
{
    struct ring_chunk *chunk = new_chunk(thread, reason);
    struct ring_list *list;

    if (chunk != NULL)
        return chunk;
    list = choose(thread);
    if (list == NULL)
        return NULL;
    chunk = take_oldest(list);
    empty(thread, chunk);
    return chunk;
}

static int make_room(struct thread *thread, enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct ring_chunk *chunk = NULL;
    uint64_t begin = thread_now();
    struct slow slow;

    *reason = SWPROF_LOST_FULL;
    slow_begin(&slow);
    slow_lock(&capture->lock);
    /* Behind the last number a reader would not know their order. */
    if (thread->n_chunks != UINT32_MAX && (!capture->frozen || (thread->after & THREAD_LATE)))
        chunk = next_chunk(thread, reason);
    if (chunk != NULL) {
        append(&thread->ring, chunk);
        thread->n_chunks++;
        thread->chunk = chunk->block;
        thread->cursor = events_of(chunk->block);
        thread->ring_limit = events_end(chunk->block, report_block_bytes(chunk->block));
    }
    slow_unlock(&capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
    return chunk != NULL;
}

/* 0 when there is none; asked for again only now and then. */
static int find_room(struct thread *thread)
{
    enum swprof_lost reason;

    if (thread->lost_reason != 0 && ++thread->retry % RETRY_LOSSES != 0)
        return 0;
    thread->lost_reason = 0;
    if (make_room(thread, &reason))
        return 1;
    thread->lost_reason = 1 + (uint32_t)reason;
    return 0;
}

void ring_start(struct thread *thread)
{
    if (!thread_start_children(thread, 0))
        return;
    thread->mode = THREAD_RING;
    thread->chunk = NULL;
    thread->cursor = thread->limit = NULL;
}

void ring_put(OPERATION_PARAMETERS)
{
    uint64_t nested = thread_end_children(thread, depth, duration);
    uint32_t stack = stacks_at(&thread->stacks, frame, depth);
    int has_more = nested != 0 || stack != 0 || duration >= SWPROF_EVENT_WIDE_DURATION;
    struct swprof_event *slot;

    if (UNLIKELY(thread->ring_limit - thread->cursor < 1 + has_more) && !find_room(thread)) {
        if ((flags & SWPROF_EVENT_HIDDEN) == 0)
            thread_lose(thread, (enum swprof_lost)(thread->lost_reason - 1));
        return;
    }
    slot = thread->cursor;
    operation_write(slot, frame, start, has_more ? SWPROF_EVENT_WIDE_DURATION : duration, depth, flags);
    if (has_more)
        slot[1] = (struct swprof_event){
            .start = duration,
            .word = nested,
            .shapes = stack,
            .flags = (uint8_t)(SWPROF_EVENT_EXTENSION | SWPROF_EVENT_CHILDREN | stacks_flag(stack))};
    thread->cursor = slot + 1 + has_more;
    events_publish(thread->chunk, thread->cursor);
    thread->report->n_events += (flags & SWPROF_EVENT_HIDDEN) == 0;
}
