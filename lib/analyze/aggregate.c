/*
 * Aggregation. Dispatches are joined into groups (name, exact carrier class)
 * once; an event then costs an array look-up, or one hash look-up when shapes
 * are part of the key.
 */
#include "config.h"

#include <string.h>

#include "analyze/analyze.h"
#include "analyze/histogram.h"
#include "analyze/order.h"
#include "base/alloc.h"

/* An open hash table from a key's hash to an index below SW__ANALYZE_NONE. */
struct index_table {
    uint32_t *slots;
    size_t mask;
};

struct row {
    uint32_t group;  /* index of the first dispatch of the group */
    uint32_t shapes; /* index of the first equal shape list */
    struct sw__aggregate sums;
    struct sw__histogram *durations; /* NULL unless percentiles are wanted */
};

struct sw__aggregation {
    const struct sw__analyze_names *names;
    enum sw__grouping grouping;
    int wants_percentiles;
    uint32_t *groups;       /* dispatch -> first dispatch of its group */
    uint32_t *lists;        /* shape list -> first equal one; NULL unless grouped by shapes */
    uint32_t *row_of_group; /* used when not grouped by shapes */
    struct index_table row_table; /* used when grouped by shapes */
    struct row *rows;
    size_t n_rows;
    size_t capacity;
};

static enum sw_status table_new(struct index_table *table, size_t n_keys)
{
    size_t n_slots = 16;

    while (n_slots / 2 < n_keys)
        n_slots *= 2;
    uint32_t *slots = sw__alloc(n_slots * sizeof *slots);
    if (slots == NULL)
        return SW_MEMORY_ERROR;
    memset(slots, 0xff, n_slots * sizeof *slots); /* SW__ANALYZE_NONE everywhere */
    table->slots = slots;
    table->mask = n_slots - 1;
    return SW_OK;
}

static void table_clear(struct index_table *table)
{
    sw__free(table->slots);
}

static uint64_t hash_dispatch(const struct sw__analyze_dispatch *dispatch)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ dispatch->carrier;

    for (const char *c = dispatch->name; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    return hash ^ (hash >> 29);
}

static enum sw_status join_dispatches(const struct sw__analyze_names *names, uint32_t *groups)
{
    struct index_table table SW__CLEANUP(table_clear) = { NULL, 0 };

    SW__TRY(table_new(&table, names->n_dispatches));
    for (size_t i = 0; i < names->n_dispatches; i++) {
        const struct sw__analyze_dispatch *dispatch = &names->dispatches[i];
        size_t slot = hash_dispatch(dispatch) & table.mask;
        for (; table.slots[slot] != SW__ANALYZE_NONE; slot = (slot + 1) & table.mask) {
            const struct sw__analyze_dispatch *other = &names->dispatches[table.slots[slot]];
            if (other->carrier == dispatch->carrier && strcmp(other->name, dispatch->name) == 0)
                break;
        }
        if (table.slots[slot] == SW__ANALYZE_NONE)
            table.slots[slot] = (uint32_t)i;
        groups[i] = table.slots[slot];
    }
    return SW_OK;
}

static enum sw_status join_shapes(const struct sw__analyze_names *names, uint32_t *lists)
{
    struct index_table table SW__CLEANUP(table_clear) = { NULL, 0 };

    SW__TRY(table_new(&table, names->n_shapes));
    for (size_t i = 0; i < names->n_shapes; i++) {
        size_t slot = sw__analyze_shapes_hash(&names->shapes[i]) & table.mask;
        while (table.slots[slot] != SW__ANALYZE_NONE &&
               !sw__analyze_shapes_equal(&names->shapes[table.slots[slot]], &names->shapes[i]))
            slot = (slot + 1) & table.mask;
        if (table.slots[slot] == SW__ANALYZE_NONE)
            table.slots[slot] = (uint32_t)i;
        lists[i] = table.slots[slot];
    }
    return SW_OK;
}

static enum sw_status prepare(struct sw__aggregation *aggregation)
{
    const struct sw__analyze_names *names = aggregation->names;

    if (names->n_dispatches >= SW__ANALYZE_NONE || names->n_shapes >= SW__ANALYZE_NONE)
        return sw_error_set(SW_OVERFLOW_ERROR, "more names than can be numbered");
    aggregation->groups = sw__alloc(names->n_dispatches * sizeof *aggregation->groups);
    aggregation->row_of_group = sw__alloc(names->n_dispatches * sizeof *aggregation->row_of_group);
    if (aggregation->groups == NULL || aggregation->row_of_group == NULL)
        return SW_MEMORY_ERROR;
    memset(aggregation->row_of_group, 0xff, names->n_dispatches * sizeof *aggregation->row_of_group);
    SW__TRY(join_dispatches(names, aggregation->groups));
    if (aggregation->grouping != SW__GROUP_BY_SHAPES)
        return SW_OK;
    aggregation->lists = sw__alloc(names->n_shapes * sizeof *aggregation->lists);
    if (aggregation->lists == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(join_shapes(names, aggregation->lists));
    return table_new(&aggregation->row_table, 64);
}

enum sw_status sw__aggregation_new(const struct sw__analyze_names *names, enum sw__grouping grouping,
                                   struct sw__aggregation **ret_aggregation)
{
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = sw__alloc_zero(sizeof *aggregation);

    if (aggregation == NULL)
        return SW_MEMORY_ERROR;
    aggregation->names = names;
    aggregation->grouping = grouping;
    SW__TRY(prepare(aggregation));
    *ret_aggregation = sw__take(aggregation);
    return SW_OK;
}

void sw__aggregation_free(struct sw__aggregation *aggregation)
{
    if (aggregation == NULL)
        return;
    sw__free(aggregation->groups);
    sw__free(aggregation->lists);
    sw__free(aggregation->row_of_group);
    table_clear(&aggregation->row_table);
    for (size_t i = 0; i < aggregation->n_rows; i++)
        sw__histogram_free(aggregation->rows[i].durations);
    sw__free(aggregation->rows);
    sw__free(aggregation);
}

void sw__aggregation_want_percentiles(struct sw__aggregation *aggregation)
{
    aggregation->wants_percentiles = 1;
}

static uint64_t hash_key(uint32_t group, uint32_t shapes)
{
    uint64_t hash = (((uint64_t)group << 32) | shapes) * UINT64_C(0x9e3779b97f4a7c15);

    return hash ^ (hash >> 32);
}

static enum sw_status new_row(struct sw__aggregation *aggregation, uint32_t group, uint32_t shapes, uint32_t *ret_row)
{
    if (aggregation->n_rows == aggregation->capacity) {
        size_t capacity = aggregation->capacity != 0 ? aggregation->capacity * 2 : 64;
        struct row *rows = sw__realloc(aggregation->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return SW_MEMORY_ERROR;
        aggregation->rows = rows;
        aggregation->capacity = capacity;
    }
    aggregation->rows[aggregation->n_rows] = (struct row){
        .group = group,
        .shapes = shapes,
        .sums = { .min_ns = INT64_MAX, .max_ns = INT64_MIN },
    };
    *ret_row = (uint32_t)aggregation->n_rows++;
    if (aggregation->wants_percentiles)
        return sw__histogram_new(&aggregation->rows[*ret_row].durations);
    return SW_OK;
}

static void enter_row(const struct sw__aggregation *aggregation, struct index_table *table, uint32_t row)
{
    const struct row *of = &aggregation->rows[row];
    size_t slot = hash_key(of->group, of->shapes) & table->mask;

    while (table->slots[slot] != SW__ANALYZE_NONE)
        slot = (slot + 1) & table->mask;
    table->slots[slot] = row;
}

/* Twice the slots once the table is half full. */
static enum sw_status grow_row_table(struct sw__aggregation *aggregation)
{
    struct index_table larger;

    if (aggregation->n_rows * 2 <= aggregation->row_table.mask)
        return SW_OK;
    SW__TRY(table_new(&larger, aggregation->row_table.mask + 1));
    for (size_t row = 0; row < aggregation->n_rows; row++)
        enter_row(aggregation, &larger, (uint32_t)row);
    table_clear(&aggregation->row_table);
    aggregation->row_table = larger;
    return SW_OK;
}

static enum sw_status find_shaped_row(struct sw__aggregation *aggregation, uint32_t group, uint32_t shapes,
                                      uint32_t *ret_row)
{
    const struct index_table *table = &aggregation->row_table;

    for (size_t slot = hash_key(group, shapes) & table->mask; table->slots[slot] != SW__ANALYZE_NONE;
         slot = (slot + 1) & table->mask) {
        const struct row *row = &aggregation->rows[table->slots[slot]];
        if (row->group == group && row->shapes == shapes) {
            *ret_row = table->slots[slot];
            return SW_OK;
        }
    }
    SW__TRY(grow_row_table(aggregation));
    SW__TRY(new_row(aggregation, group, shapes, ret_row));
    enter_row(aggregation, &aggregation->row_table, *ret_row);
    return SW_OK;
}

static enum sw_status find_row(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                               uint32_t *ret_row)
{
    const struct sw__analyze_names *names = aggregation->names;

    if (dispatch >= names->n_dispatches)
        return sw_error_set(SW_VALUE_ERROR, "an event refers to operation %u of %zu", (unsigned)dispatch,
                            names->n_dispatches);
    uint32_t group = aggregation->groups[dispatch];
    if (aggregation->grouping == SW__GROUP_BY_SHAPES) {
        if (shapes == SW__ANALYZE_NONE)
            return find_shaped_row(aggregation, group, SW__ANALYZE_NONE, ret_row);
        if (shapes >= names->n_shapes)
            return sw_error_set(SW_VALUE_ERROR, "an event refers to shape list %u of %zu", (unsigned)shapes,
                                names->n_shapes);
        return find_shaped_row(aggregation, group, aggregation->lists[shapes], ret_row);
    }
    if (aggregation->row_of_group[group] == SW__ANALYZE_NONE)
        SW__TRY(new_row(aggregation, group, SW__ANALYZE_NONE, &aggregation->row_of_group[group]));
    *ret_row = aggregation->row_of_group[group];
    return SW_OK;
}

static void add_saturating(int64_t *sum, int64_t value, int *saturated)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = value < 0 ? INT64_MIN : INT64_MAX;
        *saturated = 1;
    }
}

static void add_to_row(struct sw__aggregate *sums, const struct sw__analyze_event *event)
{
    sums->count++;
    sums->failures += (event->flags & SW__ANALYZE_SUCCEEDED) == 0;
    add_saturating(&sums->total_ns, event->duration_ns, &sums->saturated);
    add_saturating(&sums->self_total_ns, event->self_ns, &sums->saturated);
    if (event->duration_ns < sums->min_ns)
        sums->min_ns = event->duration_ns;
    if (event->duration_ns > sums->max_ns) {
        sums->max_ns = event->duration_ns;
        sums->max_start_ns = event->start_ns;
    }
}

static uint64_t add_counts(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void merge(struct sw__aggregate *sums, const struct sw__aggregate *more)
{
    sums->count = add_counts(sums->count, more->count);
    sums->failures = add_counts(sums->failures, more->failures);
    sums->saturated |= more->saturated;
    add_saturating(&sums->total_ns, more->total_ns, &sums->saturated);
    add_saturating(&sums->self_total_ns, more->self_total_ns, &sums->saturated);
    if (more->min_ns < sums->min_ns)
        sums->min_ns = more->min_ns;
    if (more->max_ns > sums->max_ns) {
        sums->max_ns = more->max_ns;
        sums->max_start_ns = more->max_start_ns;
    }
}

enum sw_status sw__aggregation_add_sums(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                                        const struct sw__aggregate *sums)
{
    uint32_t row = 0;

    if (sums->count == 0)
        return SW_OK;
    SW__TRY(find_row(aggregation, dispatch, shapes, &row));
    merge(&aggregation->rows[row].sums, sums);
    return SW_OK;
}

enum sw_status sw__aggregation_add_duration(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                                            int64_t duration_ns, uint64_t count)
{
    uint32_t row = 0;

    if (!aggregation->wants_percentiles)
        return SW_OK;
    SW__TRY(find_row(aggregation, dispatch, shapes, &row));
    return sw__histogram_add(aggregation->rows[row].durations, duration_ns, count);
}

enum sw_status sw__aggregation_add(struct sw__aggregation *aggregation,
                                   const struct sw__analyze_event *events, size_t n_events)
{
    for (size_t i = 0; i < n_events; i++) {
        uint32_t row = 0;
        if (events[i].flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))
            continue;
        SW__TRY(find_row(aggregation, events[i].dispatch, events[i].shapes, &row));
        add_to_row(&aggregation->rows[row].sums, &events[i]);
        if (aggregation->wants_percentiles)
            SW__TRY(sw__histogram_add(aggregation->rows[row].durations, events[i].duration_ns, 1));
    }
    return SW_OK;
}

/* The middle of a counter may lie beyond what really occurred. */
static int64_t clamp(int64_t value, const struct sw__aggregate *row)
{
    return value < row->min_ns ? row->min_ns : value > row->max_ns ? row->max_ns : value;
}

static void complete_percentiles(const struct row *row, struct sw__aggregate *aggregate)
{
    static const unsigned percents[SW__N_PERCENTILES] = {
#define SW_PERCENTILE(percent) percent,
#include "analyze/percentiles.def"
#undef SW_PERCENTILE
    };

    if (row->durations == NULL)
        return;
    aggregate->n_measured = sw__histogram_count(row->durations);
    if (aggregate->n_measured == 0)
        return;
    for (size_t i = 0; i < SW__N_PERCENTILES; i++)
        aggregate->percentiles_ns[i] = clamp(sw__histogram_percentile(row->durations, percents[i]), aggregate);
}

static enum sw_status merge_row(const struct row *from, struct row *to)
{
    merge(&to->sums, &from->sums);
    if (from->durations == NULL || to->durations == NULL)
        return SW_OK;
    return sw__histogram_merge(to->durations, from->durations);
}

enum sw_status sw__aggregation_merge(struct sw__aggregation *aggregation, const struct sw__aggregation *more)
{
    for (size_t i = 0; i < more->n_rows; i++) {
        const struct row *from = &more->rows[i];
        uint32_t row = 0;
        SW__TRY(find_row(aggregation, from->group, from->shapes, &row));
        SW__TRY(merge_row(from, &aggregation->rows[row]));
    }
    return SW_OK;
}

/* The text of a shape list, made at its first use: many rows may have the same long one. */
static enum sw_status find_shape_text(const struct sw__aggregation *aggregation, struct sw__aggregates *aggregates,
                                      uint32_t shapes, const char **ret_text)
{
    size_t n_lists = aggregates->n_shape_texts - 1; /* behind them: the text of none */
    char **text = &aggregates->shape_texts[shapes != SW__ANALYZE_NONE ? shapes : n_lists];

    if (*text == NULL)
        SW__TRY(sw__analyze_shapes_format(shapes != SW__ANALYZE_NONE ? &aggregation->names->shapes[shapes] : NULL,
                                          text));
    *ret_text = *text;
    return SW_OK;
}

static enum sw_status complete_row(const struct sw__aggregation *aggregation, const struct row *row,
                                   struct sw__aggregates *aggregates)
{
    struct sw__aggregate *aggregate = &aggregates->rows[aggregates->n_rows];

    *aggregate = row->sums;
    aggregate->dispatch = &aggregation->names->dispatches[row->group];
    aggregate->dispatch_index = row->group;
    aggregate->shapes = row->shapes;
    aggregate->mean_ns = (double)aggregate->total_ns / (double)aggregate->count;
    complete_percentiles(row, aggregate);
    return find_shape_text(aggregation, aggregates, row->shapes, &aggregate->shape_text);
}

enum sw_status sw__aggregation_rows(const struct sw__aggregation *aggregation, struct sw__aggregates **ret_aggregates)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = sw__alloc_zero(sizeof *aggregates);
    size_t n_lists = aggregation->grouping == SW__GROUP_BY_SHAPES ? aggregation->names->n_shapes : 0;

    if (aggregates == NULL)
        return SW_MEMORY_ERROR;
    aggregates->grouping = aggregation->grouping;
    aggregates->rows = sw__alloc_zero(aggregation->n_rows * sizeof *aggregates->rows);
    aggregates->shape_texts = sw__alloc_zero((n_lists + 1) * sizeof *aggregates->shape_texts);
    if (aggregates->rows == NULL || aggregates->shape_texts == NULL)
        return SW_MEMORY_ERROR;
    aggregates->n_shape_texts = n_lists + 1;
    for (; aggregates->n_rows < aggregation->n_rows; aggregates->n_rows++)
        SW__TRY(complete_row(aggregation, &aggregation->rows[aggregates->n_rows], aggregates));
    sw__sort_by_key(aggregates);
    *ret_aggregates = sw__take(aggregates);
    return SW_OK;
}

void sw__aggregates_free(struct sw__aggregates *aggregates)
{
    if (aggregates == NULL)
        return;
    for (size_t i = 0; i < aggregates->n_shape_texts; i++)
        sw__free(aggregates->shape_texts[i]);
    sw__free(aggregates->shape_texts);
    sw__free(aggregates->rows);
    sw__free(aggregates);
}
