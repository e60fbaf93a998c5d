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

static const struct swprof_thread *thread_of(const struct swprof_block *block)
{
    return (const struct swprof_thread *)(const void *)(block + 1);
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

/* The events of one thread, in order: counts, order of ends, containment in the enclosing event. */
static void add_thread(const struct probe *probe, const struct swprof_thread *thread, struct probe_totals *totals)
{
    static uint64_t earliest[MAX_DEPTH + 1]; /* start of the first event of a depth since its encloser ended */
    const struct swprof_block *block = NULL;
    uint64_t last_end = 0, found = 0;

    memset(earliest, 0xff, sizeof earliest);
    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        uint64_t n;
        const struct swprof_event *events = events_of(block, &n);

        if (block->thread != thread->number)
            continue;
        for (uint64_t i = 0; i < n; i++) {
            uint64_t end = events[i].start + duration_of(&events[i]);

            if (events[i].flags & SWPROF_EVENT_EXTENSION)
                continue;
            found += (events[i].flags & SWPROF_EVENT_HIDDEN) == 0;
            add_event(totals, &events[i]);
            totals->n_out_of_order += end < last_end;
            last_end = end;
            totals->n_escaped += earliest[events[i].depth + 1] < events[i].start;
            earliest[events[i].depth + 1] = UINT64_MAX;
            if (events[i].start < earliest[events[i].depth])
                earliest[events[i].depth] = events[i].start;
        }
    }
    totals->n_miscounted += found != thread->n_events;
    totals->n_open += thread->depth;
    totals->n_ended += thread->state == SWPROF_THREAD_ENDED;
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        totals->lost[i] += thread->lost[i];
}

static uint64_t count_events(const struct probe *probe, uint32_t number)
{
    const struct swprof_block *block = NULL;
    uint64_t count = 0, n;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        const struct swprof_event *events = events_of(block, &n);

        for (uint64_t i = 0; block->thread == number && i < n; i++)
            count += !(events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_HIDDEN));
    }
    return count;
}

int probe_thread(const struct probe *probe, int64_t tid, struct probe_thread *thread)
{
    const struct swprof_block *block = NULL;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_THREAD)) != NULL) {
        const struct swprof_thread *found = thread_of(block);

        if (found->tid != tid)
            continue;
        thread->n_events = count_events(probe, found->number);
        thread->n_lost = 0;
        for (int i = 0; i < SWPROF_LOST_REASONS; i++)
            thread->n_lost += found->lost[i];
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

    memset(totals, 0, sizeof *totals);
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        totals->lost[i] = probe->header->lost[i];
    while ((block = probe_next(probe, block, SWPROF_BLOCK_THREAD)) != NULL) {
        totals->n_threads++;
        add_thread(probe, thread_of(block), totals);
    }
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
            count += !(events[i].flags & SWPROF_EVENT_EXTENSION) &&
                     strcmp(name_of(probe, events[i].word >> SWPROF_EVENT_DURATION_BITS), name) == 0;
    }
    return count;
}

const struct swprof_session *probe_session(const struct probe *probe, size_t n)
{
    const struct swprof_block *block = NULL;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_SESSIONS)) != NULL) {
        const struct swprof_session *sessions = (const void *)(block + 1);
        size_t here = block->published / sizeof *sessions;

        if (n < here)
            return &sessions[n];
        n -= here;
    }
    return NULL;
}

uint64_t probe_count_in(const struct probe *probe, const struct swprof_session *session)
{
    const struct swprof_block *block = NULL;
    uint64_t count = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_EVENTS)) != NULL) {
        uint64_t n;
        const struct swprof_event *events = events_of(block, &n);

        for (uint64_t i = 0; i < n; i++) {
            uint64_t end = events[i].start + duration_of(&events[i]);

            count += !(events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_HIDDEN)) &&
                     end >= session->begin.ticks && end < session->end.ticks;
        }
    }
    return count;
}
