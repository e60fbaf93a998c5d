/*
 * The list of events of a report: what swprof-report events prints.
 */
#ifndef REPORT_EVENTS_VIEW_H
#define REPORT_EVENTS_VIEW_H

#include "report/collect.h"
#include "report/grid.h"

struct events_view {
    int64_t row_limit; /* SW_NO_LIMIT, or >= 0 */
    unsigned wants;    /* flags of enum sw__want */
};

/** Print the selected events in a format. */
SW_NODISCARD enum report_outcome events_view_print(const struct report *report, const struct report_filter *filter,
                                                   const struct events_view *view, const struct screen *screen,
                                                   write_document *format);

#endif
