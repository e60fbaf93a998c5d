/*
 * Benchmarks of one call: how long it takes, how the time of the first call
 * and of later ones is divided among the host ranges, and by how much observing
 * it makes it slower. What swprof-bench does with its built-in cases, for a
 * project's own.
 *
 * TWO POPULATIONS. The end-to-end time comes from a loop that nothing observes;
 * the times of host ranges come from windows of their own, in which as many
 * calls are made again. They are different calls: never subtract one from the
 * other.
 *
 * Threads: everything happens on the calling thread.
 */
#ifndef STRIDEWEAVE_BENCHMARK_H
#define STRIDEWEAVE_BENCHMARK_H

#include <strideweave/host_ranges.h>

SW_BEGIN_DECLS

/** One call of what is measured, or another step of a case. A failure ends the benchmark and is what it returns. */
typedef enum sw_status sw_bench_call_fn(void *context);

/* ---- What observing costs ---------------------------------------------------------------- */

/** What is switched on around the calls of a round: a tool, a Profiler, the host ranges. */
struct sw_bench_observer {
    sw_bench_call_fn *begin;
    sw_bench_call_fn *end; /* called after a failed call too */
    void *context;
};

/** sw_bench_host_ranges - the observer that collects host ranges and throws them away. Static. */
SW_API const struct sw_bench_observer *sw_bench_host_ranges(void);

struct sw_bench_control_options {
    uint32_t struct_bytes;
    uint32_t reserved;
    int64_t warmup_iterations; /* calls before the first round, unobserved */
    int64_t iterations;        /* calls per round */
    int64_t rounds;
};
#define SW_BENCH_CONTROL_OPTIONS_INIT { sizeof(struct sw_bench_control_options), 0, 2000, 5000, 7 }

/** What a control run measured: nanoseconds per call. */
struct sw_bench_series {
    int64_t warmup_iterations;
    int64_t iterations_per_round;
    int64_t rounds;
    double mean_ns;
    double median_ns;
    double *samples_ns; /* one per round; sw_free() */
};

/**
 * sw_bench_control - rounds of calls, all observed or none.
 *
 * @call, @context  What is measured.
 * @observer        Begun before and ended after each round, outside of the time; NULL: none.
 * @options         NULL: the defaults.
 * @ret_series      Written on success; its samples are the caller's.
 *
 * A sample is the time of a round divided by its calls.
 *
 * Returns SW_OK; ValueError "warmup_iterations must be non-negative",
 * "iterations must be positive" or "rounds must be positive"; what a call or
 * the observer returned; TypeError; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_bench_control(sw_bench_call_fn *call, void *context,
                                                    const struct sw_bench_observer *observer,
                                                    const struct sw_bench_control_options *options,
                                                    struct sw_bench_series *ret_series);

/**
 * sw_bench_alternate - the same, with an unobserved and an observed round in
 * turn, so that what changes in the machine meanwhile changes both.
 *
 * @ret_inactive, @ret_active  One series each; sw_bench_effect() compares them.
 */
SW_API SW_NODISCARD enum sw_status sw_bench_alternate(sw_bench_call_fn *call, void *context,
                                                      const struct sw_bench_observer *observer,
                                                      const struct sw_bench_control_options *options,
                                                      struct sw_bench_series *ret_inactive,
                                                      struct sw_bench_series *ret_active);

/** sw_bench_effect - the observer effect: median(active) / median(inactive) - 1. */
SW_API double sw_bench_effect(const struct sw_bench_series *inactive, const struct sw_bench_series *active);

/* ---- Cold and warm windows ------------------------------------------------------------------ */

/** A file of rows, one JSON object a line, for cases one after another. */
struct sw_bench_report;

/**
 * sw_bench_report_open - begin a file of rows: what was in it is gone, folders
 * that it lies in are made, "~/" is the home directory.
 *
 * @ret_report  Given back with sw_bench_report_close().
 *
 * Returns SW_OK; RuntimeError "host range profiling does not support parallel
 * test workers" in a process of a parallel make or pytest-xdist, whose neighbours
 * would distort the times and write the same file; NotImplementedError
 * "host-range profiling is not compiled into libstrideweave"; TypeError;
 * MemoryError; OSError. Looked at in this order; folders that were made stay.
 */
SW_API SW_NODISCARD enum sw_status sw_bench_report_open(const char *path, struct sw_bench_report **ret_report);

/** sw_bench_report_close - end the file. OSError when something could not be written; the report is gone either way. */
SW_API SW_NODISCARD enum sw_status sw_bench_report_close(struct sw_bench_report *report);

/** One case. Texts and functions are borrowed for the call. */
struct sw_bench_case {
    uint32_t struct_bytes; /* sizeof(struct sw_bench_case) */
    uint32_t reserved;
    const char *nodeid;            /* names the case in rows */
    const char *operator_name;     /* "add" */
    const char *backend;           /* where it runs; NULL: "unknown" */
    sw_bench_call_fn *call;        /* what is measured */
    sw_bench_call_fn *clear;       /* empties caches before the cold window; NULL: sw_dispatch_cache_clear() */
    sw_bench_call_fn *synchronize; /* waits for asynchronous work, outside of windows; NULL: there is none */
    sw_bench_call_fn *reference;   /* another implementation to time; NULL: none */
    sw_bench_call_fn *check;       /* looks at the last result; NULL: none */
    void *context;                 /* of all of them */
};

struct sw_bench_case_options {
    uint32_t struct_bytes;
    uint32_t reserved;
    int64_t min_run_ns; /* the end-to-end loop goes on for at least so long, */
    int64_t most_calls; /* but makes no more calls than this, besides those that find out how many fill a block */
};
#define SW_BENCH_CASE_OPTIONS_INIT { sizeof(struct sw_bench_case_options), 0, INT64_C(200000000), 10000 }

/** What the end-to-end loop measured: nanoseconds per call, mean and median over blocks. */
struct sw_bench_timing {
    int64_t blocks;
    int64_t calls_per_block;
    double mean_ns;
    double median_ns;
};

struct sw_bench_case_result {
    struct sw_bench_timing end_to_end;
    struct sw_bench_timing reference; /* blocks is 0 when there is none */
};

/**
 * sw_bench_case_run - a case from its first call to the check of its result:
 *
 *   1  one call that nothing observes
 *   2  caches are cleared
 *   3  the cold window: host ranges of exactly one call; rows
 *   4  the end-to-end loop: blocks of calls, nothing observed
 *   5  the warm window: host ranges of exactly as many calls; rows
 *   6  the reference is timed
 *   7  the result is checked
 *
 * @options     NULL: the defaults.
 * @report      Where rows go; NULL: steps 2, 3 and 5 are left out.
 * @ret_result  Written on success.
 *
 * A ROW has exactly these keys, in this order: nodeid, operator, backend, phase
 * ("cold" or "warm"), range (its name, or "end_to_end"), metric ("inclusive",
 * then "self"; end_to_end has the first only), count (samples), unit ("ns"),
 * mean, median. Numbers are as sw_bench_number_text() writes them.
 *
 * When a call fails in a window the collection is ended, no rows of the window
 * are written and the call's error is returned.
 *
 * Returns SW_OK; what a step returned; TypeError; OSError; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_bench_case_run(const struct sw_bench_case *bench_case,
                                                     const struct sw_bench_case_options *options,
                                                     struct sw_bench_report *report,
                                                     struct sw_bench_case_result *ret_result);

/* ---- Numbers ----------------------------------------------------------------------------------- */

/** Room for any number's text. */
#define SW_BENCH_NUMBER_BYTES 32

/**
 * sw_bench_number_text - the shortest decimal text that reads back as @value,
 * with a decimal point or an exponent: 775383.0, 10765.666666666666, 1e+16.
 * "null" for what is not finite.
 *
 * @text  SW_BENCH_NUMBER_BYTES of room.
 *
 * Returns @text. Whatever the locale.
 */
SW_API const char *sw_bench_number_text(double value, char *text);

SW_END_DECLS

#endif
