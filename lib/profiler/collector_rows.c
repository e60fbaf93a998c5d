/*
 * From a collector's samples to one row per range.
 */
#include "config.h"

#include "profiler/collector.h"

#include <stdlib.h>

#include "base/alloc.h"

static int compare(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static int compare_inclusive(const void *a, const void *b)
{
    return compare(((const struct sw__range_sample *)a)->inclusive_ns,
                   ((const struct sw__range_sample *)b)->inclusive_ns);
}

static int compare_self(const void *a, const void *b)
{
    return compare(((const struct sw__range_sample *)a)->self_ns, ((const struct sw__range_sample *)b)->self_ns);
}

/* In extended precision: sums of nanoseconds leave the integers of a double after months only, but they do. */
static double middle(int64_t low, int64_t high)
{
    return (double)(((long double)low + (long double)high) / 2);
}

static void sum_up(struct sw__range_samples *samples, struct sw_host_range_row *row)
{
    const size_t low = (samples->n - 1) / 2, high = samples->n / 2;
    long double inclusive = 0, self = 0;

    for (size_t i = 0; i < samples->n; i++) {
        inclusive += (long double)samples->at[i].inclusive_ns;
        self += (long double)samples->at[i].self_ns;
    }
    row->count = samples->n;
    row->inclusive_mean = (double)(inclusive / (long double)samples->n);
    row->self_mean = (double)(self / (long double)samples->n);
    qsort(samples->at, samples->n, sizeof *samples->at, compare_inclusive);
    row->inclusive_median = middle(samples->at[low].inclusive_ns, samples->at[high].inclusive_ns);
    qsort(samples->at, samples->n, sizeof *samples->at, compare_self);
    row->self_median = middle(samples->at[low].self_ns, samples->at[high].self_ns);
}

enum sw_status sw__collector_rows(struct sw__collector *collector, struct sw_host_range_row **ret_rows,
                                  size_t *ret_n_rows)
{
    struct sw_host_range_row *rows SW__OWNED = NULL;
    size_t n = 0;

    for (size_t i = 0; i < SW_N_HOST_RANGES; i++)
        n += collector->ranges[i].n != 0;
    if (n != 0 && (rows = sw__alloc_zero(n * sizeof *rows)) == NULL)
        return SW_MEMORY_ERROR;
    *ret_n_rows = n;
    n = 0;
    for (size_t i = 0; i < SW_N_HOST_RANGES; i++) {
        if (collector->ranges[i].n == 0)
            continue;
        rows[n].range = (uint32_t)i;
        sum_up(&collector->ranges[i], &rows[n++]);
    }
    *ret_rows = sw__take(rows);
    return SW_OK;
}
