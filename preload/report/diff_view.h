/*
 * A comparison as a document.
 */
#ifndef REPORT_DIFF_VIEW_H
#define REPORT_DIFF_VIEW_H

#include "report/diff.h"
#include "report/grid.h"

/** Print it in a format; @row_limit: SW_NO_LIMIT, or >= 0. */
SW_NODISCARD enum report_outcome diff_view_print(const struct diff *diff, enum sw__grouping grouping,
                                                 int64_t row_limit, const struct screen *screen,
                                                 write_document *format);

#endif
