/*
 * The profiling functions as a file sees them that includes operation.h alone.
 */
#include "config.h"

#include "names.h"

const struct names names_by_operation_header = {sw_profile, sw_profiler_new, sw_profiler_event_new,
                                                sw_profiler_aggregate_new};
