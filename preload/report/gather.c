/*
 * The events of a report in memory, in the order of their starts.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/collect.h"

struct gathering {
    struct sw__analyze_event *events; /* `n_children` holds the serial until order is made */
    size_t n_events;
    size_t capacity;
    uint32_t n_serials;
};

static void gathering_clear(struct gathering *gathering)
{
    sw__free(gathering->events);
}

static enum sw_status gather_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct gathering *gathering = context;

    if (serial >= gathering->n_serials)
        gathering->n_serials = serial + 1;
    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    if (gathering->n_events == gathering->capacity)
        return sw_error_set(SW_OVERFLOW_ERROR, "more events than the report has room for");
    gathering->events[gathering->n_events] = *event;
    gathering->events[gathering->n_events++].n_children = serial;
    return SW_OK;
}

/* By start; of equal starts on one thread the enclosing one, which has the smaller serial, first. */
static int by_start(const void *a, const void *b)
{
    const struct sw__analyze_event *left = a, *right = b;

    if (left->start_ns != right->start_ns)
        return left->start_ns < right->start_ns ? -1 : 1;
    if (left->thread == right->thread && left->duration_ns != right->duration_ns)
        return left->duration_ns > right->duration_ns ? -1 : 1;
    return (left->n_children > right->n_children) - (left->n_children < right->n_children);
}

/* Serials become indices into the sorted array. */
static enum report_outcome renumber(struct gathering *gathering)
{
    uint32_t *index_of_serial SW__OWNED = sw__alloc((size_t)gathering->n_serials * sizeof *index_of_serial);

    if (index_of_serial == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < gathering->n_events; i++)
        index_of_serial[gathering->events[i].n_children] = (uint32_t)i;
    for (size_t i = 0; i < gathering->n_events; i++) {
        struct sw__analyze_event *event = &gathering->events[i];
        if (event->parent != SW__ANALYZE_NONE)
            event->parent = index_of_serial[event->parent];
        event->n_children = 0;
    }
    return REPORT_OK;
}

/* No more events than that: the memory for them is taken once, and no more of it than twice the file. */
static size_t count_slots(const struct report *report, const struct report_filter *filter)
{
    size_t n_slots = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        if (filter->thread != NULL && filter->thread != thread)
            continue;
        n_slots += thread->n_open;
        for (size_t chunk = 0; chunk < thread->n_chunks; chunk++)
            n_slots += (size_t)(thread->chunks[chunk].n_bytes / sizeof(struct swprof_event));
    }
    return n_slots;
}

enum report_outcome report_collect(const struct report *report, const struct report_filter *filter,
                                   struct report_events *ret_events)
{
    struct gathering gathering SW__CLEANUP(gathering_clear) = { .capacity = count_slots(report, filter) };
    struct report_totals totals;

    gathering.events = sw__alloc(gathering.capacity * sizeof *gathering.events);
    if (gathering.events == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(report_each_event(report, filter, gather_event, &gathering, &totals));
    if (gathering.n_events > 1)
        qsort(gathering.events, gathering.n_events, sizeof *gathering.events, by_start);
    REPORT_TRY(renumber(&gathering));
    *ret_events = (struct report_events){ sw__take(gathering.events), gathering.n_events, totals };
    return REPORT_OK;
}

void report_events_clear(struct report_events *events)
{
    sw__free(events->events);
    *events = (struct report_events){ .events = NULL };
}
