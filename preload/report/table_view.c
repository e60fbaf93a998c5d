/*
 * The table: aggregates as a document, with the account of the time outside
 * any operation below it.
 */
#include "config.h"

#include "report/table_view.h"

#include <string.h>

#include "analyze/flops.h"
#include "analyze/visible.h"
#include "base/alloc.h"
#include "report/check.h"
#include "report/heading.h"
#include "report/names.h"
#include "report/overhead.h"
#include "report/say.h"
#include "report/stack_names.h"

struct table {
    const struct report *report;
    const struct report_filter *filter;
    const struct table_view *view;
    const struct report_totals *totals;
    const struct heading *heading;
    const struct sw__aggregates *aggregates;
    const size_t *order;
    struct overhead overhead;
    struct class_names names; /* of the row that was made last */
    struct sw__builder stack; /* likewise: the entries that it is told apart by */
};

static struct cell cell_self_percent(const struct table *table, const struct sw__aggregate *row)
{
    double whole = (double)table->totals->self_ns;

    return CELL_OF_PERCENT(whole > 0 ? 100.0 * (double)row->self_total_ns / whole : 0.0);
}

static struct cell cell_self(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TIME(row->self_total_ns);
}

static struct cell cell_total(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TIME(row->total_ns);
}

static struct cell cell_calls(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_COUNT(row->count);
}

static struct cell cell_mean(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_MEAN(row->mean_ns);
}

static struct cell cell_min(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TIME(row->min_ns);
}

static struct cell cell_max(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TIME(row->max_ns);
}

static struct cell cell_max_start(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TIME(row->max_start_ns);
}

/* Of durations for which a histogram had no room there are none. */
static struct cell percentile(const struct sw__aggregate *row, enum sw__percentile which)
{
    return row->n_measured != 0 ? CELL_OF_TIME(row->percentiles_ns[which]) : (struct cell){ .kind = CELL_NONE };
}

#define SW_PERCENTILE(percent)                                                                              \
    static struct cell cell_p##percent(const struct table *table, const struct sw__aggregate *row)          \
    {                                                                                                       \
        (void)table;                                                                                        \
        return percentile(row, SW__P##percent);                                                             \
    }
#include "analyze/percentiles.def"
#undef SW_PERCENTILE

/* No estimate is not 0. */
static struct cell cell_flops(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return row->flops != SW__FLOPS_NONE ? CELL_OF_AMOUNT((uint64_t)row->flops) : (struct cell){ .kind = CELL_NONE };
}

/* Operations per nanosecond, of the calls that have an estimate. */
static struct cell cell_flops_rate(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    if (row->flops == SW__FLOPS_NONE || row->flops_ns <= 0)
        return (struct cell){ .kind = CELL_NONE };
    return CELL_OF_RATE((double)row->flops / (double)row->flops_ns);
}

static struct cell cell_allocated(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_BYTES((uint64_t)row->allocated_bytes);
}

static struct cell cell_released(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_BYTES((uint64_t)row->released_bytes);
}

static struct cell cell_net(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_BALANCE(row->memory_bytes);
}

static struct cell cell_self_net(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_BALANCE(row->self_memory_bytes);
}

static struct cell cell_overhead(const struct table *table, const struct sw__aggregate *row)
{
    return CELL_OF_PERCENT(overhead_percent(&table->overhead, row));
}

static struct cell cell_failures(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_COUNT(row->failures);
}

static struct cell cell_name(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return CELL_OF_TEXT(row->dispatch->name);
}

static struct cell cell_carrier(const struct table *table, const struct sw__aggregate *row)
{
    (void)row;
    return CELL_OF_TEXT(names_text(&table->names.carrier));
}

static struct cell cell_shapes(const struct table *table, const struct sw__aggregate *row)
{
    (void)table;
    return row->shapes != SW__ANALYZE_NONE ? CELL_OF_TEXT(row->shape_text) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_stack(const struct table *table, const struct sw__aggregate *row)
{
    (void)row;
    return table->stack.n_bytes != 0 ? CELL_OF_TEXT(table->stack.bytes) : (struct cell){ .kind = CELL_NONE };
}

typedef struct cell make_cell(const struct table *table, const struct sw__aggregate *row);

static make_cell *const makers[] = {
#define TABLE_COLUMN(title, key, flags, function) function,
#include "report/table_columns.def"
#undef TABLE_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column all_columns[N_COLUMNS] = {
#define TABLE_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/table_columns.def"
#undef TABLE_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    struct table *table = context;
    const struct sw__aggregate *aggregate = &table->aggregates->rows[table->order[row]];

    SW__TRY(names_make(&table->names, aggregate->dispatch));
    table->stack.n_bytes = 0;
    if (table->view->n_stack_entries != 0 && aggregate->stack != SW__ANALYZE_NONE)
        SW__TRY(stack_names_put(&table->stack, table->report, aggregate->stack, table->view->n_stack_entries));
    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](table, aggregate);
    return SW_OK;
}

/* Whether a column tells what was not asked for. */
static int is_unwanted(make_cell *maker, unsigned wants)
{
    static const struct {
        make_cell *maker;
        unsigned want;
    } all[] = {
        { cell_max_start, SW__WANT_PERCENTILES },
#define SW_PERCENTILE(percent) { cell_p##percent, SW__WANT_PERCENTILES },
#include "analyze/percentiles.def"
#undef SW_PERCENTILE
        { cell_flops, SW__WANT_FLOPS },
        { cell_flops_rate, SW__WANT_FLOPS },
        { cell_allocated, SW__WANT_MEMORY },
        { cell_released, SW__WANT_MEMORY },
        { cell_net, SW__WANT_MEMORY },
        { cell_self_net, SW__WANT_MEMORY },
    };

    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].maker == maker)
            return (wants & all[i].want) == 0;
    return 0;
}

/*
 * Failures only when there are any, shapes only when they are part of the key,
 * percentiles and flops on request, the overhead only where it was measured.
 */
static void choose_columns(struct column *columns, const struct table *table)
{
    memcpy(columns, all_columns, sizeof all_columns);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (makers[i] == cell_failures && table->totals->n_failures == 0)
            columns[i].flags |= COLUMN_EXPORT;
        if ((makers[i] == cell_shapes && !(table->aggregates->grouping & SW__GROUP_BY_SHAPES)) ||
            is_unwanted(makers[i], table->view->wants) ||
            (makers[i] == cell_stack && table->view->n_stack_entries == 0) ||
            (makers[i] == cell_overhead && (!table->overhead.is_known || table->filter->is_compensated)))
            columns[i].flags |= COLUMN_EXPORT | COLUMN_SCREEN;
    }
}

/* What was lost was inside an operation, but nobody knows for how long. */
static enum sw_status put_outside(struct sw__builder *text, const struct table *table, int64_t outside_ns,
                                  enum display_unit unit)
{
    int64_t alive_ns = table->totals->alive_ns;

    SW__TRY(sw__builder_string(text, report_missing(table->report) != 0 ? "at most " : ""));
    SW__TRY(display_time(text, outside_ns, unit));
    /* Operations of other carriers were not recorded where nothing selected was around them. */
    SW__TRY(sw__builder_string(text, table->report->carriers[0] != '\0' ? " outside selected operations, of "
                                                                        : " outside any operation, of "));
    SW__TRY(display_time(text, alive_ns, unit));
    SW__TRY(sw__builder_string(text, " that "));
    SW__TRY(display_counted(text, table->totals->n_threads, "thread was alive", "threads were alive"));
    if (alive_ns > 0) {
        SW__TRY(sw__builder_string(text, " ("));
        SW__TRY(display_percent(text, 100.0 * (double)outside_ns / (double)alive_ns));
        SW__TRY(sw__builder_string(text, " %)"));
    }
    return sw__builder_string(text, "\n");
}

/* Shares of the threads' time below which the recorder's own is not worth a line: one in so many. */
#define WORTH_TELLING 100

/* Known of whole threads only: of a session it is not. */
static enum sw_status put_recorder(struct sw__builder *text, const struct table *table, enum display_unit unit)
{
    const struct report_totals *totals = table->totals;
    int64_t inside_ns = totals->tool_inside_ns, outside_ns = 0;

    if (table->filter->session != NULL || totals->tool_ns == 0 || totals->tool_ns < totals->alive_ns / WORTH_TELLING)
        return SW_OK;
    if (totals->tool_ns > inside_ns)
        outside_ns = totals->tool_ns - inside_ns;
    SW__TRY(sw__builder_string(text, "of that "));
    SW__TRY(display_time(text, outside_ns, unit));
    SW__TRY(sw__builder_string(text, " was the recorder's own work"));
    if (inside_ns > 0) {
        SW__TRY(sw__builder_string(text, "; "));
        SW__TRY(display_time(text, inside_ns, unit));
        SW__TRY(sw__builder_string(text, " more of it lay inside operations, in nobody's self time"));
    }
    return sw__builder_string(text, "\n");
}

/* Why the columns of storage say nothing. */
static enum sw_status put_memory(struct sw__builder *text, const struct sw__aggregates *aggregates)
{
    for (size_t i = 0; i < aggregates->n_rows; i++)
        if (aggregates->rows[i].allocated_bytes != 0 || aggregates->rows[i].released_bytes != 0)
            return SW_OK;
    return sw__builder_string(text, "no storage was recorded inside of operations: it is with SWPROF_MEMORY=1\n");
}

/* All calls together, and why there are none where there could be. */
static enum sw_status put_flops(struct sw__builder *text, const struct table_content *content)
{
    int64_t flops = SW__FLOPS_NONE;

    for (size_t i = 0; i < content->aggregates->n_rows; i++)
        sw__flops_add(&flops, content->aggregates->rows[i].flops);
    if (flops == SW__FLOPS_NONE)
        return sw__builder_string(text, content->report->names.n_shapes != 0
                                            ? "no operation has an estimate of its flops\n"
                                            : "flops are estimated from input shapes, which were not recorded: "
                                              "SWPROF_SHAPES=1\n");
    SW__TRY(display_amount(text, (uint64_t)flops));
    return sw__builder_string(text, " floating point operations, estimated from the input shapes of calls that have an estimate\n");
}

static int lacks_shapes(const struct report *report, enum sw__grouping grouping)
{
    return (grouping & SW__GROUP_BY_SHAPES) && report->names.n_shapes == 0;
}

enum sw_status table_view_put_missing(struct sw__builder *text, const struct table_content *content,
                                      enum sw__grouping grouping, unsigned wants)
{
    if (lacks_shapes(content->report, grouping))
        SW__TRY(sw__builder_string(text, "no input shapes were recorded: they are with SWPROF_SHAPES=1\n"));
    if (wants & SW__WANT_MEMORY)
        SW__TRY(put_memory(text, content->aggregates));
    return wants & SW__WANT_FLOPS ? put_flops(text, content) : SW_OK;
}

static enum sw_status put_footing(struct sw__builder *text, const struct table *table, size_t n_rows,
                                  enum display_unit unit)
{
    int is_known = 0;
    int64_t outside_ns = heading_outside_ns(table->filter, table->totals, &is_known);
    size_t n_more = table->aggregates->n_rows - n_rows;

    if (n_more != 0)
        SW__TRY(display_counted(text, n_more, "more row\n", "more rows\n"));
    SW__TRY(sw__builder_string(text, "\n"));
    SW__TRY(display_time(text, table->totals->self_ns, unit));
    SW__TRY(sw__builder_string(text, " self time in "));
    SW__TRY(display_counted(text, report_n_calls(table->totals), "call\n", "calls\n"));
    if (is_known) {
        SW__TRY(put_outside(text, table, outside_ns, unit));
        SW__TRY(put_recorder(text, table, unit));
    }
    const struct table_content content = { table->report, table->filter, table->aggregates, table->totals };
    return table_view_put_missing(text, &content, table->view->grouping, table->view->wants);
}

static enum report_outcome print_document(struct table *table, const struct screen *screen, write_document *format)
{
    struct sw__builder footing SW__OWNED_BUILDER = { 0 };
    struct column columns[N_COLUMNS];
    size_t n_rows = table->aggregates->n_rows;

    if (table->view->row_limit != SW_NO_LIMIT && (uint64_t)table->view->row_limit < n_rows)
        n_rows = (size_t)table->view->row_limit;
    choose_columns(columns, table);
    REPORT_TRY(report_status(put_footing(&footing, table, n_rows, screen->unit)));
    struct document document = {
        .heading = table->heading->lines.bytes,
        .footing = footing.bytes,
        .facts = table->heading->facts,
        .n_facts = table->heading->n_facts,
        .totals = table->heading->totals,
        .n_totals = table->heading->n_totals,
        .grid = { columns, N_COLUMNS, n_rows, make_row, table },
    };
    return report_status(format(screen, &document));
}

/* Names that would act on the terminal are made visible; everything else is the specification's. */
static enum report_outcome print_spec(const struct sw__aggregates *aggregates, const struct table_view *view,
                                      FILE *stream)
{
    struct sw__table_options options = { view->sort_by, view->direction, view->row_limit };
    struct sw__builder line SW__OWNED_BUILDER = { 0 };
    char *text SW__OWNED = NULL;

    REPORT_TRY(report_status(sw__table_format(aggregates, &options, &text)));
    for (char *from = text, *end; from != NULL; from = end) {
        end = strchr(from, '\n');
        if (end != NULL)
            *end++ = '\0';
        line.n_bytes = 0;
        REPORT_TRY(report_status(sw__visible(&line, from)));
        fprintf(stream, "%s\n", line.n_bytes != 0 ? line.bytes : "");
    }
    return REPORT_OK;
}

static void order_clear(size_t **order)
{
    sw__free(*order);
}

static void table_clear(struct table *table)
{
    sw__builder_clear(&table->stack);
    names_clear(&table->names);
}

enum report_outcome table_view_print(const struct report *report, const struct report_filter *filter,
                                     const struct table_view *view, const struct screen *screen,
                                     write_document *format, FILE *notes)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct report_totals totals;

    REPORT_TRY(report_aggregate_stacks(report, filter, view->grouping, view->n_stack_entries, view->wants, &aggregates,
                                       &totals));
    const struct table_content content = { report, filter, aggregates, &totals };
    return table_view_show(&content, view, screen, format, notes);
}

/* "check: fine", or what is wrong; where there is no heading only what is wrong, on stderr. */
static enum report_outcome tell_check(const struct table_content *content, struct heading *heading, int has_heading)
{
    struct check check SW__CLEANUP(check_clear) = CHECK_INIT(content->report->path, content->report->path);
    char line[640] = "check: fine";

    check_collected(&check, content->report, content->totals);
    size_t n_errors = check_count_errors(&check);
    if (n_errors != 0 && check.n_findings != 0)
        snprintf(line, sizeof line, "check: %zu error%s: %s; see swprof-report check", n_errors,
                 n_errors == 1 ? "" : "s", check.findings[0].message);
    if (n_errors != 0 && !has_heading)
        say("swprof-report", "%s", line);
    return has_heading ? report_status(heading_add_line(heading, line)) : REPORT_OK;
}

enum report_outcome table_view_show(const struct table_content *content, const struct table_view *view,
                                    const struct screen *screen, write_document *format, FILE *notes)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    size_t *order SW__CLEANUP(order_clear) = NULL;

    REPORT_TRY(heading_build(content->report, content->filter, content->totals, screen->unit, &heading));
    if (view->has_check)
        REPORT_TRY(tell_check(content, &heading, format == NULL || format == format_text));
    if (format == NULL) {
        REPORT_TRY(report_status(table_view_put_missing(&heading.lines, content, view->grouping, 0)));
        fputs(heading.lines.bytes, notes);
        return print_spec(content->aggregates, view, screen->stream);
    }
    REPORT_TRY(report_status(sw__aggregates_order(content->aggregates, view->sort_by, view->direction, &order)));
    struct table table SW__CLEANUP(table_clear) = {
        .report = content->report,
        .filter = content->filter,
        .view = view,
        .totals = content->totals,
        .heading = &heading,
        .aggregates = content->aggregates,
        .order = order,
        .overhead = overhead_of(content->report),
    };
    return print_document(&table, screen, format);
}
