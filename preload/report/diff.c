/*
 * From runs to rows: what the runs say of each operation is sorted together,
 * summed up per side and tested.
 */
#include "config.h"

#include "report/diff.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rank_test.h"
#include "base/alloc.h"

/* What one run says of one operation. Classes of equal names in one run are told apart by the order of their sight. */
struct entry {
    const struct sw__aggregate *aggregate;
    size_t twin; /* rows of the run with the same texts before this one */
    enum diff_side side;
};

const char *diff_verdict_name(enum diff_verdict verdict)
{
    static const char *const names[] = {
#define DIFF_VERDICT(enumerator, name) name,
#include "report/diff_verdict.def"
#undef DIFF_VERDICT
    };

    return names[verdict];
}

enum report_outcome diff_add(struct diff *diff, enum diff_side side, const char *path, enum sw__grouping grouping,
                             const char *carriers)
{
    const struct report_filter filter = { .carriers = carriers };
    struct diff_run *runs = sw__realloc(diff->runs[side], (diff->n_runs[side] + 1) * sizeof *runs);

    if (runs == NULL)
        return REPORT_SYSTEM;
    diff->runs[side] = runs;
    struct diff_run *run = &runs[diff->n_runs[side]];
    *run = (struct diff_run){ .report = NULL };
    REPORT_TRY(report_open(path, &run->report));
    diff->n_runs[side]++;
    return report_aggregate_percentiles(run->report, &filter, grouping, &run->aggregates, &run->totals);
}

static void clear_side(struct diff *diff, enum diff_side side)
{
    for (size_t i = 0; i < diff->n_runs[side]; i++) {
        sw__aggregates_free(diff->runs[side][i].aggregates);
        report_close(diff->runs[side][i].report);
    }
    sw__free(diff->runs[side]);
}

void diff_clear(struct diff *diff)
{
    clear_side(diff, DIFF_BEFORE);
    clear_side(diff, DIFF_AFTER);
    sw__free(diff->rows);
    *diff = (struct diff){ .n_rows = 0 };
}

/* Operations of different runs are the same when their texts are. */
static int compare_keys(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    const struct sw__analyze_dispatch *left = a->dispatch, *right = b->dispatch;
    int order = strcmp(left->name, right->name);

    if (order == 0)
        order = strcmp(left->carrier_module, right->carrier_module);
    if (order == 0)
        order = strcmp(left->carrier_name, right->carrier_name);
    return order != 0 ? order : strcmp(a->shape_text, b->shape_text);
}

static int compare_operations(const struct entry *left, const struct entry *right)
{
    int order = compare_keys(left->aggregate, right->aggregate);

    return order != 0 ? order : (left->twin > right->twin) - (left->twin < right->twin);
}

static int by_operation(const void *a, const void *b)
{
    const struct entry *left = a, *right = b;
    int order = compare_operations(left, right);

    return order != 0 ? order : (left->side > right->side) - (left->side < right->side);
}

/* The entries of one run, whose rows come by key; how many. */
static size_t add_run(const struct sw__aggregates *aggregates, enum diff_side side, struct entry *entries)
{
    for (size_t i = 0; i < aggregates->n_rows; i++) {
        const struct sw__aggregate *row = &aggregates->rows[i];
        int has_twin = i > 0 && compare_keys(row, row - 1) == 0;
        entries[i] = (struct entry){ row, has_twin ? entries[i - 1].twin + 1 : 0, side };
    }
    return aggregates->n_rows;
}

static enum report_outcome gather(const struct diff *diff, struct entry **ret_entries, size_t *ret_n)
{
    size_t n = 0, at = 0;

    for (int side = 0; side < N_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->n_runs[side]; i++)
            n += diff->runs[side][i].aggregates->n_rows;
    struct entry *entries = sw__alloc((n + 1) * sizeof *entries);
    if (entries == NULL)
        return REPORT_SYSTEM;
    for (int side = 0; side < N_DIFF_SIDES; side++)
        for (size_t i = 0; i < diff->n_runs[side]; i++)
            at += add_run(diff->runs[side][i].aggregates, (enum diff_side)side, entries + at);
    if (n > 1)
        qsort(entries, n, sizeof *entries, by_operation);
    *ret_entries = entries;
    *ret_n = n;
    return REPORT_OK;
}

/* ---- Numbers of a side -------------------------------------------------------------------------- */

typedef double read_number(const struct sw__aggregate *aggregate);

static double read_calls(const struct sw__aggregate *aggregate)
{
    return (double)aggregate->count;
}

static double read_total(const struct sw__aggregate *aggregate)
{
    return (double)aggregate->total_ns;
}

static double read_self(const struct sw__aggregate *aggregate)
{
    return (double)aggregate->self_total_ns;
}

static double read_self_mean(const struct sw__aggregate *aggregate)
{
    return aggregate->count > 0 ? (double)aggregate->self_total_ns / (double)aggregate->count : 0;
}

static double read_median(const struct sw__aggregate *aggregate)
{
    return (double)aggregate->percentiles_ns[SW__P50];
}

static double read_p95(const struct sw__aggregate *aggregate)
{
    return (double)aggregate->percentiles_ns[SW__P95];
}

static int by_size(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;

    return (left > right) - (left < right);
}

static void read_all(const struct entry *entries, size_t n, read_number *read, double *ret_values)
{
    for (size_t i = 0; i < n; i++)
        ret_values[i] = read(entries[i].aggregate);
}

/* @values has room for @n. */
static double median_of(const struct entry *entries, size_t n, read_number *read, double *values)
{
    read_all(entries, n, read, values);
    qsort(values, n, sizeof *values, by_size);
    return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

static struct diff_numbers sum_up(const struct entry *entries, size_t n, double *values)
{
    if (n == 0)
        return (struct diff_numbers){ .n_runs = 0 };
    return (struct diff_numbers){
        .n_runs = n,
        .calls = median_of(entries, n, read_calls, values),
        .total_ns = median_of(entries, n, read_total, values),
        .self_ns = median_of(entries, n, read_self, values),
        .self_mean_ns = median_of(entries, n, read_self_mean, values),
        .median_ns = median_of(entries, n, read_median, values),
        .p95_ns = median_of(entries, n, read_p95, values),
    };
}

/* ---- Rows --------------------------------------------------------------------------------------- */

/* The entries of one operation, those before the change first. */
struct group {
    const struct entry *entries;
    size_t n[N_DIFF_SIDES];
};

static enum report_outcome test(const struct group *group, read_number *read, double *values, double *ret_p)
{
    size_t n_before = group->n[DIFF_BEFORE], n_after = group->n[DIFF_AFTER];

    *ret_p = 1;
    if (n_before == 0 || n_after == 0)
        return REPORT_OK;
    read_all(group->entries, n_before + n_after, read, values);
    return report_status(sw__rank_test(values, n_before, values + n_before, n_after, ret_p));
}

static enum report_outcome make_row(const struct group *group, double *values, struct diff_row *ret_row)
{
    struct diff_row row = {
        .aggregate = group->entries[0].aggregate,
        .numbers = { sum_up(group->entries, group->n[DIFF_BEFORE], values),
                     sum_up(group->entries + group->n[DIFF_BEFORE], group->n[DIFF_AFTER], values) },
    };

    row.change_ns = row.numbers[DIFF_AFTER].self_ns - row.numbers[DIFF_BEFORE].self_ns;
    REPORT_TRY(test(group, read_self_mean, values, &row.self_p));
    REPORT_TRY(test(group, read_median, values, &row.median_p));
    *ret_row = row;
    return REPORT_OK;
}

static size_t take_group(const struct entry *entries, size_t n, struct group *ret_group)
{
    struct group group = { entries, { 0, 0 } };
    size_t i = 0;

    for (; i < n && compare_operations(&entries[i], &entries[0]) == 0; i++)
        group.n[entries[i].side]++;
    *ret_group = group;
    return i;
}

static enum report_outcome make_rows(struct diff *diff, const struct entry *entries, size_t n)
{
    double *values SW__OWNED = sw__alloc((n + 1) * sizeof *values);

    diff->rows = sw__alloc((n + 1) * sizeof *diff->rows);
    if (values == NULL || diff->rows == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n;) {
        struct group group;
        i += take_group(entries + i, n - i, &group);
        REPORT_TRY(make_row(&group, values, &diff->rows[diff->n_rows++]));
    }
    return REPORT_OK;
}

/* Two tests for each operation that there is on both sides. */
static enum report_outcome adjust(struct diff *diff)
{
    double *p SW__OWNED = sw__alloc((2 * diff->n_rows + 1) * sizeof *p);
    size_t n = 0;

    if (p == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < diff->n_rows; i++) {
        if (!diff_has_both(&diff->rows[i]))
            continue;
        p[n++] = diff->rows[i].self_p;
        p[n++] = diff->rows[i].median_p;
    }
    REPORT_TRY(report_status(sw__holm_adjust(p, n)));
    diff->n_tests = n;
    for (size_t i = diff->n_rows; i-- > 0;) {
        if (!diff_has_both(&diff->rows[i]))
            continue;
        diff->rows[i].median_p = p[--n];
        diff->rows[i].self_p = p[--n];
    }
    return REPORT_OK;
}

static double change(double before, double after)
{
    if (before > 0)
        return 100 * (after - before) / before;
    return after > 0 ? HUGE_VAL : 0;
}

/* Whether samples of these sizes could differ by more than chance explains. */
static int can_tell(const struct diff *diff, size_t n_before, size_t n_after)
{
    return sw__rank_test_least(n_before, n_after) * (double)diff->n_tests < DIFF_LEVEL;
}

static enum diff_verdict judge(const struct diff *diff, const struct diff_row *row)
{
    const struct diff_numbers *before = &row->numbers[DIFF_BEFORE], *after = &row->numbers[DIFF_AFTER];

    if (before->n_runs == 0)
        return DIFF_NEW;
    if (after->n_runs == 0)
        return DIFF_GONE;
    if (row->self_p < DIFF_LEVEL)
        return after->self_mean_ns > before->self_mean_ns ? DIFF_SLOWER : DIFF_FASTER;
    if (row->median_p >= DIFF_LEVEL)
        return can_tell(diff, before->n_runs, after->n_runs) ? DIFF_SAME : DIFF_UNTOLD;
    int calls_others = after->self_ns < after->total_ns || before->self_ns < before->total_ns;
    if (after->median_ns > before->median_ns)
        return calls_others ? DIFF_SLOWER_INSIDE : DIFF_SLOWER;
    return calls_others ? DIFF_FASTER_INSIDE : DIFF_FASTER;
}

double diff_change_percent(const struct diff_row *row)
{
    const struct diff_numbers *before = &row->numbers[DIFF_BEFORE], *after = &row->numbers[DIFF_AFTER];

    if (row->verdict != DIFF_UNTOLD && row->self_p >= DIFF_LEVEL && row->median_p < DIFF_LEVEL)
        return change(before->median_ns, after->median_ns);
    return change(before->self_mean_ns, after->self_mean_ns);
}

size_t diff_least_runs(const struct diff *diff)
{
    size_t n = 2;

    while (sw__rank_test_least(n, n) * (double)diff->n_tests >= DIFF_LEVEL)
        n++;
    return n;
}

static int by_change(const void *a, const void *b)
{
    const struct diff_row *left = a, *right = b;
    double left_size = fabs(left->change_ns), right_size = fabs(right->change_ns);

    if ((left->verdict == DIFF_SAME) != (right->verdict == DIFF_SAME))
        return left->verdict == DIFF_SAME ? 1 : -1;
    if (left_size < right_size || right_size < left_size)
        return left_size > right_size ? -1 : 1;
    return compare_keys(left->aggregate, right->aggregate);
}

enum report_outcome diff_compare(struct diff *diff)
{
    struct entry *entries SW__OWNED = NULL;
    size_t n = 0;

    REPORT_TRY(gather(diff, &entries, &n));
    REPORT_TRY(make_rows(diff, entries, n));
    REPORT_TRY(adjust(diff));
    diff->can_tell = can_tell(diff, diff->n_runs[DIFF_BEFORE], diff->n_runs[DIFF_AFTER]);
    for (size_t i = 0; i < diff->n_rows; i++)
        diff->rows[i].verdict = judge(diff, &diff->rows[i]);
    if (diff->n_rows > 1)
        qsort(diff->rows, diff->n_rows, sizeof *diff->rows, by_change);
    return REPORT_OK;
}
