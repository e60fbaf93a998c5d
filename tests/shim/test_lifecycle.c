/*
 * Beginning and end: what leaves a report, what leaves none, and that the
 * program behaves as without the shim.
 */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/run.h"

START_TEST(a_program_without_operations_leaves_no_trace)
{
    struct run run;

    run_begin(&run);
    run_program(&run, NULL, "nothing");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "");
    ck_assert_int_eq(run_count_files(&run), 0);
    run_end(&run);
}
END_TEST

START_TEST(exit_status_and_output_are_those_of_the_program)
{
    static const char *const programs[] = {"exit 0", "exit 1", "exit 77", "exit 255", "kill 10", "errno", "exec 3"};

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct run plain, observed;

        run_begin(&plain);
        run_begin(&observed);
        run_program(&plain, "PLAIN=1", programs[i]);
        run_program(&observed, NULL, programs[i]);
        ck_assert_int_eq(plain.status, observed.status);
        ck_assert_str_eq(plain.output, observed.output);
        ck_assert_int_eq(run_count_files(&plain), 0);
        ck_assert_int_ge(run_count_files(&observed), strcmp(programs[i], "exit 0") != 0);
        run_end(&plain);
        run_end(&observed);
    }
}
END_TEST

START_TEST(the_report_is_the_owners_alone)
{
    struct run run;
    struct stat status;
    char path[128];

    run_begin(&run);
    snprintf(path, sizeof path, "%s/report", run.directory);
    char settings[160];
    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=%s", path);
    run_program(&run, settings, "count 1");
    ck_assert_int_eq(stat(path, &status), 0);
    ck_assert_uint_eq(status.st_mode & 07777, 0600);
    run_end(&run);
}
END_TEST

START_TEST(what_was_completed_before_a_kill_is_in_the_report)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_start(&run, NULL, "until_killed 500");
    run_kill(&run, SIGKILL);
    ck_assert(WIFSIGNALED(run.status));
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_RECORDING);
    ck_assert_uint_ge(totals.n_events, 500);
    ck_assert_uint_le(totals.n_open, 2);
    ck_assert_uint_eq(totals.n_frozen, 0);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    ck_assert_int_eq(probe.header->pid, run.pid);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(a_signal_ends_the_program_and_leaves_an_unfrozen_report)
{
    struct run run;
    struct probe probe;

    run_begin(&run);
    run_program(&run, NULL, "kill 10");
    ck_assert(WIFSIGNALED(run.status));
    run_report(&run, 0, &probe);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_RECORDING);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

/* The reports in the order of their names are parent and child or the other way round. */
static void open_by_pid(const struct run *run, int is_parent, struct probe *probe)
{
    run_report(run, 0, probe);
    if ((probe->header->pid == run->pid) == is_parent)
        return;
    probe_close(probe);
    run_report(run, 1, probe);
}

START_TEST(a_forked_child_has_a_report_of_its_own)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;

    run_begin(&run);
    run_program(&run, NULL, "fork 100");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 2);
    open_by_pid(&run, 1, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 101);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
    probe_close(&probe);
    /* The operation in which it was forked is its parent's alone. */
    open_by_pid(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_uint_eq(totals.n_events, 100);
    ck_assert_uint_eq(totals.max_depth, 0);
    ck_assert_uint_eq(totals.n_open, 0);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_RECORDING);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(a_child_never_takes_its_parents_file)
{
    struct run run;
    char settings[128];

    run_begin(&run);
    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=%s/report", run.directory);
    run_program(&run, settings, "fork 100");
    ck_assert_int_eq(run_count_files(&run), 2);
    run_end(&run);
}
END_TEST

START_TEST(a_child_without_operations_leaves_no_trace)
{
    struct run run;
    struct probe probe;

    run_begin(&run);
    run_program(&run, NULL, "fork_quiet 10");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 1);
    run_report(&run, 0, &probe);
    ck_assert_int_eq(probe.header->pid, run.pid);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(what_a_vfork_child_runs_is_its_parents)
{
    struct run run;
    struct probe probe;

    run_begin(&run);
    run_program(&run, NULL, "vfork");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 1);
    run_report(&run, 0, &probe);
    ck_assert_uint_eq(probe_count(&probe, "op0"), 1);
    ck_assert_uint_eq(probe_count(&probe, "op1"), 1);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(the_image_after_an_exec_has_a_report_beside_the_former)
{
    struct run run;

    run_begin(&run);
    run_program(&run, NULL, "exec 3");
    ck_assert_int_eq(run_count_files(&run), 2);
    run_end(&run);
}
END_TEST

START_TEST(operations_of_exit_handlers_are_recorded)
{
    struct probe_totals totals;

    run_totals(NULL, "atexit 10", &totals);
    ck_assert_uint_eq(totals.n_events, 10);
}
END_TEST

START_TEST(operations_behind_the_shims_own_end_are_recorded_and_frozen_again)
{
    struct run run;
    struct probe probe;
    const struct swprof_session *session;

    run_begin(&run);
    run_program(&run, "FAKE_VERY_LATE=1", "count 10");
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
    ck_assert_uint_eq(probe_count(&probe, "op3"), 1);
    session = probe_session(&probe, 0);
    ck_assert_uint_eq(session->state, SWPROF_SESSION_FROZEN);
    ck_assert_uint_eq(probe_count_in(&probe, session), 11);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

START_TEST(operations_of_thread_destructors_are_recorded_before_and_after_the_shims)
{
    struct probe_totals totals;

    run_totals(NULL, "thread_destructors", &totals);
    ck_assert_uint_eq(totals.n_threads, 1);
    ck_assert_uint_eq(totals.n_ended, 1);
    ck_assert_uint_ge(totals.n_events, 4);
}
END_TEST

START_TEST(closing_every_descriptor_changes_nothing)
{
    struct probe_totals totals;

    run_totals(NULL, "close_all 10000", &totals);
    ck_assert_uint_eq(totals.n_events, 210000);
}
END_TEST

START_TEST(the_default_place_is_shared_memory)
{
    struct run run;
    struct stat status;
    char command[256];

    run_begin(&run);
    run_program(&run, "SWPROF_OUTPUT=", "count 5");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 0);
    snprintf(command, sizeof command, "ls /dev/shm/swprof-%d-fake_caller-%d-*-* > %s/list", (int)geteuid(),
             (int)run.pid, run.directory);
    ck_assert_int_eq(system(command), 0);
    snprintf(command, sizeof command, "%s/list", run.directory);
    ck_assert_int_eq(stat(command, &status), 0);
    snprintf(command, sizeof command, "rm /dev/shm/swprof-%d-fake_caller-%d-*-*", (int)geteuid(), (int)run.pid);
    ck_assert_int_eq(system(command), 0);
    run_end(&run);
}
END_TEST

CHECK_MAIN("lifecycle", a_program_without_operations_leaves_no_trace, exit_status_and_output_are_those_of_the_program,
           the_report_is_the_owners_alone, what_was_completed_before_a_kill_is_in_the_report,
           a_signal_ends_the_program_and_leaves_an_unfrozen_report, a_forked_child_has_a_report_of_its_own,
           a_child_never_takes_its_parents_file, a_child_without_operations_leaves_no_trace,
           what_a_vfork_child_runs_is_its_parents, the_image_after_an_exec_has_a_report_beside_the_former,
           operations_of_exit_handlers_are_recorded,
           operations_behind_the_shims_own_end_are_recorded_and_frozen_again,
           operations_of_thread_destructors_are_recorded_before_and_after_the_shims,
           closing_every_descriptor_changes_nothing, the_default_place_is_shared_memory)
