/*
 * Names and events that the tests of aggregation, order and table share.
 */
#ifndef TESTS_ANALYZE_SAMPLE_H
#define TESTS_ANALYZE_SAMPLE_H

#include "analyze/analyze.h"

/* 0 and 3 are one group: the same name and class, two implementations. 4 has the texts of 1 and is another class. */
static const struct sw__analyze_dispatch sample_dispatches[] = {
    { "matmul", "strideweave", "Generic", "strideweave.op", "Matmul", 1 },
    { "add", "strideweave", "Generic", "strideweave.op", "Add", 1 },
    { "add", "strideweave", "Cpu", "strideweave.op", "Add", 2 },
    { "matmul", "strideweave", "Generic", "plugin", "FastMatmul", 1 },
    { "add", "strideweave", "Generic", "strideweave.op", "Add", 3 },
};

static const int64_t words_2_3[] = { 2, 2, 3, -1 };
static const int64_t words_10[] = { 1, 10, -1 };
static const int64_t words_2_3_again[] = { 2, 2, 3, -1 };

static const struct sw__analyze_shapes sample_shapes[] = {
    { 2, 4, words_2_3 },
    { 2, 3, words_10 },
    { 2, 4, words_2_3_again },
};

static const struct sw__analyze_names sample_names = {
    .dispatches = sample_dispatches, .n_dispatches = 5, .shapes = sample_shapes, .n_shapes = 3
};

#define OK SW__ANALYZE_SUCCEEDED
#define SAMPLE_EVENT(dispatch_index, duration, self, shapes_index, event_flags)                              \
    {                                                                                                        \
        .duration_ns = (duration), .self_ns = (self), .parent = SW__ANALYZE_NONE,                            \
        .dispatch = (dispatch_index), .shapes = (shapes_index), .flags = (event_flags)                       \
    }

static const struct sw__analyze_event sample_events[] = {
    SAMPLE_EVENT(0, 100, 60, 0, OK), SAMPLE_EVENT(1, 10, 10, 1, OK), SAMPLE_EVENT(2, 40, 40, 1, OK),
    SAMPLE_EVENT(3, 301, 300, 2, 0), SAMPLE_EVENT(1, 21, 20, 1, OK), SAMPLE_EVENT(4, 7, 7, SW__ANALYZE_NONE, OK),
    SAMPLE_EVENT(1, 5000, 5000, 0, SW__ANALYZE_HIDDEN), SAMPLE_EVENT(1, 5000, 5000, 0, SW__ANALYZE_UNFINISHED),
};
#define N_SAMPLE_EVENTS (sizeof sample_events / sizeof *sample_events)

static inline enum sw_status sample_aggregates(const struct sw__analyze_event *events, size_t n_events,
                                               enum sw__grouping grouping, struct sw__aggregates **ret_aggregates)
{
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;

    SW__TRY(sw__aggregation_new(&sample_names, grouping, &aggregation));
    SW__TRY(sw__aggregation_add(aggregation, events, n_events));
    return sw__aggregation_rows(aggregation, ret_aggregates);
}

#endif
