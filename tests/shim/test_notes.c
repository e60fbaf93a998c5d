/*
 * Ranges and steps of the program in its report: nesting, threads, what is left
 * open, kills and forks, and room that is used up.
 */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "check_main.h"
#include "shim/run.h"

#define MOST_NOTES 200000

static struct probe_note notes[MOST_NOTES];

static size_t record(struct run *run, const char *settings, const char *arguments, struct probe *probe)
{
    return run_record_notes(run, "fake_notes", settings, arguments, probe, notes, MOST_NOTES);
}

static void check_note(const struct probe_note *note, const char *name, uint64_t level, uint32_t flags)
{
    ck_assert_str_eq(note->name, name);
    ck_assert_uint_eq(note->note.kind, SWPROF_NOTE_RANGE);
    ck_assert_uint_eq(note->note.extra, level);
    ck_assert_uint_eq(note->note.flags, flags);
}

static uint64_t end_of(const struct probe_note *note)
{
    return note->note.start + note->note.value;
}

START_TEST(ranges_stand_in_the_order_of_their_beginnings_and_nest)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "nested", &probe), 3);
    check_note(&notes[0], "outer", 0, 0);
    check_note(&notes[1], "inner", 1, 0);
    check_note(&notes[2], "inner", 1, 0);
    ck_assert_uint_ge(notes[1].note.start, notes[0].note.start);
    ck_assert_uint_ge(notes[2].note.start, end_of(&notes[1]));
    ck_assert_uint_ge(end_of(&notes[0]), end_of(&notes[2]));
    ck_assert_uint_eq(notes[1].note.name, notes[2].note.name); /* stored once */
    ck_assert_uint_eq(probe_lost_notes(&probe), 0);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_notes, 3);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 2);
    run_close(&run, &probe);
}
END_TEST

START_TEST(every_thread_has_its_notes)
{
    struct run run;
    struct probe probe;
    size_t n_of[4] = {0};

    ck_assert_uint_eq(record(&run, NULL, "threads 5000", &probe), 20000);
    for (size_t i = 0; i < 20000; i++)
        n_of[notes[i].thread]++;
    for (size_t i = 0; i < 4; i++)
        ck_assert_uint_eq(n_of[i], 5000);
    run_close(&run, &probe);
}
END_TEST

/* A page for each would be 4 MB. */
START_TEST(threads_that_follow_one_another_share_a_chunk)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "short_threads 1000", &probe), 1000);
    for (size_t i = 1; i < 1000; i++)
        ck_assert_uint_ne(notes[i].thread, notes[i - 1].thread);
    ck_assert_uint_lt(probe.header->used_bytes, 1 << 20);
    run_close(&run, &probe);
}
END_TEST

START_TEST(an_outer_end_ends_what_is_inside_and_says_so)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "unbalanced", &probe), 4);
    check_note(&notes[0], "outer", 0, 0);
    check_note(&notes[1], "left", 1, SWPROF_NOTE_HEALED);
    check_note(&notes[2], "left", 2, SWPROF_NOTE_HEALED);
    check_note(&notes[3], "never left", 0, SWPROF_NOTE_OPEN);
    ck_assert_uint_eq(end_of(&notes[1]), end_of(&notes[0]));
    run_close(&run, &probe);
}
END_TEST

START_TEST(what_a_jump_leaves_ends_with_what_is_around_it)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "longjmp", &probe), 2);
    check_note(&notes[0], "around", 0, 0);
    check_note(&notes[1], "jumped out of", 1, SWPROF_NOTE_HEALED);
    ck_assert_uint_eq(notes[1].note.depth, 1);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_kill_leaves_what_was_complete_and_what_was_open)
{
    struct run run;
    struct probe probe;

    run_begin(&run);
    run.program = "fake_notes";
    run_start(&run, NULL, "until_killed 3000");
    run_kill(&run, SIGKILL);
    run_report(&run, 0, &probe);
    ck_assert_uint_eq(probe_notes(&probe, notes, MOST_NOTES), 3003);
    for (size_t i = 0; i < 3000; i++)
        check_note(&notes[i], "whole", 0, 0);
    ck_assert_uint_eq(notes[3000].note.kind, SWPROF_NOTE_STEP);
    ck_assert_uint_eq(notes[3000].note.extra, 5);
    ck_assert_uint_eq(notes[3000].note.flags, SWPROF_NOTE_OPEN);
    check_note(&notes[3001], "open", 0, SWPROF_NOTE_OPEN);
    check_note(&notes[3002], "open inside", 1, SWPROF_NOTE_OPEN);
    run_close(&run, &probe);
}
END_TEST

/* One report holds "of both", the other "of the child"; the end in the child of what began in the parent is in neither. */
START_TEST(a_child_has_its_own_ranges_alone)
{
    struct run run;
    struct probe probe;
    unsigned found = 0;

    run_begin(&run);
    run.program = "fake_notes";
    run_program(&run, NULL, "fork");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 2);
    for (int i = 0; i < 2; i++) {
        run_report(&run, i, &probe);
        ck_assert_uint_eq(probe_notes(&probe, notes, MOST_NOTES), 1);
        ck_assert_uint_eq(notes[0].note.flags, 0);
        ck_assert_uint_eq(probe_lost_notes(&probe), 0);
        found |= strcmp(notes[0].name, "of both") == 0 ? 1 : strcmp(notes[0].name, "of the child") == 0 ? 2 : 4;
        probe_close(&probe);
    }
    ck_assert_uint_eq(found, 3);
    run_end(&run);
}
END_TEST

START_TEST(long_and_odd_names_are_kept_up_to_a_length)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "names 100", &probe), 103);
    ck_assert_uint_eq(strlen(notes[0].name), 1024);
    ck_assert_str_eq(notes[1].name, "bell\x07 \xff\xfe line\n");
    ck_assert_str_eq(notes[2].name, "");
    ck_assert_str_eq(notes[3].name, "name 0");
    ck_assert_str_eq(notes[102].name, "name 99");
    run_close(&run, &probe);
}
END_TEST

START_TEST(more_names_than_are_kept_are_counted)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, "SWPROF_BUFFER=1M", "names 5000", &probe);

    ck_assert_uint_gt(n, 500);
    ck_assert_uint_lt(n, 5000);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 5003);
    run_close(&run, &probe);
}
END_TEST

START_TEST(notes_take_at_most_half_of_the_cap)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, "SWPROF_BUFFER=1M", "many 100000", &probe);

    ck_assert_uint_ge(n * sizeof(struct swprof_note), 400 << 10);
    ck_assert_uint_le(n * sizeof(struct swprof_note), 512 << 10);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 100000);
    ck_assert_uint_le(probe.header->used_bytes, 600 << 10);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_ring_keeps_the_latest_notes)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, "SWPROF_BUFFER=1M SWPROF_FULL=ring", "steps 20000", &probe);
    uint64_t oldest = UINT64_MAX, newest = 0;

    ck_assert_uint_ge(n * sizeof(struct swprof_note), 128 << 10);
    ck_assert_uint_le(n * sizeof(struct swprof_note), 256 << 10);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 20001); /* from step 0 on */
    for (size_t i = 0; i < n; i++) {
        oldest = notes[i].note.extra < oldest ? notes[i].note.extra : oldest;
        newest = notes[i].note.extra > newest ? notes[i].note.extra : newest;
    }
    ck_assert_uint_eq(newest, 20000);
    ck_assert_uint_eq(oldest, 20001 - n);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_summary_has_notes_up_to_a_quarter_of_the_cap)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, "SWPROF_BUFFER=1M SWPROF_FULL=summary", "many 100000", &probe);

    ck_assert_uint_ge(n * sizeof(struct swprof_note), 128 << 10);
    ck_assert_uint_le(n * sizeof(struct swprof_note), 256 << 10);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 100000);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_step_lasts_until_the_next)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "steps 3", &probe), 4);
    for (size_t i = 0; i < 4; i++) {
        ck_assert_uint_eq(notes[i].note.kind, SWPROF_NOTE_STEP);
        ck_assert_uint_eq(notes[i].note.extra, i);
        ck_assert_uint_eq(notes[i].note.flags, i == 3 ? SWPROF_NOTE_OPEN : 0);
        if (i > 0)
            ck_assert_uint_ge(notes[i].note.start, end_of(&notes[i - 1]));
    }
    ck_assert_uint_eq(notes[0].note.start, probe_session(&probe, 0)->begin.ticks);
    run_close(&run, &probe);
}
END_TEST

/* None is taken for one that began before the round, and none is counted twice. */
START_TEST(a_step_without_room_is_lost_once)
{
    struct run run;
    struct probe probe;
    size_t n = record(&run, "SWPROF_BUFFER=1M", "steps 40000", &probe);

    ck_assert_uint_lt(n, 40001);
    ck_assert_uint_eq(n + probe_lost_notes(&probe), 40001);
    for (size_t i = 1; i < n; i++)
        ck_assert_uint_ge(notes[i].note.start, end_of(&notes[i - 1]));
    run_close(&run, &probe);
}
END_TEST

/* What ends outside is completed; what begins outside is nothing of the round. */
START_TEST(levels_stay_right_across_rounds)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "rounds", &probe), 3);
    check_note(&notes[0], "whole", 0, 0);
    check_note(&notes[1], "ends outside", 0, 0);
    check_note(&notes[2], "inside", 1, 0);
    ck_assert_uint_ge(end_of(&notes[1]), probe_session(&probe, 0)->end.ticks);
    ck_assert_uint_eq(probe_lost_notes(&probe), 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(handlers_have_ranges_of_their_own)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "signals 500", &probe), 1000);
    for (size_t i = 0; i < 1000; i++)
        check_note(&notes[i], i % 2 == 0 ? "interrupted" : "handler", i % 2, 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(ranges_that_are_too_deep_are_counted)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, NULL, "deep 5000", &probe), 4096);
    for (size_t i = 0; i < 4096; i++)
        check_note(&notes[i], "deep", i, 0);
    ck_assert_uint_eq(probe_lost_notes(&probe), 904);
    run_close(&run, &probe);
}
END_TEST

START_TEST(ranges_of_the_library_are_noted_when_asked_for)
{
    struct run run;
    struct probe probe;

    ck_assert_uint_eq(record(&run, "SWPROF_RANGES=1", "host 3", &probe), 6);
    for (size_t i = 0; i < 6; i += 2) { /* in the order of their ends */
        ck_assert_str_eq(notes[i].name, "operator.call");
        ck_assert_str_eq(notes[i + 1].name, "dispatch.call");
        ck_assert_uint_eq(notes[i].note.kind, SWPROF_NOTE_HOST_RANGE);
        ck_assert_uint_eq(notes[i].note.flags, 0);
        ck_assert_uint_ge(notes[i].note.start, notes[i + 1].note.start);
        ck_assert_uint_le(end_of(&notes[i]), end_of(&notes[i + 1]));
    }
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 3);
    run_close(&run, &probe);
    ck_assert_uint_eq(record(&run, NULL, "host 3", &probe), 0);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_events, 3);
    run_close(&run, &probe);
}
END_TEST

CHECK_MAIN("notes", ranges_stand_in_the_order_of_their_beginnings_and_nest,
           every_thread_has_its_notes,
           threads_that_follow_one_another_share_a_chunk,
           an_outer_end_ends_what_is_inside_and_says_so,
           what_a_jump_leaves_ends_with_what_is_around_it,
           a_kill_leaves_what_was_complete_and_what_was_open,
           a_child_has_its_own_ranges_alone,
           long_and_odd_names_are_kept_up_to_a_length,
           more_names_than_are_kept_are_counted,
           notes_take_at_most_half_of_the_cap,
           a_ring_keeps_the_latest_notes,
           a_summary_has_notes_up_to_a_quarter_of_the_cap,
           a_step_lasts_until_the_next,
           a_step_without_room_is_lost_once,
           levels_stay_right_across_rounds,
           handlers_have_ranges_of_their_own,
           ranges_that_are_too_deep_are_counted,
           ranges_of_the_library_are_noted_when_asked_for)
