/*
 * Flows of a report (SWPROF_FLOWS): from the operation whose result had a
 * storage to those that took it. swprof/format.h says who the producer is.
 */
#ifndef REPORT_FLOWS_H
#define REPORT_FLOWS_H

#include "report/report.h"

/** An operation with notes of what it took and made. */
struct flow_operation {
    uint64_t start_ticks;
    int64_t start_ns;
    int64_t end_ns;      /* of the event */
    uint64_t result;     /* storage; 0: none */
    uint32_t thread;     /* number */
    uint16_t depth;
    uint16_t is_told;    /* what it took has been written beside an event: several may seem to be its own */
    uint32_t dispatch;   /* index, of the event; SW__ANALYZE_NONE: none has come by, or it was left out */
    uint32_t first_input;
    uint32_t n_inputs;
    uint32_t place;      /* the first of the operations at the same place: its event is noted there */
};

/** A tensor that an operation took. */
struct flow_input {
    uint64_t storage;
    uint64_t position;
};

/** A storage that the result of an operation had. */
struct flow_output {
    uint64_t storage;
    uint64_t end_ticks;
    uint32_t operation;
};

/** What was recorded without a gap. */
struct flow_round {
    uint64_t begin_ticks;
    uint64_t end_ticks;
};

/** Of one report, in memory: one to three times what the notes take in the file, at worst five times. */
struct flows {
    struct flow_operation *operations; /* thread by thread, in the order of their ends */
    size_t n_operations;
    struct flow_input *inputs;
    size_t n_inputs;
    struct flow_output *outputs; /* by storage, then in the order of their ends */
    size_t n_outputs;
    uint32_t *places; /* operations by thread, start and depth */
    struct flow_round *rounds; /* in the order of their beginnings */
    size_t n_rounds;
    size_t hint;      /* where the event that came by last was found */
};

/** From a producer to an operation that took what it made. */
struct flow {
    const struct flow_operation *from;
    const struct flow_operation *to;
    uint64_t storage;
    uint64_t position; /* among the consumer's operands */
};

/** When what was made leaves its operation: in its last nanosecond, as a slice ends before the moment of its end. */
static inline int64_t flow_begin_ns(const struct flow *flow)
{
    return flow->from->end_ns > flow->from->start_ns ? flow->from->end_ns - 1 : flow->from->start_ns;
}

/** Read those of all threads, whatever is looked at: what is left out produces all the same. */
SW_NODISCARD enum report_outcome flows_read(const struct report *report, struct flows *ret_flows);
void flows_clear(struct flows *flows);

/** The operation of an event; NULL: nothing is known of what it took and made. */
struct flow_operation *flows_find(struct flows *flows, const struct sw__analyze_event *event);
/** An event comes by: it can be an end of flows, with the times that it has now. */
void flows_see(struct flows *flows, const struct sw__analyze_event *event);

typedef enum sw_status flow_sink(void *context, const struct flow *flow);
/** Pass the flows of which both ends came by. */
SW_NODISCARD enum sw_status flows_each(const struct flows *flows, flow_sink *sink, void *context);

/** Room for a storage's name: flows_name(). */
#define FLOWS_NAME_BYTES 32
/** "storage:7", or "storage:1:7" of another copy of the library than the first. */
void flows_name(uint64_t storage, char *name);

#define REPORT_OWNED_FLOWS SW__CLEANUP(flows_clear)

#endif
