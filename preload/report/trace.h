/*
 * A Chrome trace in memory, as any tool may have written it.
 */
#ifndef REPORT_TRACE_H
#define REPORT_TRACE_H

#include "report/check.h"

#ifdef HAVE_JANSSON

#include <jansson.h>

struct trace_event {
    json_t *json;         /* borrowed from the document */
    size_t index;         /* among the events of the file */
    char phase;
    const char *name;     /* "" for none */
    const char *category; /* likewise */
    uint32_t lane;        /* its thread; NO_LANE for none */
    int64_t begin_ns;
    int64_t end_ns;       /* of a slice; else begin_ns */
};

#define NO_LANE UINT32_MAX

struct trace {
    json_t *document;
    struct trace_event *events; /* those that have all that their phase needs */
    size_t n_events;
    int64_t slack_ns;           /* what rounding in the file may have moved a time by */
};

void trace_clear(struct trace *trace);

/** For qsort() of pointers to events: by thread, then by beginning, then as they stand in the file. */
int trace_by_place(const void *a, const void *b);
/** Whether an event is none of a device. Work of devices has rules of its own. */
int trace_is_host(const struct trace_event *event);
/** A member of an event's args; NULL for none. */
json_t *trace_argument(const struct trace_event *event, const char *key);

/** Slices: nesting, pairs of beginnings and ends, ids, parents, self times. */
SW_NODISCARD enum report_outcome check_slices(struct check *check, const struct trace *trace);
/** Flows, asynchronous slices, counters, work of devices. */
SW_NODISCARD enum report_outcome check_links(struct check *check, const struct trace *trace);

#endif

#endif
