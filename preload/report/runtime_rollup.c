/*
 * Timings of a runtime trace.
 */
#include "config.h"

#include "report/runtime_rollup.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"

/* Sums of 64 bits each, of fewer than 2^64, fit. */
typedef unsigned __int128 sum_ns;

static void add_duration(struct runtime_timing *timing, sum_ns *sum, uint64_t duration_ns)
{
    if (timing->n_samples == 0 || duration_ns < timing->min_ns)
        timing->min_ns = duration_ns;
    if (duration_ns > timing->max_ns)
        timing->max_ns = duration_ns;
    timing->n_samples++;
    *sum += duration_ns;
    timing->avg_ns = (uint64_t)(*sum / timing->n_samples);
}

/* By static id; of one, in the order of the trace. */
static int by_static_id(const void *left, const void *right)
{
    const struct sw__trace_operation *a = *(const struct sw__trace_operation *const *)left;
    const struct sw__trace_operation *b = *(const struct sw__trace_operation *const *)right;
    int order = a->static_id == b->static_id ? 0 : strcmp(a->static_id, b->static_id);

    return order != 0 ? order : (a > b) - (a < b);
}

enum report_outcome runtime_time_operations(const struct runtime_trace *trace, struct runtime_rows *ret_rows)
{
    size_t n = trace->operations.n_items, n_timed = 0, n_rows = 0;
    const struct sw__trace_operation **timed SW__OWNED = sw__alloc((n + 1) * sizeof *timed);
    struct runtime_row *rows SW__OWNED = sw__alloc((n + 1) * sizeof *rows);
    sum_ns sum = 0;

    if (timed == NULL || rows == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n; i++)
        if (trace->operations.items[i].static_id != NULL && trace->operations.items[i].duration_ns.is_there)
            timed[n_timed++] = &trace->operations.items[i];
    qsort(timed, n_timed, sizeof *timed, by_static_id);
    for (size_t i = 0; i < n_timed; i++) {
        if (i == 0 || timed[i]->static_id != timed[i - 1]->static_id) {
            rows[n_rows++] = (struct runtime_row){ timed[i]->static_id, NULL, timed[i]->op, timed[i]->source, { 0 } };
            sum = 0;
        }
        add_duration(&rows[n_rows - 1].timing, &sum, timed[i]->duration_ns.value);
    }
    *ret_rows = (struct runtime_rows){ sw__take(rows), n_rows };
    return REPORT_OK;
}

enum report_outcome runtime_time_edges(const struct runtime_trace *trace, struct runtime_rows *ret_rows)
{
    size_t n = trace->edges.n_items, n_rows = 0;
    struct runtime_row *rows SW__OWNED = sw__alloc((n + 1) * sizeof *rows);
    sum_ns sum = 0;

    if (rows == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n; i++) { /* they are ordered so already */
        const struct sw__trace_edge *edge = &trace->edges.items[i];
        if (i == 0 || edge->from != edge[-1].from || edge->to != edge[-1].to) {
            rows[n_rows++] = (struct runtime_row){ edge->from, edge->to, NULL, NULL, { 0 } };
            sum = 0;
        }
        add_duration(&rows[n_rows - 1].timing, &sum, edge->duration_ns);
    }
    *ret_rows = (struct runtime_rows){ sw__take(rows), n_rows };
    return REPORT_OK;
}

struct sw__trace_count runtime_mean_ns(const struct runtime_trace *trace)
{
    uint64_t sum = 0, n = 0;

    for (size_t i = 0; i < trace->operations.n_items; i++) {
        const struct sw__trace_count *duration_ns = &trace->operations.items[i].duration_ns;
        if (!duration_ns->is_there)
            continue;
        n++;
        sw__add_saturating(&sum, duration_ns->value);
    }
    return n > 0 ? SW__TRACE_COUNT(sum / n) : (struct sw__trace_count){ 0, 0 };
}

void runtime_rows_clear(struct runtime_rows *rows)
{
    sw__free(rows->rows);
    *rows = (struct runtime_rows){ NULL, 0 };
}
