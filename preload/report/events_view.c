/*
 * The recorded operations one by one, as a document.
 */
#include "config.h"

#include "report/events_view.h"

#include "report/event_cells.h"
#include "report/heading.h"

struct events_table {
    const struct report_events *events;
    struct event_cells cells;
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    struct events_table *table = context;

    return event_cells_make(&table->cells, &table->events->events[row], (uint32_t)row, ret_cells);
}

static void table_clear(struct events_table *table)
{
    event_cells_clear(&table->cells);
}

static enum report_outcome print(const struct report *report, const struct report_filter *filter,
                                 const struct report_events *events, int64_t row_limit, const struct screen *screen,
                                 write_document *format)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    struct events_table table SW__CLEANUP(table_clear) = { .events = events };
    size_t n_rows = events->n_events;

    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    REPORT_TRY(heading_build(report, filter, &events->totals, screen->unit, &heading));
    event_cells_init(report, &table.cells);
    struct document document = {
        .heading = heading.lines.bytes,
        .footing = "",
        .facts = heading.facts,
        .n_facts = heading.n_facts,
        .totals = heading.totals,
        .n_totals = heading.n_totals,
        .grid = { event_columns, N_EVENT_COLUMNS, n_rows, make_row, &table },
    };
    return report_status(format(screen, &document));
}

enum report_outcome events_view_print(const struct report *report, const struct report_filter *filter,
                                      int64_t row_limit, const struct screen *screen, write_document *format)
{
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };

    REPORT_TRY(report_collect(report, filter, &events));
    return print(report, filter, &events, row_limit, screen, format);
}
