/*
 * What the parts of a benchmark share.
 */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include <strideweave/benchmark.h>

/** The first failure of a benchmark, while what was begun is ended. */
struct sw__failure {
    enum sw_status status;
    char text[256];
};

/** Keep @status and the sentence that goes with it, unless there is an earlier failure. */
void sw__failure_keep(struct sw__failure *failure, enum sw_status status);
/** Its status; the sentence is the thread's last again. */
SW_NODISCARD enum sw_status sw__failure_return(const struct sw__failure *failure);

/** Mean and median of @n values, which are put into ascending order. */
void sw__bench_sum_up(double *values, size_t n, double *ret_mean, double *ret_median);

/** What is the same in all rows of a window. */
struct sw__bench_window {
    const struct sw_bench_case *bench_case;
    const char *phase;
};

SW_NODISCARD enum sw_status sw__bench_report_ranges(struct sw_bench_report *report,
                                                    const struct sw__bench_window *window,
                                                    const struct sw_host_range_row *rows, size_t n_rows);
SW_NODISCARD enum sw_status sw__bench_report_timing(struct sw_bench_report *report,
                                                    const struct sw__bench_window *window,
                                                    const struct sw_bench_timing *timing);

#endif
