/*
 * Runtime traces: what a training or inference loop tells of its own operations, written as a stream of
 * candle-graph/runtime/3 records (JSON Lines, one record per line) that candle-graph and `swprof-report runtime` read.
 *
 * A session is one run in one file. The program says what begins and ends, under ids of its own ("static ids": the
 * same for the same place of the model in every run), and may add what it saw of tensors, gradients and values.
 *
 *     struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("Model::forward");
 *     struct sw_trace_session *session;
 *     if (sw_trace_session_open("traces/run.jsonl", &config, &session) != SW_OK) ...
 *     for (uint64_t step = 0; step < n_steps; step++) {
 *         sw_trace_session_set_step(session, step);
 *         SW_TRACE_SCOPE(session, "operation:train:Model::forward:0", "matmul", NULL, 0);
 *         ...
 *     }
 *     if (sw_trace_session_finish(session, NULL, NULL) != SW_OK) ...
 *
 * Threads:    a session is used by one thread at a time; sessions do not know of each other.
 * Processes:  a child of fork() that has a session's memory writes nothing with it: its flush and finish fail.
 * Hooks:      none. A session and the recorder of libswprof.so do not know of each other either.
 * Texts:      UTF-8; a byte that is part of no sequence becomes U+FFFD in the file.
 * Errors:     a record that cannot be written is lost as a whole: a regular file ends with a whole line. From then
 *             on every call that writes fails with the same sentence. sw_error_message() has the sentences that are
 *             quoted below.
 */
#ifndef STRIDEWEAVE_TRACE_SESSION_H
#define STRIDEWEAVE_TRACE_SESSION_H

#include <strideweave/status.h>

SW_BEGIN_DECLS

struct sw_trace_session;

/** What the run does; "train" and "infer" in the file. */
enum sw_trace_phase {
    SW_TRACE_TRAIN = 0,
    SW_TRACE_INFER = 1
};

struct sw_trace_config {
    uint32_t struct_bytes;
    int32_t phase;          /* enum sw_trace_phase */
    const char *entrypoint; /* what is traced: "Model::forward" */
    const char *profile;    /* how the program was built: "release" */
    const char *const *features; /* of the build; written as cargo_features */
    size_t n_features;
    const char *analysis_id; /* of the model's static analysis; NULL: not known */
    const char *build_id;    /* of the program; NULL: not known */
};
/** The configuration of a training, or inference, run of an entry point; every member may be changed afterwards. */
#define SW_TRACE_CONFIG_TRAIN(entrypoint) \
    { (uint32_t)sizeof(struct sw_trace_config), SW_TRACE_TRAIN, (entrypoint), "release", NULL, 0, NULL, NULL }
#define SW_TRACE_CONFIG_INFER(entrypoint) \
    { (uint32_t)sizeof(struct sw_trace_config), SW_TRACE_INFER, (entrypoint), "release", NULL, 0, NULL, NULL }

/** The name of an event in its trace, for example "train-op-0-1": NUL-terminated. */
struct sw_trace_id {
    char text[64];
};

struct sw_trace_statistics {
    uint64_t n_records;       /* taken into the trace, the first line not counted */
    uint64_t n_open;          /* operations that have begun and not ended; after finish: dropped without a record */
    uint64_t n_lost;          /* records that could not be written, the first failure's included */
    uint64_t n_written_bytes; /* that are in the file */
};

/**
 * sw_trace_session_open - begin a trace at @path.
 *
 * Missing folders above @path are made, a file that exists is emptied, and the first record (the run's metadata) is
 * taken into the trace. Steps and events are counted from 0.
 *
 * @path         of the trace; relative to the current folder. Copied.
 * @config       Copied.
 * @ret_session  owned by the caller, given back with sw_trace_session_finish() or sw_trace_session_free().
 *
 * Returns SW_OK; SW_OS_ERROR "create profile dir <folder>: ..." or "open profile trace <path>: ..."; SW_TYPE_ERROR
 * for a configuration that did not begin with an initialiser, or a phase that is none; SW_VALUE_ERROR for a missing
 * text; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_trace_session_open(const char *path, const struct sw_trace_config *config,
                                                         struct sw_trace_session **ret_session);

/** The phase of the configuration. */
SW_API enum sw_trace_phase sw_trace_session_phase(const struct sw_trace_session *session);
/** The current step: 0 until sw_trace_session_set_step(). */
SW_API uint64_t sw_trace_session_step(const struct sw_trace_session *session);
/** Any number; what is written from now on is of this step, also operations that began before. */
SW_API void sw_trace_session_set_step(struct sw_trace_session *session, uint64_t step);

/**
 * sw_trace_session_begin - an operation begins; its time runs from the end of this call.
 *
 * Operations may overlap and end in any order. The event's id is <phase>-op-<step>-<n>, where n counts the events of
 * the session from 1.
 *
 * @static_id  which operation of the model it is. Copied, as are the following.
 * @op         what kind of operation it is: "matmul".
 * @inputs     static ids of the tensors that it reads; NULL for none.
 * @ret_id     for sw_trace_session_end().
 *
 * Returns SW_OK; SW_VALUE_ERROR for a missing text; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_trace_session_begin(struct sw_trace_session *session, const char *static_id,
                                                          const char *op, const char *const *inputs, size_t n_inputs,
                                                          struct sw_trace_id *ret_id);

/**
 * sw_trace_session_end - an operation ends; its record has the step that is current now.
 *
 * @event_id         of sw_trace_session_begin().
 * @output           static id of the tensor that it made; NULL for none.
 * @ret_duration_ns  nanoseconds of CLOCK_MONOTONIC since its beginning; may be NULL.
 *
 * Returns SW_OK; SW_VALUE_ERROR "unknown profile operation `<id>`" for one that never began or has ended, and nothing
 * is written; SW_OS_ERROR when the trace cannot be written, and the record is lost; SW_MEMORY_ERROR, and the operation
 * goes on.
 */
SW_API enum sw_status sw_trace_session_end(struct sw_trace_session *session, const char *event_id, const char *output,
                                           uint64_t *ret_duration_ns);

/**
 * sw_trace_session_edge - how long something took from one place of the model to another.
 *
 * Its event is <phase>-edge-<step>-<n>, counted with the operations.
 *
 * Returns SW_OK; SW_VALUE_ERROR for a missing text; SW_OS_ERROR; SW_MEMORY_ERROR.
 */
SW_API enum sw_status sw_trace_session_edge(struct sw_trace_session *session, const char *from_static_id,
                                            const char *to_static_id, uint64_t duration_ns);

/* ---- Observations: of the current step ------------------------------------------------------------ */

/** What was seen of a tensor. */
struct sw_trace_tensor {
    uint32_t struct_bytes;
    int32_t is_contiguous;     /* 0 or 1 */
    int32_t requires_grad;     /* 0 or 1 */
    int32_t reserved;
    const char *event_id;      /* unique in the trace; NULL: <phase>-tensor-<step>-<n> */
    const char *static_id;     /* NULL for none */
    const char *source;        /* where in the code; NULL for none */
    const uint64_t *shape;     /* extents; NULL for a scalar */
    size_t rank;
    const char *dtype;         /* "f32" */
    const char *device;        /* "cpu" */
    const char *storage_id;    /* the same for tensors that share memory; NULL: not known */
};
#define SW_TRACE_TENSOR_INIT \
    { (uint32_t)sizeof(struct sw_trace_tensor), 1, 0, 0, NULL, NULL, NULL, NULL, 0, "f32", "cpu", NULL }

/** States of a parameter's gradient after a backward pass. */
enum sw_trace_gradient_state {
    SW_TRACE_GRADIENT_PRESENT = 0,
    SW_TRACE_GRADIENT_MISSING = 1,
    SW_TRACE_GRADIENT_ZERO = 2,
    SW_TRACE_GRADIENT_NON_FINITE = 3
};

/** What was seen of a parameter's gradient. */
struct sw_trace_gradient {
    uint32_t struct_bytes;
    int32_t state;             /* enum sw_trace_gradient_state */
    const char *event_id;      /* unique in the trace; NULL: <phase>-gradient-<step>-<n> */
    const char *root;          /* what was differentiated: "loss" */
    const char *key;           /* of the parameter: "encoder.weight" */
    int32_t has_norm;          /* 0 or 1 */
    int32_t reserved;
    double norm;
};
#define SW_TRACE_GRADIENT_INIT \
    { (uint32_t)sizeof(struct sw_trace_gradient), SW_TRACE_GRADIENT_PRESENT, NULL, NULL, NULL, 0, 0, 0.0 }

/** What was seen of a tensor's elements. */
struct sw_trace_value {
    uint32_t struct_bytes;
    int32_t reserved;
    const char *event_id;      /* unique in the trace; NULL: <phase>-value-<step>-<n> */
    const char *static_id;     /* NULL for none */
    const char *source;        /* where in the code; NULL for none */
    double min;                /* of the finite elements, as the next two */
    double max;
    double abs_max;
    uint64_t n_nonfinite;      /* elements that are infinite or not a number */
    uint64_t n_saturated;      /* elements at the limits of their activation */
};
#define SW_TRACE_VALUE_INIT \
    { (uint32_t)sizeof(struct sw_trace_value), 0, NULL, NULL, NULL, 0.0, 0.0, 0.0, 0, 0 }

/**
 * sw_trace_session_tensor, _gradient, _value - record an observation of the current step.
 *
 * @observation  begins with its initialiser. Copied.
 *
 * A gradient's norm goes with its state: none when missing, 0 when zero, finite and not 0 when present, not finite
 * when non-finite; it may always be left out. JSON has no number that is not finite: such a norm is written as null,
 * which readers take for none. Values that are not finite are refused, since no reader could take them.
 *
 * Returns SW_OK; SW_VALUE_ERROR "duplicate event_id `<id>`" for an id that is in the trace already, "empty event_id
 * is not allowed", "invalid gradient fact <root>:<key>: ...", "value <id>: ... is not finite", or for a missing text;
 * SW_TYPE_ERROR for an observation that did not begin with its initialiser or a flag that is neither 0 nor 1;
 * SW_OS_ERROR; SW_MEMORY_ERROR. Whenever a call fails with SW_VALUE_ERROR or SW_TYPE_ERROR nothing is written.
 */
SW_API enum sw_status sw_trace_session_tensor(struct sw_trace_session *session,
                                              const struct sw_trace_tensor *observation);
SW_API enum sw_status sw_trace_session_gradient(struct sw_trace_session *session,
                                                const struct sw_trace_gradient *observation);
SW_API enum sw_status sw_trace_session_value(struct sw_trace_session *session,
                                             const struct sw_trace_value *observation);

/* ---- The end ---------------------------------------------------------------------------------------- */

/** Write all records so far into the file. SW_OK, or SW_OS_ERROR when the trace cannot be written. */
SW_API enum sw_status sw_trace_session_flush(struct sw_trace_session *session);

/** How many records there are, and what became of them. */
SW_API void sw_trace_session_statistics(const struct sw_trace_session *session,
                                        struct sw_trace_statistics *ret_statistics);

/**
 * sw_trace_session_finish - write what is not written yet, close the trace and give the session back.
 *
 * Operations that are still open are dropped: they have no record, and @ret_statistics counts them. The session is
 * given back also when the call fails.
 *
 * @ret_path        the path of the trace, given back with sw_free(); may be NULL. Untouched on failure.
 * @ret_statistics  may be NULL; also filled on failure.
 *
 * Returns SW_OK; SW_OS_ERROR when the trace cannot be written; SW_MEMORY_ERROR.
 */
SW_API enum sw_status sw_trace_session_finish(struct sw_trace_session *session, char **ret_path,
                                              struct sw_trace_statistics *ret_statistics);

/** sw_trace_session_free - the same, whatever fails, and the thread's error text stays. NULL is accepted. */
SW_API void sw_trace_session_free(struct sw_trace_session *session);

/* ---- An operation that is a scope --------------------------------------------------------------------- */

/** An operation that ends with a scope. */
struct sw_trace_scope {
    struct sw_trace_session *session; /* NULL: it did not begin */
    struct sw_trace_id id;
};

/** Begin an operation; a failure is passed over, and only sw_error_message() tells of it. NULL session: nothing begins. */
SW_API void sw_trace_scope_begin(struct sw_trace_session *session, const char *static_id, const char *op,
                                 const char *const *inputs, size_t n_inputs, struct sw_trace_scope *ret_scope);
/** End it, without an output; a failure is passed over likewise. */
SW_API void sw_trace_scope_end(struct sw_trace_scope *scope);

/**
 * SW_TRACE_SCOPE(session, static_id, op, inputs, n_inputs); - from here to the end of the scope, on every way out
 * of it (also a C++ exception), is one operation without an output. The session must live longer than the scope.
 */
#define SW_TRACE_SCOPE(session, static_id, op, inputs, n_inputs)                                                  \
    struct sw_trace_scope SW__TRACE_NAME(sw__trace_scope_, __LINE__) __attribute__((cleanup(sw_trace_scope_end))); \
    sw_trace_scope_begin((session), (static_id), (op), (inputs), (n_inputs),                                     \
                         &SW__TRACE_NAME(sw__trace_scope_, __LINE__))
#define SW__TRACE_NAME(text, line) SW__TRACE_JOIN(text, line)
#define SW__TRACE_JOIN(text, line) text##line

SW_END_DECLS

#endif
