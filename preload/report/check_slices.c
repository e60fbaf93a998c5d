/*
 * Slices of one thread: those that are whole, and those of a beginning and an
 * end. What a tool of ours wrote says besides who is whose parent and how long
 * an operation took by itself.
 */
#include "config.h"

#include "report/trace.h"

#ifdef HAVE_JANSSON

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct slice {
    const struct trace_event *event;
    int64_t begin_ns;
    int64_t end_ns;
    struct slice *operation; /* that of ours which it is, or which is nearest around it; NULL: none */
    int64_t children_ns; /* of an operation of ours: of those right inside, ranges between them or not */
    size_t n_children;
};

struct slices {
    struct check *check;
    const struct trace *trace;
    struct slice *slices; /* by thread and place */
    size_t n_slices;
    struct slice **open;  /* around the one that is looked at; room for all */
    size_t n_open;
    json_t *ids;          /* of operations: to the place of their event */
    int is_whole;         /* nothing is missing that a self time leaves out */
};

static void slices_clear(struct slices *slices)
{
    sw__free(slices->slices);
    sw__free(slices->open);
    json_decref(slices->ids);
}

/* ---- Beginnings and ends ------------------------------------------------------------------------ */

static void find_unpaired(struct slices *slices)
{
    while (slices->n_open > 0) {
        const struct trace_event *event = slices->open[--slices->n_open]->event;
        check_find(slices->check, CHECK_PAIR, event->index, "%s begins and does not end", event->name);
    }
}

static void pair_end(struct slices *slices, const struct trace_event *end)
{
    if (slices->n_open == 0) {
        check_find(slices->check, CHECK_PAIR, end->index, "an end without a beginning: %s", end->name);
        return;
    }
    struct slice *slice = slices->open[--slices->n_open];
    if (end->name[0] != '\0' && strcmp(end->name, slice->event->name) != 0)
        check_find(slices->check, CHECK_PAIR, end->index, "the end of %s where %s is open", end->name,
                   slice->event->name);
    slice->end_ns = end->begin_ns;
}

/* @edges: beginnings and ends in the order of time. */
static void pair_all(struct slices *slices, const struct trace_event *const *edges, size_t n_edges)
{
    for (size_t i = 0; i < n_edges; i++) {
        if (i > 0 && edges[i]->lane != edges[i - 1]->lane)
            find_unpaired(slices);
        if (edges[i]->phase == 'E') {
            pair_end(slices, edges[i]);
            continue;
        }
        struct slice *slice = &slices->slices[slices->n_slices++];
        *slice = (struct slice){ .event = edges[i], .begin_ns = edges[i]->begin_ns, .end_ns = edges[i]->begin_ns };
        slices->open[slices->n_open++] = slice;
    }
    find_unpaired(slices);
}

static enum report_outcome collect(struct slices *slices)
{
    const struct trace *trace = slices->trace;
    const struct trace_event **edges SW__OWNED = sw__alloc((trace->n_events + 1) * sizeof *edges);
    size_t n_edges = 0;

    slices->slices = sw__alloc((trace->n_events + 1) * sizeof *slices->slices);
    slices->open = sw__alloc((trace->n_events + 1) * sizeof *slices->open);
    slices->ids = json_object();
    if (edges == NULL || slices->slices == NULL || slices->open == NULL || slices->ids == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < trace->n_events; i++) {
        const struct trace_event *event = &trace->events[i];
        if (event->phase == 'X')
            slices->slices[slices->n_slices++] =
                (struct slice){ .event = event, .begin_ns = event->begin_ns, .end_ns = event->end_ns };
        if (event->phase == 'B' || event->phase == 'E')
            edges[n_edges++] = event;
    }
    qsort(edges, n_edges, sizeof *edges, trace_by_place);
    pair_all(slices, edges, n_edges);
    return REPORT_OK;
}

/* ---- Ids ---------------------------------------------------------------------------------------- */

static json_int_t id_of(const struct slice *slice, const char *key)
{
    return json_integer_value(trace_argument(slice->event, key));
}

/* What has an id and a self time was written by a tool of ours. */
static int is_ours(const struct slice *slice)
{
    return json_is_integer(trace_argument(slice->event, "External id")) &&
           json_is_integer(trace_argument(slice->event, "self_ns"));
}

static enum report_outcome check_ids(struct slices *slices)
{
    for (size_t i = 0; i < slices->n_slices; i++) {
        const struct slice *slice = &slices->slices[i];
        char key[24];
        if (!trace_is_host(slice->event) || !json_is_integer(trace_argument(slice->event, "External id")))
            continue;
        snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, id_of(slice, "External id"));
        if (json_object_get(slices->ids, key) != NULL && is_ours(slice))
            check_find(slices->check, CHECK_ID, slice->event->index, "%s: the id %s is that of another operation",
                       slice->event->name, key);
        if (json_object_set_new(slices->ids, key, json_integer((json_int_t)slice->event->index)) != 0)
            return REPORT_SYSTEM;
    }
    return REPORT_OK;
}

/* ---- Nesting ------------------------------------------------------------------------------------ */

static int by_place(const void *a, const void *b)
{
    const struct slice *left = a, *right = b;

    if (left->event->lane != right->event->lane)
        return left->event->lane < right->event->lane ? -1 : 1;
    if (left->begin_ns != right->begin_ns)
        return left->begin_ns < right->begin_ns ? -1 : 1;
    if (left->end_ns != right->end_ns)
        return left->end_ns > right->end_ns ? -1 : 1;
    return left->event->index < right->event->index ? -1 : 1;
}

/* @around: the nearest operation around it. Ranges are nobody's parents. */
static void check_parent(struct slices *slices, const struct slice *slice, const struct slice *around)
{
    json_int_t parent = id_of(slice, "Parent id");
    char key[24];

    if (around != NULL && parent == id_of(around, "External id"))
        return;
    if (parent == 0) {
        if (around != NULL)
            check_find(slices->check, CHECK_PARENT, slice->event->index, "%s has no parent and lies in %s",
                       slice->event->name, around->event->name);
        return;
    }
    snprintf(key, sizeof key, "%" JSON_INTEGER_FORMAT, parent);
    check_find(slices->check, CHECK_PARENT, slice->event->index,
               json_object_get(slices->ids, key) == NULL ? "%s: its parent %s is no operation of this trace"
                                                         : "%s: its parent %s is not the nearest operation around it",
               slice->event->name, key);
}

/* Rounded times differ from rounded sums by up to one nanosecond each. */
static void check_self(struct slices *slices, const struct slice *slice)
{
    int64_t self_ns = json_integer_value(trace_argument(slice->event, "self_ns"));
    int64_t whole_ns = slice->end_ns - slice->begin_ns, rest_ns = whole_ns - slice->children_ns;
    int64_t slack_ns = (int64_t)slice->n_children + slices->trace->slack_ns, excess_ns = 0;

    if (self_ns < 0 || self_ns > whole_ns + slack_ns || __builtin_sub_overflow(self_ns, rest_ns, &excess_ns) ||
        excess_ns > slack_ns || (slices->is_whole && excess_ns < -slack_ns))
        check_find(slices->check, CHECK_SELF, slice->event->index, "%s: a self time of %lld ns where %lld ns are left",
                   slice->event->name, (long long)self_ns, (long long)rest_ns);
}

static void leave(struct slices *slices)
{
    struct slice *slice = slices->open[--slices->n_open];

    if (slice->operation == slice)
        check_self(slices, slice);
}

static void enter_operation(struct slices *slices, struct slice *slice, struct slice *around)
{
    slice->operation = slice;
    check_parent(slices, slice, around);
    if (around == NULL)
        return;
    if (__builtin_add_overflow(around->children_ns, slice->end_ns - slice->begin_ns, &around->children_ns))
        around->children_ns = INT64_MAX;
    around->n_children++;
}

static void enter(struct slices *slices, struct slice *slice)
{
    int64_t slack_ns = slices->trace->slack_ns;
    struct slice *around;

    while (slices->n_open > 0 && slices->open[slices->n_open - 1]->end_ns <= slice->begin_ns + slack_ns &&
           slices->open[slices->n_open - 1]->end_ns < slice->end_ns)
        leave(slices);
    while (slices->n_open > 0 && slices->open[slices->n_open - 1]->end_ns <= slice->begin_ns)
        leave(slices);
    around = slices->n_open > 0 ? slices->open[slices->n_open - 1] : NULL;
    if (around != NULL && slice->end_ns > around->end_ns + slack_ns)
        check_find(slices->check, CHECK_OVERLAP, slice->event->index,
                   "%s overlaps %s, which began before it, by %lld ns", slice->event->name, around->event->name,
                   (long long)(around->end_ns - slice->begin_ns));
    slice->operation = around != NULL ? around->operation : NULL;
    if (is_ours(slice))
        enter_operation(slices, slice, slice->operation);
    slices->open[slices->n_open++] = slice;
}

static void check_nesting(struct slices *slices)
{
    for (size_t i = 0; i < slices->n_slices; i++) {
        struct slice *slice = &slices->slices[i];
        if (i == 0 || slice->event->lane != slice[-1].event->lane) {
            while (slices->n_open > 0)
                leave(slices);
            slices->check->n_lanes++;
        }
        if (trace_is_host(slice->event))
            enter(slices, slice);
    }
    while (slices->n_open > 0)
        leave(slices);
}

/* Whether the writer says that its trace has all that the self times know of. */
static int is_whole(const json_t *document)
{
    static const char *const missing[] = { "lost_events", "hidden_events", "unfinished_operations",
                                           "suspect_intervals", "left_out" };
    json_t *facts = json_object_get(document, "otherData");

    if (facts == NULL)
        return 0;
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (json_integer_value(json_object_get(facts, missing[i])) != 0)
            return 0;
    return 1;
}

/* Ranges and overhead are slices, too, but no operations. */
static void count_slices(struct check *check, const struct slices *slices)
{
    size_t n_operations = 0;

    for (size_t i = 0; i < slices->n_slices; i++)
        n_operations += strcmp(slices->slices[i].event->category, "cpu_op") == 0;
    check->has_slices = n_operations == 0 && slices->n_slices != 0;
    check->n_events = check->has_slices ? slices->n_slices : n_operations;
    check->n_others = slices->n_slices - check->n_events;
}

enum report_outcome check_slices(struct check *check, const struct trace *trace)
{
    struct slices slices SW__CLEANUP(slices_clear) = {
        .check = check,
        .trace = trace,
        .is_whole = is_whole(trace->document),
    };

    REPORT_TRY(collect(&slices));
    REPORT_TRY(check_ids(&slices));
    if (slices.n_slices > 1)
        qsort(slices.slices, slices.n_slices, sizeof *slices.slices, by_place);
    count_slices(check, &slices);
    check_nesting(&slices);
    return REPORT_OK;
}

#endif
