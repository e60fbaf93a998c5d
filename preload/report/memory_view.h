/*
 * Storage of carriers in a report: what swprof-report memory prints.
 */
#ifndef REPORT_MEMORY_VIEW_H
#define REPORT_MEMORY_VIEW_H

#include "report/collect.h"
#include "report/grid.h"

enum memory_table {
    MEMORY_CLASSES = 0, /* per carrier class, the peak and what was left */
    MEMORY_TIMELINE,    /* every record by time */
    MEMORY_ALIVE        /* what was left, by carrier class and operation */
};

/** Print one of them in a format; @row_limit: SW_NO_LIMIT, or >= 0. */
SW_NODISCARD enum report_outcome memory_view_print(const struct report *report, const struct report_filter *filter,
                                                   enum memory_table table, int64_t row_limit,
                                                   const struct screen *screen, write_document *format);

#endif
