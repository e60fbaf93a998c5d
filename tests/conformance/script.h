/*
 * Scripts: ordered steps in words, each with an expectation of its own. Every
 * file steps_*.c has a table that says what its words are in C.
 */
#ifndef TESTS_CONFORMANCE_SCRIPT_H
#define TESTS_CONFORMANCE_SCRIPT_H

#include "conformance.h"

struct step;

/** What the words of a script name, so far. */
struct script {
    struct trial *trial;
    const struct step *step;      /* the one that is being run */
    struct sw_carrier *carrier;   /* "c" or "d"; of a move its destination; otherwise the newest Evictable */
    struct sw_carrier *immutable; /* "m" */
    struct sw_carrier *secondary; /* "sec" */
    struct sw_tensor *source;     /* "src"; of a move what was moved */
    struct sw_tensor *onto;
    struct sw_layout *mapping;
    struct sw_tensor *x;
    struct sw_tensor *y;
    struct sw_tensor *result;       /* "r" */
    struct sw_operation *operation; /* "o" */
};

/** Without what came, success is { "ok": true }. */
typedef enum sw_status step_fn(struct script *script, const char *text, json_t **ret_came);

/**
 * A step by how its text begins; the first row that fits is taken. Without a
 * function it is passed over: a step that cannot be written in C (a negative
 * size_t, a dtype that does not exist).
 */
struct step {
    const char *text;
    step_fn *run;
    const void *with; /* for functions of several rows: what this row is about */
};
#define STEP(text, run) { text, run, NULL }
#define STEP_WITH(text, run, with) { text, run, with }

struct step_table {
    const struct step *rows;
    size_t n;
};
extern const struct step_table storage_steps;
extern const struct step_table evictable_steps;
extern const struct step_table file_steps;
extern const struct step_table move_steps;

/** Slots that words describe. */
struct storage {
    struct sw_carrier_class *(*carrier_class)(void);
    enum sw_dtype dtype;
    const char *values; /* JSON */
    int immutable;
};

/* What is made belongs to the trial. */
enum sw_status script_storage(struct script *script, const struct storage *storage, struct sw_carrier **ret_carrier);
enum sw_status script_tensor(struct script *script, struct sw_carrier *carrier, int64_t offset, const char *layout,
                             struct sw_tensor **ret_tensor);
/** { "value": one slot }. */
enum sw_status script_slot(const struct sw_carrier *carrier, int64_t slot, json_t **ret_came);
/** { "value": all slots }. */
enum sw_status script_slots(struct script *script, const struct sw_carrier *carrier, json_t **ret_came);
/** { "value": all elements }. */
enum sw_status script_elements(const struct sw_tensor *tensor, json_t **ret_came);
/** Write the number that "(slot, number)" gives. */
enum sw_status script_set(struct sw_carrier *carrier, const char *arguments);

#endif
