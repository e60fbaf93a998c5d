/*
 * A kill between any two instructions: the program is stepped through its
 * operations one instruction at a time, and at each of them the report has to
 * hold every operation that has ended, once. Then it is killed for good.
 */
#include "config.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check_main.h"
#include "shim/run.h"

struct counted {
    struct run run;
    char path[96];
    volatile uint64_t *shared; /* operations ended; whether to go on */
};

static void start_counted(struct counted *counted, const char *settings, const char *arguments)
{
    char all[256];
    int file;

    run_begin(&counted->run);
    snprintf(counted->path, sizeof counted->path, "%s/.counter", counted->run.directory);
    file = open(counted->path, O_CREAT | O_RDWR, 0600);
    ck_assert_int_eq(ftruncate(file, 4096), 0);
    counted->shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ck_assert_ptr_ne((void *)(uintptr_t)counted->shared, MAP_FAILED);
    close(file);
    snprintf(all, sizeof all, "%s FAKE_COUNTER=%s", settings, counted->path);
    run_start(&counted->run, all, arguments);
}

static void end_counted(struct counted *counted)
{
    munmap((void *)(uintptr_t)counted->shared, 4096);
    unlink(counted->path);
    run_end(&counted->run);
}

/* Everything that ended is there once; one more may have ended that the program has not counted yet. */
static void check_report(const struct probe *probe, uint64_t n_ended)
{
    struct probe_totals totals;
    uint64_t n;

    probe_totals(probe, &totals);
    /* Where the report is full, each operation in sums counts as an event that was lost, too. */
    n = totals.n_events + totals.n_aggregated + totals.lost[SWPROF_LOST_OLD];
    ck_assert_uint_ge(n, n_ended);
    ck_assert_uint_le(n, n_ended + 1);
    if (totals.n_aggregated != 0)
        ck_assert_uint_le(n + totals.n_open, n_ended + 1);
    ck_assert_uint_eq(totals.n_torn, 0);
    ck_assert_uint_eq(totals.n_unhistogrammed, 0);
    ck_assert_uint_eq(totals.n_out_of_order, 0);
}

/* 0 when the sandbox does not let one process trace another. */
static int stop_it(pid_t pid)
{
    int status;

    return ptrace(PTRACE_SEIZE, pid, NULL, NULL) == 0 && ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) == 0 &&
           waitpid(pid, &status, 0) == pid && WIFSTOPPED(status);
}

static void step_through(struct counted *counted, uint64_t n_operations)
{
    uint64_t last = counted->shared[0] + n_operations, n_steps = 0;
    struct probe probe;

    run_report(&counted->run, 0, &probe);
    counted->shared[1] = 1;
    while (counted->shared[0] < last) {
        int status;

        ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, counted->run.pid, NULL, NULL), 0);
        ck_assert_int_eq(waitpid(counted->run.pid, &status, 0), counted->run.pid);
        ck_assert(WIFSTOPPED(status));
        check_report(&probe, counted->shared[0]);
        n_steps++;
    }
    ck_assert_uint_gt(n_steps, 50 * n_operations); /* it was not let run */
    probe_close(&probe);
}

static void check_each_instruction(const char *settings, const char *arguments, uint64_t n_operations)
{
    struct counted counted;

    start_counted(&counted, settings, arguments);
    if (stop_it(counted.run.pid))
        step_through(&counted, n_operations);
    run_kill(&counted.run, SIGKILL);
    end_counted(&counted);
}

START_TEST(a_summary_is_whole_at_each_instruction)
{
    check_each_instruction("SWPROF_FULL=summary", "counted 10", 5);
}
END_TEST

/* The first operation of all: names, aggregates and histograms are made. */
START_TEST(a_summary_is_whole_while_it_begins)
{
    check_each_instruction("SWPROF_FULL=summary", "counted 1", 2);
}
END_TEST

START_TEST(a_full_report_is_whole_at_each_instruction)
{
    check_each_instruction("SWPROF_BUFFER=64K", "counted 5000", 5);
}
END_TEST

/* Chunks of 4 KiB hold 168 events: one is emptied on the way. */
START_TEST(a_ring_is_whole_while_it_empties_a_chunk)
{
    check_each_instruction("SWPROF_BUFFER=64K SWPROF_FULL=ring", "counted 5000", 170);
}
END_TEST

static void kill_at_any_time(const char *settings, useconds_t microseconds)
{
    struct counted counted;
    struct probe probe;

    start_counted(&counted, settings, "counted 100");
    counted.shared[1] = 1;
    usleep(microseconds); /* any instant will do */
    run_kill(&counted.run, SIGKILL);
    run_report(&counted.run, 0, &probe);
    check_report(&probe, counted.shared[0]);
    probe_close(&probe);
    end_counted(&counted);
}

START_TEST(no_operation_is_lost_or_doubled_by_a_kill)
{
    static const char *const settings[] = {"SWPROF_FULL=summary", "SWPROF_FULL=stop SWPROF_BUFFER=128K",
                                           "SWPROF_FULL=ring SWPROF_BUFFER=128K"};

    for (size_t i = 0; i < 3; i++)
        for (useconds_t n = 0; n < 20; n++)
            kill_at_any_time(settings[i], n * 97);
}
END_TEST

CHECK_MAIN("kill", a_summary_is_whole_at_each_instruction, a_summary_is_whole_while_it_begins,
           a_full_report_is_whole_at_each_instruction, a_ring_is_whole_while_it_empties_a_chunk,
           no_operation_is_lost_or_doubled_by_a_kill)
