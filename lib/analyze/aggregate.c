/*
 * Aggregation. Dispatches are joined into groups (name, exact carrier class)
 * once; an event then costs an array look-up, or one hash look-up when more
 * than that is part of the key.
 */
#include "config.h"

#include <string.h>

#include "analyze/analyze.h"
#include "analyze/flops.h"
#include "analyze/histogram.h"
#include "analyze/index_table.h"
#include "analyze/join.h"
#include "analyze/order.h"
#include "base/alloc.h"

/* What rows are told apart by. */
struct row_key {
    uint32_t group;  /* index of the first dispatch of the group */
    uint32_t shapes; /* index of the first equal shape list */
    uint32_t stack;  /* index of the first stack with the same innermost entries */
    int64_t node_id;
};

struct row {
    struct row_key key;
    struct sw__aggregate sums;
    struct sw__histogram *durations; /* NULL unless percentiles are wanted */
};

struct sw__aggregation {
    const struct sw__analyze_names *names;
    enum sw__grouping grouping;
    int wants_percentiles;
    struct sw__flops *flops; /* NULL unless estimates are wanted */
    int borrows_keys;       /* the next three are another one's */
    uint32_t *groups;       /* dispatch -> first dispatch of its group */
    uint32_t *lists;        /* shape list -> first equal one; NULL unless grouped by shapes */
    uint32_t *stacks;       /* stack -> first one of the same innermost entries; NULL unless grouped by them */
    uint32_t *row_of_group; /* of keys that are nothing but a group */
    struct sw__index_table row_table; /* of the others */
    struct row *rows;
    size_t n_rows;
    size_t capacity;
};

static enum sw_status make_rows_of_groups(struct sw__aggregation *aggregation)
{
    size_t n_bytes = aggregation->names->n_dispatches * sizeof *aggregation->row_of_group;

    aggregation->row_of_group = sw__alloc(n_bytes);
    if (aggregation->row_of_group == NULL)
        return SW_MEMORY_ERROR;
    memset(aggregation->row_of_group, 0xff, n_bytes); /* SW__ANALYZE_NONE */
    return SW_OK;
}

static enum sw_status prepare(struct sw__aggregation *aggregation)
{
    const struct sw__analyze_names *names = aggregation->names;

    if (names->n_dispatches >= SW__ANALYZE_NONE || names->n_shapes >= SW__ANALYZE_NONE)
        return sw_error_set(SW_OVERFLOW_ERROR, "more names than can be numbered");
    SW__TRY(make_rows_of_groups(aggregation));
    SW__TRY(sw__join_dispatches(names, aggregation->grouping, &aggregation->groups));
    return aggregation->grouping & SW__GROUP_BY_SHAPES ? sw__join_shapes(names, &aggregation->lists) : SW_OK;
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
    if (!aggregation->borrows_keys) {
        sw__free(aggregation->groups);
        sw__free(aggregation->lists);
        sw__free(aggregation->stacks);
    }
    sw__free(aggregation->row_of_group);
    sw__index_table_clear(&aggregation->row_table);
    for (size_t i = 0; i < aggregation->n_rows; i++)
        sw__histogram_free(aggregation->rows[i].durations);
    sw__free(aggregation->rows);
    sw__flops_free(aggregation->flops);
    sw__free(aggregation);
}

enum sw_status sw__aggregation_want(struct sw__aggregation *aggregation, unsigned wants)
{
    aggregation->wants_percentiles = (wants & SW__WANT_PERCENTILES) != 0;
    return wants & SW__WANT_FLOPS ? sw__flops_new(aggregation->names, &aggregation->flops) : SW_OK;
}

enum sw_status sw__aggregation_group_by_stack(struct sw__aggregation *aggregation, size_t n_entries)
{
    return sw__join_stacks(aggregation->names, n_entries, &aggregation->stacks);
}

enum sw_status sw__aggregation_new_alike(const struct sw__aggregation *aggregation,
                                         struct sw__aggregation **ret_alike)
{
    struct sw__aggregation *alike SW__OWNED_AGGREGATION = sw__alloc(sizeof *alike);

    if (alike == NULL)
        return SW_MEMORY_ERROR;
    *alike = (struct sw__aggregation){
        .names = aggregation->names,
        .grouping = aggregation->grouping,
        .wants_percentiles = aggregation->wants_percentiles,
        .borrows_keys = 1,
        .groups = aggregation->groups,
        .lists = aggregation->lists,
        .stacks = aggregation->stacks,
    };
    SW__TRY(make_rows_of_groups(alike));
    if (aggregation->flops != NULL)
        SW__TRY(sw__flops_new(alike->names, &alike->flops));
    *ret_alike = sw__take(alike);
    return SW_OK;
}

static enum sw_status new_row(struct sw__aggregation *aggregation, const struct row_key *key, uint32_t *ret_row)
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
        .key = *key,
        .sums = { .min_ns = INT64_MAX, .max_ns = INT64_MIN, .first = INT64_MAX, .flops = SW__FLOPS_NONE },
    };
    *ret_row = (uint32_t)aggregation->n_rows++;
    if (aggregation->wants_percentiles)
        return sw__histogram_new(&aggregation->rows[*ret_row].durations);
    return SW_OK;
}

static uint64_t hash_key(const struct row_key *key)
{
    uint64_t hash = sw__hash_number(0, ((uint64_t)key->group << 32) | key->shapes);

    return sw__hash_number(hash ^ key->stack, (uint64_t)key->node_id);
}

static int keys_equal(const struct row_key *a, const struct row_key *b)
{
    return a->group == b->group && a->shapes == b->shapes && a->stack == b->stack && a->node_id == b->node_id;
}

static enum sw_status find_in_table(struct sw__aggregation *aggregation, const struct row_key *key, uint32_t *ret_row)
{
    uint64_t hash = hash_key(key);
    struct sw__index_probe probe = sw__index_probe(&aggregation->row_table, hash);
    uint32_t row;

    while ((row = sw__index_next(&probe)) != SW__ANALYZE_NONE) {
        if (keys_equal(&aggregation->rows[row].key, key)) {
            *ret_row = row;
            return SW_OK;
        }
    }
    SW__TRY(new_row(aggregation, key, ret_row));
    return sw__index_put(&aggregation->row_table, hash, *ret_row);
}

static enum sw_status find_keyed(struct sw__aggregation *aggregation, const struct row_key *key, uint32_t *ret_row)
{
    uint32_t *row = &aggregation->row_of_group[key->group];

    if (key->shapes != SW__ANALYZE_NONE || key->stack != SW__ANALYZE_NONE || key->node_id != -1)
        return find_in_table(aggregation, key, ret_row);
    if (*row == SW__ANALYZE_NONE)
        SW__TRY(new_row(aggregation, key, row));
    *ret_row = *row;
    return SW_OK;
}

/* An index, or that of the first of its equals; NONE where it is not looked at. */
static enum sw_status join(const uint32_t *first, uint32_t index, size_t n, const char *what, uint32_t *ret_index)
{
    if (first == NULL || index == SW__ANALYZE_NONE)
        return SW_OK;
    if (index >= n)
        return sw_error_set(SW_VALUE_ERROR, "an event refers to %s %u of %zu", what, (unsigned)index, n);
    *ret_index = first[index];
    return SW_OK;
}

/* @of: indices as they stand in events; what a row is not told apart by becomes none. */
static enum sw_status find_row(struct sw__aggregation *aggregation, const struct row_key *of, uint32_t *ret_row)
{
    const struct sw__analyze_names *names = aggregation->names;
    struct row_key key = { SW__ANALYZE_NONE, SW__ANALYZE_NONE, SW__ANALYZE_NONE, of->node_id };

    if (of->group >= names->n_dispatches)
        return sw_error_set(SW_VALUE_ERROR, "an event refers to operation %u of %zu", (unsigned)of->group,
                            names->n_dispatches);
    key.group = aggregation->groups[of->group];
    SW__TRY(join(aggregation->lists, of->shapes, names->n_shapes, "shape list", &key.shapes));
    SW__TRY(join(aggregation->stacks, of->stack, names->n_stacks, "stack", &key.stack));
    return find_keyed(aggregation, &key, ret_row);
}

static __attribute__((noinline)) enum sw_status find_event_row_slowly(struct sw__aggregation *aggregation,
                                                                      uint32_t dispatch, uint32_t shapes,
                                                                      uint32_t stack, uint32_t *ret_row)
{
    return find_row(aggregation, &(struct row_key){ dispatch, shapes, stack, -1 }, ret_row);
}

static inline enum sw_status find_event_row(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                                            uint32_t stack, uint32_t *ret_row)
{
    uint32_t row = SW__ANALYZE_NONE;

    /* What most events are: two look-ups away from their row. */
    if (aggregation->lists == NULL && aggregation->stacks == NULL && dispatch < aggregation->names->n_dispatches)
        row = aggregation->row_of_group[aggregation->groups[dispatch]];
    if (row == SW__ANALYZE_NONE)
        return find_event_row_slowly(aggregation, dispatch, shapes, stack, ret_row);
    *ret_row = row;
    return SW_OK;
}

static void add_saturating(int64_t *sum, int64_t value, int *saturated)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = value < 0 ? INT64_MIN : INT64_MAX;
        *saturated = 1;
    }
}

/* Of two that begin at once the one around the other was first. */
static void take_first(struct sw__aggregate *sums, int64_t first, uint32_t flags)
{
    if (first > sums->first || (first == sums->first && (flags & SW__FUNCTION_NESTED)))
        return;
    sums->first = first;
    sums->first_flags = flags;
}

static void add_to_row(struct sw__aggregate *sums, const struct sw__analyze_event *event)
{
    sums->count++;
    sums->failures += (event->flags & SW__ANALYZE_SUCCEEDED) == 0;
    sums->n_children += event->n_children;
    add_saturating(&sums->total_ns, event->duration_ns, &sums->saturated);
    add_saturating(&sums->self_total_ns, event->self_ns, &sums->saturated);
    if (event->duration_ns < sums->min_ns)
        sums->min_ns = event->duration_ns;
    if (event->duration_ns > sums->max_ns) {
        sums->max_ns = event->duration_ns;
        sums->max_start_ns = event->start_ns;
    }
    take_first(sums, event->start_ns, event->parent != SW__ANALYZE_NONE ? SW__FUNCTION_NESTED : 0);
}

static uint64_t add_counts(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static void merge_memory(struct sw__aggregate *sums, const struct sw__aggregate *more)
{
    add_saturating(&sums->memory_bytes, more->memory_bytes, &sums->saturated);
    add_saturating(&sums->self_memory_bytes, more->self_memory_bytes, &sums->saturated);
    add_saturating(&sums->allocated_bytes, more->allocated_bytes, &sums->saturated);
    add_saturating(&sums->released_bytes, more->released_bytes, &sums->saturated);
}

static void merge(struct sw__aggregate *sums, const struct sw__aggregate *more)
{
    sums->count = add_counts(sums->count, more->count);
    sums->failures = add_counts(sums->failures, more->failures);
    sums->n_children = add_counts(sums->n_children, more->n_children);
    sums->saturated |= more->saturated;
    add_saturating(&sums->total_ns, more->total_ns, &sums->saturated);
    add_saturating(&sums->self_total_ns, more->self_total_ns, &sums->saturated);
    if (more->min_ns < sums->min_ns)
        sums->min_ns = more->min_ns;
    if (more->max_ns > sums->max_ns) {
        sums->max_ns = more->max_ns;
        sums->max_start_ns = more->max_start_ns;
    }
    merge_memory(sums, more);
    sw__flops_add(&sums->flops, more->flops);
    add_saturating(&sums->flops_ns, more->flops_ns, &sums->saturated);
    take_first(sums, more->first, more->first_flags);
}

/* The failures among them computed nothing; their time is not known apart. */
static void estimate_sums(int64_t flops, struct sw__aggregate *sums)
{
    sums->flops = flops;
    if (flops == SW__FLOPS_NONE)
        return;
    sums->flops_ns = sums->total_ns;
    if (__builtin_mul_overflow(sums->count - sums->failures, flops, &sums->flops))
        sums->flops = INT64_MAX;
}

static void estimate_event(int64_t flops, const struct sw__analyze_event *event, struct sw__aggregate *sums)
{
    if (flops == SW__FLOPS_NONE)
        return;
    sw__flops_add(&sums->flops, flops);
    add_saturating(&sums->flops_ns, event->duration_ns, &sums->saturated);
}

enum sw_status sw__aggregation_add_sums(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                                        const struct sw__aggregate *sums)
{
    struct sw__aggregate more = *sums;
    uint32_t row = 0;

    if (sums->count == 0)
        return SW_OK;
    SW__TRY(find_event_row(aggregation, dispatch, shapes, SW__ANALYZE_NONE, &row));
    if (aggregation->flops != NULL)
        estimate_sums(sw__flops_of(aggregation->flops, dispatch, shapes), &more);
    merge(&aggregation->rows[row].sums, &more);
    return SW_OK;
}

enum sw_status sw__aggregation_add_memory(struct sw__aggregation *aggregation, const struct sw__analyze_event *event,
                                          const struct sw__aggregate *memory)
{
    uint32_t row = 0;

    SW__TRY(find_event_row(aggregation, event->dispatch, event->shapes, event->stack, &row));
    merge_memory(&aggregation->rows[row].sums, memory);
    return SW_OK;
}

enum sw_status sw__aggregation_add_function(struct sw__aggregation *aggregation, const struct sw__function *function,
                                            int64_t place)
{
    const struct sw__aggregate sums = {
        .count = function->count,
        .total_ns = function->total_ns,
        .self_total_ns = function->self_ns,
        .min_ns = function->total_ns,
        .max_ns = function->total_ns,
        .max_start_ns = function->start_ns,
        .first = place,
        .first_flags = function->flags,
        .memory_bytes = function->memory_bytes,
        .self_memory_bytes = function->self_memory_bytes,
        .flops = function->flops,
        .flops_ns = function->flops != SW__FLOPS_NONE ? function->total_ns : 0,
    };
    uint32_t row = 0;

    SW__TRY(find_row(aggregation,
                     &(struct row_key){ function->dispatch, function->shapes, function->stack, function->node_id },
                     &row));
    merge(&aggregation->rows[row].sums, &sums);
    return SW_OK;
}

enum sw_status sw__aggregation_add_duration(struct sw__aggregation *aggregation, uint32_t dispatch, uint32_t shapes,
                                            int64_t duration_ns, uint64_t count)
{
    uint32_t row = 0;

    if (!aggregation->wants_percentiles)
        return SW_OK;
    SW__TRY(find_event_row(aggregation, dispatch, shapes, SW__ANALYZE_NONE, &row));
    return sw__histogram_add(aggregation->rows[row].durations, duration_ns, count);
}

enum sw_status sw__aggregation_add(struct sw__aggregation *aggregation,
                                   const struct sw__analyze_event *events, size_t n_events)
{
    for (size_t i = 0; i < n_events; i++) {
        const struct sw__analyze_event *event = &events[i];
        uint32_t row = 0;
        if (event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))
            continue;
        SW__TRY(find_event_row(aggregation, event->dispatch, event->shapes, event->stack, &row));
        add_to_row(&aggregation->rows[row].sums, event);
        if (aggregation->flops != NULL)
            estimate_event(sw__flops_of_event(aggregation->flops, event), event, &aggregation->rows[row].sums);
        if (aggregation->wants_percentiles)
            SW__TRY(sw__histogram_add(aggregation->rows[row].durations, event->duration_ns, 1));
    }
    return SW_OK;
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
        SW__TRY(find_row(aggregation, &from->key, &row));
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
    aggregate->dispatch = &aggregation->names->dispatches[row->key.group];
    aggregate->dispatch_index = row->key.group;
    aggregate->shapes = row->key.shapes;
    aggregate->stack = row->key.stack;
    aggregate->node_id = row->key.node_id;
    aggregate->mean_ns = (double)aggregate->total_ns / (double)aggregate->count;
    if (row->durations != NULL)
        sw__histogram_describe(row->durations, aggregate);
    return find_shape_text(aggregation, aggregates, row->key.shapes, &aggregate->shape_text);
}

enum sw_status sw__aggregation_rows(const struct sw__aggregation *aggregation, struct sw__aggregates **ret_aggregates)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = sw__alloc_zero(sizeof *aggregates);
    size_t n_lists = aggregation->grouping & SW__GROUP_BY_SHAPES ? aggregation->names->n_shapes : 0;

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
