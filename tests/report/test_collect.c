/*
 * Numbers: self times, filters, sessions, and the account of the threads' time.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>

#include "base/alloc.h"
#include "check_main.h"
#include "report/collect.h"

#include "open_made.h"

static const struct report_filter everything;

static const struct sw__aggregate *find_row(const struct sw__aggregates *aggregates, const char *name,
                                            const char *carrier)
{
    for (size_t i = 0; i < aggregates->n_rows; i++)
        if (strcmp(aggregates->rows[i].dispatch->name, name) == 0 &&
            strcmp(aggregates->rows[i].dispatch->carrier_name, carrier) == 0)
            return &aggregates->rows[i];
    ck_abort_msg("no row %s %s", name, carrier);
    return NULL;
}

static void check_row(const struct sw__aggregates *aggregates, const char *name, const char *carrier, uint64_t count,
                      int64_t total_ns, int64_t self_ns)
{
    const struct sw__aggregate *row = find_row(aggregates, name, carrier);

    ck_assert_uint_eq(row->count, count);
    ck_assert_int_eq(row->total_ns, total_ns);
    ck_assert_int_eq(row->self_total_ns, self_ns);
}

START_TEST(self_times_add_up_to_the_roots)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = opened(&made);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    check_row(aggregates, "matmul", "Evictable", 1, 4000, 1000);
    check_row(aggregates, "matmul", "Generic", 1, 3000, 1500);
    check_row(aggregates, "add", "Generic", 3, 2500, 2500);
    ck_assert_uint_eq(find_row(aggregates, "add", "Generic")->failures, 1);
    ck_assert_int_eq(totals.self_ns, 5000);   /* 4000 + 1000: the roots */
    ck_assert_int_eq(totals.inside_ns, 5000);
    ck_assert_int_eq(totals.alive_ns, 10000);
    ck_assert_uint_eq(totals.n_events, 5);
    ck_assert_uint_eq(totals.n_failures, 1);
    ck_assert_uint_eq(totals.n_anomalies, 0);
}
END_TEST

START_TEST(shapes_are_part_of_the_key_when_asked)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = opened(&made);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_SHAPES, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(aggregates->n_rows, 3);
    ck_assert_str_eq(find_row(aggregates, "add", "Generic")->shape_text, "(((2, 3), 4), None)");
    ck_assert_str_eq(find_row(aggregates, "matmul", "Generic")->shape_text, "((2, 3), (3, 4))");
}
END_TEST

START_TEST(carrier_filter_hides_rows_and_not_their_time)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = opened(&made);
    static const char *const lists[] = { "Evictable", "strideweave.Evictable", "Cpu,Evictable" };

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct report_filter filter = { .carriers = lists[i] };
        struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
        struct report_totals totals;
        ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
        ck_assert_uint_eq(aggregates->n_rows, 1);
        check_row(aggregates, "matmul", "Evictable", 1, 4000, 1000);
        ck_assert_int_eq(totals.inside_ns, 5000);
    }
}
END_TEST

START_TEST(events_come_in_the_order_of_starts_with_the_nearest_visible_parent)
{
    struct made_report made = make_good();
    struct report *report REPORT_OWNED = opened(&made);
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };
    static const struct {
        int64_t start_ns, duration_ns, self_ns;
        uint32_t parent;
    } expected[] = {
        { 2000, 4000, 1000, SW__ANALYZE_NONE }, { 2500, 3000, 1500, 0 }, { 3000, 1000, 1000, 1 },
        { 4000, 500, 500, 1 },                  { 7000, 1000, 1000, SW__ANALYZE_NONE },
    };

    ck_assert_int_eq(report_collect(report, &everything, &events), REPORT_OK);
    ck_assert_uint_eq(events.n_events, 5);
    for (size_t i = 0; i < 5; i++) {
        ck_assert_int_eq(events.events[i].start_ns, expected[i].start_ns);
        ck_assert_int_eq(events.events[i].duration_ns, expected[i].duration_ns);
        ck_assert_int_eq(events.events[i].self_ns, expected[i].self_ns);
        ck_assert_uint_eq(events.events[i].parent, expected[i].parent);
    }
    /* Only Generic: what the outer Evictable contained becomes a root. */
    struct report_filter filter = { .carriers = "Generic" };
    struct report_events inner SW__CLEANUP(report_events_clear) = { .events = NULL };
    ck_assert_int_eq(report_collect(report, &filter, &inner), REPORT_OK);
    ck_assert_uint_eq(inner.n_events, 4);
    ck_assert_uint_eq(inner.events[0].parent, SW__ANALYZE_NONE);
    ck_assert_uint_eq(inner.events[1].parent, 0);
}
END_TEST

START_TEST(operation_belongs_to_the_session_in_which_it_ends)
{
    struct made_report made = make_report();
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);

    make_session(&made, 1000, 4000, "first");
    make_session(&made, 6000, 10000, "second");
    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 5000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* ends as the second begins */
    make_event(&made, chunk, 8000, 500, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 9000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* ends as it ends: not in it */
    struct report *report REPORT_OWNED = opened(&made);
    static const uint64_t expected[] = { 1, 2 };
    for (size_t i = 0; i < 2; i++) {
        struct report_filter filter = { .session = &report->sessions[i] };
        struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
        struct report_totals totals;
        ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
        ck_assert_uint_eq(totals.n_events, expected[i]);
    }
    ck_assert_str_eq(report->sessions[1].label, "second");
}
END_TEST

/* The session of a Profiler on thread 0 that selected the carrier class 1. */
static void make_profiler(struct made_report *made, uint64_t begin, uint64_t end)
{
    size_t block = make_block(made, SWPROF_BLOCK_CARRIERS, 1);
    uint32_t list[] = { 1, 0, 1, 0 };
    size_t offset = make_payload(made, block, sizeof list);
    size_t session = make_session(made, begin, end, "inner");

    memcpy(made->bytes + offset, list, sizeof list);
    struct swprof_session *record = (struct swprof_session *)(void *)(made->bytes + session);
    record->kind = SWPROF_SESSION_PROFILER;
    record->thread = 1;
    record->carriers = (uint32_t)(offset / 8);
}

START_TEST(profiler_has_what_began_in_it_on_its_thread_and_of_its_carriers)
{
    struct made_report made = make_report();
    uint32_t outer = make_dispatch(&made, "matmul", "Evictable", 2);
    uint32_t inner = make_dispatch(&made, "matmul", "Generic", 1);
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };

    make_profiler(&made, 2000, 8000);
    make_thread(&made, 0, 100, 1000, 11000);
    make_thread(&made, 1, 101, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 1500, 100, inner, 0, SWPROF_EVENT_SUCCEEDED, 0); /* before */
    make_event(&made, chunk, 2500, 1000, inner, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 2200, 2000, outer, 0, SWPROF_EVENT_SUCCEEDED, 0); /* another class */
    make_event(&made, chunk, 7000, 1500, inner, 0, 0, 0); /* left by a jump: noticed later */
    size_t other = make_chunk(&made, 1, 0, 1);
    make_event(&made, other, 3000, 10, inner, 0, SWPROF_EVENT_SUCCEEDED, 0); /* another thread */
    struct report *report REPORT_OWNED = opened(&made);
    struct report_filter filter = { .session = &report->sessions[0] };
    ck_assert_int_eq(report_collect(report, &filter, &events), REPORT_OK);
    ck_assert_uint_eq(events.n_events, 2);
    ck_assert_int_eq(events.events[0].start_ns, 2500);
    ck_assert_uint_eq(events.events[0].parent, SW__ANALYZE_NONE);
    ck_assert_int_eq(events.events[1].start_ns, 7000);
    ck_assert_uint_eq(events.totals.n_threads, 1);
    ck_assert_int_eq(events.totals.alive_ns, 6000);
    ck_assert_int_eq(events.totals.inside_ns, 3000); /* 2200..4200 and 7000..8000 */
}
END_TEST

START_TEST(recorders_own_time_is_neither_self_time_nor_an_operation)
{
    struct made_report made = make_report();
    uint32_t recorder = make_dispatch(&made, "(recorder)", "", 0);
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    ck_assert_uint_eq(recorder, SWPROF_DISPATCH_RECORDER);
    struct swprof_dispatch *record =
        (struct swprof_dispatch *)(void *)(made.bytes + made.dispatches + sizeof(struct swprof_block));
    record->flags = SWPROF_DISPATCH_HIDDEN;
    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2200, 300, recorder, 1, SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN, 0);
    make_event(&made, chunk, 2000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(aggregates->n_rows, 1);
    check_row(aggregates, "add", "Generic", 1, 1000, 700);
    ck_assert_uint_eq(totals.n_hidden, 0);
}
END_TEST

START_TEST(frame_of_an_operation_that_is_recorded_has_ended)
{
    struct made_report made = make_report();
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };

    size_t thread = make_thread(&made, 0, 100, 1000, 0);
    made_thread(&made, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&made, thread)->depth = 2;
    made_frames(&made, thread)[0] = (struct swprof_frame){ .start = 5000, .dispatch = add };
    made_frames(&made, thread)[1] = (struct swprof_frame){ .start = 6000, .dispatch = add };
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 6000, 500, add, 1, SWPROF_EVENT_SUCCEEDED, 0);
    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_collect(report, &everything, &events), REPORT_OK);
    ck_assert_uint_eq(events.n_events, 2);
    ck_assert_uint_eq(events.totals.n_unfinished, 1);
    ck_assert_uint_eq(events.events[1].parent, 0);
    ck_assert_int_eq(events.events[1].duration_ns, 500);
}
END_TEST

START_TEST(time_outside_counts_only_while_a_round_is_open)
{
    struct made_report made = make_report();
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_session(&made, 1000, 4000, "");
    make_session(&made, 6000, 10000, "");
    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 5000, 2000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* half of it in the pause */
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_int_eq(totals.alive_ns, 7000);
    ck_assert_int_eq(totals.inside_ns, 2000);
    ck_assert_int_eq(totals.self_ns, 3000);
}
END_TEST

START_TEST(hidden_operations_only_account_for_their_parents_time)
{
    struct made_report made = make_report();
    uint32_t outer = make_dispatch(&made, "matmul", "Evictable", 2);
    uint32_t inner = make_dispatch(&made, "matmul", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2500, 3000, inner, 1, SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN, 0);
    make_event(&made, chunk, 2000, 4000, outer, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(aggregates->n_rows, 1);
    check_row(aggregates, "matmul", "Evictable", 1, 4000, 1000);
    ck_assert_uint_eq(totals.n_hidden, 1);
    ck_assert_uint_eq(totals.n_events, 1);
}
END_TEST

START_TEST(wide_event_takes_its_duration_from_the_next_slot)
{
    uint64_t length = (UINT64_C(1) << 40) + 12345, narrow = SWPROF_EVENT_WIDE_DURATION - 1;
    struct made_report made = make_report();
    uint32_t outer = make_dispatch(&made, "long", "Generic", 1);
    uint32_t inner = make_dispatch(&made, "short", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_thread(&made, 0, 100, 1000, 1000 + length);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2000, narrow, inner, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 1000, length, outer, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    check_row(aggregates, "long", "Generic", 1, (int64_t)length, (int64_t)(length - narrow));
    check_row(aggregates, "short", "Generic", 1, (int64_t)narrow, (int64_t)narrow);
    ck_assert_uint_eq(totals.n_events, 2);
}
END_TEST

START_TEST(chunks_are_read_in_the_order_of_their_numbers)
{
    struct made_report made = make_report();
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_thread(&made, 0, 100, 1000, 11000);
    size_t second = make_chunk(&made, 0, 1, 1);
    size_t first = make_chunk(&made, 0, 0, 1); /* later in the file */
    make_event(&made, first, 2000, 1000, add, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, second, 1500, 4000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* encloses the one before */
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_int_eq(totals.self_ns, 4000);
    ck_assert_uint_eq(totals.n_anomalies, 0);
}
END_TEST

START_TEST(open_operations_enclose_and_are_not_in_the_rows)
{
    struct made_report made = make_report();
    uint32_t outer = make_dispatch(&made, "matmul", "Evictable", 2);
    uint32_t add = make_dispatch(&made, "add", "Generic", 1);
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };
    struct report_totals totals;

    size_t thread = make_thread(&made, 0, 100, 1000, 0);
    made_thread(&made, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&made, thread)->depth = 1;
    made_frames(&made, thread)[0] = (struct swprof_frame){ .start = 5000, .dispatch = outer };
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 6000, 500, add, 1, SWPROF_EVENT_SUCCEEDED, 0);
    made_header(&made)->state = SWPROF_REPORT_RECORDING;
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report->state, REPORT_STATE_UNFINISHED); /* of another host */
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(aggregates->n_rows, 1);
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_uint_eq(totals.n_unfinished, 1);
    ck_assert_int_eq(totals.alive_ns, 10000);
    ck_assert_int_eq(totals.inside_ns, 6000); /* from 5000 to the last stamp */
    ck_assert_int_eq(report_collect(report, &everything, &events), REPORT_OK);
    ck_assert_uint_eq(events.n_events, 2);
    ck_assert(events.events[0].flags & SW__ANALYZE_UNFINISHED);
    ck_assert_int_eq(events.events[0].self_ns, 5500);
    ck_assert_uint_eq(events.events[1].parent, 0);
}
END_TEST

START_TEST(equal_names_of_two_classes_stay_two_rows)
{
    struct made_report made = make_report();
    uint32_t one = make_dispatch(&made, "add", "Custom", 1);
    uint32_t other = make_dispatch(&made, "add", "Custom", 2);
    uint32_t same = make_dispatch(&made, "add", "Custom", 1); /* another implementation of the first */
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_thread(&made, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&made, 0, 0, 1);
    make_event(&made, chunk, 2000, 10, other, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 3000, 100, one, 0, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&made, chunk, 4000, 1000, same, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_int_eq(report_aggregate(report, &everything, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(aggregates->n_rows, 2);
    ck_assert_int_eq(aggregates->rows[0].total_ns, 1100); /* the class that was seen first */
    ck_assert_int_eq(aggregates->rows[1].total_ns, 10);
}
END_TEST

START_TEST(thread_filter_looks_at_one_thread)
{
    struct made_report made = make_good();
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    make_thread(&made, 5, 777, 2000, 5000);
    size_t chunk = make_chunk(&made, 5, 0, 1);
    make_event(&made, chunk, 3000, 500, 2, 0, SWPROF_EVENT_SUCCEEDED, 0);
    struct report *report REPORT_OWNED = opened(&made);
    struct report_filter filter = { .thread = &report->threads[1] };
    ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_uint_eq(totals.n_threads, 1);
    ck_assert_int_eq(totals.alive_ns, 3000);
    ck_assert_int_eq(totals.inside_ns, 500);
}
END_TEST

CHECK_MAIN("collect", self_times_add_up_to_the_roots, shapes_are_part_of_the_key_when_asked,
           carrier_filter_hides_rows_and_not_their_time,
           events_come_in_the_order_of_starts_with_the_nearest_visible_parent,
           operation_belongs_to_the_session_in_which_it_ends,
           profiler_has_what_began_in_it_on_its_thread_and_of_its_carriers,
           recorders_own_time_is_neither_self_time_nor_an_operation,
           frame_of_an_operation_that_is_recorded_has_ended, time_outside_counts_only_while_a_round_is_open,
           hidden_operations_only_account_for_their_parents_time, wide_event_takes_its_duration_from_the_next_slot,
           chunks_are_read_in_the_order_of_their_numbers, open_operations_enclose_and_are_not_in_the_rows,
           equal_names_of_two_classes_stay_two_rows, thread_filter_looks_at_one_thread)
