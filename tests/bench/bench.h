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
    /* Around a block, outside of its time; may be NULL. */
    void (*before)(void *context);
    void (*after)(void *context);
    double min_ns;    /* results, per iteration */
    double median_ns;
};

/** Run blocks of all cases in turn, @n_rounds of each after one that does not count, and fill in the results. */
void bench_alternate(struct bench_case *cases, size_t n_cases, size_t n_rounds);

/**
 * The median over @n_rounds pairs of blocks of how much longer the first case's was than the second's, in nanoseconds
 * per iteration. For differences that are small beside how much one block differs from the next: the least of either
 * case is then chance. Which of a pair goes first changes from one pair to the next. Fills in min_ns.
 */
double bench_median_difference(struct bench_case cases[2], size_t n_rounds);

/** Room for @n_bytes; ends the program when there is none. */
void *bench_allocate(size_t n_bytes);

/** Report what could not be measured, on stderr, and end. */
_Noreturn void bench_fail(const char *what);

/* The groups of figures: one function per row of modes.def. */
#define BENCH_MODE(option, arguments, n_arguments, run, needs, help) void run(char **strings);
#include "modes.def"
#undef BENCH_MODE

/* Kernels of their own. */
void bench_conv(void);
/** Kernels of every kind, and what a call costs beside its kernel. */
void bench_carrier(void);

#endif
