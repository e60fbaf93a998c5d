/*
 * Operations that a report holds only as sums, as part of its totals and of its
 * table. Lengths in ticks become nanoseconds at the average rate of the run.
 */
#ifndef REPORT_SUMS_H
#define REPORT_SUMS_H

#include "report/collect.h"

/** Add to the totals what of the sums the filter selects; @selected is per dispatch. */
void sums_account(const struct report *report, const struct report_filter *filter, const unsigned char *selected,
                  struct report_totals *totals);

/** Add the same to the rows, and to their percentiles when they are wanted. */
SW_NODISCARD enum report_outcome sums_aggregate(const struct report *report, const struct report_filter *filter,
                                                const unsigned char *selected, struct sw__aggregation *aggregation);

#endif
