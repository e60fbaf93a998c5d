/*
 * What a long run takes: no more than the cap, once for all. SW_OPERATIONS and
 * SW_THREADS say how long.
 */
#include "config.h"

#include <stdio.h>

#include "check_main.h"
#include "shim/run.h"
#include "shim/scale.h"

#define CAP_KB (64 << 10)
/* The first use of this and that, and what the C library keeps of threads. */
#define SPARE_KB 2048

struct growth {
    long late_kb; /* of the last nine tenths */
    long all_kb;
};

/* @n operations, all of them recorded or counted. */
static struct growth grow(const char *program, unsigned long n)
{
    struct run run;
    struct probe probe;
    struct probe_counts counts;
    struct growth growth;
    char arguments[64];

    run_begin(&run);
    run.program = "fake_processes";
    snprintf(arguments, sizeof arguments, "%s %lu", program, n);
    run_program(&run, "SWPROF_BUFFER=64M", arguments);
    ck_assert_int_eq(run.status, 0);
    ck_assert_int_eq(sscanf(run.output, "%ld %ld", &growth.late_kb, &growth.all_kb), 2);
    run_report(&run, 0, &probe);
    ck_assert_uint_le(probe.n_bytes, CAP_KB * 1024);
    probe_sum_up(&probe, &counts);
    ck_assert_uint_eq(counts.n_events + counts.n_lost, n);
    probe_close(&probe);
    run_end(&run);
    return growth;
}

/* A tenth of them fills the report. */
START_TEST(memory_is_flat_when_the_report_is_full)
{
    struct growth growth = grow("growth", scale("SW_OPERATIONS", 30000000));

    ck_assert_int_lt(growth.late_kb, SPARE_KB);
    ck_assert_int_lt(growth.all_kb, CAP_KB + SPARE_KB);
}
END_TEST

START_TEST(threads_that_come_and_go_take_no_more_than_the_cap)
{
    struct growth growth = grow("growth_of_threads", scale("SW_THREADS", 5000));

    ck_assert_int_lt(growth.all_kb, CAP_KB + SPARE_KB);
}
END_TEST

CHECK_MAIN("growth", memory_is_flat_when_the_report_is_full, threads_that_come_and_go_take_no_more_than_the_cap)
