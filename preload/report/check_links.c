/*
 * What connects events beyond one thread: flows, asynchronous slices, launches
 * of work on devices; and counters.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "report/trace.h"

#ifdef HAVE_JANSSON

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct links {
    struct check *check;
    const struct trace *trace;
    const struct trace_event **slices; /* by thread and beginning */
    int64_t *latest;                   /* per slice: the latest end on its thread so far */
    size_t n_slices;
    const struct trace_event **ends; /* of flows or asynchronous slices */
    char **keys;                     /* what tells them apart */
    size_t n_ends;
};

static void links_clear(struct links *links)
{
    for (size_t i = 0; i < links->n_ends; i++)
        free(links->keys[i]);
    sw__free(links->keys);
    sw__free(links->ends);
    sw__free(links->slices);
    sw__free(links->latest);
}

/* Whether a slice of the thread holds a moment: one of those that have begun ends no earlier. */
static int is_inside(const struct links *links, const struct trace_event *event)
{
    size_t low = 0, high = links->n_slices;
    int64_t slack_ns = links->trace->slack_ns;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct trace_event *slice = links->slices[middle];
        if (slice->lane < event->lane || (slice->lane == event->lane && slice->begin_ns <= event->begin_ns + slack_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && links->slices[low - 1]->lane == event->lane &&
           links->latest[low - 1] + slack_ns >= event->begin_ns;
}

static void note_latest(struct links *links)
{
    for (size_t i = 0; i < links->n_slices; i++) {
        const struct trace_event *slice = links->slices[i];
        int goes_on = i > 0 && links->slices[i - 1]->lane == slice->lane && links->latest[i - 1] > slice->end_ns;
        links->latest[i] = goes_on ? links->latest[i - 1] : slice->end_ns;
    }
}

/* ---- Flows and asynchronous slices -------------------------------------------------------------- */

static int is_flow(const struct trace_event *event)
{
    return event->phase == 's' || event->phase == 't' || event->phase == 'f';
}

static int is_asynchronous(const struct trace_event *event)
{
    return event->phase == 'b' || event->phase == 'n' || event->phase == 'e';
}

/* Flows are joined by category, name and id; asynchronous slices by category and id. */
static char *key_of(const struct trace_event *event)
{
    json_t *id = json_object_get(event->json, "id");
    json_t *key = json_pack("[s, s, O?, O?]", event->category, is_flow(event) ? event->name : "",
                            id != NULL ? id : json_object_get(event->json, "id2"),
                            is_flow(event) ? NULL : json_object_get(event->json, "pid"));
    char *text = key != NULL ? json_dumps(key, JSON_SORT_KEYS) : NULL;

    json_decref(key);
    return text;
}

static enum report_outcome gather(struct links *links)
{
    const struct trace *trace = links->trace;

    links->slices = sw__alloc((trace->n_events + 1) * sizeof *links->slices);
    links->latest = sw__alloc((trace->n_events + 1) * sizeof *links->latest);
    links->ends = sw__alloc((trace->n_events + 1) * sizeof *links->ends);
    links->keys = sw__alloc((trace->n_events + 1) * sizeof *links->keys);
    if (links->slices == NULL || links->latest == NULL || links->ends == NULL || links->keys == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < trace->n_events; i++) {
        const struct trace_event *event = &trace->events[i];
        if (event->phase == 'X')
            links->slices[links->n_slices++] = event;
        if (!is_flow(event) && !is_asynchronous(event))
            continue;
        char *key = key_of(event);
        if (key == NULL)
            return REPORT_SYSTEM;
        links->ends[links->n_ends] = event;
        links->keys[links->n_ends++] = key;
    }
    qsort(links->slices, links->n_slices, sizeof *links->slices, trace_by_place);
    note_latest(links);
    return REPORT_OK;
}

/* Of one moment, beginnings come first and ends last. */
static size_t turn_of(const struct trace_event *event)
{
    static const char turns[] = "sbtnfe";

    return (size_t)(strchr(turns, event->phase) - turns) / 2;
}

/* Order of links[]: by key, flows apart from the others, then by time. */
static int compare_ends(const struct links *links, size_t a, size_t b)
{
    const struct trace_event *left = links->ends[a], *right = links->ends[b];
    int order = is_flow(left) - is_flow(right);

    if (order == 0)
        order = strcmp(links->keys[a], links->keys[b]);
    if (order == 0 && left->begin_ns != right->begin_ns)
        order = left->begin_ns < right->begin_ns ? -1 : 1;
    if (order == 0)
        order = (turn_of(left) > turn_of(right)) - (turn_of(left) < turn_of(right));
    return order != 0 ? order : left->index < right->index ? -1 : 1;
}

static int by_link(const void *a, const void *b, void *context)
{
    return compare_ends(context, *(const size_t *)a, *(const size_t *)b);
}

static void check_flow_place(struct links *links, const struct trace_event *event)
{
    const char *binding = json_string_value(json_object_get(event->json, "bp"));

    /* Without "e" the end of a flow belongs to the slice that begins next. */
    if (event->phase == 'f' && (binding == NULL || strcmp(binding, "e") != 0))
        return;
    if (!is_inside(links, event))
        check_find(links->check, CHECK_FLOW, event->index, "flow %s: no slice of its thread is around it", event->name);
}

/* @order[first..end): what has one key, by time. */
static void check_flow(struct links *links, const size_t *order, size_t n)
{
    const struct trace_event *first = links->ends[order[0]], *last = links->ends[order[n - 1]];
    size_t n_starts = 0, n_ends = 0;

    for (size_t i = 0; i < n; i++) {
        const struct trace_event *event = links->ends[order[i]];
        n_starts += event->phase == 's';
        n_ends += event->phase == 'f';
        check_flow_place(links, event);
    }
    if (n_starts == 0 || n_ends == 0)
        check_find(links->check, CHECK_FLOW, first->index, "flow %s has no %s", first->name,
                   n_starts == 0 ? "beginning" : "end");
    else if ((first->phase != 's' && first->begin_ns < last->begin_ns) || (last->phase == 's' && n > 1))
        check_find(links->check, CHECK_FLOW, first->index, "flow %s runs backwards", first->name);
}

static void check_asynchronous(struct links *links, const size_t *order, size_t n)
{
    size_t n_open = 0;

    for (size_t i = 0; i < n; i++) {
        const struct trace_event *event = links->ends[order[i]];
        if (event->phase == 'b')
            n_open++;
        else if (event->phase == 'e' && n_open-- == 0) {
            n_open = 0;
            check_find(links->check, CHECK_PAIR, event->index, "an end without a beginning: %s", event->name);
        }
    }
    if (n_open > 0)
        check_find(links->check, CHECK_PAIR, links->ends[order[0]]->index, "%s begins and does not end",
                   links->ends[order[0]]->name);
}

static enum report_outcome check_ends(struct links *links)
{
    size_t *order SW__OWNED = sw__alloc((links->n_ends + 1) * sizeof *order);

    if (order == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < links->n_ends; i++)
        order[i] = i;
    qsort_r(order, links->n_ends, sizeof *order, by_link, links);
    for (size_t i = 0; i < links->n_ends;) {
        size_t end = i + 1;
        int flow = is_flow(links->ends[order[i]]);
        while (end < links->n_ends && is_flow(links->ends[order[end]]) == flow &&
               strcmp(links->keys[order[end]], links->keys[order[i]]) == 0)
            end++;
        (flow ? check_flow : check_asynchronous)(links, order + i, end - i);
        i = end;
    }
    return REPORT_OK;
}

/* ---- Counters ----------------------------------------------------------------------------------- */

static void check_counter(struct check *check, const struct trace_event *event)
{
    json_t *arguments = json_object_get(event->json, "args"), *value = NULL;
    const char *key = NULL;

    if (!json_is_object(arguments) || json_object_size(arguments) == 0)
        check_find(check, CHECK_COUNTER, event->index, "counter %s has no value", event->name);
    json_object_foreach(arguments, key, value)
        if (!json_is_number(value))
            check_find(check, CHECK_COUNTER, event->index, "counter %s: %s is no number", event->name, key);
}

/* ---- Work of devices ---------------------------------------------------------------------------- */

static int is_kernel(const struct trace_event *event)
{
    return strcmp(event->category, "kernel") == 0;
}

static int is_device(const struct trace_event *event)
{
    return is_kernel(event) || strcmp(event->category, "gpu_memcpy") == 0 || strcmp(event->category, "gpu_memset") == 0;
}

static int is_launch(const struct trace_event *event)
{
    return strcmp(event->category, "cuda_runtime") == 0 || strcmp(event->category, "cuda_driver") == 0;
}

/* Touching ends are fine; copies may overlap each other. @latest: ends of kernels and of all work so far. */
static void check_streams(struct links *links)
{
    const struct trace_event *kernel = NULL, *work = NULL;

    for (size_t i = 0; i < links->n_slices; i++) {
        const struct trace_event *event = links->slices[i];
        if (!is_device(event))
            continue;
        if (work != NULL && work->lane != event->lane)
            kernel = work = NULL;
        const struct trace_event *other = is_kernel(event) ? work : kernel;
        if (other != NULL && other->end_ns > event->begin_ns + links->trace->slack_ns)
            check_find(links->check, CHECK_DEVICE, event->index, "%s overlaps %s on the same stream", event->name,
                       other->name);
        if (event->end_ns - event->begin_ns > links->check->most_device_ns)
            check_find(links->check, CHECK_DEVICE, event->index, "%s lasts %.3f ms", event->name,
                       (double)(event->end_ns - event->begin_ns) / 1e6);
        if (is_kernel(event) && event->end_ns == event->begin_ns)
            check_find(links->check, CHECK_DEVICE, event->index, "%s takes no time", event->name);
        if (is_kernel(event) && (kernel == NULL || event->end_ns > kernel->end_ns))
            kernel = event;
        if (work == NULL || event->end_ns > work->end_ns)
            work = event;
    }
}

/* Launches by "correlation". */
static enum report_outcome check_causes(struct links *links)
{
    json_t *launches = json_object();
    char key[24];
    int failed = launches == NULL;

    for (size_t i = 0; i < links->n_slices && !failed; i++) {
        json_t *id = trace_argument(links->slices[i], "correlation");
        if (!is_launch(links->slices[i]) || !json_is_integer(id))
            continue;
        snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
        failed = json_object_set_new(launches, key, json_integer(links->slices[i]->begin_ns)) != 0;
    }
    for (size_t i = 0; i < links->n_slices && !failed; i++) {
        const struct trace_event *event = links->slices[i];
        json_t *id = trace_argument(event, "correlation");
        if (!is_device(event) || !json_is_integer(id))
            continue;
        snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, json_integer_value(id));
        json_t *launch = json_object_get(launches, key);
        if (launch != NULL && event->begin_ns + links->trace->slack_ns < json_integer_value(launch))
            check_find(links->check, CHECK_CAUSE, event->index, "%s begins before its launch (correlation %s)",
                       event->name, key);
    }
    json_decref(launches);
    return failed ? REPORT_SYSTEM : REPORT_OK;
}

enum report_outcome check_links(struct check *check, const struct trace *trace)
{
    struct links links SW__CLEANUP(links_clear) = { .check = check, .trace = trace };

    REPORT_TRY(gather(&links));
    REPORT_TRY(check_ends(&links));
    for (size_t i = 0; i < trace->n_events; i++)
        if (trace->events[i].phase == 'C')
            check_counter(check, &trace->events[i]);
    check_streams(&links);
    return check_causes(&links);
}

#endif
