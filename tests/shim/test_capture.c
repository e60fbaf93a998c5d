/*
 * What is recorded: numbers, nesting, threads, failures, shapes, carriers.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "shim/run.h"

START_TEST(every_boundary_is_one_event)
{
    struct probe_totals totals;

    run_totals(NULL, "count 12345", &totals);
    ck_assert_uint_eq(totals.n_events, 12345);
    ck_assert_uint_eq(totals.n_failed, 0);
    ck_assert_uint_eq(totals.n_threads, 1);
    ck_assert_uint_eq(totals.n_open, 0);
    ck_assert_uint_eq(totals.n_sessions, 1);
    ck_assert_uint_eq(totals.n_frozen, 1);
    for (int i = 0; i < SWPROF_LOST_REASONS; i++)
        ck_assert_uint_eq(totals.lost[i], 0);
}
END_TEST

START_TEST(the_report_says_what_a_boundary_costs)
{
    static const struct {
        const char *settings;
        const char *arguments;
    } runs[] = {
        {NULL, "count 1"},
        {"SWPROF_SHAPES=1", "count 1"},
        {"SWPROF_FULL=ring", "count 1"},
        {"SWPROF_FULL=summary", "count 1"},
        {"SWPROF_CARRIERS=Generic", "carriers"}, /* the first operations are hidden */
    };

    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        struct probe probe;
        struct run run;

        run_record(&run, "fake_caller", runs[i].settings, runs[i].arguments, &probe);
        ck_assert_uint_gt(probe.header->cost_inside, 0);
        ck_assert_uint_gt(probe.header->cost_outside, 0);
        run_close(&run, &probe);
    }
}
END_TEST

/* What was recorded to learn that is nowhere in it. */
START_TEST(measuring_what_a_boundary_costs_leaves_no_other_trace)
{
    struct probe_totals totals;

    run_totals("SWPROF_SHAPES=1", "shapes 1", &totals);
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_uint_eq(totals.n_shape_lists, 1);
    ck_assert_uint_eq(totals.n_miscounted, 0);
    ck_assert_uint_eq(totals.n_healed, 0);
}
END_TEST

START_TEST(the_monotonic_clock_records_the_same)
{
    struct probe_totals totals;

    run_totals("SWPROF_CLOCK=monotonic", "nest 3000", &totals);
    ck_assert_uint_eq(totals.n_events, 6001);
}
END_TEST

START_TEST(every_thread_is_recorded_apart)
{
    struct probe_totals totals;

    run_totals(NULL, "threads 20000", &totals);
    ck_assert_uint_eq(totals.n_events, 80000);
    ck_assert_uint_eq(totals.n_threads, 4);
    ck_assert_uint_eq(totals.n_ended, 4);
}
END_TEST

#define LINE_BYTES 64
/* Of a thread that is less deep than this the frames end where the line of another's begin. */
#define FRAMES_APART 62

/* Lines of what a thread writes at each boundary: none is another's. */
static void check_lines(const struct swprof_thread *record, const struct swprof_thread *other)
{
    uint64_t frames = record->frames * UINT64_C(8), others = other->frames * UINT64_C(8);
    uint64_t last = others + FRAMES_APART * sizeof(struct swprof_frame) - 1;

    ck_assert_uint_ne((uintptr_t)record / LINE_BYTES, (uintptr_t)other / LINE_BYTES);
    ck_assert_uint_eq((uintptr_t)record % LINE_BYTES, 0);
    /* The same frames: one of them had ended when the other began. */
    ck_assert(frames / LINE_BYTES > last / LINE_BYTES || frames <= others);
}

START_TEST(no_two_threads_write_to_one_cache_line)
{
    struct probe probe;
    struct run run;

    ck_assert_uint_eq(sizeof(struct swprof_thread) % LINE_BYTES, 0);
    run_record(&run, "fake_caller", NULL, "threads 1000", &probe);
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            if (i != k)
                check_lines(probe_record(&probe, i), probe_record(&probe, k));
    for (const struct swprof_block *block = NULL; (block = probe_next(&probe, block, SWPROF_BLOCK_EVENTS)) != NULL;)
        ck_assert_uint_eq((uintptr_t)block % LINE_BYTES, 0);
    run_close(&run, &probe);
}
END_TEST

START_TEST(short_threads_each_have_their_record)
{
    struct probe_totals totals;

    run_totals(NULL, "short_threads 500", &totals);
    ck_assert_uint_eq(totals.n_events, 500);
    ck_assert_uint_eq(totals.n_threads, 500);
    ck_assert_uint_eq(totals.n_ended, 500);
}
END_TEST

/* nest N: one around N levels, each with one operation behind the next level. */
START_TEST(nesting_is_kept_beyond_the_frames_that_the_report_shows)
{
    struct probe_totals totals;

    run_totals(NULL, "nest 300", &totals);
    ck_assert_uint_eq(totals.n_events, 601);
    ck_assert_uint_eq(totals.max_depth, 300);
    ck_assert_uint_eq(totals.n_healed, 0);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
}
END_TEST

START_TEST(failures_are_marked)
{
    struct probe_totals totals;

    run_totals(NULL, "fail 1000", &totals);
    ck_assert_uint_eq(totals.n_events, 1000);
    ck_assert_uint_eq(totals.n_failed, 250);
}
END_TEST

/* Per turn 5 operations, 4 of which are jumped out of; then one more. */
START_TEST(operations_left_by_longjmp_are_closed_as_failed)
{
    struct probe_totals totals;

    run_totals(NULL, "longjmp 100", &totals);
    ck_assert_uint_eq(totals.n_events, 501);
    ck_assert_uint_eq(totals.n_healed, 400);
    ck_assert_uint_eq(totals.n_failed, 400);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    ck_assert_uint_eq(totals.max_depth, 2);
}
END_TEST

/* B is closed with A, its own end and the second one find nothing: three anomalies. */
START_TEST(crossed_begin_and_end_close_the_inner_one_and_are_counted)
{
    struct probe_totals totals;

    run_totals(NULL, "crossed", &totals);
    ck_assert_uint_eq(totals.n_events, 3);
    ck_assert_uint_eq(totals.n_healed, 1);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 3);
    ck_assert_uint_eq(totals.n_open, 0);
}
END_TEST

START_TEST(an_end_on_another_thread_is_counted_and_leaves_the_operation_open)
{
    struct probe_totals totals;

    run_totals(NULL, "crossed_threads", &totals);
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_uint_eq(totals.n_open, 1);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 1);
}
END_TEST

START_TEST(shapes_are_recorded_on_request_and_stored_once)
{
    struct probe_totals totals;

    run_totals(NULL, "shapes 1000", &totals);
    ck_assert_uint_eq(totals.n_shaped, 0);
    run_totals("SWPROF_SHAPES=1", "shapes 1000", &totals);
    ck_assert_uint_eq(totals.n_events, 1000);
    ck_assert_uint_eq(totals.n_shaped, 1000);
    ck_assert_uint_eq(totals.n_shape_lists, 10);
}
END_TEST

START_TEST(distinct_shapes_are_bounded_and_the_rest_is_counted)
{
    struct probe_totals totals;

    run_totals("SWPROF_SHAPES=1", "many_shapes 70000", &totals);
    ck_assert_uint_eq(totals.n_events, 70000);
    ck_assert_uint_eq(totals.n_shape_lists, 65536);
    ck_assert_uint_eq(totals.n_shaped, 65536);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_SHAPES], 70000 - 65536);
}
END_TEST

START_TEST(other_carriers_are_hidden_inside_selected_ones_and_absent_outside)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_program(&run, "SWPROF_CARRIERS=Cuda,strideweave.Generic", "carriers");
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(probe_count(&probe, "op0"), 1);
    ck_assert_uint_eq(probe_count(&probe, "op4"), 1);
    ck_assert_uint_eq(probe_count(&probe, "op5"), 0);
    ck_assert_uint_eq(probe_count(&probe, "op6"), 0);
    ck_assert_uint_eq(totals.n_events, 1);
    ck_assert_uint_eq(totals.n_hidden, 1);
    ck_assert_uint_eq(totals.max_depth, 1);
    ck_assert_str_eq(probe.header->carriers, "Cuda,strideweave.Generic");
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(calls_are_passed_on_to_the_library)
{
    struct run run;

    run_begin(&run);
    run_program(&run, NULL, "profiler 77");
    ck_assert_str_eq(run.output, "77 77\n");
    run_end(&run);
}
END_TEST

START_TEST(a_library_of_another_major_version_is_only_passed_on)
{
    struct run run;

    run_begin(&run);
    run_program(&run, NULL, "foreign_abi 50");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "50\n");
    ck_assert_int_eq(run_count_files(&run), 0);
    run_end(&run);
}
END_TEST

/* What a handler runs is recorded, nested where it interrupted, or counted as lost. */
START_TEST(operations_of_signal_handlers_are_recorded_or_counted)
{
    struct probe_totals totals;

    run_totals(NULL, "signals", &totals);
    ck_assert_uint_ge(totals.n_events + totals.lost[SWPROF_LOST_REENTRY], 200);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    ck_assert_uint_eq(totals.n_healed, 0);
    ck_assert_uint_eq(totals.n_open, 0);
}
END_TEST

CHECK_MAIN("capture", the_report_says_what_a_boundary_costs,
           measuring_what_a_boundary_costs_leaves_no_other_trace, every_boundary_is_one_event,
           the_monotonic_clock_records_the_same,
           every_thread_is_recorded_apart, no_two_threads_write_to_one_cache_line,
           short_threads_each_have_their_record,
           nesting_is_kept_beyond_the_frames_that_the_report_shows, failures_are_marked,
           operations_left_by_longjmp_are_closed_as_failed, crossed_begin_and_end_close_the_inner_one_and_are_counted,
           an_end_on_another_thread_is_counted_and_leaves_the_operation_open,
           shapes_are_recorded_on_request_and_stored_once, distinct_shapes_are_bounded_and_the_rest_is_counted,
           other_carriers_are_hidden_inside_selected_ones_and_absent_outside, calls_are_passed_on_to_the_library,
           a_library_of_another_major_version_is_only_passed_on,
           operations_of_signal_handlers_are_recorded_or_counted)
