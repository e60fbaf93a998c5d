/*
 * The inside of a Profiler: a state machine around one session.
 */
#ifndef PROFILER_PROFILER_H
#define PROFILER_PROFILER_H

#include <strideweave/profiler.h>

#include "profiler/frozen.h"
#include "profiler/session.h"
#include "profiler/stack_names.h"

enum sw__profiler_state {
    SW__PROFILER_FRESH,     /* entry has not been attempted */
    SW__PROFILER_ACTIVE,    /* entered and not left */
    SW__PROFILER_COMPLETED, /* left: results are there */
    SW__PROFILER_SPENT      /* refused at entry, or abandoned: there will be no results */
};

struct sw_profiler {
    uint32_t kind;  /* SW_KIND_PROFILER */
    uint32_t state; /* enum sw__profiler_state; atomic: entry and a foreign exit may race */
    struct sw__extent extent;
    enum sw_profiler_stacks stacks;
    struct sw__selection selection;
    struct sw__session *session; /* one reference while active */
    struct sw__frozen *frozen;   /* when completed */
    struct sw_profiler_event *event_array; /* atomic: made at first need, by whoever is first */
    struct sw__stack_names *stack_names;   /* atomic: likewise */
};

/** TypeError unless @profiler is one. */
SW_NODISCARD enum sw_status sw__profiler_check(const struct sw_profiler *profiler);
/** RuntimeError unless results are there. */
SW_NODISCARD enum sw_status sw__profiler_check_completed(const struct sw_profiler *profiler);

/** The stacks of a completed Profiler, which owns them; looked up at the first call. MemoryError. Threads: any. */
SW_NODISCARD enum sw_status sw__profiler_stack_names(struct sw_profiler *profiler,
                                                     const struct sw__stack_names **ret_names);

#endif
