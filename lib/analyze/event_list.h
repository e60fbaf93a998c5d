/*
 * The inside of an event list, for its own files and for those who fill one
 * from what was recorded.
 */
#ifndef ANALYZE_EVENT_LIST_H
#define ANALYZE_EVENT_LIST_H

#include "analyze/builder.h"
#include "analyze/event_names.h"

struct sw_event_list {
    uint32_t kind; /* SW_KIND_EVENT_LIST */
    int tree_is_built;
    int is_averages;
    enum sw__grouping grouping; /* of averages: what their rows do not name beyond it is hidden */
    size_t n_stack_shown;       /* innermost entries of stacks */
    int profile_memory;
    int with_flops;
    const struct sw__analyze_names *names;
    struct sw__event_names *owned; /* a reference, of which names is part; NULL: borrowed names */
    struct sw__function *rows;
    size_t n_rows;
    size_t capacity;
};

/** TypeError unless @list is one. */
SW_NODISCARD enum sw_status sw__event_list_check(const struct sw_event_list *list);
/** One more row, whose indices are valid in the list's names. */
SW_NODISCARD enum sw_status sw__event_list_push(struct sw_event_list *list, const struct sw__function *row);

/** A list of averages in the order of the first of each row. @names: borrowed; @owned: what they are part of, or NULL. */
SW_NODISCARD enum sw_status sw__event_list_of_aggregates(const struct sw__analyze_names *names,
                                                         struct sw__event_names *owned,
                                                         const struct sw__aggregates *aggregates,
                                                         struct sw_event_list **ret_list);

/** Whether a metric of export_stacks() is the self time; ValueError for one that there is not. NULL: the self time. */
SW_NODISCARD enum sw_status sw__stacks_metric(const char *metric, int *ret_is_self);
/** A line of export_stacks(); nothing for less than a microsecond. */
SW_NODISCARD enum sw_status sw__stacks_put(struct sw__builder *text, const struct sw__analyze_stack *stack,
                                           int64_t self_ns);

/** Nanoseconds as the table's microseconds. */
static inline double sw__us(int64_t ns)
{
    return (double)((long double)ns / 1000.0L); /* whole microseconds stay whole, beyond 2^53 ns too */
}

/** Time per event, 0 without events. */
static inline double sw__mean_us(const struct sw__function *row)
{
    return row->count != 0 ? sw__us(row->total_ns) / (double)row->count : 0.0;
}

/** Order the rows' ascending indices by a key, largest first; ValueError for one that there is not. */
SW_NODISCARD enum sw_status sw__event_list_sort(const struct sw_event_list *list, const char *key, uint32_t *order);
/** Whether there is a key of that name. */
int sw__event_sort_exists(const char *key);

SW__DEFINE_CLEANUP(event_list, struct sw_event_list, sw_event_list_free)
#define SW__OWNED_EVENT_LIST SW__CLEANUP(sw__cleanup_event_list)

#endif
