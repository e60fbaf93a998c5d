/*
 * The profiling functions as a file sees them that includes operation.h alone.
 */
#ifndef TESTS_PROFILER_NAMES_H
#define TESTS_PROFILER_NAMES_H

#include <strideweave/operation.h>

extern const struct names {
    __typeof__(sw_profile) *profile;
    __typeof__(sw_profiler_new) *profiler_new;
    __typeof__(sw_profiler_event_new) *event_new;
    __typeof__(sw_profiler_aggregate_new) *aggregate_new;
} names_by_operation_header;

#endif
