/*
 * Key averages: the rows of a list through the aggregation, and aggregates as a
 * list again.
 */
#include "config.h"

#include "analyze/event_list.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/options.h"

static int by_first(const void *a, const void *b)
{
    const struct sw__aggregate *left = *(const struct sw__aggregate *const *)a;
    const struct sw__aggregate *right = *(const struct sw__aggregate *const *)b;

    if (left->first != right->first)
        return left->first < right->first ? -1 : 1;
    return (left > right) - (left < right); /* neighbours in one array, in the order of their keys */
}

static enum sw_status push_aggregate(struct sw_event_list *list, const struct sw__aggregate *aggregate)
{
    const struct sw__function row = {
        .dispatch = aggregate->dispatch_index,
        .shapes = aggregate->shapes,
        .stack = aggregate->stack,
        .parent = SW__ANALYZE_NONE,
        .flags = aggregate->first_flags,
        .node_id = aggregate->node_id,
        .total_ns = aggregate->total_ns,
        .self_ns = aggregate->self_total_ns,
        .memory_bytes = aggregate->memory_bytes,
        .self_memory_bytes = aggregate->self_memory_bytes,
        .flops = aggregate->flops,
        .count = aggregate->count,
    };

    return sw__event_list_push(list, &row);
}

enum sw_status sw__event_list_of_aggregates(const struct sw__analyze_names *names, struct sw__event_names *owned,
                                            const struct sw__aggregates *aggregates, struct sw_event_list **ret_list)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = sw__alloc_zero(sizeof *list);
    const struct sw__aggregate **order SW__OWNED = sw__alloc(aggregates->n_rows * sizeof *order);

    if (list == NULL || order == NULL) {
        sw__free(sw__take(list));
        return SW_MEMORY_ERROR;
    }
    *list = (struct sw_event_list){
        .kind = SW_KIND_EVENT_LIST,
        .tree_is_built = 1,
        .is_averages = 1,
        .grouping = aggregates->grouping,
        .names = names,
        .owned = sw__event_names_ref(owned),
    };
    for (size_t i = 0; i < aggregates->n_rows; i++)
        order[i] = &aggregates->rows[i];
    if (aggregates->n_rows > 1)
        qsort(order, aggregates->n_rows, sizeof *order, by_first);
    for (size_t i = 0; i < aggregates->n_rows; i++)
        SW__TRY(push_aggregate(list, order[i]));
    *ret_list = sw__take(list);
    return SW_OK;
}

static enum sw_status check_options(const struct sw_event_averages_options *options, enum sw__grouping *ret_grouping)
{
    unsigned grouping = 0;

    SW__TRY(sw__check_bytes("event averages options", options->struct_bytes, sizeof *options));
    SW__TRY(sw__check_boolean("group_by_input_shapes", options->group_by_input_shapes));
    SW__TRY(sw__check_boolean("group_by_overload_name", options->group_by_overload_name));
    SW__TRY(sw__check_boolean("group_by_carrier", options->group_by_carrier));
    if (options->group_by_stack_n < 0)
        return sw_error_set(SW_VALUE_ERROR, "group_by_stack_n must not be negative, got %lld",
                            (long long)options->group_by_stack_n);
    grouping |= options->group_by_input_shapes ? SW__GROUP_BY_SHAPES : 0;
    grouping |= options->group_by_overload_name ? SW__GROUP_BY_IMPLEMENTATION : 0;
    grouping |= options->group_by_carrier ? 0 : SW__GROUP_ANY_CARRIER;
    *ret_grouping = (enum sw__grouping)grouping;
    return SW_OK;
}

static enum sw_status aggregate(const struct sw_event_list *list, enum sw__grouping grouping, int64_t stack_n,
                                struct sw__aggregates **ret_aggregates)
{
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;

    SW__TRY(sw__aggregation_new(list->names, grouping, &aggregation));
    if (stack_n > 0)
        SW__TRY(sw__aggregation_group_by_stack(aggregation, (size_t)stack_n));
    for (size_t i = 0; i < list->n_rows; i++)
        SW__TRY(sw__aggregation_add_function(aggregation, &list->rows[i], (int64_t)i));
    return sw__aggregation_rows(aggregation, ret_aggregates);
}

enum sw_status sw_event_list_key_averages(const struct sw_event_list *list,
                                          const struct sw_event_averages_options *options,
                                          struct sw_event_list **ret_averages)
{
    static const struct sw_event_averages_options defaults = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    enum sw__grouping grouping = SW__GROUP_BY_CARRIER;

    if (options == NULL)
        options = &defaults;
    SW__TRY(sw__event_list_check(list));
    SW__TRY(check_options(options, &grouping));
    if (!list->tree_is_built)
        return sw_error_set(SW_RUNTIME_ERROR, "expected the tree to be built before key averages");
    SW__TRY(aggregate(list, grouping, options->group_by_stack_n, &aggregates));
    struct sw_event_list *averages = NULL;
    SW__TRY(sw__event_list_of_aggregates(list->names, list->owned, aggregates, &averages));
    averages->n_stack_shown = (size_t)options->group_by_stack_n;
    averages->profile_memory = list->profile_memory;
    averages->with_flops = list->with_flops;
    *ret_averages = averages;
    return SW_OK;
}
