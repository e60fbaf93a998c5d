/*
 * The table of a report: what swprof-report table and swprof-run print.
 */
#ifndef REPORT_TABLE_VIEW_H
#define REPORT_TABLE_VIEW_H

#include "report/collect.h"
#include "report/grid.h"

struct table_view {
    enum sw__column sort_by;
    enum sw__direction direction;
    enum sw__grouping grouping;
    int64_t row_limit; /* SW_NO_LIMIT, or >= 0 */
    unsigned wants;    /* flags of enum sw__want */
    int has_check;     /* say whether the report contradicts itself */
    size_t n_stack_entries; /* innermost ones of call stacks that tell rows apart */
};
#define TABLE_VIEW_INIT { SW__COLUMN_SELF_TOTAL_TIME_NS, SW__DESCENDING, SW__GROUP_BY_CARRIER, SW_NO_LIMIT, 0, 0, 0 }

/** What a table is made of. */
struct table_content {
    const struct report *report;
    const struct report_filter *filter;
    const struct sw__aggregates *aggregates;
    const struct report_totals *totals;
};

/** Print the table in a format; @format NULL: the specification's own table, run and losses on @notes. */
SW_NODISCARD enum report_outcome table_view_print(const struct report *report, const struct report_filter *filter,
                                                  const struct table_view *view, const struct screen *screen,
                                                  write_document *format, FILE *notes);

/** The same from aggregates that are there already. */
SW_NODISCARD enum report_outcome table_view_show(const struct table_content *content, const struct table_view *view,
                                                 const struct screen *screen, write_document *format, FILE *notes);

/** What was asked for and is not in the report, and all flops together: lines to stand beside a table. */
SW_NODISCARD enum sw_status table_view_put_missing(struct sw__builder *text, const struct table_content *content,
                                                   enum sw__grouping grouping, unsigned wants);

#endif
