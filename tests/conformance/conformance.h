/*
 * What the files of the conformance driver share: a trial is one case of the
 * case file on one carrier class. Everything a trial makes is pooled and given
 * back at its end, so that the families of cases only compute and compare.
 */
#ifndef TESTS_CONFORMANCE_CONFORMANCE_H
#define TESTS_CONFORMANCE_CONFORMANCE_H

#include <jansson.h>
#include <strideweave/strideweave.h>

enum verdict { PASSED = 0, SKIPPED = 1, FAILED = 2 };

/** An object and how it is given back. */
struct pooled {
    void *object;
    void (*drop)(void *object);
};

struct trial {
    const json_t *record; /* the whole case; borrowed, like the next four */
    const char *id;
    const char *op;
    const json_t *args;
    const json_t *options;    /* args.options, or NULL */
    const json_t *compare;    /* "exact" or { rel, abs }, or NULL */
    const json_t *expected;   /* "expect" with "recommended" over it */
    const char *carrier_name; /* NULL for a case without carriers */
    struct sw_carrier_class *carrier_class;
    int missing; /* the library does not dispatch the operation */
    enum verdict verdict;
    size_t n_passed_over; /* steps of a script that did not run */
    int shows_events;
    char *text; /* why it failed or was skipped; NULL when it passed */
    struct pooled *pool;
    size_t n_pooled;
};

/** Computes a case: status and, on success, what came as JSON (a new reference). */
typedef enum sw_status action_fn(struct trial *trial, json_t **ret_came);

struct action {
    const char *op;
    action_fn *run;
};

#define N_ELEMENTS(array) (sizeof(array) / sizeof((array)[0]))

/** Return the status of a call that failed. */
#define TRY(call)                           \
    do {                                    \
        enum sw_status try_status = (call); \
        if (try_status != SW_OK)            \
            return try_status;              \
    } while (0)

/* trial.c: life and verdict of a trial. */
void trial_begin(struct trial *trial, const json_t *record, const char *carrier_name);
void trial_end(struct trial *trial);
void trial_skip(struct trial *trial, const char *format, ...) SW_PRINTF(2, 3);
void trial_fail(struct trial *trial, const char *format, ...) SW_PRINTF(2, 3);
/** Fail with the texts of both values; @what says which ones they are. */
void trial_differ(struct trial *trial, const char *what, const json_t *expected, const json_t *came);
/** Compare what came (JSON, taken over, NULL after a failure) with the expectation. */
void trial_judge(struct trial *trial, enum sw_status status, json_t *came);
void trial_run(struct trial *trial, const struct action *actions, size_t n_actions);
struct sw_tensor *trial_tensor(struct trial *trial, struct sw_tensor *tensor);
struct sw_carrier *trial_carrier(struct trial *trial, struct sw_carrier *carrier);
struct sw_layout *trial_layout(struct trial *trial, struct sw_layout *layout);
struct sw_index_map *trial_index_map(struct trial *trial, struct sw_index_map *map);
struct sw_tree *trial_tree(struct trial *trial, struct sw_tree *tree);
struct sw_operation *trial_operation(struct trial *trial, struct sw_operation *operation);
struct sw_profiler *trial_profiler(struct trial *trial, struct sw_profiler *profiler);
json_t *trial_json(struct trial *trial, json_t *json);

/* agree.c: comparison of JSON values under a tolerance. */
int json_agrees(const json_t *expected, const json_t *came, const json_t *compare);

/* build.c: JSON to the library's values. What is made belongs to the trial. */
enum sw_status build_tree(struct trial *trial, const json_t *json, struct sw_tree **ret_tree);
enum sw_status build_layout(struct trial *trial, const json_t *json, struct sw_layout **ret_layout);
enum sw_status build_carrier(struct trial *trial, struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                             const json_t *values, int immutable, struct sw_carrier **ret_carrier);
enum sw_status build_tensor(struct trial *trial, const json_t *json, struct sw_tensor **ret_tensor);
/** A tensor operand, or a weak scalar. */
enum sw_status build_operand(struct trial *trial, const json_t *json, struct sw_operand *ret_operand);
struct sw_scalar build_scalar(enum sw_dtype dtype, const json_t *json);
/** Integers of a JSON list; returns how many, at most @n. */
size_t build_integers(const json_t *json, int64_t *integers, size_t n);
/** A slice key whose ranges have two or three entries, as the library wants it: with all three (a new reference). */
json_t *build_full_key(const json_t *key);
/** SW_DTYPE_NONE for a name that no dtype has. */
enum sw_dtype build_dtype(const char *name);
/** NULL for a class that the driver does not know. */
struct sw_carrier_class *build_carrier_class(const char *name);
/** Names of the classes that the driver knows, ended by NULL. */
extern const char *const build_carrier_names[];
/** The value of a number, or of "nan", "inf", "-inf", "-0". */
double build_number(const json_t *json);

/* show.c: the library's values to JSON (new references). */
json_t *show_tree(const struct sw_tree *tree);
json_t *show_layout(const struct sw_layout *layout);
json_t *show_number(double value);
json_t *show_scalar(const struct sw_scalar *value);
/** { dtype, layout, values, offset }; NULL when an element cannot be read. */
json_t *show_tensor(const struct sw_tensor *tensor);
/** { key: value }. */
json_t *show_field(const char *key, json_t *value);

/* forward.c: execution by dispatch name. */
enum sw_status forward(struct trial *trial, const char *name, const struct sw_operand *operands, size_t n_operands,
                       const struct sw_execution_options *options, struct sw_tensor **ret_tensor);
/** Options for an accumulator that a case names; @ret_options is used up to the end of the case. */
const struct sw_execution_options *forward_options(const struct trial *trial, const char *name,
                                                   struct sw_execution_options *ret_options);

/* recording.c: the boundaries that are crossed between begin and end, as the Profiler saw them. */
enum sw_status recording_begin(struct trial *trial, struct sw_profiler **ret_profiler);
/** A case's "events"; they belong to the trial. */
enum sw_status recording_end(struct trial *trial, struct sw_profiler *profiler, json_t **ret_events);

/* index_maps.c: composition of index maps, layouts among them. */
enum sw_status compose_maps(struct trial *trial, json_t **ret_came);

/* One function per family of sections. */
void run_index_map(struct trial *trial);
void run_layout(struct trial *trial);
void run_operation(struct trial *trial);
void run_view(struct trial *trial);
void run_tensor(struct trial *trial);
void run_dtype_policy(struct trial *trial);
void run_script(struct trial *trial);
void run_trace(struct trial *trial);
void run_gradient(struct trial *trial);
void run_program(struct trial *trial);

#endif
