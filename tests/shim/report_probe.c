/*
 * Walking the blocks of a report.
 */
#include "config.h"

#include "shim/report_probe.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int probe_open(struct probe *probe, const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY);

    memset(probe, 0, sizeof *probe);
    if (file < 0 || fstat(file, &status) != 0 || (size_t)status.st_size < sizeof *probe->header) {
        if (file >= 0)
            close(file);
        return 0;
    }
    probe->n_bytes = (size_t)status.st_size;
    probe->bytes = mmap(NULL, probe->n_bytes, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    if (probe->bytes == MAP_FAILED)
        return 0;
    probe->header = (const struct swprof_header *)(const void *)probe->bytes;
    return memcmp(probe->header->magic, SWPROF_MAGIC, SWPROF_MAGIC_BYTES) == 0;
}

void probe_close(struct probe *probe)
{
    if (probe->bytes != NULL)
        munmap((void *)(uintptr_t)probe->bytes, probe->n_bytes);
}

const struct swprof_block *probe_next(const struct probe *probe, const struct swprof_block *block, uint32_t type)
{
    uint64_t end = probe->header->used_bytes < probe->n_bytes ? probe->header->used_bytes : probe->n_bytes;
    uint64_t at = probe->header->header_bytes;

    if (block != NULL)
        at = (uint64_t)((const char *)block - probe->bytes) + (uint64_t)block->pages * SWPROF_BLOCK_ALIGN;
    while (at < end) {
        block = (const struct swprof_block *)(const void *)(probe->bytes + at);
        if (block->type == type)
            return block;
        at += (block->type == 0 ? 1 : (uint64_t)block->pages) * SWPROF_BLOCK_ALIGN;
    }
    return NULL;
}

static const struct swprof_event *events_of(const struct swprof_block *block, uint64_t *n)
{
    *n = block->published / sizeof(struct swprof_event);
    return (const struct swprof_event *)(const void *)(block + 1);
}

/* The n-th record of a size in the blocks of a type, or NULL. */
static const void *record(const struct probe *probe, uint32_t type, size_t n_bytes, size_t n)
{
    const struct swprof_block *block = NULL;

    while ((block = probe_next(probe, block, type)) != NULL) {
        size_t here = block->published / n_bytes;

        if (n < here)
            return (const char *)(block + 1) + n * n_bytes;
        n -= here;
    }
    return NULL;
}

const struct swprof_thread *probe_record(const struct probe *probe, size_t n)
{
    return record(probe, SWPROF_BLOCK_THREADS, sizeof(struct swprof_thread), n);
}

const struct swprof_aggregate *probe_aggregate(const struct probe *probe, size_t n)
{
    return record(probe, SWPROF_BLOCK_AGGREGATES, sizeof(struct swprof_aggregate), n);
}

const struct swprof_sums *probe_sums(const struct swprof_aggregate *aggregate)
{
    return &aggregate->sums[aggregate->count % 2];
}

static uint64_t duration_of(const struct swprof_event *event)
{
    uint64_t duration = event->word & SWPROF_EVENT_WIDE_DURATION;

    return duration == SWPROF_EVENT_WIDE_DURATION ? event[1].start : duration;
}

static void add_event(struct probe_totals *totals, const struct swprof_event *event)
{
    if (event->flags & SWPROF_EVENT_HIDDEN) {
        if (event->word >> SWPROF_EVENT_DURATION_BITS == 0)
            totals->n_recorder++;
        else
            totals->n_hidden++;
        return;
    }
    totals->n_events++;
    totals->n_failed += !(event->flags & SWPROF_EVENT_SUCCEEDED);
    totals->n_healed += (event->flags & SWPROF_EVENT_HEALED) != 0;
    totals->n_shaped += event->shapes != 0;
    if (event->depth > totals->max_depth)
        totals->max_depth = event->depth;
}

#define MAX_DEPTH 65536

/* What is known while the events of one thread are passed in their order. */
struct passage {
    struct probe_totals *totals;
    uint64_t last_end;
    uint64_t n_found;
    uint64_t deepest;  /* index that was touched */
    uint64_t earliest[MAX_DEPTH + 1]; /* start of the first event of a depth since its encloser ended */
    uint64_t children[MAX_DEPTH + 1]; /* what they lasted */
};

/* Only what the last one touched: there may be thousands of threads. */
static void start_passage(struct passage *passage, struct probe_totals *totals)
{
    size_t n = passage->totals == NULL ? MAX_DEPTH + 1 : (size_t)passage->deepest + 1;

    memset(passage->earliest, 0xff, n * sizeof *passage->earliest);
    memset(passage->children, 0, n * sizeof *passage->children);
    passage->totals = totals;
    passage->deepest = 0;
    passage->last_end = 0;
    passage->n_found = 0;
}

static void pass(struct passage *passage, const struct swprof_event *event)
{
    struct probe_totals *totals = passage->totals;
    uint64_t duration = duration_of(event), end = event->start + duration;
    int is_wide = (event->word & SWPROF_EVENT_WIDE_DURATION) == SWPROF_EVENT_WIDE_DURATION;

    if (event->depth + UINT64_C(1) > passage->deepest)
        passage->deepest = event->depth + UINT64_C(1);
    passage->n_found += (event->flags & SWPROF_EVENT_HIDDEN) == 0;
    add_event(totals, event);
    totals->n_out_of_order += end < passage->last_end;
    passage->last_end = end;
    totals->n_escaped += passage->earliest[event->depth + 1] < event->start;
    passage->earliest[event->depth + 1] = UINT64_MAX;
    if (is_wide && (event[1].flags & SWPROF_EVENT_CHILDREN))
        totals->n_unexplained += passage->children[event->depth + 1] > event[1].word || event[1].word > duration;
    totals->self_of_events += duration - passage->children[event->depth + 1];
    passage->children[event->depth + 1] = 0;
    passage->children[event->depth] += duration;
    if (event->start < passage->earliest[event->depth])
        passage->earliest[event->depth] = event->start;
}

/* The events of a thread in a block that may have had several owners. */
static void pass_block(struct passage *passage, const struct swprof_block *block, uint32_t number)
{
    uint64_t n, owner = block->thread;
    const struct swprof_event *events = events_of(block, &n);

    for (uint64_t i = 0; i < n; i++) {
        if (events[i].flags & SWPROF_EVENT_OWNER)
            owner = events[i].start;
        else if (owner == number && !(events[i].flags & SWPROF_EVENT_EXTENSION))
            pass(passage, &events[i]);
    }
}

/* The thread's blocks in the order of their numbers; the one in which it went on has none of its own. */
static void pass_blocks(const struct probe *probe, struct passage *passage, uint32_t number)
{
    const struct swprof_block *block = NULL;
    uint64_t next = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL)
        if (block->thread != number && block->n_owners != 0)
            pass_block(passage, block, number);
    while (next != UINT64_MAX) {
        const struct swprof_block *found = NULL;

        for (block = NULL; (block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL;)
            if (block->thread == number && block->generation % 2 == 0 && block->first_id >= next &&
                (found == NULL || block->first_id < found->first_id))
                found = block;
        if (found != NULL)
            pass_block(passage, found, number);
        next = found != NULL ? (uint64_t)found->first_id + 1 : UINT64_MAX;
    }
}

/* Also when the process was killed between emptying a chunk and counting what was in it. */
static uint64_t lost_old(const struct probe *probe, const struct swprof_thread *thread)
{
    const struct swprof_block *chunk = (const void *)(probe->bytes + (uint64_t)thread->drop_chunk * 8);

    return thread->drop_chunk != 0 && chunk->generation > thread->drop_generation ? thread->drop_lost
                                                                                  : thread->lost[SWPROF_LOST_OLD];
}

/* Open frames whose operation is in an aggregate already. */
static uint64_t count_ended(const struct probe *probe, const struct swprof_thread *thread)
{
    const struct swprof_frame *frames = (const void *)(probe->bytes + (uint64_t)thread->frames * 8);
    const struct swprof_aggregate *aggregate;

    for (size_t n = 0; (aggregate = probe_aggregate(probe, n)) != NULL; n++) {
        const struct swprof_sums *sums = probe_sums(aggregate);

        if (aggregate->count != 0 && sums->depth < thread->depth && sums->depth < SWPROF_OPEN_FRAMES &&
            frames[sums->depth].dispatch == aggregate->dispatch && frames[sums->depth].start == sums->last)
            return thread->depth - sums->depth;
    }
    return 0;
}

static void add_thread(const struct probe *probe, const struct swprof_thread *thread, struct probe_totals *totals)
{
    static struct passage passage;

    start_passage(&passage, totals);
    pass_blocks(probe, &passage, thread->number);
    totals->n_miscounted += passage.n_found + lost_old(probe, thread) != thread->n_events;
    totals->n_open += thread->depth - count_ended(probe, thread);
    totals->n_ended += thread->state == SWPROF_THREAD_ENDED;
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        totals->lost[i] += i == SWPROF_LOST_OLD ? lost_old(probe, thread) : thread->lost[i];
}

static uint64_t count_histogram(const struct probe *probe, const struct swprof_aggregate *aggregate)
{
    const struct swprof_sums *sums = probe_sums(aggregate);
    uint64_t n = 0;

    for (int k = 0; k < SWPROF_OCTAVES; k++) {
        const struct swprof_octave *octave = (const void *)(probe->bytes + (uint64_t)aggregate->octaves[k] * 8);

        for (int i = 0; aggregate->octaves[k] != 0 && i < SWPROF_OCTAVE_COUNTERS; i++) {
            int is_latest = aggregate->count != 0 && sums->bucket == (uint32_t)(k * SWPROF_OCTAVE_COUNTERS + i);

            n += is_latest && octave->counters[i] < sums->in_bucket ? sums->in_bucket : octave->counters[i];
        }
    }
    return n;
}

static void add_aggregate(const struct probe *probe, const struct swprof_aggregate *aggregate,
                          struct probe_totals *totals)
{
    const struct swprof_sums *sums = probe_sums(aggregate);

    totals->n_torn += sums->count != aggregate->count || (sums->check != aggregate->count);
    totals->n_aggregated += sums->count;
    totals->n_failed_aggregated += sums->failures;
    totals->n_unhistogrammed += sums->count - count_histogram(probe, aggregate);
    totals->total += sums->total;
    totals->self += sums->self;
    totals->outer += sums->outer;
}

static uint64_t sum_of(const uint64_t *lost)
{
    uint64_t n = 0;

    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        n += lost[i];
    return n;
}

void probe_sum_up(const struct probe *probe, struct probe_counts *counts)
{
    const struct swprof_thread *thread;
    uint64_t n_apart = sum_of(probe->header->lost);

    *counts = (struct probe_counts){.n_lost = n_apart, .n_lost_apart = n_apart};
    for (size_t n = 0; (thread = probe_record(probe, n)) != NULL; n++) {
        counts->n_events += thread->n_events;
        counts->n_lost += sum_of(thread->lost);
    }
}

static uint64_t count_events(const struct probe *probe, uint32_t number)
{
    const struct swprof_block *block = NULL;
    uint64_t count = 0, n;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        const struct swprof_event *events = events_of(block, &n);
        uint64_t owner = block->thread;

        for (uint64_t i = 0; i < n; i++) {
            if (events[i].flags & SWPROF_EVENT_OWNER)
                owner = events[i].start;
            else
                count += owner == number && !(events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_HIDDEN));
        }
    }
    return count;
}

int probe_thread(const struct probe *probe, int64_t tid, struct probe_thread *thread)
{
    const struct swprof_thread *found;

    for (size_t n = 0; (found = probe_record(probe, n)) != NULL; n++) {
        if (found->tid != tid)
            continue;
        thread->n_events = count_events(probe, found->number);
        thread->n_lost = sum_of(found->lost);
        thread->n_open = found->depth;
        return 1;
    }
    return 0;
}

static uint64_t count_shape_lists(const struct swprof_block *block)
{
    uint64_t n = 0;

    for (uint64_t at = 0; at < block->published; n++) {
        const struct swprof_shapes *list = (const void *)((const char *)(block + 1) + at);

        at += sizeof *list + list->n_words * sizeof(int64_t);
    }
    return n;
}

static void add_sessions(const struct swprof_block *block, struct probe_totals *totals)
{
    const struct swprof_session *sessions = (const void *)(block + 1);
    size_t n = block->published / sizeof *sessions;

    totals->n_sessions += n;
    for (size_t i = 0; i < n; i++)
        totals->n_frozen += sessions[i].state == SWPROF_SESSION_FROZEN;
}

void probe_totals(const struct probe *probe, struct probe_totals *totals)
{
    const struct swprof_block *block = NULL;
    const struct swprof_thread *thread;
    const struct swprof_aggregate *aggregate;

    memset(totals, 0, sizeof *totals);
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        totals->lost[i] = probe->header->lost[i];
    while ((thread = probe_record(probe, totals->n_threads)) != NULL) {
        totals->n_threads++;
        add_thread(probe, thread, totals);
    }
    for (size_t n = 0; (aggregate = probe_aggregate(probe, n)) != NULL; n++)
        add_aggregate(probe, aggregate, totals);
    while ((block = probe_next(probe, block, SWPROF_BLOCK_SHAPES)) != NULL)
        totals->n_shape_lists += count_shape_lists(block);
    while ((block = probe_next(probe, block, SWPROF_BLOCK_SESSIONS)) != NULL)
        add_sessions(block, totals);
}

const char *probe_text(const struct probe *probe, uint32_t reference)
{
    return ((const struct swprof_string *)(const void *)(probe->bytes + (uint64_t)reference * 8))->text;
}

static const char *name_of(const struct probe *probe, uint64_t id)
{
    const struct swprof_block *block = NULL;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_DISPATCH)) != NULL) {
        const struct swprof_dispatch *records = (const void *)(block + 1);
        uint64_t n = block->published / sizeof *records;

        if (id >= block->first_id && id - block->first_id < n)
            return probe_text(probe, records[id - block->first_id].name);
    }
    return "?";
}

uint64_t probe_count(const struct probe *probe, const char *name)
{
    const struct swprof_block *block = NULL;
    uint64_t count = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        uint64_t n;
        const struct swprof_event *events = events_of(block, &n);

        for (uint64_t i = 0; i < n; i++)
            count += !(events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_OWNER)) &&
                     strcmp(name_of(probe, events[i].word >> SWPROF_EVENT_DURATION_BITS), name) == 0;
    }
    return count;
}

const struct swprof_session *probe_session(const struct probe *probe, size_t n)
{
    return record(probe, SWPROF_BLOCK_SESSIONS, sizeof(struct swprof_session), n);
}

static int is_in(const struct swprof_event *event, const struct swprof_session *session)
{
    uint64_t end = event->start + duration_of(event);

    return !(event->flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_HIDDEN | SWPROF_EVENT_OWNER)) &&
           end >= session->begin.ticks && end < session->end.ticks;
}

static uint64_t mix(uint64_t sum, const void *bytes, size_t n_bytes)
{
    const unsigned char *at = bytes;

    for (size_t i = 0; i < n_bytes; i++)
        sum = (sum ^ at[i]) * UINT64_C(0x100000001b3);
    return sum;
}

uint64_t probe_digest_in(const struct probe *probe, const struct swprof_session *session)
{
    const struct swprof_block *block = NULL;
    uint64_t digest = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        uint64_t n;
        const struct swprof_event *events = events_of(block, &n);

        for (uint64_t i = 0; i < n; i++)
            if (is_in(&events[i], session)) {
                size_t n_slots = i + 1 < n && (events[i + 1].flags & SWPROF_EVENT_EXTENSION) ? 2 : 1;
                digest += mix(UINT64_C(0xcbf29ce484222325), &events[i], n_slots * sizeof *events);
            }
    }
    return digest + mix(0, session, sizeof *session);
}

uint64_t probe_count_in(const struct probe *probe, const struct swprof_session *session)
{
    const struct swprof_block *block = NULL;
    uint64_t count = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        uint64_t n;
        const struct swprof_event *events = events_of(block, &n);

        for (uint64_t i = 0; i < n; i++)
            count += (uint64_t)is_in(&events[i], session);
    }
    return count;
}

size_t probe_notes(const struct probe *probe, struct probe_note *notes, size_t room)
{
    const struct swprof_block *block = NULL;
    size_t n = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_NOTES)) != NULL) {
        const struct swprof_note *slots = (const struct swprof_note *)(const void *)(block + 1);
        uint32_t thread = block->thread;

        for (size_t i = 0; i < block->published / sizeof *slots; i++) {
            if (slots[i].kind == SWPROF_NOTE_OWNER) {
                thread = (uint32_t)slots[i].start;
                continue;
            }
            if (n < room)
                notes[n] = (struct probe_note){slots[i], probe_text(probe, slots[i].name), thread};
            n++;
        }
    }
    return n;
}

uint64_t probe_lost_notes(const struct probe *probe)
{
    const struct swprof_thread *record;
    uint64_t lost = probe->header->lost_notes;

    for (size_t n = 0; (record = probe_record(probe, n)) != NULL; n++)
        lost += record->lost_notes;
    return lost;
}
