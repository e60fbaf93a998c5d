/*
 * Which events and notes are whose: a thread's chunks in the order of recording.
 * In a chunk in which threads followed one another each has its part.
 */
#include "config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

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

/* Bytes that are read at a time: whole slots of either kind. */
#define PIECE_BYTES (4096 * sizeof(struct swprof_event))

_Static_assert(PIECE_BYTES % sizeof(struct swprof_note) == 0, "pieces of whole notes");
_Static_assert(offsetof(struct swprof_event, start) == 0 && offsetof(struct swprof_note, start) == 0,
               "an owner's number is the first word");

static int is_owner_of_events(const char *slot)
{
    return (slot[offsetof(struct swprof_event, flags)] & SWPROF_EVENT_OWNER) != 0;
}

static int is_owner_of_notes(const char *slot)
{
    return slot[offsetof(struct swprof_note, kind)] == SWPROF_NOTE_OWNER;
}

/* What threads have in chunks. */
static const struct content {
    uint32_t type;
    uint32_t slot_bytes;
    int (*is_owner)(const char *slot);
    const char *of_no_thread;
    const char *of_unknown_thread;
} events = { SWPROF_BLOCK_EVENTS, sizeof(struct swprof_event), is_owner_of_events, "events of no thread",
             "events of a thread that is not described" },
  notes = { SWPROF_BLOCK_NOTES, sizeof(struct swprof_note), is_owner_of_notes, "notes of no thread",
            "notes of a thread that is not described" };

/* The chunks found so far. */
struct finding {
    const struct report *report;
    const struct content *content;
    struct report_chunk *chunks;
    size_t n_chunks;
    size_t capacity;
};

static enum report_outcome add_chunk(struct finding *finding, struct report_chunk chunk)
{
    if (chunk.n_bytes == 0)
        return REPORT_OK;
    if (finding->n_chunks == finding->capacity) {
        size_t larger = finding->capacity != 0 ? finding->capacity * 2 : 64;
        struct report_chunk *chunks = sw__realloc(finding->chunks, larger * sizeof *chunks);
        if (chunks == NULL)
            return REPORT_SYSTEM;
        finding->chunks = chunks;
        finding->capacity = larger;
    }
    finding->chunks[finding->n_chunks++] = chunk;
    return REPORT_OK;
}

/* One slot of a chunk with several owners: part of the current one's, or the mark of the next. */
static enum report_outcome pass_slot(struct finding *finding, struct report_chunk *part, const char *slot,
                                     uint64_t offset)
{
    uint32_t slot_bytes = finding->content->slot_bytes;
    uint64_t owner;

    if (!finding->content->is_owner(slot)) {
        part->n_bytes += slot_bytes;
        return REPORT_OK;
    }
    REPORT_TRY(add_chunk(finding, *part));
    memcpy(&owner, slot, sizeof owner);
    if (owner > UINT32_MAX)
        return report_damaged(finding->report, offset, finding->content->of_no_thread);
    *part = (struct report_chunk){ part->block, offset + slot_bytes, 0, (uint32_t)owner, 0 };
    return REPORT_OK;
}

/* The parts of a chunk between the marks of its owners. */
static enum report_outcome split(struct finding *finding, const struct report_block *block)
{
    char *slots SW__OWNED = sw__alloc(PIECE_BYTES);
    struct report_chunk part = { block, block->offset, 0, block->thread, block->first_id };

    if (slots == NULL)
        return REPORT_SYSTEM;
    for (uint64_t at = 0, n_bytes; at < block->published_bytes; at += n_bytes) {
        n_bytes = block->published_bytes - at;
        if (n_bytes > PIECE_BYTES)
            n_bytes = PIECE_BYTES;
        REPORT_TRY(source_read(finding->report->source, block->offset + at, slots, (size_t)n_bytes));
        for (uint64_t i = 0; i < n_bytes; i += finding->content->slot_bytes)
            REPORT_TRY(pass_slot(finding, &part, slots + i, block->offset + at + i));
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

/* Find the chunks of one content, sorted by their threads. */
static enum report_outcome find_chunks(struct finding *finding)
{
    const struct report *report = finding->report;

    for (size_t i = 0; i < report->n_blocks; i++) {
        const struct report_block *block = &report->blocks[i];
        struct report_chunk whole = { block, block->offset, block->published_bytes, block->thread, block->first_id };
        if (block->type != finding->content->type)
            continue;
        if (block->n_owners == 0)
            REPORT_TRY(add_chunk(finding, whole));
        else
            REPORT_TRY(split(finding, block));
    }
    if (finding->n_chunks > 1)
        qsort(finding->chunks, finding->n_chunks, sizeof *finding->chunks, by_thread_and_number);
    return REPORT_OK;
}

/* The part of a thread, from @at on, which moves behind it. */
static enum report_outcome take_part(const struct finding *finding, const struct report_thread *thread, size_t *at,
                                     const struct report_chunk **ret_chunks, size_t *ret_n_chunks)
{
    const struct report_chunk *first = finding->n_chunks > 0 ? finding->chunks + *at : NULL;
    size_t n = 0;

    for (; *at < finding->n_chunks && finding->chunks[*at].thread == thread->number; n++, (*at)++)
        if (n > 0 && first[n - 1].number == first[n].number)
            return report_damaged(finding->report, first[n].offset, "a second chunk with the same number");
    *ret_chunks = first;
    *ret_n_chunks = n;
    return REPORT_OK;
}

static enum report_outcome check_all_are_taken(const struct finding *finding, size_t at)
{
    return at < finding->n_chunks
               ? report_damaged(finding->report, finding->chunks[at].offset, finding->content->of_unknown_thread)
               : REPORT_OK;
}

enum report_outcome report_view_chunks(struct report *report)
{
    struct finding finding = { .report = report, .content = &events };
    size_t at = 0;
    enum report_outcome outcome = find_chunks(&finding);

    report->chunks = finding.chunks;
    for (size_t i = 0; outcome == REPORT_OK && i < report->n_threads; i++)
        outcome = take_part(&finding, &report->threads[i], &at, &report->threads[i].chunks, &report->threads[i].n_chunks);
    return outcome == REPORT_OK ? check_all_are_taken(&finding, at) : outcome;
}

enum report_outcome report_view_note_chunks(struct report *report)
{
    struct finding finding = { .report = report, .content = &notes };
    size_t at = 0;
    enum report_outcome outcome = find_chunks(&finding);

    report->note_chunks = finding.chunks;
    for (size_t i = 0; outcome == REPORT_OK && i < report->n_threads; i++) {
        struct report_thread *thread = &report->threads[i];
        outcome = take_part(&finding, thread, &at, &thread->note_chunks, &thread->n_note_chunks);
    }
    return outcome == REPORT_OK ? check_all_are_taken(&finding, at) : outcome;
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
