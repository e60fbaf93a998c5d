/*
 * Making event lists, adding to them, looking at their rows.
 */
#include "config.h"

#include "analyze/event_list.h"
#include "analyze/flops.h"

#include <string.h>

#include "base/alloc.h"
#include "base/options.h"

static int is_list(const struct sw_event_list *list)
{
    return list != NULL && list->kind == SW_KIND_EVENT_LIST;
}

enum sw_status sw__event_list_check(const struct sw_event_list *list)
{
    if (!is_list(list))
        return sw_error_set(SW_TYPE_ERROR, "expected an event list, got something else");
    return SW_OK;
}

/* ---- Making ----------------------------------------------------------------------------- */

enum sw_status sw_event_list_new(const struct sw_event_list_options *options, struct sw_event_list **ret_list)
{
    static const struct sw_event_list_options defaults = SW_EVENT_LIST_OPTIONS_INIT;

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__check_bytes("event list options", options->struct_bytes, sizeof *options));
    SW__TRY(sw__check_boolean("profile_memory", options->profile_memory));
    SW__TRY(sw__check_boolean("with_flops", options->with_flops));
    struct sw_event_list *list SW__OWNED = sw__alloc_zero(sizeof *list);
    if (list == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(sw__event_names_new(&list->owned));
    list->kind = SW_KIND_EVENT_LIST;
    list->names = &list->owned->names;
    list->profile_memory = options->profile_memory;
    list->with_flops = options->with_flops;
    list->n_stack_shown = SIZE_MAX;
    list->grouping = (enum sw__grouping)(SW__GROUP_BY_SHAPES | SW__GROUP_BY_IMPLEMENTATION);
    *ret_list = sw__take(list);
    return SW_OK;
}

void sw_event_list_free(struct sw_event_list *list)
{
    if (!is_list(list))
        return;
    sw__event_names_unref(list->owned);
    sw__free(list->rows);
    list->kind = 0;
    sw__free(list);
}

enum sw_status sw__event_list_push(struct sw_event_list *list, const struct sw__function *row)
{
    if (list->n_rows + 1 >= SW__ANALYZE_NONE)
        return sw_error_set(SW_OVERFLOW_ERROR, "more events than can be numbered");
    if (list->n_rows == list->capacity) {
        size_t capacity = list->capacity != 0 ? list->capacity * 2 : 64;
        struct sw__function *rows = sw__realloc(list->rows, capacity * sizeof *rows);
        if (rows == NULL)
            return SW_MEMORY_ERROR;
        list->rows = rows;
        list->capacity = capacity;
    }
    list->rows[list->n_rows++] = *row;
    return SW_OK;
}

static enum sw_status check_event(const struct sw_function_event *event)
{
    int64_t end_ns;

    SW__TRY(sw__check_bytes("an event", event->struct_bytes, sizeof *event));
    if (event->name == NULL)
        return sw_error_set(SW_TYPE_ERROR, "an event must have a name, got NULL");
    SW__TRY(sw__check_boolean("is_async", event->is_async));
    if (event->cpu_time_total_ns < 0)
        return sw_error_set(SW_VALUE_ERROR, "cpu_time_total_ns must not be negative, got %lld",
                            (long long)event->cpu_time_total_ns);
    if (__builtin_add_overflow(event->start_time_ns, event->cpu_time_total_ns, &end_ns))
        return sw_error_set(SW_VALUE_ERROR, "an event ends beyond 64 bits: %lld ns after %lld",
                            (long long)event->cpu_time_total_ns, (long long)event->start_time_ns);
    if (event->flops < 0)
        return sw_error_set(SW_VALUE_ERROR, "flops must not be negative, got %lld", (long long)event->flops);
    if (event->stack == NULL && event->n_stack != 0)
        return sw_error_set(SW_TYPE_ERROR, "stack must be an array of texts, got NULL for %zu of them",
                            event->n_stack);
    for (size_t i = 0; i < event->n_stack; i++)
        if (event->stack[i] == NULL)
            return sw_error_set(SW_TYPE_ERROR, "stack must contain only texts, entry %zu is NULL", i);
    return SW_OK;
}

enum sw_status sw_event_list_append(struct sw_event_list *list, const struct sw_function_event *event)
{
    SW__TRY(sw__event_list_check(list));
    if (list->is_averages)
        return sw_error_set(SW_RUNTIME_ERROR, "a list of averages takes no events");
    if (event == NULL)
        return sw_error_set(SW_TYPE_ERROR, "expected an event, got NULL");
    SW__TRY(check_event(event));
    struct sw__function row = {
        .parent = SW__ANALYZE_NONE,
        .flags = event->is_async ? SW__FUNCTION_ASYNC : 0,
        .id = event->id,
        .thread_id = event->thread_id,
        .node_id = event->node_id,
        .start_ns = event->start_time_ns,
        .total_ns = event->cpu_time_total_ns,
        .self_ns = event->is_async ? 0 : event->cpu_time_total_ns,
        .memory_bytes = event->cpu_memory_bytes,
        .self_memory_bytes = event->is_async ? 0 : event->cpu_memory_bytes,
        .flops = event->flops != 0 ? event->flops : SW__FLOPS_NONE,
        .count = 1,
    };
    SW__TRY(sw__event_names_dispatch(list->owned, event->name, event->carrier_type, event->implementation_type,
                                     &row.dispatch));
    SW__TRY(sw__event_names_shapes(list->owned, event->input_shapes, &row.shapes));
    SW__TRY(sw__event_names_stack(list->owned, event->stack, event->n_stack, &row.stack));
    SW__TRY(sw__event_list_push(list, &row));
    list->tree_is_built = 0;
    return SW_OK;
}

/* ---- Looking ---------------------------------------------------------------------------- */

size_t sw_event_list_size(const struct sw_event_list *list)
{
    return is_list(list) ? list->n_rows : 0;
}

static const struct sw_class_snapshot *class_or_none(const struct sw_class_snapshot *class)
{
    return class->address != NULL || class->serial != 0 || class->module[0] != '\0' || class->qualified_name[0] != '\0'
               ? class
               : NULL;
}

static void show(const struct sw_event_list *list, const struct sw__function *row, struct sw_function_event *event)
{
    const struct sw__event_classes *classes = list->owned->classes[row->dispatch];

    *event = (struct sw_function_event)SW_FUNCTION_EVENT_INIT;
    event->name = list->names->dispatches[row->dispatch].name;
    if (!(list->grouping & SW__GROUP_ANY_CARRIER))
        event->carrier_type = class_or_none(&classes->carrier);
    if (list->grouping & SW__GROUP_BY_IMPLEMENTATION)
        event->implementation_type = class_or_none(&classes->implementation);
    if (row->shapes != SW__ANALYZE_NONE)
        event->input_shapes = list->owned->trees[row->shapes];
    if (row->stack != SW__ANALYZE_NONE) {
        const struct sw__analyze_stack *stack = &list->names->stacks[row->stack];
        event->stack = stack->entries;
        event->n_stack = stack->n_entries < list->n_stack_shown ? stack->n_entries : list->n_stack_shown;
    }
    event->is_async = (row->flags & SW__FUNCTION_ASYNC) != 0;
    event->has_parent = (row->flags & SW__FUNCTION_NESTED) != 0;
    event->parent = row->parent != SW__ANALYZE_NONE ? (int64_t)row->parent : -1;
    event->id = row->id;
    event->thread_id = row->thread_id;
    event->node_id = row->node_id;
    event->start_time_ns = row->start_ns;
    event->cpu_time_total_ns = row->total_ns;
    event->self_cpu_time_total_ns = row->self_ns;
    event->cpu_memory_bytes = row->memory_bytes;
    event->self_cpu_memory_bytes = row->self_memory_bytes;
    event->has_flops = row->flops != SW__FLOPS_NONE;
    event->flops = event->has_flops ? row->flops : 0;
    event->count = row->count > INT64_MAX ? INT64_MAX : (int64_t)row->count;
}

enum sw_status sw_event_list_at(const struct sw_event_list *list, size_t index, struct sw_function_event *ret_event)
{
    SW__TRY(sw__event_list_check(list));
    if (index >= list->n_rows)
        return sw_error_set(SW_INDEX_ERROR, "row %zu of an event list of %zu", index, list->n_rows);
    show(list, &list->rows[index], ret_event);
    return SW_OK;
}

/* ---- Sums ------------------------------------------------------------------------------- */

static void add(int64_t *sum, int64_t value)
{
    if (__builtin_add_overflow(*sum, value, sum))
        *sum = value < 0 ? INT64_MIN : INT64_MAX;
}

enum sw_status sw_event_list_self_cpu_time_total(const struct sw_event_list *list, int64_t *ret_ns)
{
    int64_t sum_ns = 0;

    SW__TRY(sw__event_list_check(list));
    for (size_t i = 0; i < list->n_rows; i++)
        add(&sum_ns, list->rows[i].self_ns);
    *ret_ns = sum_ns;
    return SW_OK;
}

enum sw_status sw_event_list_total_average(const struct sw_event_list *list, struct sw_function_event *ret_event)
{
    struct sw_function_event total = SW_FUNCTION_EVENT_INIT;
    int64_t flops = SW__FLOPS_NONE;

    SW__TRY(sw__event_list_check(list));
    if (list->n_rows != 0)
        show(list, &list->rows[list->n_rows - 1], &total);
    total.name = "Total";
    total.parent = -1;
    total.count = total.cpu_time_total_ns = total.self_cpu_time_total_ns = 0;
    total.cpu_memory_bytes = total.self_cpu_memory_bytes = 0;
    for (size_t i = 0; i < list->n_rows; i++) {
        const struct sw__function *row = &list->rows[i];
        add(&total.count, row->count > INT64_MAX ? INT64_MAX : (int64_t)row->count);
        add(&total.cpu_time_total_ns, row->total_ns);
        add(&total.self_cpu_time_total_ns, row->self_ns);
        add(&total.cpu_memory_bytes, row->memory_bytes);
        add(&total.self_cpu_memory_bytes, row->self_memory_bytes);
        sw__flops_add(&flops, row->flops);
    }
    total.has_flops = flops != SW__FLOPS_NONE;
    total.flops = total.has_flops ? flops : 0;
    *ret_event = total;
    return SW_OK;
}
