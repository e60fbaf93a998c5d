/*
 * Collapsed stacks: "program;thread;outer;inner 1234", a line per distinct
 * nesting of operations in the order of their frames. Memory grows with the
 * distinct stacks, not with the operations. With call stacks an operation stands
 * below the frames that called it, and one inside of it that has the same stack
 * below itself.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* qsort_r */

#include "report/export.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/visible.h"
#include "base/alloc.h"
#include "report/text_table.h"

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
    uint32_t name;   /* number of a text, or of a thread */
    int64_t weight;
};

/* An operation that is entered. */
struct step {
    uint32_t node;
    uint32_t depth; /* frames of the node */
    uint32_t stack; /* index, or SW__ANALYZE_NONE */
};

/* Where the innermost frame of a call stack is, below the thread that it was last seen on. */
struct placed {
    uint32_t thread; /* node; NO_NODE: not placed */
    uint32_t node;
    uint32_t depth;
};

struct folding {
    weigh *weigh;
    struct text_table texts; /* of frames, which are told apart by them only: carriers of one name are one frame */
    uint32_t *names;  /* per dispatch: the number of its text */
    struct placed *placed; /* per call stack; NULL: they are not wanted */
    struct node *nodes;
    uint32_t n_nodes;
    uint32_t *slots;  /* open addressing over the nodes; 0: free, else 1 + node */
    uint32_t n_slots; /* a power of two, at least twice n_nodes */
    struct step *path; /* operations that are entered */
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

static enum sw_status number_names(const struct report *report, struct folding *folding)
{
    folding->names = sw__alloc((report->names.n_dispatches + 1) * sizeof *folding->names);
    if (folding->names == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < report->names.n_dispatches; i++)
        SW__TRY(text_table_number(&folding->texts, report->dispatches[i].name, &folding->names[i]));
    if (report->stack_names == NULL)
        return SW_OK;
    folding->placed = sw__alloc(report->names.n_stacks * sizeof *folding->placed);
    if (folding->placed == NULL)
        return SW_MEMORY_ERROR;
    memset(folding->placed, 0xff, report->names.n_stacks * sizeof *folding->placed); /* NO_NODE */
    return SW_OK;
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

static enum sw_status push(struct folding *folding, const struct step *step)
{
    if (folding->n_path == folding->path_capacity) {
        size_t capacity = folding->path_capacity != 0 ? folding->path_capacity * 2 : 64;
        struct step *path = sw__realloc(folding->path, capacity * sizeof *path);
        if (path == NULL)
            return SW_MEMORY_ERROR;
        folding->path = path;
        folding->path_capacity = capacity;
    }
    folding->path[folding->n_path++] = *step;
    return SW_OK;
}

/* One frame below @step; deeper ones than are kept are accounted to the last that is. */
static enum sw_status go_down(struct folding *folding, struct step *step, uint32_t text)
{
    if (step->depth == MOST_FRAMES)
        return SW_OK;
    step->depth++;
    return find_node(folding, step->node, text, &step->node);
}

/* From the thread's node to that of the call stack's innermost frame. */
static enum sw_status go_to_stack(struct exporter *exporter, uint32_t stack, struct step *step)
{
    struct folding *folding = exporter->state;
    const struct sw__analyze_stack *entries = &exporter->report->names.stacks[stack];
    uint32_t thread = step->node, text = 0;

    step->stack = stack;
    if (folding->placed[stack].thread == thread) {
        step->node = folding->placed[stack].node;
        step->depth = folding->placed[stack].depth;
        return SW_OK;
    }
    for (size_t i = entries->n_entries; i-- > 0;) {
        SW__TRY(text_table_number(&folding->texts, entries->entries[i], &text));
        SW__TRY(go_down(folding, step, text));
    }
    folding->placed[stack] = (struct placed){ thread, step->node, step->depth };
    return SW_OK;
}

static enum sw_status enter(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct folding *folding = exporter->state;
    struct step step = { NO_NODE, 0, SW__ANALYZE_NONE };
    int has_stack = folding->placed != NULL && event->stack < exporter->report->names.n_stacks;

    (void)serial;
    if (folding->n_path > 0)
        step = folding->path[folding->n_path - 1];
    if (folding->n_path == 0 || (has_stack && event->stack != step.stack)) {
        step = (struct step){ NO_NODE, 0, SW__ANALYZE_NONE };
        SW__TRY(find_node(folding, NO_NODE, event->thread, &step.node));
        if (has_stack)
            SW__TRY(go_to_stack(exporter, event->stack, &step));
    }
    if (!(event->flags & SW__ANALYZE_HIDDEN))
        SW__TRY(go_down(folding, &step, folding->names[event->dispatch]));
    return push(folding, &step);
}

static enum sw_status leave(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct folding *folding = exporter->state;
    struct node *node = &folding->nodes[folding->path[--folding->n_path].node];

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
    return report_status(number_names(exporter->report, folding));
}

static void clear(struct exporter *exporter)
{
    struct folding *folding = exporter->state;

    if (folding == NULL)
        return;
    text_table_clear(&folding->texts);
    sw__free(folding->names);
    sw__free(folding->placed);
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
    const struct folding *folding = context;
    const struct node *left = &folding->nodes[*(const uint32_t *)a], *right = &folding->nodes[*(const uint32_t *)b];

    if (left->parent != right->parent)
        return left->parent < right->parent ? -1 : 1;
    if (left->parent == NO_NODE)
        return left->name < right->name ? -1 : 1;
    return strcmp(folding->texts.texts[left->name], folding->texts.texts[right->name]);
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
        SW__TRY(put_frame(line, writing->folding->texts.texts[node->name]));
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
    qsort_r(order, folding->n_nodes, sizeof *order, by_parent, (void *)folding);
    writing.order = order;
    return put_below(&writing, NO_NODE, 0);
}

const struct export_form export_folded = { begin, enter, leave, NULL, NULL, end, clear, 0 };
