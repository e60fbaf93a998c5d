/*
 * Which events are whose: a thread's chunks in the order of recording. In a
 * chunk in which threads followed one another each has its part.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/inside.h"

/* The last block whose payload begins at or before an offset; NULL: none. */
static const struct report_block *last_from(const struct report *report, uint64_t offset)
{
    size_t low = 0, high = report->n_blocks;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (report->blocks[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &report->blocks[low - 1] : NULL;
}

const struct report_block *report_block_at(const struct report *report, uint64_t offset)
{
    const struct report_block *block = last_from(report, offset);

    return block != NULL && offset - block->offset < block->published_bytes ? block : NULL;
}

const struct report_block *report_block_of(const struct report *report, uint64_t payload)
{
    const struct report_block *block = last_from(report, payload);

    return block != NULL && block->offset == payload ? block : NULL;
}

/* Slots that are read at a time. */
#define PIECE_SLOTS 4096

/* The chunks found so far, in report->chunks. */
struct finding {
    struct report *report;
    size_t n_chunks;
    size_t capacity;
};

static enum report_outcome add_chunk(struct finding *finding, struct report_chunk chunk)
{
    struct report *report = finding->report;

    if (chunk.n_bytes == 0)
        return REPORT_OK;
    if (finding->n_chunks == finding->capacity) {
        size_t larger = finding->capacity != 0 ? finding->capacity * 2 : 64;
        struct report_chunk *chunks = sw__realloc(report->chunks, larger * sizeof *chunks);
        if (chunks == NULL)
            return REPORT_SYSTEM;
        report->chunks = chunks;
        finding->capacity = larger;
    }
    report->chunks[finding->n_chunks++] = chunk;
    return REPORT_OK;
}

/* One slot of a chunk with several owners: part of the current one's events, or the mark of the next. */
static enum report_outcome pass_slot(struct finding *finding, struct report_chunk *part,
                                     const struct swprof_event *slot, uint64_t offset)
{
    if (!(slot->flags & SWPROF_EVENT_OWNER)) {
        part->n_bytes += sizeof *slot;
        return REPORT_OK;
    }
    REPORT_TRY(add_chunk(finding, *part));
    if (slot->start > UINT32_MAX)
        return report_damaged(finding->report, offset, "events of no thread");
    *part = (struct report_chunk){ part->block, offset + sizeof *slot, 0, (uint32_t)slot->start, 0 };
    return REPORT_OK;
}

/* The parts of a chunk between the marks of its owners. */
static enum report_outcome split(struct finding *finding, const struct report_block *block)
{
    struct swprof_event *slots SW__OWNED = sw__alloc(PIECE_SLOTS * sizeof *slots);
    struct report_chunk part = { block, block->offset, 0, block->thread, block->first_id };

    if (slots == NULL)
        return REPORT_SYSTEM;
    for (uint64_t at = 0, n_bytes; at < block->published_bytes; at += n_bytes) {
        n_bytes = block->published_bytes - at;
        if (n_bytes > PIECE_SLOTS * sizeof *slots)
            n_bytes = PIECE_SLOTS * sizeof *slots;
        REPORT_TRY(source_read(finding->report->source, block->offset + at, slots, (size_t)n_bytes));
        for (size_t i = 0; i < n_bytes / sizeof *slots; i++)
            REPORT_TRY(pass_slot(finding, &part, &slots[i], block->offset + at + i * sizeof *slots));
    }
    return add_chunk(finding, part);
}

static int by_thread_and_number(const void *a, const void *b)
{
    const struct report_chunk *left = a, *right = b;

    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* Give every thread its part of the sorted chunks. */
static enum report_outcome share(struct report *report, size_t n_chunks)
{
    size_t at = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        struct report_thread *thread = &report->threads[i];
        thread->chunks = n_chunks > 0 ? report->chunks + at : NULL;
        while (at < n_chunks && report->chunks[at].thread == thread->number) {
            if (thread->n_chunks > 0 && thread->chunks[thread->n_chunks - 1].number == report->chunks[at].number)
                return report_damaged(report, report->chunks[at].offset, "a second chunk with the same number");
            thread->n_chunks++;
            at++;
        }
    }
    if (at < n_chunks)
        return report_damaged(report, report->chunks[at].offset, "events of a thread that is not described");
    return REPORT_OK;
}

enum report_outcome report_view_chunks(struct report *report)
{
    struct finding finding = { report, 0, 0 };

    for (size_t i = 0; i < report->n_blocks; i++) {
        const struct report_block *block = &report->blocks[i];
        struct report_chunk whole = { block, block->offset, block->published_bytes, block->thread, block->first_id };
        if (block->type != SWPROF_BLOCK_EVENTS)
            continue;
        if (block->n_owners == 0)
            REPORT_TRY(add_chunk(&finding, whole));
        else
            REPORT_TRY(split(&finding, block));
    }
    if (finding.n_chunks > 1)
        qsort(report->chunks, finding.n_chunks, sizeof *report->chunks, by_thread_and_number);
    return share(report, finding.n_chunks);
}

enum report_outcome report_chunk_is_kept(const struct report *report, const struct report_block *block,
                                         int *ret_is_kept)
{
    struct swprof_block now;

    *ret_is_kept = 1;
    if (!(report->header.incompatible & SWPROF_FEATURE_RING) || report->header.state == SWPROF_REPORT_FROZEN)
        return REPORT_OK;
    REPORT_TRY(source_read(report->source, block->offset - sizeof now, &now, sizeof now));
    *ret_is_kept = now.generation == block->generation;
    return REPORT_OK;
}
