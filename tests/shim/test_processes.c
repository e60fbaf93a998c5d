/*
 * Many processes, few rights, unusual stacks. SW_FORKS says how many children
 * there are, SW_FORK_THREADS beside how many threads.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/run.h"
#include "shim/scale.h"

static void run_it(struct run *run, const char *settings, const char *arguments)
{
    run_begin(run);
    run->program = "fake_processes";
    /* Others than we may have to write there. */
    ck_assert_int_eq(chmod(run->directory, 0777), 0);
    run_program(run, settings, arguments);
}

/* Whether the circumstances could be had; else the run is over. */
static int was_possible(struct run *run)
{
    if (run->status != 77 << 8)
        return 1;
    run_end(run);
    return 0;
}

/* The only report of a program that ended with 0, its counts; 0 when that could not be tried. */
static int counts_of(const char *settings, const char *arguments, uint32_t state, struct probe_counts *counts)
{
    struct run run;
    struct probe probe;

    run_it(&run, settings, arguments);
    if (!was_possible(&run))
        return 0;
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "");
    ck_assert_int_eq(run_count_files(&run), 1);
    run_report(&run, 0, &probe);
    probe_sum_up(&probe, counts);
    ck_assert_uint_eq(probe.header->state, state);
    probe_close(&probe);
    run_end(&run);
    return 1;
}

static void check_forks(const char *wrapper, const char *way, const char *arguments)
{
    struct run run;
    struct probe probe;
    struct probe_totals totals;
    char settings[256];

    run_begin(&run);
    run.program = "fake_processes";
    run.wrapper = wrapper;
    snprintf(settings, sizeof settings, "SWPROF_BUFFER=64M SWPROF_OUTPUT=%s/report.%%p %s", run.directory, way);
    run_program(&run, settings, arguments);
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "0\n");
    ck_assert_int_eq(run_count_files(&run), 1);
    run_report(&run, 0, &probe);
    probe_totals(&probe, &totals);
    ck_assert_int_eq(probe.header->pid, run.pid);
    ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
    ck_assert_uint_eq(totals.n_open, 0);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
    ck_assert_uint_eq(totals.n_escaped, 0);
    ck_assert_uint_eq(totals.lost[SWPROF_LOST_ANOMALY], 0);
    probe_close(&probe);
    run_end(&run);
}

START_TEST(children_of_every_kind_have_their_own_reports_while_threads_record)
{
    char arguments[64];

    snprintf(arguments, sizeof arguments, "forks %lu %lu", scale("SW_FORKS", 60), scale("SW_FORK_THREADS", 4));
    check_forks(NULL, "", arguments);
}
END_TEST

START_TEST(a_kernel_that_cannot_wipe_memory_in_children_has_fork_handlers)
{
    check_forks("start_as", "START_AS=without_wipe", "usual_forks 20");
}
END_TEST

START_TEST(a_daemon_and_all_on_the_way_to_it_have_reports)
{
    struct run run;
    uint64_t n = 0;

    run_it(&run, NULL, "daemon");
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(run_count_files(&run), 3);
    for (int i = 0; i < 3; i++) {
        struct probe probe;
        struct probe_counts counts;

        run_report(&run, i, &probe);
        probe_sum_up(&probe, &counts);
        ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
        n += counts.n_events;
        probe_close(&probe);
    }
    ck_assert_uint_eq(n, 60);
    run_end(&run);
}
END_TEST

START_TEST(a_program_that_is_spawned_has_a_report_of_its_own)
{
    struct run run;
    uint64_t n[2];

    run_it(&run, NULL, "spawn");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "7\n");
    ck_assert_int_eq(run_count_files(&run), 2);
    for (int i = 0; i < 2; i++) {
        struct probe probe;
        struct probe_counts counts;

        run_report(&run, i, &probe);
        probe_sum_up(&probe, &counts);
        ck_assert_uint_eq(probe.header->state, SWPROF_REPORT_FROZEN);
        n[probe.header->pid == run.pid ? 0 : 1] = counts.n_events;
        probe_close(&probe);
    }
    ck_assert_uint_eq(n[0], 6);
    ck_assert_uint_eq(n[1], 30);
    run_end(&run);
}
END_TEST

START_TEST(a_program_that_becomes_another_user_is_recorded)
{
    struct probe_counts counts;

    if (!counts_of(NULL, "nobody_first 50000", SWPROF_REPORT_FROZEN, &counts))
        return;
    ck_assert_uint_eq(counts.n_events, 50000);
    ck_assert(counts_of(NULL, "nobody_later 50000", SWPROF_REPORT_FROZEN, &counts));
    ck_assert_uint_eq(counts.n_events, 100000);
}
END_TEST

/* The report was found before; one that is made later is inside, where there is no /proc. */
START_TEST(a_program_that_changes_its_root_is_recorded)
{
    struct probe_counts counts;
    struct run run;
    char settings[256], inside[128];

    if (!counts_of("NEW_ROOT=/tmp", "root_later 50000", SWPROF_REPORT_FROZEN, &counts))
        return;
    ck_assert_uint_eq(counts.n_events, 100000);
    run_begin(&run);
    run.program = "fake_processes";
    snprintf(settings, sizeof settings, "SWPROF_OUTPUT=/report NEW_ROOT=%s", run.directory);
    run_program(&run, settings, "root_first 1000");
    ck_assert_int_eq(run.status, 0);
    snprintf(inside, sizeof inside, "%s/report", run.directory);
    struct probe probe;
    ck_assert(probe_open(&probe, inside));
    probe_sum_up(&probe, &counts);
    ck_assert_uint_eq(counts.n_events, 1000);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

/* Where nothing new can be had, the report stops growing, counts, and cannot be frozen. */
START_TEST(a_program_that_forbids_itself_system_calls_goes_on)
{
    static const char *const programs[] = {"refused 1000", "trapped 1000"};

    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        struct probe_counts counts;

        if (!counts_of(NULL, programs[i], SWPROF_REPORT_RECORDING, &counts))
            return;
        ck_assert_uint_ge(counts.n_events, 1000);
        ck_assert_uint_gt(counts.n_lost, 0);
        ck_assert_uint_eq(counts.n_events + counts.n_lost, 101000);
    }
}
END_TEST

START_TEST(a_quota_that_is_used_up_is_a_counted_loss_or_nothing_at_all)
{
    struct probe_counts counts;
    struct run run;

    if (!counts_of(NULL, "quota_later 1000", SWPROF_REPORT_FROZEN, &counts))
        return;
    ck_assert_uint_ge(counts.n_events, 1000);
    ck_assert_uint_gt(counts.n_lost, 0);
    ck_assert_uint_eq(counts.n_events + counts.n_lost, 101000);
    run_it(&run, NULL, "quota_first 1000");
    ck_assert_int_eq(run.status, 0);
    ck_assert_str_eq(run.output, "");
    ck_assert_int_eq(run_count_files(&run), 0);
    run_end(&run);
}
END_TEST

/* 24 bytes each go into more than a hundred chunks of 16 KiB, and no chunk that is there then is larger. */
START_TEST(a_ring_that_gets_no_space_seldom_asks_for_it)
{
    struct run run;
    struct probe probe;
    struct probe_counts counts;

    run_it(&run, "SWPROF_FULL=ring", "trapped_advices 1000");
    if (!was_possible(&run))
        return;
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_gt(atoi(run.output), 0);
    ck_assert_int_lt(atoi(run.output), 100);
    run_report(&run, 0, &probe);
    probe_sum_up(&probe, &counts);
    ck_assert_uint_eq(counts.n_events, 101000);
    run_close(&run, &probe);
}
END_TEST

START_TEST(hidden_operations_without_room_are_nobodys_loss)
{
    static const char *const settings[] = {"SWPROF_CARRIERS=Cpu", "SWPROF_CARRIERS=Cpu SWPROF_FULL=ring"};

    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        struct probe_counts counts;

        if (!counts_of(settings[i], "refused_room 100", SWPROF_REPORT_RECORDING, &counts))
            return;
        ck_assert_uint_eq(counts.n_events, 0);
        ck_assert_uint_eq(counts.n_lost, 100);
    }
}
END_TEST

/*
 * Every operation is closed, if not always at its own end: what does not nest is counted. Of the second coroutine
 * the last change-over never returns, so it has one operation less.
 */
START_TEST(coroutines_that_change_over_inside_of_operations_are_closed_and_counted)
{
    struct probe_counts counts;

    ck_assert(counts_of(NULL, "coroutines 50", SWPROF_REPORT_FROZEN, &counts));
    ck_assert_uint_eq(counts.n_events, 2 * 2 * 50 - 1 + 1);
    ck_assert_uint_gt(counts.n_lost, 0);
}
END_TEST

START_TEST(an_allocator_that_runs_operations_is_recorded)
{
    struct probe_counts counts;

    ck_assert(counts_of(NULL, "allocator 100", SWPROF_REPORT_FROZEN, &counts));
    ck_assert_uint_ge(counts.n_events, 400);
    ck_assert_uint_eq(counts.n_lost, 0);
}
END_TEST

START_TEST(a_kernel_that_cannot_populate_memory_records_the_same)
{
    struct run run;
    struct probe probe;
    struct probe_counts counts;

    run_begin(&run);
    run.wrapper = "start_as";
    run_program(&run, "START_AS=without_populate", "count 100000");
    ck_assert_int_eq(run.status, 0);
    run_report(&run, 0, &probe);
    probe_sum_up(&probe, &counts);
    ck_assert_uint_eq(counts.n_events, 100000);
    probe_close(&probe);
    run_end(&run);
}
END_TEST

CHECK_MAIN("processes", children_of_every_kind_have_their_own_reports_while_threads_record,
           a_kernel_that_cannot_wipe_memory_in_children_has_fork_handlers,
           a_daemon_and_all_on_the_way_to_it_have_reports, a_program_that_is_spawned_has_a_report_of_its_own,
           a_program_that_becomes_another_user_is_recorded,
           a_program_that_changes_its_root_is_recorded, a_program_that_forbids_itself_system_calls_goes_on,
           a_quota_that_is_used_up_is_a_counted_loss_or_nothing_at_all,
           a_ring_that_gets_no_space_seldom_asks_for_it, hidden_operations_without_room_are_nobodys_loss,
           coroutines_that_change_over_inside_of_operations_are_closed_and_counted,
           an_allocator_that_runs_operations_is_recorded, a_kernel_that_cannot_populate_memory_records_the_same)
