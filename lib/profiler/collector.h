/*
 * The collector of host ranges of one thread: open ranges, and two samples for
 * each that was left.
 */
#ifndef PROFILER_COLLECTOR_H
#define PROFILER_COLLECTOR_H

#include <strideweave/host_ranges.h>

#include "base/cleanup.h"

/** One passage. */
struct sw__range_sample {
    int64_t inclusive_ns;
    int64_t self_ns;
};

struct sw__range_samples {
    struct sw__range_sample *at;
    size_t n;
    size_t room;
};

struct sw__range_frame {
    uint32_t which; /* enum sw_host_range */
    uint64_t start_ns;
    int64_t children_ns;
};

/** The owner's alone. */
struct sw__collector {
    uint64_t session; /* of the thread, counted from 1 */
    uint32_t busy;    /* at work: ranges of a signal handler are passed over */
    uint32_t failed;  /* a sample could not be recorded */
    struct sw__range_frame *frames;
    size_t n_frames;
    size_t frame_room;
    struct sw__range_samples ranges[SW_N_HOST_RANGES];
};

void sw__collector_free(struct sw__collector *collector);

/** A row per range that has samples, which are sorted for it. */
SW_NODISCARD enum sw_status sw__collector_rows(struct sw__collector *collector, struct sw_host_range_row **ret_rows,
                                               size_t *ret_n_rows);

SW__DEFINE_CLEANUP(collector, struct sw__collector, sw__collector_free)
#define SW__OWNED_COLLECTOR SW__CLEANUP(sw__cleanup_collector)

#endif
