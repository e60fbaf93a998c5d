/*
 * The recorded operations one by one, and between them the ranges, steps and
 * phases, as a document.
 */
#include "config.h"

#include "report/events_view.h"

#include "base/alloc.h"
#include "report/event_cells.h"
#include "report/heading.h"

struct events_table {
    const struct report_events *events;
    struct noted *noted;  /* in the order of their starts */
    size_t n_noted;
    size_t *noted_rows;   /* the row of each; all others are events */
    struct event_cells cells;
};

/* How many of the intervals stand before a row. */
static size_t count_noted_before(const struct events_table *table, size_t row)
{
    size_t low = 0, high = table->n_noted;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->noted_rows[middle] < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    struct events_table *table = context;
    size_t n_before = count_noted_before(table, row);

    if (n_before < table->n_noted && table->noted_rows[n_before] == row) {
        event_cells_make_noted(&table->cells, &table->noted[n_before], ret_cells);
        return SW_OK;
    }
    return event_cells_make(&table->cells, &table->events->events[row - n_before], (uint32_t)(row - n_before),
                            ret_cells);
}

static void table_clear(struct events_table *table)
{
    sw__free(table->noted);
    sw__free(table->noted_rows);
    event_cells_clear(&table->cells);
}

/* Intervals stand before the operations that begin in them. */
static enum report_outcome place_noted(const struct report *report, const struct report_filter *filter,
                                       struct events_table *table)
{
    const struct report_events *events = table->events;
    size_t n_events = 0;

    REPORT_TRY(noted_collect(report, filter, &table->noted, &table->n_noted));
    table->noted_rows = sw__alloc(table->n_noted * sizeof *table->noted_rows);
    if (table->noted_rows == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < table->n_noted; i++) {
        while (n_events < events->n_events && events->events[n_events].start_ns < table->noted[i].start_ns)
            n_events++;
        table->noted_rows[i] = n_events + i;
    }
    return REPORT_OK;
}

static enum report_outcome print(const struct report *report, const struct report_filter *filter,
                                 const struct report_events *events, const struct events_view *view,
                                 const struct screen *screen, write_document *format)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    struct events_table table SW__CLEANUP(table_clear) = { .events = events };

    REPORT_TRY(report_status(event_cells_init(report, view->wants, &table.cells)));
    REPORT_TRY(place_noted(report, filter, &table));
    size_t n_rows = events->n_events + table.n_noted;
    if (view->row_limit != SW_NO_LIMIT && (uint64_t)view->row_limit < n_rows)
        n_rows = (size_t)view->row_limit;
    REPORT_TRY(heading_build(report, filter, &events->totals, screen->unit, &heading));
    struct document document = {
        .heading = heading.lines.bytes,
        .footing = "",
        .facts = heading.facts,
        .n_facts = heading.n_facts,
        .totals = heading.totals,
        .n_totals = heading.n_totals,
        .grid = { table.cells.columns, N_EVENT_COLUMNS, n_rows, make_row, &table },
    };
    return report_status(format(screen, &document));
}

enum report_outcome events_view_print(const struct report *report, const struct report_filter *filter,
                                      const struct events_view *view, const struct screen *screen,
                                      write_document *format)
{
    struct report_events events SW__CLEANUP(report_events_clear) = { .events = NULL };

    REPORT_TRY(report_collect(report, filter, &events));
    return print(report, filter, &events, view, screen, format);
}
