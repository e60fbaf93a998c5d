/*
 * Findings as a document.
 */
#ifndef REPORT_CHECK_VIEW_H
#define REPORT_CHECK_VIEW_H

#include "report/check.h"
#include "report/grid.h"

/** Print the findings of all files in a format; @row_limit: SW_NO_LIMIT, or >= 0. */
SW_NODISCARD enum report_outcome check_view_print(const struct check *checks, size_t n_checks, int64_t row_limit,
                                                  const struct screen *screen, write_document *format);

#endif
