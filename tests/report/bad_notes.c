/*
 * Contradictions of notes, each in the good report.
 */
#include "config.h"

#include "bad_samples.h"

static struct made_report with_note(uint32_t thread, struct swprof_note note)
{
    struct made_report report = make_good();

    make_note(&report, make_note_chunk(&report, thread, 0), &note);
    return report;
}

struct made_report bad_notes_of_nobody(void)
{
    return with_note(5, (struct swprof_note){ .start = 2000, .kind = SWPROF_NOTE_RANGE });
}

struct made_report bad_notes_owner(void)
{
    struct made_report report = make_good();
    size_t chunk = make_note_chunk(&report, 0, 0);

    make_note(&report, chunk, &(struct swprof_note){ .start = UINT64_C(1) << 32, .kind = SWPROF_NOTE_OWNER });
    made_block(&report, chunk)->n_owners = 1;
    return report;
}

struct made_report bad_notes_chunk_twice(void)
{
    struct made_report report = with_note(0, (struct swprof_note){ .start = 2000, .kind = SWPROF_NOTE_RANGE });

    make_note(&report, make_note_chunk(&report, 0, 0), &(struct swprof_note){ .start = 2000, .kind = SWPROF_NOTE_RANGE });
    return report;
}

struct made_report bad_half_note(void)
{
    struct made_report report = make_good();

    make_payload(&report, make_note_chunk(&report, 0, 0), sizeof(struct swprof_note) / 2);
    return report;
}
