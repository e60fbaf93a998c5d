/*
 * Collapsed stacks: "program;thread;outer;inner 1234", a line per distinct
 * nesting of operations in the order of their frames. Memory grows with the
 * distinct stacks, not with the operations.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "report/export.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/visible.h"
#include "base/alloc.h"

/* Operations that lie deeper are accounted to the one that encloses them at this depth. */
#define MOST_FRAMES 1024

#define NO_NODE UINT32_MAX

/* What an operation weighs. */
typedef int64_t weigh(const struct sw__analyze_event *event);

static int64_t weigh_self(const struct sw__analyze_event *event)
{
    return event->self_ns;
}

static int64_t weigh_call(const struct sw__analyze_event *event)
{
    return !(event->flags & SW__ANALYZE_UNFINISHED);
}

static int64_t weigh_failure(const struct sw__analyze_event *event)
{
    return !(event->flags & (SW__ANALYZE_UNFINISHED | SW__ANALYZE_SUCCEEDED));
}

static const struct {
    const char *name;
    weigh *weigh;
} metrics[] = {
    { "self", weigh_self }, /* nanoseconds; the default */
    { "calls", weigh_call },
    { "failures", weigh_failure },
};
#define N_METRICS (sizeof metrics / sizeof *metrics)

/* A distinct stack: one frame below another stack. */
struct node {
    uint32_t parent; /* NO_NODE: the frame is a thread */
    uint32_t name;   /* index of a dispatch, or of a thread */
    int64_t weight;
};

struct folding {
    weigh *weigh;
    uint32_t *names;  /* per dispatch: the first dispatch of an equal name */
    struct node *nodes;
    uint32_t n_nodes;
    uint32_t *slots;  /* open addressing over the nodes; 0: free, else 1 + node */
    uint32_t n_slots; /* a power of two, at least twice n_nodes */
    uint32_t *path;   /* nodes of the operations that are entered */
    size_t n_path;
    size_t path_capacity;
    int saturated;
};

static enum report_outcome choose_metric(const char *metric, weigh **ret_weigh)
{
    for (size_t i = 0; i < N_METRICS; i++) {
        if (metric == NULL || strcmp(metrics[i].name, metric) == 0) {
            *ret_weigh = metrics[i].weigh;
            return REPORT_OK;
        }
    }
    return report_fail(REPORT_USAGE, "--metric %s: expected self, calls or failures", metric);
}

static int by_name(const void *a, const void *b, void *context)
{
    const struct report *report = context;
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    int order = strcmp(report->dispatches[left].name, report->dispatches[right].name);

    return order != 0 ? order : (left > right) - (left < right);
}

/* Frames are told apart by their names only: carriers of one name are one frame. */
static enum report_outcome unite_names(const struct report *report, uint32_t **ret_names)
{
    size_t n = report->names.n_dispatches;
    uint32_t *order SW__OWNED = sw__alloc((n + 1) * sizeof *order), *names = sw__alloc((n + 1) * sizeof *names);

    if (order == NULL || names == NULL) {
        sw__free(names);
        return REPORT_SYSTEM;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (uint32_t)i;
    qsort_r(order, n, sizeof *order, by_name, (void *)report);
    for (size_t i = 0; i < n; i++) {
        int is_same = i > 0 && strcmp(report->dispatches[order[i]].name, report->dispatches[order[i - 1]].name) == 0;
        names[order[i]] = is_same ? names[order[i - 1]] : order[i];
    }
    *ret_names = names;
    return REPORT_OK;
}

static uint32_t slot_of(const struct folding *folding, uint32_t parent, uint32_t name)
{
    uint64_t key = ((uint64_t)parent << 32 | name) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t slot = (uint32_t)(key >> 32) & (folding->n_slots - 1);

    while (folding->slots[slot] != 0) {
        const struct node *node = &folding->nodes[folding->slots[slot] - 1];
        if (node->parent == parent && node->name == name)
            break;
        slot = (slot + 1) & (folding->n_slots - 1);
    }
    return slot;
}

/* Twice as many, or the first. */
static enum sw_status make_room(struct folding *folding)
{
    uint32_t n_slots = folding->n_slots != 0 ? folding->n_slots * 2 : 256;

    if (folding->n_nodes < folding->n_slots / 2)
        return SW_OK;
    if (n_slots == 0)
        return sw_error_set(SW_OVERFLOW_ERROR, "more distinct stacks than can be held");
    struct node *nodes = sw__realloc(folding->nodes, (size_t)n_slots / 2 * sizeof *nodes);
    if (nodes == NULL)
        return SW_MEMORY_ERROR;
    folding->nodes = nodes;
    uint32_t *slots = sw__alloc_zero((size_t)n_slots * sizeof *slots);
    if (slots == NULL)
        return SW_MEMORY_ERROR;
    sw__free(folding->slots);
    folding->slots = slots;
    folding->n_slots = n_slots;
    for (uint32_t i = 0; i < folding->n_nodes; i++)
        slots[slot_of(folding, nodes[i].parent, nodes[i].name)] = i + 1;
    return SW_OK;
}

static enum sw_status find_node(struct folding *folding, uint32_t parent, uint32_t name, uint32_t *ret_node)
{
    SW__TRY(make_room(folding));
    uint32_t slot = slot_of(folding, parent, name);
    if (folding->slots[slot] == 0) {
        folding->nodes[folding->n_nodes++] = (struct node){ parent, name, 0 };
        folding->slots[slot] = folding->n_nodes;
    }
    *ret_node = folding->slots[slot] - 1;
    return SW_OK;
}

static enum sw_status push(struct folding *folding, uint32_t node)
{
    if (folding->n_path == folding->path_capacity) {
        size_t capacity = folding->path_capacity != 0 ? folding->path_capacity * 2 : 64;
        uint32_t *path = sw__realloc(folding->path, capacity * sizeof *path);
        if (path == NULL)
            return SW_MEMORY_ERROR;
        folding->path = path;
        folding->path_capacity = capacity;
    }
    folding->path[folding->n_path++] = node;
    return SW_OK;
}

static enum sw_status enter(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct folding *folding = exporter->state;
    uint32_t node = NO_NODE;

    (void)serial;
    if (folding->n_path > 0)
        node = folding->path[folding->n_path - 1];
    else
        SW__TRY(find_node(folding, NO_NODE, event->thread, &node));
    if (!(event->flags & SW__ANALYZE_HIDDEN) && folding->n_path < MOST_FRAMES)
        SW__TRY(find_node(folding, node, folding->names[event->dispatch], &node));
    return push(folding, node);
}

static enum sw_status leave(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct folding *folding = exporter->state;
    struct node *node = &folding->nodes[folding->path[--folding->n_path]];

    (void)serial;
    if (!(event->flags & SW__ANALYZE_HIDDEN))
        report_add_ns(&node->weight, folding->weigh(event), &folding->saturated);
    return SW_OK;
}

static enum report_outcome begin(struct exporter *exporter)
{
    weigh *weigh_event = NULL;

    REPORT_TRY(choose_metric(exporter->metric, &weigh_event));
    struct folding *folding = sw__alloc_zero(sizeof *folding);
    if (folding == NULL)
        return REPORT_SYSTEM;
    exporter->state = folding;
    folding->weigh = weigh_event;
    return unite_names(exporter->report, &folding->names);
}

static void clear(struct exporter *exporter)
{
    struct folding *folding = exporter->state;

    if (folding == NULL)
        return;
    sw__free(folding->names);
    sw__free(folding->nodes);
    sw__free(folding->slots);
    sw__free(folding->path);
    sw__free(sw__take(exporter->state));
}

/* A frame: what ends frames or lines is escaped, as is what a terminal would act on. */
static enum sw_status put_frame(struct sw__builder *text, const char *name)
{
    struct sw__builder visible SW__OWNED_BUILDER = { 0 };

    SW__TRY(sw__visible(&visible, name));
    for (const char *from = visible.n_bytes != 0 ? visible.bytes : "";;) {
        size_t n = strcspn(from, ";");
        SW__TRY(sw__builder_append(text, from, n));
        if (from[n] == '\0')
            return SW_OK;
        SW__TRY(sw__builder_string(text, "\\x3b"));
        from += n + 1;
    }
}

static enum sw_status put_thread(struct sw__builder *text, const struct report *report, uint32_t number)
{
    const struct report_thread *thread = report_find_thread(report, number);

    SW__TRY(put_frame(text, report->program));
    SW__TRY(sw__builder_string(text, "-"));
    SW__TRY(sw__builder_integer(text, report->header.pid));
    SW__TRY(sw__builder_string(text, ";"));
    SW__TRY(put_frame(text, thread->name));
    SW__TRY(sw__builder_string(text, "-"));
    return sw__builder_integer(text, thread->tid);
}

/* Where the nodes go, one after the other. */
struct writing {
    struct exporter *exporter;
    const struct folding *folding;
    const uint32_t *order; /* nodes, by parent and the text of the frame */
    size_t prefix[MOST_FRAMES + 2]; /* bytes of the line's beginning per depth */
    struct sw__builder line;
};

static int by_parent(const void *a, const void *b, void *context)
{
    const struct exporter *exporter = context;
    const struct folding *folding = exporter->state;
    const struct node *left = &folding->nodes[*(const uint32_t *)a], *right = &folding->nodes[*(const uint32_t *)b];

    if (left->parent != right->parent)
        return left->parent < right->parent ? -1 : 1;
    if (left->parent == NO_NODE)
        return left->name < right->name ? -1 : 1;
    return strcmp(exporter->report->dispatches[left->name].name, exporter->report->dispatches[right->name].name);
}

/* The first node in order whose parent is not before @parent. */
static size_t first_of(const struct writing *writing, uint32_t parent)
{
    size_t low = 0, high = writing->folding->n_nodes;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (writing->folding->nodes[writing->order[middle]].parent < parent)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static enum sw_status put_node(struct writing *writing, const struct node *node, size_t depth)
{
    const struct report *report = writing->exporter->report;
    struct sw__builder *line = &writing->line;

    line->n_bytes = writing->prefix[depth];
    if (node->parent == NO_NODE) {
        SW__TRY(put_thread(line, report, node->name));
    } else {
        SW__TRY(sw__builder_string(line, ";"));
        SW__TRY(put_frame(line, report->dispatches[node->name].name));
    }
    writing->prefix[depth + 1] = line->n_bytes;
    if (node->weight == 0)
        return SW_OK;
    SW__TRY(sw__builder_append(&writing->exporter->text, line->bytes, line->n_bytes));
    SW__TRY(sw__builder_string(&writing->exporter->text, " "));
    SW__TRY(sw__builder_integer(&writing->exporter->text, node->weight));
    SW__TRY(sw__builder_string(&writing->exporter->text, "\n"));
    return SW_OK;
}

/* The frames below @parent and all below them; never deeper than MOST_FRAMES. */
static enum sw_status put_below(struct writing *writing, uint32_t parent, size_t depth)
{
    const struct folding *folding = writing->folding;

    for (size_t i = first_of(writing, parent); i < folding->n_nodes; i++) {
        const struct node *node = &folding->nodes[writing->order[i]];
        if (node->parent != parent)
            return SW_OK;
        SW__TRY(put_node(writing, node, depth));
        export_flush(writing->exporter);
        SW__TRY(put_below(writing, writing->order[i], depth + 1));
    }
    return SW_OK;
}

static void writing_clear(struct writing *writing)
{
    sw__builder_clear(&writing->line);
}

static enum sw_status end(struct exporter *exporter)
{
    const struct folding *folding = exporter->state;
    struct writing writing SW__CLEANUP(writing_clear) = { .exporter = exporter, .folding = folding };
    uint32_t *order SW__OWNED = sw__alloc(((size_t)folding->n_nodes + 1) * sizeof *order);

    if (order == NULL)
        return SW_MEMORY_ERROR;
    for (uint32_t i = 0; i < folding->n_nodes; i++)
        order[i] = i;
    qsort_r(order, folding->n_nodes, sizeof *order, by_parent, exporter);
    writing.order = order;
    return put_below(&writing, NO_NODE, 0);
}

const struct export_form export_folded = { begin, enter, leave, NULL, end, clear };
