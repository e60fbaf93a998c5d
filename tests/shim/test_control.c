/*
 * Rounds under stress: exact, disjoint, final; and by signals.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "check_main.h"
#include "shim/run.h"
#include "shim/scale.h"

#define N_WORKERS 4

/* All sessions are frozen, and none begins before its predecessor ended. Returns how many there are. */
static size_t check_disjoint(const struct probe *probe)
{
    const struct swprof_block *block = NULL;
    uint64_t last = 0;
    size_t n = 0;

    while ((block = probe_next(probe, block, SWPROF_BLOCK_SESSIONS)) != NULL) {
        const struct swprof_session *sessions = (const void *)(block + 1);
        size_t here = block->published / sizeof *sessions;

        for (size_t i = 0; i < here; i++) {
            ck_assert_uint_eq(sessions[i].state, SWPROF_SESSION_FROZEN);
            ck_assert_uint_ge(sessions[i].begin.ticks, last);
            ck_assert_uint_ge(sessions[i].end.ticks, sessions[i].begin.ticks);
            last = sessions[i].end.ticks;
        }
        n += here;
    }
    return n;
}

START_TEST(a_round_has_exactly_the_operations_that_ran_in_it)
{
    struct run run;
    struct probe probe;

    run_record(&run, "fake_control", "SWPROF_START=off", "own 40", &probe);
    ck_assert_uint_eq(check_disjoint(&probe), 40);
    for (size_t i = 0; i < 40; i++)
        ck_assert_uint_eq(probe_count_in(&probe, probe_session(&probe, i)), N_WORKERS * (3 * i + 1));
    run_close(&run, &probe);
}
END_TEST

START_TEST(rounds_of_racing_threads_are_disjoint_and_as_many_as_were_granted)
{
    struct run run;
    struct probe probe;
    unsigned long n_begun, n_ended;
    struct probe_totals totals;

    run_record(&run, "fake_control", NULL, "race 100", &probe);
    ck_assert_int_eq(sscanf(run.output, "%lu %lu", &n_begun, &n_ended), 2);
    ck_assert_uint_eq(n_ended, n_begun + 1); /* the first round began by itself */
    ck_assert_uint_eq(check_disjoint(&probe), n_ended);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    run_close(&run, &probe);
}
END_TEST

/* The program looks at its own report when a round has ended, and again at its end. */
static void check_final(const char *wrapper, const char *way, const char *arguments)
{
    struct run run;
    char settings[256];

    run_begin(&run);
    run.program = "fake_control";
    run.wrapper = wrapper;
    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=%s/report %s", run.directory, way);
    run_program(&run, settings, arguments);
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "0\n");
    run_end(&run);
}

START_TEST(a_round_that_has_ended_never_changes)
{
    check_final(NULL, "", "frozen 60");
    check_final("start_as", "START_AS=without_barrier", "frozen 20");
}
END_TEST

/* Later rounds go on until nothing is left for them: those that have ended keep what they hold. */
START_TEST(a_round_that_has_ended_never_changes_in_a_ring_or_a_summary)
{
    check_final(NULL, "SWPROF_FULL=ring SWPROF_BUFFER=512K", "frozen 60");
    check_final(NULL, "SWPROF_FULL=ring SWPROF_BUFFER=1M", "frozen 200");
    check_final(NULL, "SWPROF_FULL=summary", "frozen 60");
    check_final("start_as", "START_AS=without_barrier SWPROF_FULL=ring SWPROF_BUFFER=512K", "frozen 40");
}
END_TEST

START_TEST(a_round_for_which_a_ring_has_nothing_left_counts_what_it_loses)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_caller", "SWPROF_FULL=ring SWPROF_BUFFER=64K", "rounds 3000", &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_gt(probe_count_in(&probe, probe_session(&probe, 0)), 200); /* 24 bytes each of 64 KiB */
    ck_assert_uint_lt(probe_count_in(&probe, probe_session(&probe, 2)), 3000);
    ck_assert_uint_eq(totals.n_events + totals.lost[SWPROF_LOST_OLD] + totals.lost[SWPROF_LOST_FULL], 9000);
    run_close(&run, &probe);
}
END_TEST

START_TEST(many_rounds_have_one_operation_each)
{
    struct run run;
    struct probe probe;
    unsigned long n = scale("SW_ROUNDS", 2000);
    char arguments[64];
    struct probe_totals totals;

    snprintf(arguments, sizeof arguments, "many %lu", n);
    run_record(&run, "fake_control", "SWPROF_BUFFER=1G", arguments, &probe);
    ck_assert_uint_eq(check_disjoint(&probe), n + 1);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, n + 1);
    run_close(&run, &probe);
}
END_TEST

START_TEST(an_enable_that_is_refused_leaves_the_label_of_the_open_round)
{
    struct run run;
    struct probe probe;

    run_record(&run, "fake_control", NULL, "labels", &probe);
    ck_assert_str_eq(probe_text(&probe, probe_session(&probe, 0)->label), "kept");
    run_close(&run, &probe);
}
END_TEST

static void check_counts(const char *settings, const char *program, const char *output, size_t n,
                         const uint64_t *counts)
{
    struct run run;
    struct probe probe;

    run_record(&run, "fake_control", settings, program, &probe);
    ck_assert_str_eq(run.output, output);
    ck_assert_uint_eq(check_disjoint(&probe), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_uint_eq(probe_count_in(&probe, probe_session(&probe, i)), counts[i]);
    run_close(&run, &probe);
}

START_TEST(the_signal_ends_the_round_and_begins_another)
{
    check_counts("SWPROF_SIGNAL=USR2", "signal", "", 2, (uint64_t[]){10, 30});
    check_counts("SWPROF_SIGNAL=SIGUSR2", "signal", "", 2, (uint64_t[]){10, 30});
    check_counts("SWPROF_SIGNAL=USR2 SWPROF_START=off", "signal", "", 1, (uint64_t[]){20});
}
END_TEST

/* Both say how often their handlers ran. */
START_TEST(a_handler_of_the_program_is_left_alone)
{
    check_counts("SWPROF_SIGNAL=USR2", "own_handler", "2\n", 1, (uint64_t[]){60});
    check_counts("SWPROF_SIGNAL=USR2", "passing_handler", "2\n", 2, (uint64_t[]){10, 30});
}
END_TEST

START_TEST(a_signal_that_is_ignored_stays_ignored)
{
    struct run run;
    struct probe probe;

    run_begin(&run);
    run.program = "fake_control";
    run.wrapper = "start_as";
    run_program(&run, "SWPROF_SIGNAL=USR2 START_AS=ignoring", "signal");
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    ck_assert_uint_eq(probe_count_in(&probe, probe_session(&probe, 0)), 60);
    run_close(&run, &probe);
}
END_TEST

START_TEST(a_signal_that_was_not_asked_for_ends_the_program)
{
    static const char *const settings[] = {NULL, "SWPROF_SIGNAL=USR1", "SWPROF_SIGNAL=TERM", "SWPROF_SIGNAL=12"};

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct run run;

        run_begin(&run);
        run.program = "fake_control";
        run_program(&run, settings[i], "signal");
        ck_assert(WIFSIGNALED(run.status));
        ck_assert_int_eq(WTERMSIG(run.status), SIGUSR2);
        run_end(&run);
    }
}
END_TEST

/* Each operation is entered in one round and ends in the pause or the round behind it. */
START_TEST(signals_inside_of_operations_end_and_begin_rounds)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_control", "SWPROF_SIGNAL=USR2", "signal_inside 100", &probe);
    ck_assert_uint_eq(check_disjoint(&probe), 51);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 50);
    run_close(&run, &probe);
}
END_TEST

START_TEST(signals_at_any_instruction_leave_disjoint_rounds)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_record(&run, "fake_control", "SWPROF_SIGNAL=USR2", "signal_storm 300000", &probe);
    ck_assert_uint_gt(check_disjoint(&probe), 1);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    ck_assert_uint_eq(totals.n_miscounted, 0);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    run_close(&run, &probe);
}
END_TEST

CHECK_MAIN("control", a_round_has_exactly_the_operations_that_ran_in_it,
           rounds_of_racing_threads_are_disjoint_and_as_many_as_were_granted, a_round_that_has_ended_never_changes,
           a_round_that_has_ended_never_changes_in_a_ring_or_a_summary,
           a_round_for_which_a_ring_has_nothing_left_counts_what_it_loses,
           many_rounds_have_one_operation_each, an_enable_that_is_refused_leaves_the_label_of_the_open_round,
           the_signal_ends_the_round_and_begins_another, a_handler_of_the_program_is_left_alone,
           a_signal_that_is_ignored_stays_ignored, a_signal_that_was_not_asked_for_ends_the_program,
           signals_inside_of_operations_end_and_begin_rounds, signals_at_any_instruction_leave_disjoint_rounds)
