/*
 * The events of a completed Profiler: immutable, ready for analysis.
 */
#ifndef PROFILER_FROZEN_H
#define PROFILER_FROZEN_H

#include <strideweave/profiler.h>
#include <swprof/format.h>

#include "analyze/analyze.h"
#include "base/cleanup.h"
#include "profiler/stack_table.h"

/** The classes of one dispatch entry, as events show them. */
struct sw__frozen_classes {
    struct sw_class_snapshot carrier;
    struct sw_class_snapshot implementation;
};

struct sw__frozen {
    int64_t thread_id;
    struct swprof_anchor begin; /* as measured, and what the clock's map makes of it */
    struct swprof_anchor end;
    int64_t begin_ns;
    int64_t end_ns;
    size_t n_events;
    struct sw__analyze_event *events; /* selected ones, in the order of starts; parent is an index */
    struct sw__analyze_names names;   /* what dispatch and shapes index */
    struct sw__frozen_classes *classes;   /* one per dispatch */
    struct sw_input_shapes *input_shapes; /* one per shape list */
    struct sw__stack_table stacks;        /* what the events' stacks index; names has none */
    /* What names borrows from. */
    struct sw__analyze_dispatch *dispatches;
    struct sw__analyze_shapes *shapes;
};

void sw__frozen_free(struct sw__frozen *frozen);

SW__DEFINE_CLEANUP(frozen, struct sw__frozen, sw__frozen_free)
#define SW__OWNED_FROZEN SW__CLEANUP(sw__cleanup_frozen)

#endif
