/*
 * Reports with notes that something is special about, and with names that are.
 */
#include "config.h"

#include "notes_samples.h"

#include <string.h>

/* Names that act on terminals, break quoting, or are no text at all. */
static const char *const wild[] = {
    "esc\x1b[31mred", "line\nbreak", "quote\"d", "comma,name", "=cmd|' /C calc'!A0", "back\\slash",
    "latin\xe9", "over\xc0\xafslash", "right\xe2\x80\xaeleft", "emoji \xf0\x9f\x98\x80", "bell\x07",
    "</script>", "semi;colon",
};
#define N_WILD (sizeof wild / sizeof *wild)

struct made_report sample_wild_names(void)
{
    struct made_report report = make_report();

    make_session(&report, 1000, 11000, "tab\there");
    make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    for (uint32_t i = 0; i < N_WILD; i++) {
        uint32_t dispatch = make_dispatch(&report, wild[i], "Generic", 1);
        make_event(&report, chunk, 2000 + 100 * (uint64_t)i, 50, dispatch, 0, SWPROF_EVENT_SUCCEEDED, 0);
    }
    return report;
}

/* Of ranges. */
struct made_report sample_wild_notes(void)
{
    struct made_report report = make_good();
    size_t chunk = make_note_chunk(&report, 0, 0);

    for (uint32_t i = 0; i < N_WILD; i++)
        make_note(&report, chunk,
                  &(struct swprof_note){ .start = 8100 + 100 * (uint64_t)i,
                                         .value = 50,
                                         .name = make_string(&report, wild[i], strlen(wild[i])),
                                         .kind = SWPROF_NOTE_RANGE });
    return report;
}

/* The first range ends inside of the second, which has no more than a part of it; an operation crosses a third. */
struct made_report sample_crossed_notes(void)
{
    struct made_report report = make_good();
    size_t chunk = make_note_chunk(&report, 0, 0);
    uint32_t name = make_string(&report, "crossed", 7);

    make_note(&report, chunk,
              &(struct swprof_note){ .start = 8100, .value = 200, .name = name, .kind = SWPROF_NOTE_RANGE });
    make_note(&report, chunk,
              &(struct swprof_note){ .start = 8200, .value = 200, .name = name, .kind = SWPROF_NOTE_RANGE });
    make_note(&report, chunk,
              &(struct swprof_note){ .start = 6500, .value = 1000, .name = name, .kind = SWPROF_NOTE_RANGE });
    return report;
}

struct made_report sample_lost_notes(void)
{
    struct made_report report = make_noted();

    made_header(&report)->lost_notes = 17;
    return report;
}
