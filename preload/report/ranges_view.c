/*
 * Ranges as a document: the row of a name, its times, and how often it ran.
 */
#include "config.h"

#include "report/ranges_view.h"

#include <stdlib.h>
#include <string.h>

#include "report/heading.h"
#include "report/noted.h"
#include "report/range_times.h"

static struct cell cell_total(const struct range_row *row)
{
    return CELL_OF_TIME(row->total_ns);
}

static struct cell cell_self(const struct range_row *row)
{
    return CELL_OF_TIME(row->self_ns);
}

static struct cell cell_count(const struct range_row *row)
{
    return CELL_OF_COUNT(row->count);
}

/* Of ranges of which none has ended there are no times. */
static struct cell only_if_ended(const struct range_row *row, struct cell cell)
{
    return row->count != 0 ? cell : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_mean(const struct range_row *row)
{
    return only_if_ended(row, CELL_OF_MEAN(row->count != 0 ? (double)row->total_ns / (double)row->count : 0.0));
}

static struct cell cell_min(const struct range_row *row)
{
    return only_if_ended(row, CELL_OF_TIME(row->min_ns));
}

static struct cell cell_max(const struct range_row *row)
{
    return only_if_ended(row, CELL_OF_TIME(row->max_ns));
}

static struct cell cell_open(const struct range_row *row)
{
    return CELL_OF_COUNT(row->n_open);
}

static struct cell cell_healed(const struct range_row *row)
{
    return CELL_OF_COUNT(row->n_healed);
}

static struct cell cell_kind(const struct range_row *row)
{
    return CELL_OF_TEXT(note_kind_find(row->kind)->name);
}

static struct cell cell_name(const struct range_row *row)
{
    return CELL_OF_TEXT(row->name);
}

typedef struct cell make_cell(const struct range_row *row);

static make_cell *const makers[] = {
#define RANGES_COLUMN(title, key, flags, function) function,
#include "report/ranges_columns.def"
#undef RANGES_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column columns[N_COLUMNS] = {
#define RANGES_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/ranges_columns.def"
#undef RANGES_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    const struct range_times *times = context;

    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](&times->rows[row]);
    return SW_OK;
}

static int by_total(const void *a, const void *b)
{
    const struct range_row *left = a, *right = b;

    if (left->total_ns != right->total_ns)
        return left->total_ns > right->total_ns ? -1 : 1;
    if (left->kind != right->kind)
        return left->kind < right->kind ? -1 : 1;
    return strcmp(left->name, right->name);
}

static enum sw_status put_footing(struct sw__builder *text, const struct range_times *times, size_t n_rows)
{
    if (times->n_rows > n_rows)
        SW__TRY(display_counted(text, times->n_rows - n_rows, "more row\n", "more rows\n"));
    if (times->n_crossed != 0) {
        SW__TRY(sw__builder_string(text, "SUSPECT "));
        SW__TRY(display_counted(text, times->n_crossed, "range or operation ends", "ranges or operations end"));
        SW__TRY(sw__builder_string(text, " outside of what it began in: self times around it are too large\n"));
    }
    return sw__builder_string(text, times->n_rows == 0 ? "no ranges and no steps\n" : "");
}

enum report_outcome ranges_view_print(const struct report *report, const struct report_filter *filter,
                                      int64_t row_limit, const struct screen *screen, write_document *format)
{
    struct range_times times SW__CLEANUP(range_times_clear) = { .rows = NULL };
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    struct sw__builder footing SW__OWNED_BUILDER = { 0 };
    struct report_totals totals = { 0 };

    REPORT_TRY(range_times_build(report, filter, &totals, &times));
    if (times.n_rows > 1)
        qsort(times.rows, times.n_rows, sizeof *times.rows, by_total);
    size_t n_rows = times.n_rows;
    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    REPORT_TRY(heading_build(report, filter, &totals, screen->unit, &heading));
    REPORT_TRY(report_status(put_footing(&footing, &times, n_rows)));
    struct document document = {
        .heading = heading.lines.bytes,
        .footing = footing.n_bytes != 0 ? footing.bytes : "",
        .facts = heading.facts,
        .n_facts = heading.n_facts,
        .grid = { columns, N_COLUMNS, n_rows, make_row, &times },
    };
    return report_status(format(screen, &document));
}
