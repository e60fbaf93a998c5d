/*
 * A histogram of durations, log-linear: each octave has as many counters of
 * equal width, so that a value is known within 1/1024 of itself. Memory grows
 * with the octaves that occur.
 */
#ifndef ANALYZE_HISTOGRAM_H
#define ANALYZE_HISTOGRAM_H

#include <strideweave/status.h>

#include "analyze/analyze.h"
#include "base/cleanup.h"

struct sw__histogram;

SW_NODISCARD enum sw_status sw__histogram_new(struct sw__histogram **ret_histogram);
void sw__histogram_free(struct sw__histogram *histogram);

/** Count a value (below 0 counts as 0) @count times. Counts saturate. */
SW_NODISCARD enum sw_status sw__histogram_add(struct sw__histogram *histogram, int64_t value, uint64_t count);

/** Add the counts of another one. */
SW_NODISCARD enum sw_status sw__histogram_merge(struct sw__histogram *histogram, const struct sw__histogram *more);

/** The value of which @percent per cent are not larger, by nearest rank; 0 when nothing was counted. */
int64_t sw__histogram_percentile(const struct sw__histogram *histogram, unsigned percent);

uint64_t sw__histogram_count(const struct sw__histogram *histogram);

/** Percentiles of a row, between its shortest and its longest, and of how many operations they are. */
void sw__histogram_describe(const struct sw__histogram *histogram, struct sw__aggregate *row);

#endif
