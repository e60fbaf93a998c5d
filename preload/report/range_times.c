/*
 * One sweep per thread, from its end to its beginning: operations come by in the
 * reverse order of their ends, ranges are put between them. What is inside of
 * which range is told by what is open then.
 */
#include "config.h"

#include "report/range_times.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/index_table.h"
#include "base/alloc.h"
#include "report/noted.h"

/* A range of the thread, with the time of what is immediately inside of it. */
struct range {
    int64_t start_ns;
    int64_t end_ns;
    int64_t inside_ns;
    size_t row;
    int is_counted; /* it has ended, and the filter selects it */
    int is_step;    /* another thread may have ended it, at any moment */
};

/* What is open at the moment at which the sweep is. */
struct open {
    int64_t start_ns;
    struct range *range; /* NULL: an operation */
};

struct sweep {
    const struct report *report;
    const struct report_filter *filter;
    struct range_times *times;
    struct report_totals *totals;
    size_t rows_capacity;
    struct sw__index_table row_table; /* by kind and name */
    struct range *ranges; /* of one thread, by their ends, the last one first */
    size_t n_ranges;
    size_t ranges_capacity;
    size_t at;            /* of the ranges: those before are open or over */
    struct open *open;
    size_t n_open;
    size_t open_capacity;
    size_t hint;
};

/* Room for one more element. */
static int grow(void *array_pointer, size_t n, size_t *capacity, size_t element_bytes)
{
    void *array;

    if (n < *capacity)
        return 1;
    size_t larger = *capacity != 0 ? *capacity * 2 : 32;
    memcpy(&array, array_pointer, sizeof array);
    array = sw__realloc(array, larger * element_bytes);
    if (array == NULL)
        return 0;
    memcpy(array_pointer, &array, sizeof array);
    *capacity = larger;
    return 1;
}

/* ---- Ranges of a thread ------------------------------------------------------------------------ */

/* All steps are one row, as PyTorch's averages have them. */
static const char *name_of(const struct report_note *note)
{
    return note->kind == SWPROF_NOTE_STEP ? "ProfilerStep*" : note->name;
}

static enum report_outcome find_row(struct sweep *sweep, const struct report_note *note, size_t *ret_row)
{
    struct range_times *times = sweep->times;
    uint64_t hash = sw__hash_number(sw__hash_text(SW__HASH_BEGIN, name_of(note)), note->kind);
    struct sw__index_probe probe = sw__index_probe(&sweep->row_table, hash);

    for (uint32_t found; (found = sw__index_next(&probe)) != SW__ANALYZE_NONE;) {
        const struct range_row *row = &times->rows[found];
        *ret_row = found;
        if (row->kind == note->kind && strcmp(row->name, name_of(note)) == 0)
            return REPORT_OK;
    }
    if (!grow(&times->rows, times->n_rows, &sweep->rows_capacity, sizeof *times->rows))
        return REPORT_SYSTEM;
    REPORT_TRY(report_status(sw__index_put(&sweep->row_table, hash, (uint32_t)times->n_rows)));
    *ret_row = times->n_rows;
    times->rows[times->n_rows++] = (struct range_row){ .kind = note->kind, .name = name_of(note), .min_ns = INT64_MAX };
    return REPORT_OK;
}

/* Phases are no part of what a thread did, and instants take no time. */
static int is_range(uint32_t kind)
{
    return kind == SWPROF_NOTE_RANGE || kind == SWPROF_NOTE_HOST_RANGE || kind == SWPROF_NOTE_STEP;
}

static enum report_outcome take_note(void *context, const struct report_note *note)
{
    struct sweep *sweep = context;
    const struct report_clock *clock = &sweep->report->clock;
    int is_selected = noted_is_selected(sweep->filter, note);
    struct range range = {
        .is_counted = is_selected && !note->is_open,
        .is_step = note->kind == SWPROF_NOTE_STEP,
    };

    if (!is_range(note->kind))
        return REPORT_OK;
    if (is_selected) {
        REPORT_TRY(find_row(sweep, note, &range.row));
        sweep->times->rows[range.row].n_open += (uint64_t)note->is_open;
        sweep->times->rows[range.row].n_healed += (uint64_t)(range.is_counted && note->is_healed);
    }
    range.start_ns = clock_ns(clock, note->start_ticks, &sweep->hint);
    range.end_ns = note->is_open ? INT64_MAX : clock_ns(clock, note->end_ticks, &sweep->hint);
    if (!grow(&sweep->ranges, sweep->n_ranges, &sweep->ranges_capacity, sizeof *sweep->ranges))
        return REPORT_SYSTEM;
    sweep->ranges[sweep->n_ranges++] = range;
    return REPORT_OK;
}

/* The outer of two that end together first: it began earlier. */
static int by_end(const void *a, const void *b)
{
    const struct range *left = a, *right = b;

    if (left->end_ns != right->end_ns)
        return left->end_ns > right->end_ns ? -1 : 1;
    return (left->start_ns > right->start_ns) - (left->start_ns < right->start_ns);
}

/* ---- The sweep ---------------------------------------------------------------------------------- */

/* Two that overlap in part: of two operations others tell. */
static uint64_t contradicts(const struct range *left, const struct range *right)
{
    return (left != NULL || right != NULL) && (left == NULL || !left->is_step) && (right == NULL || !right->is_step);
}

/* What begins later than everything that is still to come ends is over. */
static enum sw_status enter(struct sweep *sweep, int64_t start_ns, int64_t end_ns, struct range *range)
{
    while (sweep->n_open > 0 && sweep->open[sweep->n_open - 1].start_ns >= end_ns)
        sweep->n_open--;
    if (sweep->n_open > 0) {
        const struct open *around = &sweep->open[sweep->n_open - 1];
        if (around->start_ns > start_ns)
            sweep->times->n_crossed += contradicts(around->range, range);
        else if (around->range != NULL)
            report_add_ns(&around->range->inside_ns, clock_between(start_ns, end_ns), &sweep->times->saturated);
    }
    if (!grow(&sweep->open, sweep->n_open, &sweep->open_capacity, sizeof *sweep->open))
        return SW_MEMORY_ERROR;
    sweep->open[sweep->n_open++] = (struct open){ start_ns, range };
    return SW_OK;
}

/* The ranges that are around what ends then and began at that time, or came after it. */
static enum sw_status enter_ranges(struct sweep *sweep, int64_t start_ns, int64_t end_ns)
{
    for (; sweep->at < sweep->n_ranges; sweep->at++) {
        struct range *range = &sweep->ranges[sweep->at];
        if (range->end_ns < end_ns || (range->end_ns == end_ns && range->start_ns > start_ns))
            return SW_OK;
        SW__TRY(enter(sweep, range->start_ns, range->end_ns, range));
    }
    return SW_OK;
}

static enum sw_status enter_operation(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct sweep *sweep = context;
    int64_t end_ns = 0;

    (void)serial;
    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns))
        end_ns = INT64_MAX;
    SW__TRY(enter_ranges(sweep, event->start_ns, end_ns));
    return enter(sweep, event->start_ns, end_ns, NULL);
}

static enum sw_status pass_over(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    (void)context;
    (void)event;
    (void)serial;
    return SW_OK;
}

static void add_to_row(struct range_times *times, const struct range *range)
{
    struct range_row *row = &times->rows[range->row];
    int64_t length_ns = clock_between(range->start_ns, range->end_ns);

    row->count++;
    report_add_ns(&row->total_ns, length_ns, &times->saturated);
    report_add_ns(&row->self_ns, length_ns > range->inside_ns ? length_ns - range->inside_ns : 0, &times->saturated);
    row->min_ns = length_ns < row->min_ns ? length_ns : row->min_ns;
    row->max_ns = length_ns > row->max_ns ? length_ns : row->max_ns;
}

static enum report_outcome sweep_thread(struct sweep *sweep, const struct report_thread *thread)
{
    struct report_filter only = *sweep->filter;
    const struct report_part all = {
        .sink = pass_over, .context = sweep, .totals = sweep->totals, .enter = enter_operation, .without_sums = 1
    };

    only.thread = thread;
    sweep->n_ranges = sweep->at = sweep->n_open = 0;
    REPORT_TRY(report_each_note(sweep->report, thread, take_note, sweep));
    if (sweep->n_ranges > 1)
        qsort(sweep->ranges, sweep->n_ranges, sizeof *sweep->ranges, by_end);
    REPORT_TRY(report_each_part(sweep->report, &only, NULL, NULL, &all));
    REPORT_TRY(report_status(enter_ranges(sweep, INT64_MAX, INT64_MIN)));
    for (size_t i = 0; i < sweep->n_ranges; i++)
        if (sweep->ranges[i].is_counted)
            add_to_row(sweep->times, &sweep->ranges[i]);
    return REPORT_OK;
}

static void sweep_clear(struct sweep *sweep)
{
    sw__free(sweep->ranges);
    sw__free(sweep->open);
    sw__index_table_clear(&sweep->row_table);
}

enum report_outcome range_times_build(const struct report *report, const struct report_filter *filter,
                                      struct report_totals *ret_totals, struct range_times *ret_times)
{
    struct range_times times SW__CLEANUP(range_times_clear) = { .rows = NULL };
    struct sweep sweep SW__CLEANUP(sweep_clear) = { .report = report, .filter = filter, .times = &times,
                                                   .totals = ret_totals };

    *ret_totals = (struct report_totals){ 0 };

    for (size_t i = 0; i < report->n_threads; i++)
        if (report_is_thread_selected(filter, &report->threads[i]))
            REPORT_TRY(sweep_thread(&sweep, &report->threads[i]));
    /* Threads may share their sums: they are accounted to once, not with each. */
    REPORT_TRY(report_account_sums(report, filter, ret_totals));
    *ret_times = times;
    times = (struct range_times){ .rows = NULL };
    return REPORT_OK;
}

void range_times_clear(struct range_times *times)
{
    sw__free(times->rows);
    *times = (struct range_times){ .rows = NULL };
}
