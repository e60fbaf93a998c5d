/*
 * Times of a report's ranges and steps: how long they lasted, and how much of
 * that was in none of the ranges and operations inside of them.
 */
#ifndef REPORT_RANGE_TIMES_H
#define REPORT_RANGE_TIMES_H

#include "report/collect.h"

/** All ranges of a name, or all steps together. */
struct range_row {
    uint32_t kind; /* enum swprof_note_kind */
    const char *name;
    uint64_t count;      /* that have ended */
    uint64_t n_open;     /* that have not: in no time below */
    uint64_t n_healed;   /* of those that have ended: left without their end */
    int64_t total_ns;
    int64_t self_ns;
    int64_t min_ns;
    int64_t max_ns;
};

struct range_times {
    struct range_row *rows; /* in the order of first sight */
    size_t n_rows;
    uint64_t n_crossed;     /* operations and ranges that end outside of a range in which they begin */
    int saturated;
};

/**
 * range_times_build - of the ranges and steps that the filter selects (noted.h).
 *
 * @ret_totals  Of the operations that the filter selects.
 */
SW_NODISCARD enum report_outcome range_times_build(const struct report *report, const struct report_filter *filter,
                                                   struct report_totals *ret_totals, struct range_times *ret_times);
void range_times_clear(struct range_times *times);

#endif
