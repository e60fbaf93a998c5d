/*
 * What operations took and made, in their report: beside which operation it
 * stands, failures, jumps, threads, handlers, and room that is used up.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "shim/run.h"

#define MOST_NOTES 200000
#define FLOWS "SWPROF_FLOWS=1"

static struct probe_note notes[MOST_NOTES];

static size_t record(struct run *run, const char *settings, const char *arguments, struct probe *probe)
{
    return run_record_notes(run, "fake_flows", settings, arguments, probe, notes, MOST_NOTES);
}

/* The n-th event of the only chunk of events. */
static const struct swprof_event *event_at(const struct probe *probe, size_t n)
{
    const struct swprof_block *block = probe_next(probe, NULL, SWPROF_BLOCK_EVENTS);
    const struct swprof_event *events = (const struct swprof_event *)(const void *)(block + 1);

    for (size_t i = 0; i < block->published / sizeof *events; i++)
        if (!(events[i].flags & (SWPROF_EVENT_EXTENSION | SWPROF_EVENT_OWNER)) &&
            events[i].word >> SWPROF_EVENT_DURATION_BITS != SWPROF_DISPATCH_RECORDER && n-- == 0)
            return &events[i];
    ck_abort_msg("no such event");
    return NULL;
}

static uint64_t end_of(const struct swprof_event *event)
{
    return event->start + (event->word & SWPROF_EVENT_WIDE_DURATION);
}

/* Of an event: an input at a position, or the output. */
static void check_note(const struct probe_note *note, const struct swprof_event *event, uint32_t kind, uint64_t storage,
                       uint64_t extra)
{
    ck_assert_uint_eq(note->note.kind, kind);
    ck_assert_uint_eq(note->note.value, storage);
    ck_assert_uint_eq(note->note.extra, extra);
    ck_assert_uint_eq(note->note.start, event->start);
    ck_assert_uint_eq(note->note.depth, event->depth);
    ck_assert_uint_eq(note->note.name, 0);
    ck_assert_uint_eq(note->note.flags, 0);
}

START_TEST(operations_say_what_they_took_and_made)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "chain", &probe), 7);
    const struct swprof_event *first = event_at(&probe, 0), *second = event_at(&probe, 1), *failed = event_at(&probe, 2);
    check_note(&notes[0], first, SWPROF_NOTE_INPUT, 1, 0);
    check_note(&notes[1], first, SWPROF_NOTE_INPUT, 2, 2); /* a number lies between */
    check_note(&notes[2], first, SWPROF_NOTE_OUTPUT, 3, end_of(first));
    check_note(&notes[3], second, SWPROF_NOTE_INPUT, 3, 0);
    check_note(&notes[4], second, SWPROF_NOTE_INPUT, 3, 1);
    check_note(&notes[5], second, SWPROF_NOTE_OUTPUT, 3, end_of(second));
    check_note(&notes[6], failed, SWPROF_NOTE_INPUT, 3, 0);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 4);
    ck_assert_uint_eq(probe_lost_notes(&probe), 0);
    /* Which was measured with flows, whose notes are nowhere. */
    ck_assert_uint_gt(probe.header->cost_outside, 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(what_runs_inside_stands_first_and_with_its_own_depth)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "nested", &probe), 8);
    const struct swprof_event *inner = event_at(&probe, 0), *outer = event_at(&probe, 1);
    ck_assert_uint_eq(inner->depth, 1);
    check_note(&notes[0], inner, SWPROF_NOTE_INPUT, 1, 0);
    check_note(&notes[1], inner, SWPROF_NOTE_INPUT, 2, 1);
    check_note(&notes[2], inner, SWPROF_NOTE_OUTPUT, 3, end_of(inner));
    check_note(&notes[3], outer, SWPROF_NOTE_INPUT, 1, 0);
    check_note(&notes[4], outer, SWPROF_NOTE_OUTPUT, 3, end_of(outer));
    run_close(&run, &probe);
}
END_TEST

/* Who took what a hidden one has made would else seem to have it from an older one. */
START_TEST(hidden_carriers_have_theirs_too)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS " SWPROF_CARRIERS=Generic", "hidden", &probe), 6);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 1);
    ck_assert_uint_eq(notes[5].note.kind, SWPROF_NOTE_OUTPUT);
    ck_assert_uint_eq(notes[5].note.value, 4);
    ck_assert_uint_ge(notes[5].note.extra, notes[5].note.start);
    run_close(&run, &probe);
}
END_TEST

START_TEST(what_a_jump_leaves_has_taken_but_made_nothing)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "longjmp", &probe), 4);
    const struct swprof_event *left = event_at(&probe, 0), *after = event_at(&probe, 1);
    ck_assert(left->flags & SWPROF_EVENT_HEALED);
    check_note(&notes[0], left, SWPROF_NOTE_INPUT, 1, 0);
    check_note(&notes[1], after, SWPROF_NOTE_INPUT, 5, 0);
    check_note(&notes[2], after, SWPROF_NOTE_INPUT, 6, 1);
    check_note(&notes[3], after, SWPROF_NOTE_OUTPUT, 7, end_of(after));
    run_close(&run, &probe);
}
END_TEST

START_TEST(more_open_inputs_than_are_kept_are_counted)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "deep 5000", &probe), 4096);
    for (size_t i = 0; i < 4096; i++)
        ck_assert_uint_eq(notes[i].note.depth, 4095 - i);
    ck_assert_uint_eq(probe_lost_notes(&probe), 904);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 5000);
    run_close(&run, &probe);
}
END_TEST

START_TEST(every_thread_has_its_own)
{
    struct run run;
    struct probe probe;
    size_t n_of[4] = {0};

    ck_assert_uint_eq(record(&run, FLOWS, "threads 3000", &probe), 24000);
    for (size_t i = 0; i < 24000; i += 2) {
        n_of[notes[i].thread]++;
        ck_assert_uint_eq(notes[i].note.kind, SWPROF_NOTE_INPUT);
        ck_assert_uint_eq(notes[i + 1].note.kind, SWPROF_NOTE_OUTPUT);
        ck_assert_uint_eq(notes[i + 1].note.value, notes[i].note.value + 1);
        ck_assert_uint_eq(notes[i + 1].note.start, notes[i].note.start);
        ck_assert_uint_eq(notes[i + 1].thread, notes[i].thread);
    }
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(n_of[i], 3000);
    run_close(&run, &probe);
}
END_TEST

START_TEST(handlers_have_their_own)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "signals 500", &probe), 2500);
    for (size_t i = 0; i < 2500; i += 5) {
        ck_assert_uint_eq(notes[i].note.value, 1);
        ck_assert_uint_eq(notes[i + 2].note.value, 2);
        ck_assert_uint_eq(notes[i + 2].note.depth, 1);
        ck_assert_uint_eq(notes[i + 3].note.value, 3);
        ck_assert_uint_eq(notes[i + 4].note.value, 4);
        ck_assert_uint_eq(notes[i + 4].note.depth, 0);
    }
    run_close(&run, &probe);
}
END_TEST

START_TEST(they_take_no_more_room_than_notes_may)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, FLOWS " SWPROF_BUFFER=1M", "many 15000", &probe);

    ck_assert_uint_le(n * sizeof(struct swprof_note), 512 << 10);
    ck_assert_uint_ge(n * sizeof(struct swprof_note), 400 << 10);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 30000);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 15000);
    run_close(&run, &probe);
}
END_TEST

/* Who takes what one of them has made would else seem to have it from an older operation. */
START_TEST(what_is_only_added_up_has_made_something_but_taken_nothing)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, FLOWS " SWPROF_BUFFER=1M", "full 100000", &probe);

    ck_assert_uint_eq(n, 2);
    ck_assert_uint_lt(probe_record(&probe, 0)->n_events, 100000);
    ck_assert_uint_eq(notes[0].note.kind, SWPROF_NOTE_OUTPUT);
    ck_assert_uint_eq(notes[0].note.value, 1);
    ck_assert_uint_eq(notes[1].note.kind, SWPROF_NOTE_OUTPUT);
    ck_assert_uint_eq(notes[1].note.value, 2);
    ck_assert_uint_eq(probe_lost_notes(&probe), 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_ring_keeps_the_latest)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, FLOWS " SWPROF_BUFFER=1M SWPROF_FULL=ring", "many 50000", &probe);
    uint64_t newest = 0;

    ck_assert_uint_ge(n * sizeof(struct swprof_note), 128 << 10);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 100000);
    for (size_t i = 0; i < n; i++)
        newest = notes[i].note.value > newest ? notes[i].note.value : newest;
    ck_assert_uint_eq(newest, 50001);
    run_close(&run, &probe);
}
END_TEST

/* Operations that are only added up have none, and so nothing is lost. */
START_TEST(sums_have_none)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS " SWPROF_FULL=summary", "many 1000", &probe), 0);
    ck_assert_uint_eq(probe_lost_notes(&probe), 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(nobody_has_them_unasked)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "chain", &probe), 0);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 4);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_library_of_before_has_none)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, FLOWS, "before", &probe), 0);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 4);
    run_close(&run, &probe);
}
END_TEST

CHECK_MAIN("flows", operations_say_what_they_took_and_made,
           what_runs_inside_stands_first_and_with_its_own_depth,
           hidden_carriers_have_theirs_too,
           what_a_jump_leaves_has_taken_but_made_nothing,
           more_open_inputs_than_are_kept_are_counted,
           every_thread_has_its_own,
           handlers_have_their_own,
           they_take_no_more_room_than_notes_may,
           what_is_only_added_up_has_made_something_but_taken_nothing,
           a_ring_keeps_the_latest,
           sums_have_none,
           nobody_has_them_unasked,
           a_library_of_before_has_none)
