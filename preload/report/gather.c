/*
 * The events of a report in memory, in the order of their starts.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/collect.h"

struct gathering {
    struct sw__analyze_event *events; /* `reserved` holds the serial until order is made */
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
    if (gathering->n_events == gathering->capacity) {
        size_t capacity = gathering->capacity != 0 ? gathering->capacity + gathering->capacity / 2 : 1024;
        struct sw__analyze_event *events = sw__realloc(gathering->events, capacity * sizeof *events);
        if (events == NULL)
            return SW_MEMORY_ERROR;
        gathering->events = events;
        gathering->capacity = capacity;
    }
    gathering->events[gathering->n_events] = *event;
    gathering->events[gathering->n_events++].reserved = serial;
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
    return (left->reserved > right->reserved) - (left->reserved < right->reserved);
}

/* Serials become indices into the sorted array. */
static enum report_outcome renumber(struct gathering *gathering)
{
    uint32_t *index_of_serial SW__OWNED = sw__alloc((size_t)gathering->n_serials * sizeof *index_of_serial);

    if (index_of_serial == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < gathering->n_events; i++)
        index_of_serial[gathering->events[i].reserved] = (uint32_t)i;
    for (size_t i = 0; i < gathering->n_events; i++) {
        struct sw__analyze_event *event = &gathering->events[i];
        if (event->parent != SW__ANALYZE_NONE)
            event->parent = index_of_serial[event->parent];
        event->reserved = 0;
    }
    return REPORT_OK;
}

enum report_outcome report_collect(const struct report *report, const struct report_filter *filter,
                                   struct report_events *ret_events)
{
    struct gathering gathering SW__CLEANUP(gathering_clear) = { NULL, 0, 0, 0 };
    struct report_totals totals;

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
