/*
 * The notes of a thread, from the first to the last, read in pieces: memory does
 * not grow with the report.
 */
#include "config.h"

#include "base/alloc.h"
#include "report/inside.h"
#include "report/noted.h"

/* Slots that are read at a time. */
#define PIECE_SLOTS 2048

/*
 * While the program runs a note may be completed during a reading, its flags
 * after its value: what they say is true of a value that is read after them.
 */
static enum report_outcome read_piece(const struct report *report, uint64_t offset, struct swprof_note *slots,
                                      size_t n_bytes)
{
    struct swprof_note *later SW__OWNED = NULL;

    REPORT_TRY(source_read(report->source, offset, slots, n_bytes));
    if (report->header.state == SWPROF_REPORT_FROZEN)
        return REPORT_OK;
    later = sw__alloc(n_bytes);
    if (later == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(source_read(report->source, offset, later, n_bytes));
    for (size_t i = 0; i < n_bytes / sizeof *slots; i++)
        slots[i].value = later[i].value;
    return REPORT_OK;
}

static enum report_outcome find_end(const struct report *report, const struct swprof_note *slot, uint64_t offset,
                                    struct report_note *note)
{
    note->is_interval = 1;
    note->is_healed = (slot->flags & SWPROF_NOTE_HEALED) != 0;
    note->is_open = (slot->flags & SWPROF_NOTE_OPEN) != 0;
    if (note->is_open)
        note->end_ticks = UINT64_MAX;
    else if (__builtin_add_overflow(slot->start, slot->value, &note->end_ticks))
        return report_damaged(report, offset, "a note that ends beyond all time");
    return REPORT_OK;
}

static enum report_outcome pass_slot(const struct report *report, const struct report_thread *thread,
                                     const struct swprof_note *slot, uint64_t offset, report_note_sink *sink,
                                     void *context)
{
    const struct note_kind *kind = note_kind_find(slot->kind);
    struct report_note note = {
        .kind = slot->kind,
        .start_ticks = slot->start,
        .end_ticks = slot->start,
        .text = "",
        .extra = slot->extra,
        .is_refused = (slot->flags & SWPROF_NOTE_REFUSED) != 0,
        .depth = slot->depth,
        .thread = thread->number,
    };

    if (kind == NULL)
        return REPORT_OK;
    REPORT_TRY(report_find_text(report, slot->name, &note.name));
    if (kind->is_interval)
        REPORT_TRY(find_end(report, slot, offset, &note));
    else
        note.value = slot->value;
    if (kind->has_text && slot->value > UINT32_MAX)
        return report_damaged(report, offset, "a note whose text is nowhere");
    if (kind->has_text)
        REPORT_TRY(report_find_text(report, (uint32_t)slot->value, &note.text));
    return sink(context, &note);
}

enum report_outcome report_each_note(const struct report *report, const struct report_thread *thread,
                                     report_note_sink *sink, void *context)
{
    struct swprof_note *slots SW__OWNED = NULL;
    int is_kept = 1;

    if (thread->n_note_chunks == 0)
        return REPORT_OK;
    slots = sw__alloc(PIECE_SLOTS * sizeof *slots);
    if (slots == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < thread->n_note_chunks; i++) {
        const struct report_chunk *chunk = &thread->note_chunks[i];
        for (uint64_t at = 0, n_bytes; at < chunk->n_bytes; at += n_bytes) {
            n_bytes = chunk->n_bytes - at;
            if (n_bytes > PIECE_SLOTS * sizeof *slots)
                n_bytes = PIECE_SLOTS * sizeof *slots;
            REPORT_TRY(read_piece(report, chunk->offset + at, slots, (size_t)n_bytes));
            REPORT_TRY(report_chunk_is_kept(report, chunk->block, &is_kept));
            if (!is_kept)
                break; /* a ring went on: what was there is older than what it keeps */
            for (size_t k = 0; k < n_bytes / sizeof *slots; k++)
                REPORT_TRY(pass_slot(report, thread, &slots[k], chunk->offset + at + k * sizeof *slots, sink, context));
        }
    }
    return REPORT_OK;
}
