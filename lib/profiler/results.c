/*
 * What a completed Profiler shows: events, averages, the table. Nothing here
 * changes what was recorded, so every call gives the same answer.
 */
#include "config.h"

#include "profiler/profiler.h"

#include "base/alloc.h"
#include "base/options.h"

enum sw_status sw__profiler_check_completed(const struct sw_profiler *profiler)
{
    if (__atomic_load_n(&profiler->state, __ATOMIC_ACQUIRE) != SW__PROFILER_COMPLETED)
        return sw_error_set(SW_RUNTIME_ERROR, "Profiler results are available only after context exit");
    return SW_OK;
}

static const struct sw_input_shapes *shapes_at(const struct sw__frozen *frozen, uint32_t index)
{
    return index != SW__ANALYZE_NONE ? &frozen->input_shapes[index] : NULL;
}

/* ---- Events ------------------------------------------------------------------------------ */

static void fill_event(const struct sw__frozen *frozen, size_t index, struct sw_profiler_event *event)
{
    const struct sw__analyze_event *source = &frozen->events[index];

    *event = (struct sw_profiler_event){
        .id = (int64_t)index,
        .parent_id = source->parent != SW__ANALYZE_NONE ? source->parent : 0,
        .has_parent = source->parent != SW__ANALYZE_NONE,
        .succeeded = (source->flags & SW__ANALYZE_SUCCEEDED) != 0,
        .name = frozen->dispatches[source->dispatch].name,
        .carrier_type = &frozen->classes[source->dispatch].carrier,
        .implementation_type = &frozen->classes[source->dispatch].implementation,
        .input_shapes = shapes_at(frozen, source->shapes),
        .start_time_ns = source->start_ns,
        .duration_ns = source->duration_ns,
        .self_time_ns = source->self_ns,
        .thread_id = frozen->thread_id,
    };
}

/* Threads that ask at once may each make it; one is kept. */
static enum sw_status make_event_array(struct sw_profiler *profiler, const struct sw_profiler_event **ret_events)
{
    const struct sw__frozen *frozen = profiler->frozen;
    struct sw_profiler_event *first = NULL;
    struct sw_profiler_event *events SW__OWNED = sw__alloc_large(frozen->n_events * sizeof *events);

    if (events == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < frozen->n_events; i++)
        fill_event(frozen, i, &events[i]);
    if (__atomic_compare_exchange_n(&profiler->event_array, &first, events, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        first = sw__take(events);
    *ret_events = first;
    return SW_OK;
}

enum sw_status sw_profiler_events(struct sw_profiler *profiler, const struct sw_profiler_event **ret_events,
                                  size_t *ret_n)
{
    SW__TRY(sw__profiler_check(profiler));
    SW__TRY(sw__profiler_check_completed(profiler));
    const struct sw_profiler_event *events = __atomic_load_n(&profiler->event_array, __ATOMIC_ACQUIRE);
    if (events == NULL)
        SW__TRY(make_event_array(profiler, &events));
    *ret_events = events;
    *ret_n = profiler->frozen->n_events;
    return SW_OK;
}

/* ---- Call stacks ------------------------------------------------------------------------------ */

enum sw_status sw__profiler_stack_names(struct sw_profiler *profiler, const struct sw__stack_names **ret_names)
{
    struct sw__stack_names *first = __atomic_load_n(&profiler->stack_names, __ATOMIC_ACQUIRE);
    struct sw__stack_names *names SW__OWNED_STACK_NAMES = NULL;

    if (first == NULL) {
        SW__TRY(sw__stack_names_new(&profiler->frozen->stacks, &names));
        if (__atomic_compare_exchange_n(&profiler->stack_names, &first, names, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            first = sw__take(names);
    }
    *ret_names = first;
    return SW_OK;
}

enum sw_status sw_profiler_event_stack(struct sw_profiler *profiler, int64_t id, const char *const **ret_entries,
                                       size_t *ret_n)
{
    const struct sw__stack_names *names;
    uint32_t stack;

    SW__TRY(sw__profiler_check(profiler));
    SW__TRY(sw__profiler_check_completed(profiler));
    if (id < 0 || (uint64_t)id >= profiler->frozen->n_events)
        return sw_error_set(SW_INDEX_ERROR, "event %lld of a Profiler with %zu events", (long long)id,
                            profiler->frozen->n_events);
    SW__TRY(sw__profiler_stack_names(profiler, &names));
    stack = profiler->frozen->events[id].stack;
    *ret_entries = stack != SW__ANALYZE_NONE ? names->made.stacks[stack].entries : NULL;
    *ret_n = stack != SW__ANALYZE_NONE ? names->made.stacks[stack].n_entries : 0;
    return SW_OK;
}

/* ---- Averages ------------------------------------------------------------------------------- */

static enum sw_status aggregate(const struct sw__frozen *frozen, int group_by_input_shape,
                                struct sw__aggregates **ret_aggregates)
{
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;

    SW__TRY(sw__aggregation_new(&frozen->names, group_by_input_shape ? SW__GROUP_BY_SHAPES : SW__GROUP_BY_CARRIER,
                                &aggregation));
    SW__TRY(sw__aggregation_add(aggregation, frozen->events, frozen->n_events));
    return sw__aggregation_rows(aggregation, ret_aggregates);
}

static void fill_row(const struct sw__frozen *frozen, const struct sw__aggregate *source,
                     struct sw_profiler_aggregate *row)
{
    *row = (struct sw_profiler_aggregate){
        .name = source->dispatch->name,
        .carrier_type = &frozen->classes[source->dispatch_index].carrier,
        .input_shapes = shapes_at(frozen, source->shapes),
        .count = (int64_t)source->count,
        .total_time_ns = source->total_ns,
        .self_total_time_ns = source->self_total_ns,
        .mean_time_ns = source->mean_ns,
        .min_time_ns = source->min_ns,
        .max_time_ns = source->max_ns,
    };
}

enum sw_status sw_profiler_key_averages(struct sw_profiler *profiler, const struct sw_key_averages_options *options,
                                        struct sw_profiler_aggregate **ret_rows, size_t *ret_n)
{
    static const struct sw_key_averages_options defaults = SW_KEY_AVERAGES_OPTIONS_INIT;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__profiler_check(profiler));
    SW__TRY(sw__check_bytes("key averages options", options->struct_bytes, sizeof *options));
    SW__TRY(sw__check_boolean("group_by_input_shape", options->group_by_input_shape));
    SW__TRY(sw__profiler_check_completed(profiler));
    SW__TRY(aggregate(profiler->frozen, options->group_by_input_shape, &aggregates));
    struct sw_profiler_aggregate *rows = sw__alloc(aggregates->n_rows * sizeof *rows);
    if (rows == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < aggregates->n_rows; i++)
        fill_row(profiler->frozen, &aggregates->rows[i], &rows[i]);
    *ret_rows = rows;
    *ret_n = aggregates->n_rows;
    return SW_OK;
}

/* ---- Table ------------------------------------------------------------------------------------ */

static enum sw_status check_table_options(const struct sw_table_options *options, enum sw__column *ret_column)
{
    SW__TRY(sw__check_bytes("table options", options->struct_bytes, sizeof *options));
    if (options->sort_by == NULL)
        return sw_error_set(SW_TYPE_ERROR, "sort_by must be a string, got NULL");
    if (!sw__column_find(options->sort_by, ret_column))
        return sw_error_set(SW_VALUE_ERROR, "unsupported profiler table sort field: '%s'", options->sort_by);
    SW__TRY(sw__check_boolean("ascending", options->ascending));
    if (options->row_limit != SW_NO_LIMIT && options->row_limit < 0)
        return sw_error_set(SW_VALUE_ERROR, "row_limit must be a non-negative integer or SW_NO_LIMIT, got %lld",
                            (long long)options->row_limit);
    return sw__check_boolean("group_by_input_shape", options->group_by_input_shape);
}

enum sw_status sw_profiler_table(struct sw_profiler *profiler, const struct sw_table_options *options, char **ret_text)
{
    static const struct sw_table_options defaults = SW_TABLE_OPTIONS_INIT;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct sw__table_options order = SW__TABLE_OPTIONS_INIT;

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__profiler_check(profiler));
    SW__TRY(check_table_options(options, &order.sort_by));
    SW__TRY(sw__profiler_check_completed(profiler));
    order.direction = options->ascending ? SW__ASCENDING : SW__DESCENDING;
    order.row_limit = options->row_limit;
    SW__TRY(aggregate(profiler->frozen, options->group_by_input_shape, &aggregates));
    return sw__table_format(aggregates, &order, ret_text);
}
