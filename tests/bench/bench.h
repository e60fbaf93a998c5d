/*
 * What the benchmarks share: figures, the clock, and statistics over repeated
 * short blocks. Ratios come from blocks of both kinds that alternate in one
 * run, because machines change their speed between one second and the next.
 */
#ifndef TESTS_BENCH_BENCH_H
#define TESTS_BENCH_BENCH_H

#include <stddef.h>
#include <stdint.h>

/** Print one figure: `name value unit`. */
void bench_figure(const char *name, double value, const char *unit);

/** CLOCK_MONOTONIC in nanoseconds. */
int64_t bench_now_ns(void);

/** One thing to measure: run @n iterations. */
typedef void bench_body(void *context, size_t n);

struct bench_case {
    bench_body *body;
    void *context;
    size_t n;         /* iterations per block */
    double min_ns;    /* results, per iteration */
    double median_ns;
};

/** Run blocks of all cases in turn, @n_rounds of each, and fill in the results. */
void bench_alternate(struct bench_case *cases, size_t n_cases, size_t n_rounds);

/** Report what could not be measured, on stderr, and end. */
_Noreturn void bench_fail(const char *what);

/* The groups of figures. */
void bench_boundary_absent(void);
void bench_boundary_recorded(void);
/** The same under SWPROF_FULL=summary. */
void bench_boundary_summary(void);
/** Execute an empty operation @n times. */
void bench_execute(size_t n);
void bench_matmul(void);
void bench_conv(void);
void bench_profiler(void);

#endif
