/*
 * Notes of threads as the reader passes them on.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>

#include "check_main.h"
#include "report/report.h"

#include "open_made.h"

#define MOST_NOTES 16

struct found {
    struct report_note notes[MOST_NOTES];
    size_t n_notes;
};

static enum report_outcome keep(void *context, const struct report_note *note)
{
    struct found *found = context;

    ck_assert_uint_lt(found->n_notes, MOST_NOTES);
    found->notes[found->n_notes++] = *note;
    return REPORT_OK;
}

static void check_interval(const struct report_note *note, uint32_t kind, const char *name, uint64_t start,
                           uint64_t end, uint64_t extra)
{
    ck_assert_uint_eq(note->kind, kind);
    ck_assert_str_eq(note->name, name);
    ck_assert_int_eq(note->is_interval, 1);
    ck_assert_uint_eq(note->start_ticks, start);
    ck_assert_uint_eq(note->end_ticks, end);
    ck_assert_uint_eq(note->extra, extra);
}

START_TEST(notes_are_passed_in_the_order_of_the_report)
{
    struct made_report made = make_noted();
    struct report *report REPORT_OWNED = opened(&made);
    struct found found = { .n_notes = 0 };
    double rate;

    ck_assert_int_eq(report_each_note(report, &report->threads[0], keep, &found), REPORT_OK);
    ck_assert_uint_eq(found.n_notes, 6);
    check_interval(&found.notes[0], SWPROF_NOTE_STEP, "", 1200, 9500, 3);
    check_interval(&found.notes[1], SWPROF_NOTE_PHASE, "train", 1300, UINT64_MAX, 0);
    ck_assert_int_eq(found.notes[1].is_open, 1);
    ck_assert_int_eq(found.notes[2].is_interval, 0);
    ck_assert_str_eq(found.notes[2].name, "model");
    ck_assert_str_eq(found.notes[2].text, "mlp");
    memcpy(&rate, &found.notes[3].value, sizeof rate);
    ck_assert_double_eq(rate, 0.125);
    check_interval(&found.notes[4], SWPROF_NOTE_RANGE, "epoch", 1500, 9000, 0);
    check_interval(&found.notes[5], SWPROF_NOTE_RANGE, "forward", 1800, 6500, 1);
    ck_assert_int_eq(found.notes[5].is_open, 0);
}
END_TEST

START_TEST(a_thread_that_goes_on_in_a_chunk_has_its_part_of_it)
{
    struct made_report made = make_noted();
    struct report *report REPORT_OWNED = opened(&made);
    struct found found = { .n_notes = 0 };

    ck_assert_int_eq(report_each_note(report, &report->threads[1], keep, &found), REPORT_OK);
    ck_assert_uint_eq(found.n_notes, 1); /* that of an unknown kind is skipped */
    check_interval(&found.notes[0], SWPROF_NOTE_RANGE, "load", 2100, 2900, 0);
    ck_assert_uint_eq(found.notes[0].thread, 1);
}
END_TEST

/* Whoever passes the notes stops where one contradicts itself. */
static void check_refused(struct swprof_note note, const char *sentence)
{
    struct made_report made = make_good();

    make_note(&made, make_note_chunk(&made, 0, 0), &note);
    struct report *report REPORT_OWNED = opened(&made);
    struct found found = { .n_notes = 0 };
    ck_assert_int_eq(report_each_note(report, &report->threads[0], keep, &found), REPORT_DAMAGED);
    ck_assert_ptr_nonnull(strstr(sw_error_message(), sentence));
}

START_TEST(notes_that_contradict_themselves_are_refused)
{
    check_refused((struct swprof_note){ .start = UINT64_MAX, .value = 1, .kind = SWPROF_NOTE_RANGE },
                  "ends beyond all time");
    check_refused((struct swprof_note){ .value = UINT64_C(1) << 32, .kind = SWPROF_NOTE_TEXT }, "whose text is nowhere");
    check_refused((struct swprof_note){ .value = 3, .kind = SWPROF_NOTE_TEXT }, "referred to as a text");
    check_refused((struct swprof_note){ .name = 1, .kind = SWPROF_NOTE_RANGE }, "referred to as a text");
}
END_TEST

START_TEST(losses_of_threads_and_of_none_are_summed)
{
    struct made_report made = make_noted();

    made_header(&made)->lost_notes = 5;
    struct report *report REPORT_OWNED = opened(&made);
    report->threads[1].lost_notes = 7;
    ck_assert_uint_eq(report_lost_notes(report), 12);
    report->threads[0].lost_notes = UINT64_MAX;
    ck_assert_uint_eq(report_lost_notes(report), UINT64_MAX);
}
END_TEST

CHECK_MAIN("notes", notes_are_passed_in_the_order_of_the_report, a_thread_that_goes_on_in_a_chunk_has_its_part_of_it,
           notes_that_contradict_themselves_are_refused, losses_of_threads_and_of_none_are_summed)
