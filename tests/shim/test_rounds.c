/*
 * Rounds: enable, disable, and what belongs to which.
 */
#include "config.h"

#include <string.h>

#include <swprof/swprof.h>

#include "check_main.h"
#include "shim/run.h"

/* run_rounds of fake_caller: 100 operations before and between its control calls. */
START_TEST(operations_belong_to_the_round_in_which_they_end)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_program(&run, NULL, "rounds 100");
    ck_assert_int_eq(run.status, 0);
    /* OK, NOT_ENABLED, INVALID_OPTIONS, OK, ALREADY_ENABLED, OK, OK, (no such verb) INVALID_OPTIONS, OK */
    ck_assert_str_eq(run.output, "0 6 7 0 5 0 0 7 0\n");
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 300);
    ck_assert_uint_eq(totals.n_sessions, 3);
    ck_assert_uint_eq(totals.n_frozen, 3);
    for (size_t i = 0; i < 3; i++)
        ck_assert_uint_eq(probe_count_in(&probe, probe_session(&probe, i)), 100);
    ck_assert_str_eq(probe_text(&probe, probe_session(&probe, 1)->label), "first");
    ck_assert_uint_eq(probe_session(&probe, 1)->flags, SWPROF_SESSION_SHAPES);
    ck_assert_uint_eq(probe_session(&probe, 2)->flags, 0);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(nothing_is_recorded_until_the_first_round_when_start_is_off)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_program(&run, "SWPROF_START=off", "rounds 100");
    ck_assert_str_eq(run.output, "6 6 7 0 5 0 0 7 0\n");
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 200);
    ck_assert_uint_eq(totals.n_sessions, 2);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(a_paused_program_leaves_no_trace)
{
    struct run run;

    run_begin(&run);
    run_program(&run, "SWPROF_START=off", "count 1000");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 0);
    run_end(&run);
}
END_TEST

START_TEST(without_the_shim_control_calls_say_so)
{
    struct run run;

    run_begin(&run);
    run_program(&run, "PLAIN=1", "rounds 10");
    ck_assert_str_eq(run.output, "1 1 1 1 1 1 1 1 1\n");
    run_end(&run);
}
END_TEST

CHECK_MAIN("rounds", operations_belong_to_the_round_in_which_they_end,
           nothing_is_recorded_until_the_first_round_when_start_is_off, a_paused_program_leaves_no_trace,
           without_the_shim_control_calls_say_so)
