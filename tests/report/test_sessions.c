/*
 * Sessions of Profilers: they refer to the operations of the report, whole or
 * not, and what they refer to is checked.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* memfd_create */

#include <string.h>

#include "check_main.h"
#include "report/collect.h"
#include "report/heading.h"

#include "open_made.h"

/* A list of carriers in a block; its reference. */
static uint32_t make_carriers(struct made_report *made, size_t block, const uint32_t *numbers, uint32_t n)
{
    struct swprof_carriers head = {.n_numbers = n};
    size_t offset = make_payload(made, block, (sizeof head + n * sizeof *numbers + 7) / 8 * 8);

    memcpy(made->bytes + offset, &head, sizeof head);
    if (n > 0)
        memcpy(made->bytes + offset + sizeof head, numbers, n * sizeof *numbers);
    return (uint32_t)(offset / 8);
}

static void make_profiler(struct made_report *made, uint64_t begin, uint64_t end, uint32_t thread, uint32_t carriers)
{
    size_t offset = make_session(made, begin, end, "");
    struct swprof_session record;

    memcpy(&record, made->bytes + offset, sizeof record);
    record.kind = SWPROF_SESSION_PROFILER;
    record.n_events = 3;
    record.tid = 100;
    record.thread = thread;
    record.carriers = carriers;
    memcpy(made->bytes + offset, &record, sizeof record);
}

static struct report_totals totals_of(const struct report *report, const struct report_session *session)
{
    struct report_filter filter = {.session = session};
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    ck_assert_int_eq(report_aggregate(report, &filter, SW__GROUP_BY_CARRIER, &aggregates, &totals), REPORT_OK);
    return totals;
}

/* The session that begins at @ticks. */
static const struct report_session *session_at(const struct report *report, uint64_t ticks)
{
    for (size_t i = 0; i < report->n_sessions; i++)
        if (report->sessions[i].begin_ticks == ticks)
            return &report->sessions[i];
    ck_abort_msg("no such session");
    return NULL;
}

/* The good report, with another thread that computes all the time. */
static struct made_report make_two_threads(void)
{
    struct made_report made = make_good();

    make_thread(&made, 1, 101, 1000, 11000);
    size_t chunk = make_chunk(&made, 1, 0, 1);
    for (uint64_t start = 1500; start < 10500; start += 500)
        make_event(&made, chunk, start, 400, 0, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return made;
}

START_TEST(a_profiler_has_what_its_thread_began_in_it)
{
    struct made_report made = make_two_threads();

    make_profiler(&made, 2400, 6500, 1, 0);
    struct report *report REPORT_OWNED = opened(&made);
    struct report_totals totals = totals_of(report, session_at(report, 2400));
    ck_assert_uint_eq(totals.n_events, 3); /* not the matmul around it, which was there before */
    ck_assert_uint_eq(totals.n_threads, 1);
    ck_assert_int_eq(totals.self_ns, 3000); /* 2500..5500 */
    ck_assert_int_eq(totals.alive_ns, 4100);
    ck_assert_int_eq(totals.inside_ns, 3600); /* until 6000: inside of an operation, though not of one of its own */
}
END_TEST

START_TEST(a_profilers_operations_are_counted_once)
{
    struct made_report made = make_two_threads();

    make_profiler(&made, 1900, 6500, 1, 0);
    make_profiler(&made, 6600, 9000, 1, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_uint_eq(totals_of(report, NULL).n_events, 5 + 18);
    ck_assert_uint_eq(totals_of(report, session_at(report, 1000)).n_events, 5 + 18);
    ck_assert_uint_eq(totals_of(report, session_at(report, 1900)).n_events, 4);
    ck_assert_uint_eq(totals_of(report, session_at(report, 6600)).n_events, 1);
}
END_TEST

START_TEST(an_operation_left_by_a_jump_may_end_after_its_profiler)
{
    struct made_report made = make_good();

    make_thread(&made, 1, 101, 1000, 11000);
    size_t chunk = make_chunk(&made, 1, 0, 1);
    make_event(&made, chunk, 3000, 3000, 0, 0, SWPROF_EVENT_HEALED, 0);
    make_profiler(&made, 2000, 4000, 2, 0);
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_uint_eq(totals_of(report, session_at(report, 2000)).n_events, 1);
}
END_TEST

START_TEST(a_profiler_has_only_the_carriers_that_it_selected)
{
    struct made_report made = make_good();
    const uint32_t generic[] = {7, 1}, evictable[] = {2};
    size_t block = make_block(&made, SWPROF_BLOCK_CARRIERS, 1);

    make_profiler(&made, 1100, 10000, 1, make_carriers(&made, block, generic, 2));
    make_profiler(&made, 1200, 10000, 1, make_carriers(&made, block, evictable, 1));
    make_profiler(&made, 1300, 10000, 1, make_carriers(&made, block, NULL, 0));
    struct report *report REPORT_OWNED = opened(&made);
    ck_assert_uint_eq(totals_of(report, session_at(report, 1100)).n_events, 4);
    struct report_totals totals = totals_of(report, session_at(report, 1200));
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_int_eq(totals.self_ns, 1000); /* what was left out is nested time all the same */
    ck_assert_uint_eq(totals_of(report, session_at(report, 1300)).n_events, 0);
}
END_TEST

START_TEST(a_profiler_of_an_unrecorded_thread_has_nothing)
{
    struct made_report made = make_good();
    int is_known = 1;

    make_profiler(&made, 1100, 10000, 0, 0);
    make_profiler(&made, 1200, 10000, UINT32_MAX, 0);
    struct report *report REPORT_OWNED = opened(&made);
    for (uint64_t begin = 1100; begin <= 1200; begin += 100) {
        struct report_filter filter = {.session = session_at(report, begin)};
        struct report_totals totals = totals_of(report, filter.session);

        ck_assert_uint_eq(totals.n_events, 0);
        heading_outside_ns(&filter, &totals, &is_known);
        ck_assert_int_eq(is_known, 0);
    }
}
END_TEST

static void check_heading(const struct report *report, const struct report_session *session, const char *words)
{
    struct report_filter filter = {.session = session};
    struct report_totals totals = totals_of(report, session);
    struct heading heading SW__CLEANUP(heading_clear) = {.n_facts = 0};

    ck_assert_int_eq(heading_build(report, &filter, &totals, DISPLAY_NS, &heading), REPORT_OK);
    ck_assert_msg(strstr(heading.lines.bytes, words) != NULL, "'%s' is not in: %s", words, heading.lines.bytes);
}

START_TEST(the_heading_lists_the_first_carriers_when_none_was_meant)
{
    struct made_report made = make_good();
    char carrier[16];

    for (uint32_t i = 0; i < 12; i++) {
        snprintf(carrier, sizeof carrier, "Class%02u", i);
        make_dispatch(&made, "nop", carrier, 10 + i);
    }
    struct report *report REPORT_OWNED = opened(&made);
    struct report_filter filter = { .carriers = "Nope" };
    struct report_totals totals = { 0 };
    struct heading heading SW__CLEANUP(heading_clear) = {.n_facts = 0};
    ck_assert_int_eq(heading_build(report, &filter, &totals, DISPLAY_NS, &heading), REPORT_OK);
    /* Generic is before them; dispatch 0 is the recorder. Eight are shown. */
    ck_assert_msg(strstr(heading.lines.bytes, "Class06, and more\n") != NULL, "%s", heading.lines.bytes);
    ck_assert_ptr_null(strstr(heading.lines.bytes, "Class07"));
}
END_TEST

START_TEST(the_heading_lists_the_first_profilers)
{
    struct made_report made = make_good();

    for (uint64_t i = 0; i < 9; i++)
        make_profiler(&made, 1100 + 100 * i, 1150 + 100 * i, 1, 0);
    struct report *report REPORT_OWNED = opened(&made);
    check_heading(report, NULL, "9 Profiler sessions: --session 2 (thread 100, 50 ns, 3 calls), --session 3 (");
    check_heading(report, NULL, "--session 9 (thread 100, 50 ns, 3 calls), and 1 more\n");
    check_heading(report, session_at(report, 1100),
                  "only session 2: a Profiler of thread 100; 0 of its 3 events are in the report\n");
}
END_TEST

static void check_damaged(struct made_report *made, uint32_t carriers, const char *words)
{
    struct report *report = NULL;

    make_profiler(made, 1100, 10000, 1, carriers);
    ck_assert_int_eq(try_open(made, &report), REPORT_DAMAGED);
    ck_assert_ptr_null(report);
    ck_assert_msg(strstr(sw_error_message(), words) != NULL, "%s", sw_error_message());
}

START_TEST(a_list_of_carriers_that_is_none_is_refused)
{
    struct made_report made = make_good();
    check_damaged(&made, 1, "list of carriers, which does not begin there"); /* in the header */
    made = make_good();
    check_damaged(&made, UINT32_MAX, "list of carriers, which does not begin there");
    made = make_good();
    uint32_t text = make_string(&made, "x", 1);
    check_damaged(&made, text, "list of carriers, which does not begin there");
    made = make_good();
    size_t empty = make_block(&made, SWPROF_BLOCK_CARRIERS, 1);
    check_damaged(&made, (uint32_t)(empty + sizeof(struct swprof_block)) / 8, "which does not begin there");
    made = make_good();
    size_t block = make_block(&made, SWPROF_BLOCK_CARRIERS, 1);
    uint32_t list = make_carriers(&made, block, NULL, 0);
    const struct swprof_carriers longer = {.n_numbers = 1};
    memcpy(made.bytes + (size_t)list * 8, &longer, sizeof longer);
    check_damaged(&made, list, "longer than its block");
    made = make_good();
    block = make_block(&made, SWPROF_BLOCK_CARRIERS, 1);
    list = make_carriers(&made, block, NULL, 0);
    const struct swprof_carriers longest = {.n_numbers = UINT32_MAX};
    memcpy(made.bytes + (size_t)list * 8, &longest, sizeof longest);
    check_damaged(&made, list, "longer than its block");
}
END_TEST

CHECK_MAIN("sessions", a_profiler_has_what_its_thread_began_in_it, a_profilers_operations_are_counted_once,
           an_operation_left_by_a_jump_may_end_after_its_profiler, a_profiler_has_only_the_carriers_that_it_selected,
           a_profiler_of_an_unrecorded_thread_has_nothing, the_heading_lists_the_first_carriers_when_none_was_meant,
           the_heading_lists_the_first_profilers,
           a_list_of_carriers_that_is_none_is_refused)
