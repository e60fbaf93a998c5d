/*
 * Operations that a report holds only as sums, and what a ring dropped.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <stdlib.h>
#include <string.h>

#include "check_main.h"
#include "report/collect.h"

#include "open_made.h"
#include "sums_samples.h"

static void check_damaged(struct made_report *made, const char *words)
{
    struct report *report = NULL;

    ck_assert_int_eq(try_open(made, &report), REPORT_DAMAGED);
    ck_assert_msg(strstr(sw_error_message(), words) != NULL, "%s", sw_error_message());
}

static const struct report_filter everything;

/* The aggregates of a report, with percentiles, and its totals; closes it. */
struct answer {
    struct report *report;
    struct sw__aggregates *rows;
    struct report_totals totals;
};

static struct answer ask(struct made_report *made, const struct report_filter *filter)
{
    struct answer answer = { .report = opened(made) };

    ck_assert_msg(report_aggregate_percentiles(answer.report, filter, SW__GROUP_BY_CARRIER, &answer.rows,
                                               &answer.totals) == REPORT_OK,
                  "%s", sw_error_message());
    return answer;
}

static void answer_clear(struct answer *answer)
{
    sw__aggregates_free(answer->rows);
    report_close(answer->report);
}
#define OWNED_ANSWER SW__CLEANUP(answer_clear)

/* Two threads' sums of one operation, and events of it before the report was full: one row. */
START_TEST(sums_and_events_are_one_row)
{
    struct made_report made = make_good();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t first = make_aggregate(&made, 0, nop, 0, 3, 600, 500, 100, 300);
    made_sums(&made, first)->failures = 1;
    made_sums(&made, first)->worst = 9000;
    made_sums(&made, first)->outer = 600;
    size_t second = make_aggregate(&made, 1, nop, 0, 2, 50, 50, 20, 30);
    made_sums(&made, second)->worst = 9500;
    size_t chunk = make_chunk(&made, 0, 1, 1);
    make_event(&made, chunk, 8500, 200, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);

    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_uint_eq(answer.totals.n_events, 6);
    ck_assert_uint_eq(answer.totals.n_summed, 5);
    ck_assert_uint_eq(answer.totals.n_failures, 2); /* with the one of make_good() */
    ck_assert_int_eq(answer.totals.inside_ns, 5000 + 200 + 600);
    const struct sw__aggregate *row = &answer.rows->rows[answer.rows->n_rows - 1];
    ck_assert_str_eq(row->dispatch->name, "nop");
    ck_assert_uint_eq(row->count, 6);
    ck_assert_uint_eq(row->failures, 1);
    ck_assert_int_eq(row->total_ns, 850);
    ck_assert_int_eq(row->self_total_ns, 750);
    ck_assert_int_eq(row->min_ns, 20);
    ck_assert_int_eq(row->max_ns, 300);
    ck_assert_int_eq(row->max_start_ns, 9000);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    const uint64_t *left = a, *right = b;

    return (*left > *right) - (*left < *right);
}

/* The nearest rank in the sorted values themselves. */
static double exact_percentile(uint64_t *values, size_t n, unsigned percent)
{
    qsort(values, n, sizeof *values, by_value);
    return (double)values[(n * percent + 99) / 100 - 1];
}

static void check_percentiles(const struct sw__aggregate *row, uint64_t *values, size_t n)
{
    static const unsigned percents[] = { 50, 95, 99 };

    ck_assert_uint_eq(row->n_measured, n);
    for (size_t i = 0; i < SW__N_PERCENTILES; i++) {
        double exact = exact_percentile(values, n, percents[i]);
        ck_assert_double_le((double)row->percentiles_ns[i], exact * 1.01);
        ck_assert_double_ge((double)row->percentiles_ns[i], exact * 0.99);
    }
}

#define N_VALUES 1000

/* Durations over five octaves with a long tail. */
static void make_values(uint64_t *values)
{
    for (uint64_t i = 0; i < N_VALUES; i++)
        values[i] = 1000 + i * 7919 % 1000 * (i % 50 == 0 ? 97 : 3);
}

START_TEST(percentiles_of_sums_are_within_one_per_cent)
{
    struct made_report made = make_summary();
    uint64_t values[N_VALUES];
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t records[2] = { make_aggregate(&made, 0, nop, 0, N_VALUES / 2, 1, 1, 1000, 98000),
                          make_aggregate(&made, 7, nop, 0, N_VALUES / 2, 1, 1, 1000, 98000) };

    make_values(values);
    for (size_t i = 0; i < N_VALUES; i++)
        make_duration(&made, records[i % 2], values[i]);
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    check_percentiles(&answer.rows->rows[0], values, N_VALUES);
}
END_TEST

START_TEST(percentiles_of_events_are_within_one_per_cent)
{
    struct made_report made = make_report();
    uint64_t values[N_VALUES], start = 20000;
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);

    make_thread(&made, 0, 100, 1000, UINT64_C(1) << 40);
    size_t chunk = make_chunk(&made, 0, 0, 8);
    make_values(values);
    for (size_t i = 0; i < N_VALUES; i++) {
        make_event(&made, chunk, start, values[i], nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
        start += values[i];
    }
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    check_percentiles(&answer.rows->rows[0], values, N_VALUES);
}
END_TEST

/* Killed after the sums were published and before the counter was raised. */
START_TEST(the_latest_operation_is_in_the_histogram_too)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t record = make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);

    make_duration(&made, record, 10);
    make_duration(&made, record, 10);
    made_sums(&made, record)->bucket = 10;
    made_sums(&made, record)->in_bucket = 3;
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_uint_eq(answer.rows->rows[0].n_measured, 3);
    ck_assert_int_eq(answer.rows->rows[0].percentiles_ns[SW__P99], 10);
}
END_TEST

START_TEST(sums_beyond_63_bits_saturate_and_say_so)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t record = make_aggregate(&made, 0, nop, 0, (UINT64_C(1) << 32) + 5, UINT64_MAX, UINT64_MAX, 1,
                                   UINT64_C(1) << 62);

    made_sums(&made, record)->flags = SWPROF_SUMS_SATURATED;
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_uint_eq(answer.rows->rows[0].count, (UINT64_C(1) << 32) + 5);
    ck_assert_int_eq(answer.rows->rows[0].total_ns, INT64_MAX);
    ck_assert_int_eq(answer.rows->rows[0].saturated, 1);
    ck_assert_int_eq(answer.totals.saturated, 1);
    ck_assert_int_eq(answer.rows->rows[0].percentiles_ns[0], 0); /* nothing was counted */
    ck_assert_uint_eq(answer.rows->rows[0].n_measured, 0);
}
END_TEST

START_TEST(sums_belong_to_a_session_or_thread_only_where_it_is_the_only_one)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t other = make_thread(&made, 1, 101, 5000, 6000);
    size_t shared = make_thread(&made, 2, 102, 6000, 7000);

    made_thread(&made, other)->aggregates = 2;
    made_thread(&made, shared)->aggregates = 2;
    make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);
    make_aggregate(&made, 1, nop, 0, 4, 40, 40, 10, 10);
    struct answer all OWNED_ANSWER = ask(&made, &everything);
    struct report_filter filters[] = {
        { .session = &all.report->sessions[0] },
        { .thread = &all.report->threads[0] },
        { .thread = &all.report->threads[2] },
    };
    static const uint64_t summed[] = { 7, 3, 0 }, unattributed[] = { 0, 0, 4 };
    static const int inside_is_unknown[] = { 0, 0, 1 };
    for (size_t i = 0; i < 3; i++) {
        struct sw__aggregates *rows SW__OWNED_AGGREGATES = NULL;
        struct report_totals totals;
        ck_assert_int_eq(report_aggregate(all.report, &filters[i], SW__GROUP_BY_CARRIER, &rows, &totals), REPORT_OK);
        ck_assert_uint_eq(totals.n_summed, summed[i]);
        ck_assert_uint_eq(totals.n_unattributed, unattributed[i]);
        ck_assert_int_eq(totals.inside_is_unknown, inside_is_unknown[i]);
    }
}
END_TEST

START_TEST(of_two_rounds_nobody_knows_whose_sums_they_are)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);

    make_session(&made, 11000, 12000, "second");
    make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);
    struct report *report REPORT_OWNED = opened(&made);
    struct report_filter filter = { .session = &report->sessions[0] };
    struct sw__aggregates *rows SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;
    ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &rows, &totals), REPORT_OK);
    ck_assert_uint_eq(rows->n_rows, 0);
    ck_assert_uint_eq(totals.n_unattributed, 3);
    ck_assert(totals.inside_is_unknown);
}
END_TEST

START_TEST(sums_of_other_threads_are_not_missed_in_a_profiler)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t other = make_thread(&made, 1, 101, 5000, 6000);
    size_t offset = make_session(&made, 2000, 3000, "profiler");
    struct swprof_session *session = (struct swprof_session *)(void *)(made.bytes + offset);

    session->kind = SWPROF_SESSION_PROFILER;
    session->thread = 1; /* 1 + number */
    made_thread(&made, other)->aggregates = 2;
    make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);
    make_aggregate(&made, 1, nop, 0, 4, 40, 40, 10, 10);
    struct report *report REPORT_OWNED = opened(&made);
    struct report_filter filter = { .session = &report->sessions[1] };
    struct sw__aggregates *rows SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;
    ck_assert_int_eq(report->sessions[1].kind, SWPROF_SESSION_PROFILER);
    ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &rows, &totals), REPORT_OK);
    ck_assert_uint_eq(rows->n_rows, 0);
    ck_assert_uint_eq(totals.n_unattributed, 3);
}
END_TEST

/* Killed between adding the operation and taking back its frame. */
START_TEST(an_open_operation_that_is_in_the_sums_has_ended)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t thread = make_thread(&made, 1, 101, 2000, 0);
    size_t record = make_aggregate(&made, 1, nop, 0, 5, 50, 50, 10, 10);

    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    made_sums(&made, record)->last = 6000;
    made_sums(&made, record)->depth = 1;
    made_thread(&made, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&made, thread)->aggregates = 2;
    made_thread(&made, thread)->depth = 3;
    for (uint32_t i = 0; i < 3; i++)
        made_frames(&made, thread)[i] = (struct swprof_frame){ .start = 5000 + 1000 * i, .dispatch = nop };
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_uint_eq(answer.totals.n_unfinished, 1); /* the one inside of it was left with it */
}
END_TEST

/* Sums bring no anchors: what was seen last is the latest operation's start. */
START_TEST(a_killed_thread_was_alive_up_to_its_latest_operation)
{
    struct made_report made = make_report();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t thread = make_thread(&made, 0, 100, 1000, 0);
    size_t record = make_aggregate(&made, 0, nop, 0, 5, 50, 50, 10, 10);

    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    made_thread(&made, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&made, thread)->aggregates = 1;
    made_sums(&made, record)->last = 15000;
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_int_eq(answer.totals.alive_ns, 14000);
}
END_TEST

START_TEST(sums_that_are_not_whole_are_damage)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t record = make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);

    made_sums(&made, record)->check = 1;
    check_damaged(&made, "sums that are not whole");
}
END_TEST

/* It counts from the store of the record's count on, which is the writer's last but that of the histogram. */
START_TEST(an_operation_counts_whole_or_not_at_all_after_every_store)
{
    for (unsigned n_stores = 0; n_stores < SUMS_STORES; n_stores++) {
        struct made_report made = make_summary();
        int is_in = n_stores == SUMS_STORES - 1;
        make_half_added(&made, 0, make_dispatch(&made, "nop", "Generic", 1), n_stores);
        struct answer answer OWNED_ANSWER = ask(&made, &everything);
        const struct sw__aggregate *row = &answer.rows->rows[0];
        ck_assert_uint_eq(row->count, is_in ? 4 : 3);
        ck_assert_uint_eq(row->n_measured, is_in ? 4 : 3);
        ck_assert_int_eq(row->total_ns, is_in ? 350 : 330);
        ck_assert_uint_eq(row->failures, is_in ? 1 : 0);
        ck_assert_int_eq(row->min_ns, 10);
        ck_assert_int_eq(row->max_ns, 300);
    }
}
END_TEST

START_TEST(references_to_what_is_no_histogram_are_damage)
{
    struct made_report made = make_summary();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t record = make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);

    make_duration(&made, record, 10);
    made_aggregate(&made, record)->octaves[0]++;
    check_damaged(&made, "histogram");
    made = make_summary();
    nop = make_dispatch(&made, "nop", "Generic", 1);
    record = make_aggregate(&made, 0, nop, 0, 3, 30, 30, 10, 10);
    made_aggregate(&made, record)->octaves[58] = UINT32_MAX;
    check_damaged(&made, "histogram");
}
END_TEST

START_TEST(frames_that_are_none_are_damage)
{
    struct made_report made = make_good();
    size_t thread = make_thread(&made, 1, 101, 2000, 0);

    made_thread(&made, thread)->depth = 1;
    made_thread(&made, thread)->frames += 1;
    check_damaged(&made, "open operations");
}
END_TEST

START_TEST(events_behind_a_mark_are_another_threads)
{
    struct made_report made = make_report();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);

    for (uint32_t i = 0; i < 3; i++)
        make_thread(&made, i, 100 + i, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2000, 10, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_owner(&made, chunk, 1);
    make_owner(&made, chunk, 2);
    make_event(&made, chunk, 3000, 10, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 4000, SWPROF_EVENT_WIDE_DURATION, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    static const uint64_t expected[] = { 1, 0, 2 };
    for (size_t i = 0; i < 3; i++) {
        struct report_filter filter = { .thread = &report->threads[i] };
        struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };
        ck_assert_int_eq(report_collect(report, &filter, &events), REPORT_OK);
        ck_assert_uint_eq(events.n_events, expected[i]);
    }
}
END_TEST

START_TEST(a_mark_of_no_thread_is_damage)
{
    struct made_report made = make_good();
    size_t chunk = make_chunk(&made, 0, 1, 1);
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);

    make_owner(&made, chunk, UINT64_C(1) << 32);
    make_event(&made, chunk, 9000, 10, nop, 0, 0, 0);
    check_damaged(&made, "no thread");
}
END_TEST

static struct made_report make_empty_ring(void)
{
    struct made_report made = make_report();

    made_header(&made)->policy = SWPROF_POLICY_RING;
    made_header(&made)->incompatible = SWPROF_FEATURE_RING;
    return made;
}

/* outer 2000..6000 has children of 3000 in all, of which one of 500 is left; inner 7000..8000 has its one child. */
START_TEST(a_parent_in_a_ring_is_without_the_children_that_are_gone)
{
    struct made_report made = make_empty_ring();
    uint32_t outer = make_dispatch(&made, "outer", "Generic", 1);
    uint32_t nop = make_dispatch(&made, "zero", "Generic", 1);

    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 17, 1);
    make_event(&made, chunk, 5000, 500, nop, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_parent(&made, chunk, 2000, 4000, 3000, outer, 0);
    make_event(&made, chunk, 7100, 300, nop, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_parent(&made, chunk, 7000, 1000, 300, outer, 0);
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_int_eq(answer.rows->rows[0].total_ns, 5000);
    ck_assert_int_eq(answer.rows->rows[0].self_total_ns, 1000 + 700);
    ck_assert_int_eq(answer.rows->rows[1].self_total_ns, 800);
    ck_assert_uint_eq(answer.totals.n_anomalies, 0);
    ck_assert_int_eq(answer.totals.inside_ns, 5000);
}
END_TEST

/* Killed between emptying the chunk and counting what was in it; and a chunk that is half emptied. */
START_TEST(a_drop_that_was_under_way_is_counted)
{
    struct made_report made = make_empty_ring();
    uint32_t nop = make_dispatch(&made, "nop", "Generic", 1);
    size_t thread = make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 5, 1);

    make_event(&made, chunk, 5000, 500, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 5500, 500, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    made_block(&made, chunk)->generation = 3;
    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    made_thread(&made, thread)->lost[SWPROF_LOST_OLD] = 100;
    made_thread(&made, thread)->drop_chunk = (uint32_t)(chunk / 8);
    made_thread(&made, thread)->drop_generation = 2;
    made_thread(&made, thread)->drop_lost = 102;
    struct answer answer OWNED_ANSWER = ask(&made, &everything);
    ck_assert_uint_eq(answer.totals.n_events, 0);
    ck_assert_uint_eq(report_lost(answer.report, SWPROF_LOST_OLD), 102);
}
END_TEST

CHECK_MAIN("sums", sums_and_events_are_one_row, percentiles_of_sums_are_within_one_per_cent,
           percentiles_of_events_are_within_one_per_cent, the_latest_operation_is_in_the_histogram_too,
           sums_beyond_63_bits_saturate_and_say_so, sums_belong_to_a_session_or_thread_only_where_it_is_the_only_one,
           of_two_rounds_nobody_knows_whose_sums_they_are, sums_of_other_threads_are_not_missed_in_a_profiler,
           an_open_operation_that_is_in_the_sums_has_ended,
           a_killed_thread_was_alive_up_to_its_latest_operation,
           sums_that_are_not_whole_are_damage, an_operation_counts_whole_or_not_at_all_after_every_store,
           references_to_what_is_no_histogram_are_damage,
           frames_that_are_none_are_damage, events_behind_a_mark_are_another_threads, a_mark_of_no_thread_is_damage,
           a_parent_in_a_ring_is_without_the_children_that_are_gone, a_drop_that_was_under_way_is_counted)
