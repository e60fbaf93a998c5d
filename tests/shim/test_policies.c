/*
 * What becomes of operations when the report is full, or was to hold sums from
 * the start.
 */
#include "config.h"

#include <string.h>
#include <sys/types.h>

#include "check_main.h"
#include "shim/run.h"

/* Sums are whole, and histograms hold what was added up. */
static void check_sums(const struct probe_totals *totals)
{
    ck_assert_uint_eq(totals->n_torn, 0);
    ck_assert_uint_eq(totals->n_unhistogrammed, 0);
    ck_assert_uint_le(totals->self, totals->total);
}

START_TEST(a_full_report_goes_on_in_sums)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=1M", "count 200000", &totals);
    ck_assert_uint_eq(totals.n_events + totals.n_aggregated, 200000);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_FULL], totals.n_aggregated);
    ck_assert_uint_eq(totals.self, totals.total);
    ck_assert_uint_eq(totals.outer, totals.total);
    check_sums(&totals);
}
END_TEST

START_TEST(a_full_report_goes_on_in_sums_for_each_thread)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=2M", "threads 50000", &totals);
    ck_assert_uint_eq(totals.n_events + totals.n_aggregated, 200000);
    check_sums(&totals);
}
END_TEST

/*
 * Events end when the deepest operations do: all of those around them go into sums, whose self times have to leave
 * out what is in events. Together they last as long as the outermost.
 */
START_TEST(sums_leave_out_the_events_inside_of_them)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;
    uint64_t whole = 0;

    run_record(&run, "fake_caller", "SWPROF_BUFFER=1M", "nest 30000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events + totals.n_aggregated, 60001);
    ck_assert_uint_gt(totals.n_aggregated, 10000);
    for (size_t n = 0; probe_aggregate(&probe, n) != NULL; n++)
        if (probe_sums(probe_aggregate(&probe, n))->depth == 0)
            whole = probe_sums(probe_aggregate(&probe, n))->total;
    ck_assert_uint_eq(totals.outer + totals.self_of_events, whole);
    ck_assert_uint_le(totals.self + totals.self_of_events, whole);
    ck_assert_uint_ge(totals.self + totals.self_of_events + probe_record(&probe, 0)->tool_ticks, whole);
    run_close(&run, &probe);
}
END_TEST

/* "crowd" of fake_caller: of op2 there are no sums; op3 ran inside of it, then alone. */
START_TEST(events_inside_of_an_operation_without_sums_are_inside_of_no_other)
{
    struct run run;
    struct probe probe;
    const struct swprof_aggregate *aggregate;
    int n_alone = 0;

    run_record(&run, "fake_caller", "SWPROF_BUFFER=64K SWPROF_SHAPES=1", "crowd 4000", &probe);
    for (size_t n = 0; (aggregate = probe_aggregate(&probe, n)) != NULL; n++) {
        const struct swprof_sums *sums = probe_sums(aggregate);

        if (sums->depth != 0)
            continue;
        n_alone++;
        ck_assert_uint_eq(sums->count, 2);
        ck_assert(sums->outer == sums->min || sums->outer == sums->max);
    }
    ck_assert_int_eq(n_alone, 1);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_summary_has_no_events_and_stays_small)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_FULL=summary", "count 100000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_aggregated, 100000);
    ck_assert_uint_eq(totals.n_events, 0);
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        ck_assert_uint_eq(totals.lost[i], 0);
    check_sums(&totals);
    ck_assert(probe_next(&probe, NULL, SWPROF_BLOCK_EVENTS) == NULL);
    ck_assert_uint_lt(probe.header->used_bytes, 128 * 1024);
    ck_assert_uint_eq(probe.header->policy, SWPROF_POLICY_SUMMARY);
    ck_assert_uint_eq(probe.header->incompatible, SWPROF_FEATURE_THREADS | SWPROF_FEATURE_SUMMARY);
    run_close(&run, &probe);
}
END_TEST

/* One operation around all others: its time is the whole, and the selves add up to it but for the recorder's own. */
START_TEST(self_times_of_a_summary_add_up)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_FULL=summary", "nest 3000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_aggregated, 6001);
    check_sums(&totals);
    for (size_t n = 0; probe_aggregate(&probe, n) != NULL; n++)
        if (probe_sums(probe_aggregate(&probe, n))->count == 1)
            ck_assert_uint_eq(probe_sums(probe_aggregate(&probe, n))->total, totals.outer);
    ck_assert_uint_le(totals.self, totals.outer);
    ck_assert_uint_ge(totals.self + probe_record(&probe, 0)->tool_ticks, totals.outer);
    run_close(&run, &probe);
}
END_TEST

START_TEST(failures_and_jumps_are_added_up)
{
    struct probe_totals totals;

    run_totals("SWPROF_FULL=summary", "fail 1000", &totals);
    ck_assert_uint_eq(totals.n_aggregated, 1000);
    ck_assert_uint_eq(totals.n_failed_aggregated, 250);
    run_totals("SWPROF_FULL=summary", "longjmp 100", &totals);
    ck_assert_uint_eq(totals.n_aggregated, 501);
    ck_assert_uint_eq(totals.n_failed_aggregated, 400);
}
END_TEST

START_TEST(shapes_are_part_of_what_is_added_up)
{
    struct probe_totals totals;

    run_totals("SWPROF_FULL=summary SWPROF_SHAPES=1", "shapes 1000", &totals);
    ck_assert_uint_eq(totals.n_aggregated, 1000);
    ck_assert_uint_eq(totals.n_shape_lists, 10);
    check_sums(&totals);
}
END_TEST

/* "carriers" of fake_caller: Cpu alone; Cpu around Generic around Cpu. */
START_TEST(hidden_operations_are_only_their_parents_nested_time)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_FULL=summary SWPROF_CARRIERS=Cpu", "carriers", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_aggregated, 3);
    ck_assert_uint_eq(probe_record(&probe, 0)->n_hidden, 1);
    ck_assert_uint_lt(totals.outer, totals.total); /* the innermost is inside of another one */
    run_close(&run, &probe);
}
END_TEST

START_TEST(threads_that_follow_one_another_add_to_the_same_sums)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_FULL=summary", "short_threads 2000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_aggregated, 2000);
    ck_assert_uint_eq(totals.n_threads, 2000);
    ck_assert_uint_lt(probe.header->used_bytes, 1024 * 1024); /* 256 bytes per thread, and little else */
    run_close(&run, &probe);
}
END_TEST

/* The counter of calls, the sums and the failures stand one below the largest number, and 5 operations follow. */
START_TEST(sums_stay_at_the_largest_number_and_say_so)
{
    struct run run;
    struct probe probe;
    char settings[128];

    run_begin(&run);
    run.program = "fake_control";
    snprintf(settings, sizeof settings, "SWPROF_FULL=summary SWPROF_OUTPUT=%s/report", run.directory);
    run_program(&run, settings, "saturated 5");
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    const struct swprof_sums *sums = probe_sums(probe_aggregate(&probe, 0));
    ck_assert_uint_eq(probe_aggregate(&probe, 0)->count, UINT64_MAX);
    ck_assert_uint_eq(sums->count, UINT64_MAX);
    ck_assert_uint_eq(sums->check, UINT64_MAX);
    ck_assert_uint_eq(sums->total, UINT64_MAX);
    ck_assert_uint_eq(sums->self, UINT64_MAX);
    ck_assert_uint_eq(sums->outer, UINT64_MAX);
    ck_assert_uint_eq(sums->failures, UINT64_MAX);
    ck_assert_uint_eq(sums->flags & SWPROF_SUMS_SATURATED, SWPROF_SUMS_SATURATED);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_ring_keeps_the_newest_events_and_counts_the_others)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_BUFFER=1M SWPROF_FULL=ring", "count 200000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_OLD], 200000);
    ck_assert_uint_gt(totals.n_events, 35000);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_miscounted, 0);
    ck_assert_uint_ge(probe_record(&probe, 0)->drop_begin, probe_record(&probe, 0)->begin);
    ck_assert_uint_gt(probe_record(&probe, 0)->drop_end, probe_record(&probe, 0)->drop_begin);
    ck_assert_uint_eq(probe.header->policy, SWPROF_POLICY_RING);
    run_close(&run, &probe);
}
END_TEST

/* The outermost operation ends last, when its first children are long gone. */
START_TEST(parents_in_a_ring_know_the_time_of_children_that_are_gone)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_BUFFER=256K SWPROF_FULL=ring", "nest 30000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_OLD], 60001);
    ck_assert_uint_gt(totals.lost[SWPROF_LOST_OLD], 40000);
    ck_assert_uint_eq(totals.n_unexplained, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    ck_assert_uint_eq(probe_count(&probe, "op2"), 1);
    run_close(&run, &probe);
}
END_TEST

START_TEST(every_thread_keeps_its_newest_events)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;
    const struct swprof_thread *thread;

    run_record(&run, "fake_caller", "SWPROF_BUFFER=1M SWPROF_FULL=ring", "threads 100000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_OLD], 400000);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    for (size_t n = 0; (thread = probe_record(&probe, n)) != NULL; n++)
        ck_assert_uint_gt(thread->n_events - thread->lost[SWPROF_LOST_OLD], 1000);
    run_close(&run, &probe);
}
END_TEST

/* Their records are no part of the ring: 256 KiB have room for some of them. */
START_TEST(threads_that_a_ring_has_no_room_for_are_counted)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=256K SWPROF_FULL=ring", "short_threads 400", &totals);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_OLD] + totals.lost[SWPROF_LOST_FULL], 400);
    ck_assert_uint_gt(totals.n_events, 20);
}
END_TEST

/* 256 bytes for the thread, an event, a mark: 10 000 of them in less than 4 MiB. */
START_TEST(ten_thousand_short_threads_fit)
{
    struct probe_totals totals;

    run_totals("SWPROF_BUFFER=4M", "short_threads 10000", &totals);
    ck_assert_uint_eq(totals.n_events, 10000);
    ck_assert_uint_eq(totals.n_threads, 10000);
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        ck_assert_uint_eq(totals.lost[i], 0);
}
END_TEST

START_TEST(two_thousand_threads_at_once_fit)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_program(&run, "SWPROF_BUFFER=32M", "parallel 2000");
    if (WIFEXITED(run.status) && WEXITSTATUS(run.status) == 2) {
        run_end(&run);
        return; /* the machine allows no such number of threads */
    }
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 6000);
    ck_assert_uint_eq(totals.n_threads, 2000);
    run_close(&run, &probe);
}
END_TEST

CHECK_MAIN("policies", sums_stay_at_the_largest_number_and_say_so, a_full_report_goes_on_in_sums,
           a_full_report_goes_on_in_sums_for_each_thread, sums_leave_out_the_events_inside_of_them,
           events_inside_of_an_operation_without_sums_are_inside_of_no_other, a_summary_has_no_events_and_stays_small, self_times_of_a_summary_add_up, failures_and_jumps_are_added_up,
           shapes_are_part_of_what_is_added_up, hidden_operations_are_only_their_parents_nested_time,
           threads_that_follow_one_another_add_to_the_same_sums, a_ring_keeps_the_newest_events_and_counts_the_others,
           parents_in_a_ring_know_the_time_of_children_that_are_gone, every_thread_keeps_its_newest_events,
           threads_that_a_ring_has_no_room_for_are_counted, ten_thousand_short_threads_fit, two_thousand_threads_at_once_fit)
