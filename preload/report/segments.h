/*
 * A report's recorded operations in pieces that can be passed apart from each
 * other: those of a thread, or some of them where nothing encloses what follows.
 */
#ifndef REPORT_SEGMENTS_H
#define REPORT_SEGMENTS_H

#include "report/collect.h"

struct report_segment {
    const struct report_thread *thread;
    struct report_mark *mark;      /* of the thread; NULL: there is only one part */
    int has_until, has_since;      /* there is more of the thread: behind it, before it */
    struct report_position until;  /* it ends there */
    struct report_position since;  /* it begins behind */
    size_t share;                  /* whose it is; ascending */
    /* What passing it finds out: */
    int has_operations;
    uint64_t latest_ticks;     /* the latest stamp known of the thread; its end, if it has ended */
    uint64_t first_end_ticks;  /* of the operation that was passed first */
    uint64_t behind_ticks;     /* likewise, last */
};

struct report_segments {
    struct report_segment *segments; /* in the order in which operations are passed */
    size_t n_segments;
    size_t n_shares; /* at least 1 */
};

/** Recorded operations of the selected threads, wide ones counted twice. */
uint64_t segments_count(const struct report *report, const struct report_filter *filter);
/**
 * Find the segments of the selected threads and give them to @n_shares of about
 * equal size, or to fewer where they cannot be cut. More than one only without marks.
 */
SW_NODISCARD enum report_outcome segments_cut(const struct report *report, const struct report_filter *filter,
                                              struct report_mark *marks, size_t n_shares,
                                              struct report_segments *ret_segments);
void segments_clear(struct report_segments *segments);

#endif
