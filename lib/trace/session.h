/*
 * Inside of a trace session: shared by the files that make its calls.
 */
#ifndef TRACE_SESSION_H
#define TRACE_SESSION_H

#include <strideweave/trace_session.h>

#include "trace/output.h"
#include "trace/records.h"
#include "trace/texts.h"

/** An operation that has begun: one allocation with its texts behind it. */
struct sw__trace_open {
    struct sw__trace_open *older;
    struct sw_trace_id id;
    const char *static_id;
    const char *op;
    size_t n_inputs;
    uint64_t begin_ns;
    const char *inputs[];
};

struct sw_trace_session {
    struct sw__trace_output output;
    struct sw__texts event_ids;  /* of all records */
    struct sw__trace_open *open; /* the newest first */
    uint64_t n_open;
    uint64_t step;
    uint64_t n_events;           /* that got an id */
    uint64_t n_records;
    enum sw_trace_phase phase;
};

/** The next id of an event of some kind: "op", "edge", ... */
void sw__trace_session_name(struct sw_trace_session *session, const char *kind, struct sw_trace_id *ret_id);
/** ValueError unless a record may have an id; OSError when the trace takes no more. */
SW_NODISCARD enum sw_status sw__trace_session_admit(struct sw_trace_session *session, const char *event_id);
/**
 * A record was appended to the output, behind @mark bytes of it, or could not be (@status): keep it under its id, or
 * take it back.
 */
SW_NODISCARD enum sw_status sw__trace_session_keep(struct sw_trace_session *session, const char *event_id,
                                                   size_t mark, enum sw_status status);
/** ValueError unless there is a text. */
SW_NODISCARD enum sw_status sw__trace_check_text(const char *what, const char *text);

#endif
