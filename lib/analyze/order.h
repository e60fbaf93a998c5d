/*
 * Orders of aggregates: by key, and by a column of the table.
 */
#ifndef ANALYZE_ORDER_H
#define ANALYZE_ORDER_H

#include "analyze/analyze.h"

/** Sort the rows into the key's ascending order. */
void sw__sort_by_key(struct sw__aggregates *aggregates);

/** < 0, 0, > 0 as @a comes before, with, after @b. */
typedef int sw__compare_rows(const struct sw__aggregate *a, const struct sw__aggregate *b);

/** Ascending orders, as enum sw__column has them. */
extern sw__compare_rows *const sw__column_order[SW__N_ORDERS];

#endif
