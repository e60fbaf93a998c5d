/*
 * The parts of swprof-bench: options, commands, cases, observers, JSON.
 */
#ifndef MEASURE_MEASURE_H
#define MEASURE_MEASURE_H

#include <strideweave/strideweave.h>

#include <stdio.h>

/** Exit statuses. */
enum bench_outcome { BENCH_OK = 0, BENCH_FAILED = 1, BENCH_USAGE = 2 };

/** Commands, as bits that say which options are theirs. */
enum option_group { OPTIONS_CALIBRATE = 1, OPTIONS_CONTROL = 2, OPTIONS_CASE = 4 };

struct bench_observer;

struct options {
    int64_t iterations; /* 0: the command's default */
    int64_t warmup;
    int64_t rounds;
    const struct bench_observer *observer;
    int is_active;
    int is_alternating;
    const char *label;
    const char *output; /* NULL: text for people */
    int is_benchmark;
    const char *profile;
    int64_t min_run_ns;
    int64_t most_calls;
    char **names; /* of cases */
    int n_names;
};

typedef enum bench_outcome bench_command_fn(const struct options *options);
bench_command_fn command_calibrate, command_case, command_control, command_list;

/** Say on the standard error what is wrong; returns @outcome. */
enum bench_outcome bench_fail(enum bench_outcome outcome, const char *format, ...) SW_PRINTF(2, 3);
/** The same with the library's last error; BENCH_FAILED. */
enum bench_outcome bench_fail_library(const char *what);

/* ---- Built-in cases -------------------------------------------------------------------- */

/** Products of one case: a batch of matrices is as many operations. */
#define MOST_OPERATIONS 4

/** A case that comes with the program: the same operation on pairs of matrices. */
struct builtin {
    const char *name;
    const char *params; /* for people */
    enum sw_status (*operation)(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor);
    /** The same in plain C, on elements in ordinal order. */
    void (*reference)(const struct builtin *builtin, const float *a, const float *b, float *result);
    size_t n_operations;
    int64_t a[2]; /* extents */
    int64_t b[2];
    int64_t result[2];
};

/** A case with its tensors. */
struct subject {
    const struct builtin *builtin;
    float *values[2]; /* of all operands */
    float *expected;  /* of the reference, all operations */
    struct sw_tensor *a[MOST_OPERATIONS];
    struct sw_tensor *b[MOST_OPERATIONS];
    struct sw_tensor *results[MOST_OPERATIONS]; /* of the last call */
};

/** Steps of a case; the context is the subject. */
sw_bench_call_fn subject_call, subject_reference, subject_check;

size_t builtin_count(void);
const struct builtin *builtin_at(size_t index);

/** The case that is number @index of those that the options name, or of all; 0 behind the last. */
int builtin_select(const struct options *options, size_t index, const struct builtin **ret_builtin);
/** Say which name is none. */
enum bench_outcome builtin_check_names(const struct options *options);

enum sw_status subject_open(const struct builtin *builtin, struct subject *subject);
void subject_close(struct subject *subject);

/* ---- Observers ---------------------------------------------------------------------------- */

/** What can be switched on around a round. */
struct bench_observer {
    const char *name;
    enum sw_status (*check)(void); /* whether it can observe */
    const struct sw_bench_observer *(*observer)(void);
};

/** NULL when there is none of that name. */
const struct bench_observer *observer_find(const char *name);

/* ---- JSON ------------------------------------------------------------------------------------ */

/** The stream of a report; NULL, after a word of why, when the file cannot be written. */
FILE *json_open(const char *path);
/** Whether all of it was written. */
enum bench_outcome json_close(const char *path, FILE *stream);
/** A quoted string. */
void json_text(FILE *stream, const char *text);
/** A number with a point. */
void json_number(FILE *stream, double value);

#endif
