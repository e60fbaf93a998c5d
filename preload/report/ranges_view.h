/*
 * The table of a report's ranges and steps.
 */
#ifndef REPORT_RANGES_VIEW_H
#define REPORT_RANGES_VIEW_H

#include "report/collect.h"
#include "report/grid.h"

/** Print it, the longest first; those that ran longest in all and began first are first. @row_limit SW_NO_LIMIT, or >= 0. */
SW_NODISCARD enum report_outcome ranges_view_print(const struct report *report, const struct report_filter *filter,
                                                   int64_t row_limit, const struct screen *screen,
                                                   write_document *format);

#endif
