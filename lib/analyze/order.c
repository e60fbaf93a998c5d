/*
 * Orders of aggregates. The key's order is total; an order by column is stable
 * on top of it.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "analyze/order.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

/* UTF-8 compared by bytes is in the order of code points. */
static int by_name(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    return strcmp(a->dispatch->name, b->dispatch->name);
}

static int by_carrier(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    int order = strcmp(a->dispatch->carrier_module, b->dispatch->carrier_module);

    return order != 0 ? order : strcmp(a->dispatch->carrier_name, b->dispatch->carrier_name);
}

static int by_shapes(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    return strcmp(a->shape_text, b->shape_text);
}

#define DEFINE_NUMBER_ORDER(function, field)                                             \
    static int function(const struct sw__aggregate *a, const struct sw__aggregate *b)    \
    {                                                                                    \
        return (a->field > b->field) - (a->field < b->field);                            \
    }
DEFINE_NUMBER_ORDER(by_count, count)
DEFINE_NUMBER_ORDER(by_total, total_ns)
DEFINE_NUMBER_ORDER(by_self, self_total_ns)
DEFINE_NUMBER_ORDER(by_mean, mean_ns)
DEFINE_NUMBER_ORDER(by_min, min_ns)
DEFINE_NUMBER_ORDER(by_max, max_ns)
DEFINE_NUMBER_ORDER(by_first_seen, dispatch_index)
DEFINE_NUMBER_ORDER(by_p50, percentiles_ns[SW__P50])
DEFINE_NUMBER_ORDER(by_p95, percentiles_ns[SW__P95])
DEFINE_NUMBER_ORDER(by_p99, percentiles_ns[SW__P99])
DEFINE_NUMBER_ORDER(by_flops, flops)
DEFINE_NUMBER_ORDER(by_allocated, allocated_bytes)
DEFINE_NUMBER_ORDER(by_released, released_bytes)
DEFINE_NUMBER_ORDER(by_net, memory_bytes)
DEFINE_NUMBER_ORDER(by_self_net, self_memory_bytes)
DEFINE_NUMBER_ORDER(by_failures, failures)

/* No estimate is below any. */
static double flops_rate(const struct sw__aggregate *row)
{
    return row->flops != SW__FLOPS_NONE && row->flops_ns > 0 ? (double)row->flops / (double)row->flops_ns : -1.0;
}

static int by_flops_rate(const struct sw__aggregate *a, const struct sw__aggregate *b)
{
    return (flops_rate(a) > flops_rate(b)) - (flops_rate(a) < flops_rate(b));
}

sw__compare_rows *const sw__column_order[SW__N_ORDERS] = {
#define SW_COLUMN(enumerator, field, title, compare, format) compare,
#include "analyze/columns.def"
#undef SW_COLUMN
#define SW_ORDER(enumerator, field, compare) compare,
#include "analyze/orders.def"
#undef SW_ORDER
};

static int by_key(const void *a, const void *b)
{
    static sw__compare_rows *const parts[] = { by_name, by_carrier, by_shapes, by_first_seen };

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        int order = parts[i](a, b);
        if (order != 0)
            return order;
    }
    return 0;
}

void sw__sort_by_key(struct sw__aggregates *aggregates)
{
    if (aggregates->n_rows > 1)
        qsort(aggregates->rows, aggregates->n_rows, sizeof *aggregates->rows, by_key);
}

struct ordering {
    const struct sw__aggregate *rows;
    sw__compare_rows *compare;
    enum sw__direction direction;
};

static int by_column(const void *a, const void *b, void *argument)
{
    const struct ordering *ordering = argument;
    size_t left = *(const size_t *)a, right = *(const size_t *)b;
    int order = ordering->compare(&ordering->rows[left], &ordering->rows[right]);

    if (order == 0)
        return (left > right) - (left < right);
    return ordering->direction == SW__DESCENDING ? -order : order;
}

enum sw_status sw__aggregates_order(const struct sw__aggregates *aggregates, enum sw__column column,
                                    enum sw__direction direction, size_t **ret_order)
{
    struct ordering ordering = { aggregates->rows, sw__column_order[column], direction };
    size_t *order = sw__alloc(aggregates->n_rows * sizeof *order);

    if (order == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < aggregates->n_rows; i++)
        order[i] = i;
    if (aggregates->n_rows > 1)
        qsort_r(order, aggregates->n_rows, sizeof *order, by_column, &ordering);
    *ret_order = order;
    return SW_OK;
}
