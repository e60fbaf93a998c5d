/*
 * Rows of a comparison as cells, what was compared above them, and what the
 * verdicts mean below.
 */
#include "config.h"

#include "base/checked.h"
#include "report/diff_view.h"

#include <math.h>
#include <string.h>

#include "analyze/visible.h"
#include "report/names.h"

struct view {
    const struct diff *diff;
    struct class_names names; /* of the row that was made last */
};

typedef struct cell make_cell(const struct view *view, const struct diff_row *row);

static struct cell cell_verdict(const struct view *view, const struct diff_row *row)
{
    (void)view;
    return CELL_OF_TEXT(diff_verdict_name(row->verdict));
}

static struct cell cell_change(const struct view *view, const struct diff_row *row)
{
    double change = diff_change_percent(row);

    (void)view;
    return diff_has_both(row) && isfinite(change) ? CELL_OF_PERCENT(change) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_probability(const struct view *view, const struct diff_row *row)
{
    double p = row->self_p < row->median_p ? row->self_p : row->median_p;

    (void)view;
    return diff_has_both(row) && row->verdict != DIFF_UNTOLD ? CELL_OF_PROBABILITY(p) : (struct cell){ .kind = CELL_NONE };
}

static struct cell share(double before, double after)
{
    return before > 0 && after > 0 ? CELL_OF_PERCENT(100 * (after - before) / before)
                                   : (struct cell){ .kind = CELL_NONE };
}

/* A number of a side; empty where the operation does not occur. */
#define NUMBER_CELL(function, side, field, of)                                                              \
    static struct cell function(const struct view *view, const struct diff_row *row)                        \
    {                                                                                                       \
        (void)view;                                                                                         \
        return row->numbers[side].n_runs > 0 ? of(row->numbers[side].field) : (struct cell){ .kind = CELL_NONE }; \
    }
NUMBER_CELL(cell_self_before, DIFF_BEFORE, self_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_self_after, DIFF_AFTER, self_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_total_before, DIFF_BEFORE, total_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_total_after, DIFF_AFTER, total_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_self_mean_before, DIFF_BEFORE, self_mean_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_self_mean_after, DIFF_AFTER, self_mean_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_p50_before, DIFF_BEFORE, median_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_p50_after, DIFF_AFTER, median_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_p95_before, DIFF_BEFORE, p95_ns, CELL_OF_MEAN)
NUMBER_CELL(cell_p95_after, DIFF_AFTER, p95_ns, CELL_OF_MEAN)
#undef NUMBER_CELL

#define CHANGE_CELL(function, field)                                                             \
    static struct cell function(const struct view *view, const struct diff_row *row)             \
    {                                                                                            \
        (void)view;                                                                              \
        return share(row->numbers[DIFF_BEFORE].field, row->numbers[DIFF_AFTER].field);           \
    }
CHANGE_CELL(cell_total_change, total_ns)
CHANGE_CELL(cell_p50_change, median_ns)
CHANGE_CELL(cell_p95_change, p95_ns)
#undef CHANGE_CELL

/* A median of whole numbers may lie between two. */
static struct cell calls(const struct diff_numbers *numbers)
{
    return CELL_OF_COUNT((uint64_t)(numbers->n_runs > 0 ? llround(numbers->calls) : 0));
}

static struct cell cell_calls_before(const struct view *view, const struct diff_row *row)
{
    (void)view;
    return calls(&row->numbers[DIFF_BEFORE]);
}

static struct cell cell_calls_after(const struct view *view, const struct diff_row *row)
{
    (void)view;
    return calls(&row->numbers[DIFF_AFTER]);
}

static struct cell cell_name(const struct view *view, const struct diff_row *row)
{
    (void)view;
    return CELL_OF_TEXT(row->aggregate->dispatch->name);
}

static struct cell cell_carrier(const struct view *view, const struct diff_row *row)
{
    (void)row;
    return CELL_OF_TEXT(names_text(&view->names.carrier));
}

static struct cell cell_shapes(const struct view *view, const struct diff_row *row)
{
    (void)view;
    return row->aggregate->shapes != SW__ANALYZE_NONE ? CELL_OF_TEXT(row->aggregate->shape_text)
                                                      : (struct cell){ .kind = CELL_NONE };
}

static make_cell *const makers[] = {
#define DIFF_COLUMN(title, key, flags, function) function,
#include "report/diff_columns.def"
#undef DIFF_COLUMN
};
#define N_COLUMNS (sizeof makers / sizeof *makers)

static const struct column all_columns[N_COLUMNS] = {
#define DIFF_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/diff_columns.def"
#undef DIFF_COLUMN
};

static enum sw_status make_row(void *context, size_t row, struct cell *ret_cells)
{
    struct view *view = context;

    SW__TRY(names_make(&view->names, view->diff->rows[row].aggregate->dispatch));
    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = makers[i](view, &view->diff->rows[row]);
    return SW_OK;
}

static uint64_t count_lost(const struct diff *diff, enum diff_side side)
{
    uint64_t lost = 0;

    for (size_t i = 0; i < diff->n_runs[side]; i++)
        sw__add_saturating(&lost, report_missing(diff->runs[side][i].report));
    return lost;
}

static size_t count_unfinished(const struct diff *diff, enum diff_side side)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n_runs[side]; i++)
        n += diff->runs[side][i].report->state != REPORT_STATE_FROZEN;
    return n;
}

/* "before: 3 runs of ./train, the first train-1.swprof; 5 operations missing\n" */
static enum sw_status put_side(struct sw__builder *text, const struct diff *diff, enum diff_side side, const char *what)
{
    const struct report *first = diff->runs[side][0].report;

    SW__TRY(sw__builder_string(text, what));
    SW__TRY(display_counted(text, diff->n_runs[side], "run of ", "runs of "));
    SW__TRY(sw__visible(text, first->program));
    SW__TRY(sw__builder_string(text, diff->n_runs[side] > 1 ? ", the first " : ", "));
    SW__TRY(sw__visible(text, first->path));
    if (count_unfinished(diff, side) != 0) {
        SW__TRY(sw__builder_string(text, "; "));
        SW__TRY(display_counted(text, count_unfinished(diff, side), "did not end normally", "did not end normally"));
    }
    if (count_lost(diff, side) != 0) {
        SW__TRY(sw__builder_string(text, "; "));
        SW__TRY(display_counted(text, count_lost(diff, side), "operation missing", "operations missing"));
    }
    return sw__builder_string(text, "\n");
}

static enum sw_status put_test(struct sw__builder *text, const struct diff *diff)
{
    if (diff->n_tests == 0)
        return sw__builder_string(text, "no operation occurs on both sides\n");
    if (diff->can_tell) {
        SW__TRY(sw__builder_string(text, "verdicts by the rank-sum test over runs, of mean self times and of medians: "
                                         "no false alarm at all in 99 of 100 comparisons of equal programs ("));
        SW__TRY(display_counted(text, diff->n_tests, "test", "tests"));
        return sw__builder_string(text, ", Holm)\n");
    }
    SW__TRY(sw__builder_string(text, "too few runs to tell a change from chance: with "));
    SW__TRY(display_counted(text, diff_least_runs(diff), "on", "on"));
    return sw__builder_string(text, " each side it could be told; take runs of both sides in turns\n");
}

static enum report_outcome print(const struct diff *diff, enum sw__grouping grouping, size_t n_rows,
                                 const char *heading, const char *footing, const struct screen *screen,
                                 write_document *format)
{
    static const char *const keys[N_DIFF_SIDES][3] = { { "runs_before", "lost_before", "unfinished_before" },
                                                       { "runs_after", "lost_after", "unfinished_after" } };
    struct view view = { diff, { .carrier = { 0 } } };
    struct fact facts[8];
    struct column columns[N_COLUMNS];
    size_t n_facts = 0;

    for (int side = 0; side < N_DIFF_SIDES; side++) {
        facts[n_facts++] = (struct fact){ keys[side][0], CELL_OF_COUNT(diff->n_runs[side]), 1 };
        facts[n_facts++] = (struct fact){ keys[side][1], CELL_OF_COUNT(count_lost(diff, (enum diff_side)side)), 1 };
        facts[n_facts++] =
            (struct fact){ keys[side][2], CELL_OF_COUNT(count_unfinished(diff, (enum diff_side)side)), 1 };
    }
    facts[n_facts++] = (struct fact){ "tests", CELL_OF_COUNT(diff->n_tests), 0 };
    facts[n_facts++] = (struct fact){ "can_tell", CELL_OF_FLAG((uint64_t)diff->can_tell), 0 };
    memcpy(columns, all_columns, sizeof columns);
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (makers[i] == cell_shapes && !(grouping & SW__GROUP_BY_SHAPES))
            columns[i].flags |= COLUMN_EXPORT | COLUMN_SCREEN;
    const struct document document = {
        .heading = heading,
        .footing = footing,
        .facts = facts,
        .n_facts = n_facts,
        .grid = { columns, N_COLUMNS, n_rows, make_row, &view },
    };
    enum report_outcome outcome = report_status(format(screen, &document));
    names_clear(&view.names);
    return outcome;
}

static size_t count_with_shapes(const struct diff *diff, enum diff_side side)
{
    size_t n = 0;

    for (size_t i = 0; i < diff->n_runs[side]; i++)
        n += diff->runs[side][i].report->names.n_shapes != 0;
    return n;
}

/* Rows of a run with input shapes and of one without never meet. */
static enum sw_status put_shapes(struct sw__builder *text, const struct diff *diff)
{
    size_t n_before = count_with_shapes(diff, DIFF_BEFORE), n_after = count_with_shapes(diff, DIFF_AFTER);

    if (n_before == diff->n_runs[DIFF_BEFORE] && n_after == diff->n_runs[DIFF_AFTER])
        return SW_OK;
    SW__TRY(sw__builder_string(text, "input shapes were recorded in "));
    SW__TRY(display_count(text, n_before));
    SW__TRY(sw__builder_string(text, " of "));
    SW__TRY(display_counted(text, diff->n_runs[DIFF_BEFORE], "run", "runs"));
    SW__TRY(sw__builder_string(text, " before and "));
    SW__TRY(display_count(text, n_after));
    SW__TRY(sw__builder_string(text, " of "));
    SW__TRY(display_counted(text, diff->n_runs[DIFF_AFTER], "run", "runs"));
    return sw__builder_string(text, " after: rows per shape need SWPROF_SHAPES=1 in all of them\n");
}

static enum sw_status put_more(struct sw__builder *text, size_t n_more)
{
    return n_more > 0 ? display_counted(text, n_more, "more row\n", "more rows\n") : SW_OK;
}

static enum sw_status put_around(const struct diff *diff, enum sw__grouping grouping, size_t n_more,
                                 struct sw__builder *heading, struct sw__builder *footing)
{
    SW__TRY(put_side(heading, diff, DIFF_BEFORE, "before: "));
    SW__TRY(put_side(heading, diff, DIFF_AFTER, "after:  "));
    SW__TRY(sw__builder_string(heading, "\n"));
    SW__TRY(put_more(footing, n_more));
    SW__TRY(sw__builder_string(footing, "\n"));
    if (grouping & SW__GROUP_BY_SHAPES)
        SW__TRY(put_shapes(footing, diff));
    return put_test(footing, diff);
}

enum report_outcome diff_view_print(const struct diff *diff, enum sw__grouping grouping, int64_t row_limit,
                                    const struct screen *screen, write_document *format)
{
    struct sw__builder heading SW__OWNED_BUILDER = { 0 }, footing SW__OWNED_BUILDER = { 0 };
    size_t n_rows = diff->n_rows;

    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < n_rows)
        n_rows = (size_t)row_limit;
    REPORT_TRY(report_status(put_around(diff, grouping, diff->n_rows - n_rows, &heading, &footing)));
    return print(diff, grouping, n_rows, heading.bytes, footing.bytes, screen, format);
}
