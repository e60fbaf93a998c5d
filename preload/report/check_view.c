/*
 * A line for each file, and a row for each finding.
 */
#include "config.h"

#include "report/check_view.h"

#include <string.h>

#include "analyze/visible.h"
#include "base/alloc.h"

/* A finding and where it is from. */
struct row {
    const struct check *check;
    const struct check_finding *finding;
};

typedef struct cell make_cell(const struct row *row);

static struct cell cell_rule(const struct row *row)
{
    return CELL_OF_TEXT(check_rule_name(row->finding->rule));
}

static struct cell cell_weight(const struct row *row)
{
    return CELL_OF_TEXT(check_rule_is_error(row->finding->rule) ? "error" : "note");
}

static struct cell cell_event(const struct row *row)
{
    return row->finding->event != SIZE_MAX ? CELL_OF_ID(row->finding->event) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_file(const struct row *row)
{
    return CELL_OF_TEXT(row->check->name);
}

static struct cell cell_finding(const struct row *row)
{
    return CELL_OF_TEXT(row->finding->message);
}

static make_cell *const makers[] = {
#define CHECK_COLUMN(title, key, flags, function) function,
#include "report/check_columns.def"
#undef CHECK_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column all_columns[N_COLUMNS] = {
#define CHECK_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/check_columns.def"
#undef CHECK_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    const struct row *rows = context;

    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](&rows[row]);
    return SW_OK;
}

static size_t count_all(const struct check *check)
{
    size_t n = 0;

    for (int rule = 0; rule < N_CHECK_RULES; rule++)
        n += check->counts[rule];
    return n;
}

/* "train.json: fine, 120 operations of 2 threads\n" */
static enum sw_status put_file(struct sw__builder *text, const struct check *check)
{
    size_t n_errors = check_count_errors(check), n_notes = count_all(check) - n_errors;

    SW__TRY(sw__visible(text, check->name));
    SW__TRY(sw__builder_string(text, ": "));
    if (n_errors == 0)
        SW__TRY(sw__builder_string(text, "fine"));
    else
        SW__TRY(display_counted(text, n_errors, "error", "errors"));
    if (n_notes > 0) {
        SW__TRY(sw__builder_string(text, ", "));
        SW__TRY(display_counted(text, n_notes, "note", "notes"));
    }
    SW__TRY(sw__builder_string(text, "; "));
    SW__TRY(check->has_slices ? display_counted(text, check->n_events, "slice of ", "slices of ")
                              : display_counted(text, check->n_events, "operation of ", "operations of "));
    SW__TRY(display_counted(text, check->n_lanes, "thread", "threads"));
    if (check->n_others != 0) {
        SW__TRY(sw__builder_string(text, ", beside "));
        SW__TRY(display_counted(text, check->n_others, "other slice", "other slices"));
    }
    return sw__builder_string(text, "\n");
}

static enum sw_status print(const struct check *checks, size_t n_checks, struct row *rows, size_t n_rows,
                            const struct screen *screen, write_document *format)
{
    struct sw__builder heading SW__OWNED_BUILDER = { 0 };
    uint64_t n_errors = 0, n_findings = 0;
    struct column columns[N_COLUMNS];

    memcpy(columns, all_columns, sizeof columns);
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (makers[i] == cell_file && n_checks > 1)
            columns[i].flags &= ~(uint32_t)COLUMN_EXPORT;
    for (size_t i = 0; i < n_checks; i++) {
        SW__TRY(put_file(&heading, &checks[i]));
        n_errors += check_count_errors(&checks[i]);
        n_findings += count_all(&checks[i]);
    }
    SW__TRY(sw__builder_string(&heading, n_rows > 0 ? "\n" : ""));
    const struct fact facts[] = {
        { "files", CELL_OF_COUNT(n_checks), 0 },
        { "errors", CELL_OF_COUNT(n_errors), 0 },
        { "notes", CELL_OF_COUNT(n_findings - n_errors), 0 },
    };
    /* For people no table of nothing; of one file its name is above. */
    if (n_rows == 0 && format == format_text) {
        fputs(heading.bytes, screen->stream);
        return SW_OK;
    }
    const struct document document = {
        .heading = heading.bytes,
        .footing = "",
        .facts = facts,
        .n_facts = sizeof facts / sizeof *facts,
        .grid = { columns, N_COLUMNS, n_rows, make_row, rows },
    };
    return format(screen, &document);
}

enum report_outcome check_view_print(const struct check *checks, size_t n_checks, int64_t row_limit,
                                     const struct screen *screen, write_document *format)
{
    size_t n_rows = 0, at = 0;

    for (size_t i = 0; i < n_checks; i++)
        n_rows += checks[i].n_findings;
    struct row *rows SW__OWNED = sw__alloc((n_rows + 1) * sizeof *rows);
    if (rows == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n_checks; i++)
        for (size_t k = 0; k < checks[i].n_findings; k++)
            rows[at++] = (struct row){ &checks[i], &checks[i].findings[k] };
    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    return report_status(print(checks, n_checks, rows, n_rows, screen, format));
}
