/*
 * From a recording to immutable events: stamps become nanoseconds, hidden
 * entries disappear after their time was taken out of their parents'. One pass
 * in the order of starts, in which parents come before their children.
 */
#include "config.h"

#include <strideweave/tree.h>

#include <string.h>

#include "base/alloc.h"
#include "profiler/frozen.h"
#include "profiler/recording.h"

void sw__frozen_free(struct sw__frozen *frozen)
{
    if (frozen == NULL)
        return;
    for (size_t i = 0; i < frozen->names.n_shapes; i++) {
        for (size_t k = 0; k < frozen->input_shapes[i].n_inputs; k++)
            sw_tree_unref(frozen->input_shapes[i].shapes[k]);
        sw__free((void *)(uintptr_t)frozen->input_shapes[i].shapes);
        sw__free((void *)(uintptr_t)frozen->shapes[i].words);
    }
    sw__stack_table_clear(&frozen->stacks);
    sw__free(frozen->events);
    sw__free(frozen->classes);
    sw__free(frozen->dispatches);
    sw__free(frozen->input_shapes);
    sw__free(frozen->shapes);
    sw__free(frozen);
}

/* ---- Names ------------------------------------------------------------------------------- */

static void name_dispatch(const struct sw_hook_dispatch *source, struct sw__analyze_dispatch *dispatch,
                          struct sw__frozen_classes *classes)
{
    *dispatch = (struct sw__analyze_dispatch){
        .name = source->name,
        .carrier_module = source->carrier_module,
        .carrier_name = source->carrier_name,
        .implementation_module = source->implementation_module,
        .implementation_name = source->implementation_name,
        .carrier = source->carrier_serial,
    };
    classes->carrier = (struct sw_class_snapshot){source->carrier_class, source->carrier_serial,
                                                  source->carrier_module, source->carrier_name};
    classes->implementation =
        (struct sw_class_snapshot){source->implementation_class, source->implementation_serial,
                                   source->implementation_module, source->implementation_name};
}

/* Stands for ids between those that were seen: no event has them. */
static const struct sw_hook_dispatch unseen = {
    .name = "",
    .carrier_module = "",
    .carrier_name = "",
    .implementation_module = "",
    .implementation_name = "",
};

static enum sw_status freeze_dispatches(const struct sw__recording *recording, struct sw__frozen *frozen)
{
    size_t n = recording->n_dispatches;

    frozen->dispatches = sw__alloc_zero(n * sizeof *frozen->dispatches);
    frozen->classes = sw__alloc_zero(n * sizeof *frozen->classes);
    if (frozen->dispatches == NULL || frozen->classes == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        name_dispatch(recording->dispatches[i] != NULL ? recording->dispatches[i] : &unseen, &frozen->dispatches[i],
                      &frozen->classes[i]);
    frozen->names.dispatches = frozen->dispatches;
    frozen->names.n_dispatches = n;
    return SW_OK;
}

static enum sw_status freeze_shapes(const struct sw__recording *recording, struct sw__frozen *frozen)
{
    size_t n = recording->shapes.n;

    frozen->shapes = sw__alloc_zero(n * sizeof *frozen->shapes);
    frozen->input_shapes = sw__alloc_zero(n * sizeof *frozen->input_shapes);
    if (frozen->shapes == NULL || frozen->input_shapes == NULL)
        return SW_MEMORY_ERROR;
    frozen->names.shapes = frozen->shapes;
    for (size_t i = 0; i < n; i++) {
        const struct sw__shape_list *list = recording->shapes.lists[i];
        const struct sw_tree **trees SW__OWNED = sw__alloc(list->n_inputs * sizeof *trees);
        int64_t *words = NULL;
        uint32_t n_words = 0;

        if (trees == NULL)
            return SW_MEMORY_ERROR;
        SW__TRY(sw__analyze_shapes_words(list->shapes, list->n_inputs, &words, &n_words));
        for (size_t k = 0; k < list->n_inputs; k++)
            trees[k] = sw_tree_ref(list->shapes[k]);
        frozen->shapes[i] = (struct sw__analyze_shapes){(uint32_t)list->n_inputs, n_words, words};
        frozen->input_shapes[i] = (struct sw_input_shapes){list->n_inputs, sw__take(trees)};
        frozen->names.n_shapes = i + 1;
    }
    return SW_OK;
}

/* ---- Events -------------------------------------------------------------------------------- */

static uint32_t event_flags(uint32_t flags)
{
    uint32_t result = 0;

    if (flags & SW__ENTRY_SUCCEEDED)
        result |= SW__ANALYZE_SUCCEEDED;
    if (flags & SW__ENTRY_HEALED)
        result |= SW__ANALYZE_HEALED;
    return result;
}

struct conversion {
    const struct sw__clock_map *map;
    struct sw__frozen *frozen;
    /* For each entry its event, or that of its nearest selected ancestor. NULL without hidden entries: the index. */
    uint32_t *nearest;
};

static inline void convert(struct conversion *conversion, const struct sw__entry *entry, uint32_t stack,
                           uint32_t index)
{
    struct sw__frozen *frozen = conversion->frozen;
    int64_t start = sw__clock_map_ns(conversion->map, entry->start);
    int64_t duration = sw__clock_map_ns(conversion->map, entry->end) - start;
    uint32_t parent = entry->parent;

    if (parent != SW__NO_ENTRY) {
        if (conversion->nearest != NULL)
            parent = conversion->nearest[parent];
        if (!(entry->flags & SW__ENTRY_PARENT_HIDDEN))
            frozen->events[parent].self_ns -= duration;
    }
    if (entry->flags & SW__ENTRY_HIDDEN) {
        conversion->nearest[index] = parent;
        return;
    }
    if (conversion->nearest != NULL)
        conversion->nearest[index] = (uint32_t)frozen->n_events;
    frozen->events[frozen->n_events++] = (struct sw__analyze_event){
        .start_ns = start,
        .duration_ns = duration,
        .self_ns = duration,
        .parent = parent == SW__NO_ENTRY ? SW__ANALYZE_NONE : parent,
        .dispatch = entry->dispatch,
        .shapes = entry->shapes == SW__NO_ENTRY ? SW__ANALYZE_NONE : entry->shapes,
        .stack = stack == SW__NO_ENTRY ? SW__ANALYZE_NONE : stack,
        .flags = event_flags(entry->flags),
    };
}

static enum sw_status freeze_events(const struct sw__recording *recording, const struct sw__clock_map *map,
                                    struct sw__frozen *frozen)
{
    uint32_t *nearest SW__OWNED = NULL;
    uint32_t index = 0;

    frozen->events = sw__alloc_large((recording->n - recording->n_hidden) * sizeof *frozen->events);
    if (frozen->events == NULL)
        return SW_MEMORY_ERROR;
    if (recording->n_hidden != 0 && (nearest = sw__alloc_large(recording->n * sizeof *nearest)) == NULL)
        return SW_MEMORY_ERROR;
    struct conversion conversion = {map, frozen, nearest};
    for (const struct sw__chunk *chunk = recording->first; chunk != NULL; chunk = chunk->next)
        for (uint32_t i = 0; i < chunk->n; i++)
            convert(&conversion, &chunk->entries[i], chunk->stacks != NULL ? chunk->stacks[i] : SW__NO_ENTRY,
                    index++);
    return SW_OK;
}

enum sw_status sw__recording_freeze(struct sw__recording *recording, const struct sw__clock_map *map,
                                    struct sw__frozen **ret_frozen)
{
    struct sw__frozen *frozen SW__OWNED_FROZEN = sw__alloc_zero(sizeof *frozen);

    if (frozen == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(freeze_dispatches(recording, frozen));
    SW__TRY(freeze_shapes(recording, frozen));
    SW__TRY(freeze_events(recording, map, frozen));
    frozen->stacks = recording->stacks;
    recording->stacks = (struct sw__stack_table){0};
    sw__recording_clear(recording);
    *ret_frozen = sw__take(frozen);
    return SW_OK;
}
