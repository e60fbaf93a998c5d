/*
 * The pass over the operations of a segment: stamps become nanoseconds,
 * operations become events with self times.
 */
#ifndef REPORT_PASS_H
#define REPORT_PASS_H

#include "report/overhead.h"
#include "report/segments.h"
#include "report/windows.h"

/** What is the same for all segments. */
struct pass_plan {
    const struct report *report;
    const struct report_filter *filter;
    const unsigned char *selected; /* per dispatch */
    const struct report_windows *windows;
    uint32_t recorder; /* the dispatch that stands for its own time; SW__ANALYZE_NONE: none */
    struct overhead overhead; /* to be taken out; not known: nothing is */
    const struct report_part *settled;
};

/**
 * Pass one segment to @passing, or what is settled of it to the plan's part.
 *
 * @n_serials  events that were passed before, which it adds to.
 */
SW_NODISCARD enum report_outcome pass_segment(const struct pass_plan *plan, struct report_segment *segment,
                                              const struct report_part *passing, uint32_t *n_serials);

#endif
