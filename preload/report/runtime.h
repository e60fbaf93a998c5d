/*
 * A runtime trace in memory: candle-graph/runtime/1 to 3, a stream of lines or
 * one document, as any tool may have written it.
 */
#ifndef REPORT_RUNTIME_H
#define REPORT_RUNTIME_H

#include "report/outcome.h"
#include "trace/records.h"
#include "trace/texts.h"

/** A trace of more bytes is not read. */
#define RUNTIME_MOST_BYTES (UINT64_C(1) << 30)

/** Where a record stands, for sentences. */
struct runtime_place {
    const char *array; /* of a document; NULL: a line of a stream */
    size_t number;     /* of the line, from 1; of the member, from 0 */
};
#define RUNTIME_NO_NUMBER SIZE_MAX /* the member itself, which is no array */

#define RUNTIME_LIST(type)       \
    struct {                     \
        struct type *items;      \
        size_t n_items;          \
    }

/** All texts live as long as the trace, and equal ones have one address. */
struct runtime_trace {
    const char *path; /* borrowed; for sentences */
    struct sw__texts texts;
    struct sw__texts event_ids;
    int has_run;
    struct sw__trace_run run;
    RUNTIME_LIST(sw__trace_tensor) tensors;
    RUNTIME_LIST(sw__trace_operation) operations;
    RUNTIME_LIST(sw__trace_gradient) gradients;
    RUNTIME_LIST(sw__trace_value) values;
    RUNTIME_LIST(sw__trace_edge) edges;
};

/**
 * runtime_read - read, check and order a trace; plain or compressed.
 *
 * DAMAGED with a sentence that has the place of what is wrong; USAGE when this
 * build has no JSON parser.
 */
SW_NODISCARD enum report_outcome runtime_read(const char *path, struct runtime_trace *ret_trace);
/** The same from memory; @path is for sentences, borrowed. */
SW_NODISCARD enum report_outcome runtime_parse(const char *path, const char *bytes, size_t n_bytes,
                                               struct runtime_trace *ret_trace);
/** Order the records as the format's reference does: by their texts byte by byte, what is absent first. */
void runtime_normalise(struct runtime_trace *trace);
/** Write it as one document. */
SW_NODISCARD enum sw_status runtime_put_document(struct sw__builder *text, const struct runtime_trace *trace);
void runtime_clear(struct runtime_trace *trace);

#define RUNTIME_OWNED SW__CLEANUP(runtime_clear)

/** "train" or "infer", whatever of its names a trace has for it; NULL for another. */
const char *runtime_phase(const char *phase);

#endif
