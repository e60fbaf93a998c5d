/*
 * The events of a completed Profiler as an event list: names are copied once,
 * rows one by one.
 */
#include "config.h"

#include "analyze/event_list.h"
#include "analyze/flops.h"
#include "base/alloc.h"
#include "profiler/profiler.h"

/* The places of the Profiler's dispatches, shape lists and stacks among the names of the list. */
struct places {
    uint32_t *dispatches;
    uint32_t *shapes;
    uint32_t *stacks;
};

static void places_clear(struct places *places)
{
    sw__free(places->dispatches);
    sw__free(places->shapes);
    sw__free(places->stacks);
}

static enum sw_status copy_names(const struct sw__frozen *frozen, struct sw__event_names *names, struct places *places)
{
    const struct sw__analyze_names *from = &frozen->names;

    places->dispatches = sw__alloc(from->n_dispatches * sizeof *places->dispatches);
    places->shapes = sw__alloc(from->n_shapes * sizeof *places->shapes);
    if (places->dispatches == NULL || places->shapes == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < from->n_dispatches; i++)
        SW__TRY(sw__event_names_dispatch(names, from->dispatches[i].name, &frozen->classes[i].carrier,
                                         &frozen->classes[i].implementation, &places->dispatches[i]));
    for (size_t i = 0; i < from->n_shapes; i++)
        SW__TRY(sw__event_names_shapes(names, &frozen->input_shapes[i], &places->shapes[i]));
    return SW_OK;
}

static enum sw_status copy_stacks(struct sw_profiler *profiler, struct sw__event_names *names, struct places *places)
{
    const struct sw__stack_names *stacks;

    SW__TRY(sw__profiler_stack_names(profiler, &stacks));
    places->stacks = sw__alloc(stacks->n_stacks * sizeof *places->stacks);
    if (places->stacks == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < stacks->n_stacks; i++)
        SW__TRY(sw__event_names_stack(names, stacks->made.stacks[i].entries, stacks->made.stacks[i].n_entries,
                                      &places->stacks[i]));
    return SW_OK;
}

static enum sw_status push_event(const struct sw__frozen *frozen, const struct places *places, size_t index,
                                 struct sw__flops *flops, struct sw_event_list *list)
{
    const struct sw__analyze_event *event = &frozen->events[index];
    const struct sw__function row = {
        .dispatch = places->dispatches[event->dispatch],
        .shapes = event->shapes != SW__ANALYZE_NONE ? places->shapes[event->shapes] : SW__ANALYZE_NONE,
        .stack = event->stack != SW__ANALYZE_NONE ? places->stacks[event->stack] : SW__ANALYZE_NONE,
        .parent = event->parent,
        .flags = event->parent != SW__ANALYZE_NONE ? SW__FUNCTION_NESTED : 0,
        .id = (int64_t)index,
        .thread_id = frozen->thread_id,
        .node_id = -1,
        .start_ns = event->start_ns,
        .total_ns = event->duration_ns,
        .self_ns = event->self_ns,
        .flops = flops != NULL ? sw__flops_of_event(flops, event) : SW__FLOPS_NONE,
        .count = 1,
    };

    return sw__event_list_push(list, &row);
}

enum sw_status sw_profiler_event_list(struct sw_profiler *profiler, const struct sw_event_list_options *options,
                                      struct sw_event_list **ret_list)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = NULL;
    struct places places SW__CLEANUP(places_clear) = { NULL, NULL, NULL };
    struct sw__flops *flops SW__OWNED_FLOPS = NULL;

    SW__TRY(sw__profiler_check(profiler));
    SW__TRY(sw_event_list_new(options, &list));
    SW__TRY(sw__profiler_check_completed(profiler));
    SW__TRY(copy_names(profiler->frozen, list->owned, &places));
    SW__TRY(copy_stacks(profiler, list->owned, &places));
    if (list->with_flops)
        SW__TRY(sw__flops_new(&profiler->frozen->names, &flops));
    for (size_t i = 0; i < profiler->frozen->n_events; i++)
        SW__TRY(push_event(profiler->frozen, &places, i, flops, list));
    list->tree_is_built = 1;
    *ret_list = sw__take(list);
    return SW_OK;
}
