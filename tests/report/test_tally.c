/*
 * A tally that is brought up to date again and again shows what one pass over
 * the whole report shows, and does not read again what is settled.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check_main.h"
#include "report/tally.h"

#include "make_report.h"

static const struct report_filter everything;

/* The file of a report under construction, and the path by which it can be opened. */
struct file {
    int descriptor;
    char path[64];
};

static struct file new_file(void)
{
    struct file file = { .descriptor = memfd_create("report", MFD_CLOEXEC) };

    ck_assert_int_ge(file.descriptor, 0);
    snprintf(file.path, sizeof file.path, "/proc/self/fd/%d", file.descriptor);
    return file;
}

static void put(const struct file *file, const struct made_report *made)
{
    ck_assert_int_eq(pwrite(file->descriptor, made->bytes, made->n_bytes, 0), (ssize_t)made->n_bytes);
}

static struct report *opened(const struct file *file)
{
    struct report *report = NULL;

    ck_assert_msg(report_open(file->path, &report) == REPORT_OK, "%s", sw_error_message());
    return report;
}

static void check_same_rows(const struct sw__aggregates *got, const struct sw__aggregates *expected)
{
    ck_assert_uint_eq(got->n_rows, expected->n_rows);
    for (size_t i = 0; i < got->n_rows; i++) {
        const struct sw__aggregate *a = &got->rows[i], *b = &expected->rows[i];
        ck_assert_str_eq(a->dispatch->name, b->dispatch->name);
        ck_assert_str_eq(a->dispatch->carrier_name, b->dispatch->carrier_name);
        ck_assert_str_eq(a->shape_text, b->shape_text);
        ck_assert_uint_eq(a->count, b->count);
        ck_assert_uint_eq(a->failures, b->failures);
        ck_assert_int_eq(a->total_ns, b->total_ns);
        ck_assert_int_eq(a->self_total_ns, b->self_total_ns);
        ck_assert_int_eq(a->min_ns, b->min_ns);
        ck_assert_int_eq(a->max_ns, b->max_ns);
        ck_assert_uint_eq(a->n_measured, b->n_measured);
        ck_assert_mem_eq(a->percentiles_ns, b->percentiles_ns, sizeof a->percentiles_ns);
    }
}

/* The tally against a pass over the whole of the same report. */
static void check_against_whole(struct report_tally *tally, const struct report *report, enum sw__grouping grouping)
{
    struct sw__aggregates *got SW__OWNED_AGGREGATES = NULL;
    struct sw__aggregates *expected SW__OWNED_AGGREGATES = NULL;
    struct report_totals got_totals, totals;

    ck_assert_msg(tally_update(tally, report, &everything, &got, &got_totals) == REPORT_OK, "%s", sw_error_message());
    ck_assert_int_eq(report_aggregate_percentiles(report, &everything, grouping, &expected, &totals), REPORT_OK);
    check_same_rows(got, expected);
    ck_assert_uint_eq(got_totals.n_events, totals.n_events);
    ck_assert_uint_eq(got_totals.n_failures, totals.n_failures);
    ck_assert_uint_eq(got_totals.n_unfinished, totals.n_unfinished);
    ck_assert_uint_eq(got_totals.n_hidden, totals.n_hidden);
    ck_assert_uint_eq(got_totals.n_anomalies, totals.n_anomalies);
    ck_assert_uint_eq(got_totals.n_threads, totals.n_threads);
    ck_assert_int_eq(got_totals.alive_ns, totals.alive_ns);
    ck_assert_int_eq(got_totals.inside_ns, totals.inside_ns);
    ck_assert_int_eq(got_totals.self_ns, totals.self_ns);
}

static struct report_tally *new_tally(enum sw__grouping grouping)
{
    struct report_tally *tally = NULL;

    ck_assert_int_eq(tally_new(grouping, 1, &tally), REPORT_OK);
    return tally;
}

/* Two threads whose operations nest three deep, with shapes, wide durations and contradictions among them. */
static struct made_report make_varied(size_t *ret_first_chunk, size_t *ret_second_chunk)
{
    static const int64_t shape[] = { 2, 2, 3 }, other[] = { 1, 7 };
    struct made_report made = make_report();
    uint32_t outer = make_dispatch(&made, "outer", "Evictable", 2), inner = make_dispatch(&made, "inner", "Generic", 1);
    uint32_t shapes[] = { 0, make_shapes(&made, 1, shape, 3), make_shapes(&made, 1, other, 2) };
    uint64_t now = 2000;

    make_session(&made, 1000, UINT64_MAX / 2, "");
    make_thread(&made, 0, 100, 1000, UINT64_MAX / 2);
    make_thread(&made, 1, 101, 1500, UINT64_MAX / 2);
    *ret_first_chunk = make_chunk(&made, 0, 0, 1);
    *ret_second_chunk = make_chunk(&made, 1, 0, 1);
    for (unsigned i = 0; i < 20; i++) {
        size_t chunk = i % 3 == 2 ? *ret_second_chunk : *ret_first_chunk;
        uint64_t wide = i == 10 ? SWPROF_EVENT_WIDE_DURATION + 5 : 0;
        make_event(&made, chunk, now + 20, 10, inner, 2, i % 5 != 0, shapes[i % 3]);
        make_event(&made, chunk, now + 40, 10 + (i == 7 ? 1000 : 0), inner, 2, 1, shapes[i % 2]);
        make_event(&made, chunk, now + 10, 60, outer, 1, 1, shapes[i % 3]);
        make_event(&made, chunk, now + 80, 5, inner, 1, SWPROF_EVENT_SUCCEEDED | (i % 4 == 0 ? SWPROF_EVENT_HIDDEN : 0),
                   0);
        make_event(&made, chunk, now, 100 + wide, outer, 0, 1, shapes[i % 3]);
        now += 200 + wide;
    }
    made_header(&made)->last = (struct swprof_anchor){ now, (int64_t)now };
    return made;
}

/* As the writer does it: event after event, on one thread and then the other, with wide ones published whole. */
static void check_growth(enum sw__grouping grouping, uint64_t step)
{
    struct file file = new_file();
    size_t chunks[2];
    struct made_report made = make_varied(&chunks[0], &chunks[1]);
    uint64_t wholes[] = { made_block(&made, chunks[0])->published, made_block(&made, chunks[1])->published };
    struct report_tally *tally REPORT_OWNED_TALLY = new_tally(grouping);

    for (size_t i = 0; i < 2; i++)
        made_block(&made, chunks[i])->published = 0;
    put(&file, &made);
    struct report *report REPORT_OWNED = opened(&file);
    check_against_whole(tally, report, grouping);
    while (made_block(&made, chunks[0])->published < wholes[0] || made_block(&made, chunks[1])->published < wholes[1]) {
        for (size_t i = 0; i < 2; i++) {
            struct swprof_block *block = made_block(&made, chunks[i]);
            const struct swprof_event *slots = (const struct swprof_event *)(const void *)(block + 1);
            for (uint64_t n = 0; n < step + i && block->published < wholes[i]; n++) {
                block->published += sizeof *slots;
                if (block->published < wholes[i] &&
                    slots[block->published / sizeof *slots].flags & SWPROF_EVENT_EXTENSION)
                    block->published += sizeof *slots;
            }
        }
        put(&file, &made);
        ck_assert_msg(report_refresh(report) == REPORT_OK, "%s", sw_error_message());
        check_against_whole(tally, report, grouping);
    }
    made_free(&made);
    close(file.descriptor);
}

START_TEST(a_tally_equals_the_whole_after_every_step)
{
    for (uint64_t step = 1; step <= 9; step++) {
        check_growth(SW__GROUP_BY_CARRIER, step);
        check_growth(SW__GROUP_BY_SHAPES, step);
    }
}
END_TEST

START_TEST(names_that_come_later_join_the_tally)
{
    struct file file = new_file();
    struct made_report made = make_good();
    struct report_tally *tally REPORT_OWNED_TALLY = new_tally(SW__GROUP_BY_SHAPES);

    put(&file, &made);
    struct report *report REPORT_OWNED = opened(&file);
    check_against_whole(tally, report, SW__GROUP_BY_SHAPES);
    static const int64_t words[] = { 1, 9 };
    uint32_t later = make_dispatch(&made, "later", "Generic", 1), shapes = make_shapes(&made, 1, words, 2);
    size_t chunk = make_chunk(&made, 0, 1, 1);
    make_event(&made, chunk, 9000, 500, later, 0, 1, shapes);
    make_thread(&made, 1, 101, 9000, 11000);
    chunk = make_chunk(&made, 1, 0, 1);
    make_event(&made, chunk, 9500, 500, later, 0, 1, shapes);
    put(&file, &made);
    ck_assert_int_eq(report_refresh(report), REPORT_OK);
    check_against_whole(tally, report, SW__GROUP_BY_SHAPES);
    made_free(&made);
    close(file.descriptor);
}
END_TEST

/* Settled events are spoilt in the file: whoever read them again would call the report damaged. */
START_TEST(what_is_settled_is_not_read_again)
{
    struct file file = new_file();
    struct made_report made = make_good();
    struct report_tally *tally REPORT_OWNED_TALLY = new_tally(SW__GROUP_BY_CARRIER);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL, *none SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    put(&file, &made);
    struct report *report REPORT_OWNED = opened(&file);
    check_against_whole(tally, report, SW__GROUP_BY_CARRIER);
    size_t chunk = made.n_bytes - SWPROF_BLOCK_ALIGN;
    struct swprof_event *events = (struct swprof_event *)(void *)(made.bytes + chunk + sizeof(struct swprof_block));
    for (size_t i = 0; i < 5; i++)
        events[i].word |= UINT64_C(0xffff) << SWPROF_EVENT_DURATION_BITS;
    make_event(&made, chunk, 9000, 500, 0, 0, 1, 0);
    put(&file, &made);
    ck_assert_int_eq(report_refresh(report), REPORT_OK);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &none, &totals), REPORT_DAMAGED);
    ck_assert_int_eq(tally_update(tally, report, &everything, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(totals.n_events, 6);
    made_free(&made);
    close(file.descriptor);
}
END_TEST

START_TEST(events_that_were_overwritten_make_the_tally_begin_anew)
{
    struct file file = new_file();
    struct made_report made = make_good();
    struct report_tally *tally REPORT_OWNED_TALLY = new_tally(SW__GROUP_BY_CARRIER);

    put(&file, &made);
    struct report *report REPORT_OWNED = opened(&file);
    check_against_whole(tally, report, SW__GROUP_BY_CARRIER);
    struct swprof_block *block = made_block(&made, made.n_bytes - SWPROF_BLOCK_ALIGN);
    block->first_id = 7; /* the place was taken by a later chunk */
    block->published = 4 * sizeof(struct swprof_event);
    put(&file, &made);
    ck_assert_int_eq(report_refresh(report), REPORT_OK);
    check_against_whole(tally, report, SW__GROUP_BY_CARRIER);
    made_free(&made);
    close(file.descriptor);
}
END_TEST

START_TEST(a_report_that_cannot_be_refreshed_stays_as_it_was)
{
    struct file file = new_file();
    struct made_report made = make_good();
    struct report_tally *tally REPORT_OWNED_TALLY = new_tally(SW__GROUP_BY_CARRIER);

    put(&file, &made);
    struct report *report REPORT_OWNED = opened(&file);
    made_header(&made)->clock = 77;
    put(&file, &made);
    ck_assert_int_eq(report_refresh(report), REPORT_DAMAGED);
    ck_assert_uint_eq(report->header.clock, SWPROF_CLOCK_MONOTONIC);
    check_against_whole(tally, report, SW__GROUP_BY_CARRIER);
    made_free(&made);
    close(file.descriptor);
}
END_TEST

CHECK_MAIN("report/tally", a_tally_equals_the_whole_after_every_step, names_that_come_later_join_the_tally,
           what_is_settled_is_not_read_again, events_that_were_overwritten_make_the_tally_begin_anew,
           a_report_that_cannot_be_refreshed_stays_as_it_was)
