/*
 * The recorded operations one by one, as a document.
 */
#include "config.h"

#include "report/events_view.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/heading.h"
#include "report/names.h"

struct events_table {
    const struct report *report;
    const struct report_events *events;
    struct class_names names; /* of the row that was made last */
    char *shape_text;         /* likewise */
    int64_t first_ns; /* of the run */
};

typedef struct cell make_cell(struct events_table *table, size_t row, const struct sw__analyze_event *event);

static struct cell cell_id(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)table;
    (void)event;
    return CELL_OF_ID(row);
}

static struct cell cell_parent(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)table;
    (void)row;
    return event->parent != SW__ANALYZE_NONE ? CELL_OF_ID(event->parent) : (struct cell){ .kind = CELL_NONE };
}

static int by_number(const void *a, const void *b)
{
    const struct report_thread *left = a, *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

static struct cell cell_thread(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)row;
    const struct report_thread key = { .number = event->thread };
    const struct report_thread *thread = bsearch(&key, table->report->threads, table->report->n_threads, sizeof key,
                                                 by_number);
    return thread != NULL ? CELL_OF_ID((uint64_t)thread->tid) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_start(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    int64_t since_ns = 0;

    (void)row;
    if (__builtin_sub_overflow(event->start_ns, table->first_ns, &since_ns))
        since_ns = INT64_MAX;
    return CELL_OF_TIME(since_ns);
}

static struct cell cell_start_exact(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)table;
    (void)row;
    return CELL_OF_TIME(event->start_ns);
}

static struct cell cell_duration(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)table;
    (void)row;
    return CELL_OF_TIME(event->duration_ns);
}

static struct cell cell_self(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)table;
    (void)row;
    return CELL_OF_TIME(event->self_ns);
}

static struct cell cell_state(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    /* The first that applies. */
    static const struct {
        uint32_t flag;
        const char *name;
    } states[] = {
        { SW__ANALYZE_UNFINISHED, "open" },
        { SW__ANALYZE_HEALED, "left by a jump" },
        { SW__ANALYZE_SUCCEEDED, "ok" },
    };

    (void)table;
    (void)row;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++)
        if (event->flags & states[i].flag)
            return CELL_OF_TEXT(states[i].name);
    return CELL_OF_TEXT("failed");
}

static struct cell cell_name(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)row;
    return CELL_OF_TEXT(table->report->dispatches[event->dispatch].name);
}

static struct cell cell_carrier(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)row;
    (void)event;
    return CELL_OF_TEXT(names_text(&table->names.carrier));
}

static struct cell cell_implementation(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)row;
    (void)event;
    return CELL_OF_TEXT(names_text(&table->names.implementation));
}

static struct cell cell_shapes(struct events_table *table, size_t row, const struct sw__analyze_event *event)
{
    (void)row;
    (void)event;
    return table->shape_text != NULL ? CELL_OF_TEXT(table->shape_text) : (struct cell){ .kind = CELL_NONE };
}

static make_cell *const makers[] = {
#define EVENTS_COLUMN(title, key, flags, function) function,
#include "report/events_columns.def"
#undef EVENTS_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column columns[N_COLUMNS] = {
#define EVENTS_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/events_columns.def"
#undef EVENTS_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    struct events_table *table = context;
    const struct sw__analyze_event *event = &table->events->events[row];

    SW__TRY(names_make(&table->names, &table->report->dispatches[event->dispatch]));
    sw__free(sw__take(table->shape_text));
    if (event->shapes != SW__ANALYZE_NONE)
        SW__TRY(sw__analyze_shapes_format(&table->report->shapes[event->shapes], &table->shape_text));
    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](table, row, event);
    return SW_OK;
}

static void table_clear(struct events_table *table)
{
    names_clear(&table->names);
    sw__free(table->shape_text);
}

static enum report_outcome print(const struct report *report, const struct report_filter *filter,
                                 const struct report_events *events, int64_t row_limit, const struct screen *screen,
                                 write_document *format)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    size_t n_rows = events->n_events, hint = 0;

    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    REPORT_TRY(heading_build(report, filter, &events->totals, screen->unit, &heading));
    struct events_table table SW__CLEANUP(table_clear) = {
        .report = report,
        .events = events,
        .first_ns = clock_ns(&report->clock, report->header.first.ticks, &hint),
    };
    struct document document = {
        .heading = heading.lines.bytes,
        .footing = "",
        .facts = heading.facts,
        .n_facts = heading.n_facts,
        .totals = heading.totals,
        .n_totals = heading.n_totals,
        .grid = { columns, N_COLUMNS, n_rows, make_row, &table },
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
