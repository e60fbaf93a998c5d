/*
 * Event and aggregate values made directly: deep copies of what is given,
 * nothing normalised, nothing compared. Each value and all it points to live in
 * one allocation; shape trees are shared by reference.
 */
#include "config.h"

#include <strideweave/profiler.h>
#include <strideweave/tree.h>

#include <string.h>

#include "base/alloc.h"

/* Bytes handed out from one allocation, in steps that suit every type. */
struct arena {
    unsigned char *next;
};

static size_t rounded(size_t bytes)
{
    return (bytes + 15) & ~(size_t)15;
}

static size_t text_bytes(const char *text)
{
    return text != NULL ? rounded(strlen(text) + 1) : 0;
}

static size_t class_bytes(const struct sw_class_snapshot *snapshot)
{
    if (snapshot == NULL)
        return 0;
    return rounded(sizeof *snapshot) + text_bytes(snapshot->module) + text_bytes(snapshot->qualified_name);
}

static size_t shapes_bytes(const struct sw_input_shapes *shapes)
{
    if (shapes == NULL)
        return 0;
    return rounded(sizeof *shapes) + rounded(shapes->n_inputs * sizeof *shapes->shapes);
}

static void *place(struct arena *arena, size_t bytes)
{
    void *placed = arena->next;

    arena->next += rounded(bytes);
    return placed;
}

static const char *place_text(struct arena *arena, const char *text)
{
    if (text == NULL)
        return NULL;
    size_t bytes = strlen(text) + 1;
    return memcpy(place(arena, bytes), text, bytes);
}

static const struct sw_class_snapshot *place_class(struct arena *arena, const struct sw_class_snapshot *snapshot)
{
    if (snapshot == NULL)
        return NULL;
    struct sw_class_snapshot *copy = place(arena, sizeof *copy);
    *copy = *snapshot;
    copy->module = place_text(arena, snapshot->module);
    copy->qualified_name = place_text(arena, snapshot->qualified_name);
    return copy;
}

static const struct sw_input_shapes *place_shapes(struct arena *arena, const struct sw_input_shapes *shapes)
{
    if (shapes == NULL)
        return NULL;
    struct sw_input_shapes *copy = place(arena, sizeof *copy);
    const struct sw_tree **trees = place(arena, shapes->n_inputs * sizeof *trees);
    for (size_t i = 0; i < shapes->n_inputs; i++)
        trees[i] = sw_tree_ref(shapes->shapes[i]);
    copy->n_inputs = shapes->n_inputs;
    copy->shapes = trees;
    return copy;
}

static void drop_shapes(const struct sw_input_shapes *shapes)
{
    for (size_t i = 0; shapes != NULL && i < shapes->n_inputs; i++)
        sw_tree_unref(shapes->shapes[i]);
}

enum sw_status sw_profiler_event_new(int64_t id, const int64_t *parent_id, const char *name,
                                     const struct sw_class_snapshot *carrier_type,
                                     const struct sw_class_snapshot *implementation_type,
                                     const struct sw_input_shapes *input_shapes, int64_t start_time_ns,
                                     int64_t duration_ns, int64_t self_time_ns, int64_t thread_id, int succeeded,
                                     struct sw_profiler_event **ret_event)
{
    struct sw_profiler_event *event =
        sw__alloc(rounded(sizeof *event) + text_bytes(name) + class_bytes(carrier_type) +
                  class_bytes(implementation_type) + shapes_bytes(input_shapes));

    if (event == NULL)
        return SW_MEMORY_ERROR;
    struct arena arena = {(unsigned char *)event + rounded(sizeof *event)};
    *event = (struct sw_profiler_event){
        .id = id,
        .parent_id = parent_id != NULL ? *parent_id : 0,
        .has_parent = parent_id != NULL,
        .succeeded = succeeded,
        .name = place_text(&arena, name),
        .carrier_type = place_class(&arena, carrier_type),
        .implementation_type = place_class(&arena, implementation_type),
        .input_shapes = place_shapes(&arena, input_shapes),
        .start_time_ns = start_time_ns,
        .duration_ns = duration_ns,
        .self_time_ns = self_time_ns,
        .thread_id = thread_id,
    };
    *ret_event = event;
    return SW_OK;
}

void sw_profiler_event_free(struct sw_profiler_event *event)
{
    if (event == NULL)
        return;
    drop_shapes(event->input_shapes);
    sw__free(event);
}

enum sw_status sw_profiler_aggregate_new(const char *name, const struct sw_class_snapshot *carrier_type,
                                         const struct sw_input_shapes *input_shapes, int64_t count,
                                         int64_t total_time_ns, int64_t self_total_time_ns, double mean_time_ns,
                                         int64_t min_time_ns, int64_t max_time_ns,
                                         struct sw_profiler_aggregate **ret_aggregate)
{
    struct sw_profiler_aggregate *aggregate = sw__alloc(rounded(sizeof *aggregate) + text_bytes(name) +
                                                        class_bytes(carrier_type) + shapes_bytes(input_shapes));

    if (aggregate == NULL)
        return SW_MEMORY_ERROR;
    struct arena arena = {(unsigned char *)aggregate + rounded(sizeof *aggregate)};
    *aggregate = (struct sw_profiler_aggregate){
        .name = place_text(&arena, name),
        .carrier_type = place_class(&arena, carrier_type),
        .input_shapes = place_shapes(&arena, input_shapes),
        .count = count,
        .total_time_ns = total_time_ns,
        .self_total_time_ns = self_total_time_ns,
        .mean_time_ns = mean_time_ns,
        .min_time_ns = min_time_ns,
        .max_time_ns = max_time_ns,
    };
    *ret_aggregate = aggregate;
    return SW_OK;
}

void sw_profiler_aggregate_free(struct sw_profiler_aggregate *aggregate)
{
    if (aggregate == NULL)
        return;
    drop_shapes(aggregate->input_shapes);
    sw__free(aggregate);
}
