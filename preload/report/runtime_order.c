/*
 * The order of a trace's records, and the trace as a document.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "analyze/json_text.h"
#include "base/alloc.h"
#include "report/runtime.h"

/* Texts byte by byte; what is absent comes first. Equal texts of a trace have one address. */
static int compare_texts(const char *a, const char *b)
{
    if (a == b)
        return 0;
    if (a == NULL || b == NULL)
        return a == NULL ? -1 : 1;
    return strcmp(a, b);
}

static int compare_counts(struct sw__trace_count a, struct sw__trace_count b)
{
    if (a.is_there != b.is_there)
        return a.is_there - b.is_there;
    return (a.value > b.value) - (a.value < b.value);
}

/* The first difference decides. Event ids are unique: no order depends on where a record stood. */
static int by_tensor(const void *left, const void *right)
{
    const struct sw__trace_tensor *a = left, *b = right;
    int order = compare_texts(a->event_id, b->event_id);

    order = order != 0 ? order : compare_texts(a->static_id, b->static_id);
    return order != 0 ? order : compare_texts(a->source, b->source);
}

static int by_operation(const void *left, const void *right)
{
    const struct sw__trace_operation *a = left, *b = right;
    int order = compare_texts(a->event_id, b->event_id);

    order = order != 0 ? order : compare_texts(a->op, b->op);
    return order != 0 ? order : compare_texts(a->static_id, b->static_id);
}

static int by_gradient(const void *left, const void *right)
{
    const struct sw__trace_gradient *a = left, *b = right;
    int order = compare_texts(a->root, b->root);

    order = order != 0 ? order : compare_texts(a->key, b->key);
    order = order != 0 ? order : compare_counts(a->step, b->step);
    return order != 0 ? order : compare_texts(a->event_id, b->event_id);
}

static int by_value(const void *left, const void *right)
{
    const struct sw__trace_value *a = left, *b = right;
    int order = compare_texts(a->event_id, b->event_id);

    order = order != 0 ? order : compare_counts(a->step, b->step);
    return order != 0 ? order : compare_texts(a->source, b->source);
}

static int by_edge(const void *left, const void *right)
{
    const struct sw__trace_edge *a = left, *b = right;
    int order = compare_texts(a->from, b->from);

    order = order != 0 ? order : compare_texts(a->to, b->to);
    order = order != 0 ? order : compare_counts(a->step, b->step);
    return order != 0 ? order : compare_texts(a->event_id, b->event_id);
}

static int by_text(const void *left, const void *right)
{
    return compare_texts(*(const char *const *)left, *(const char *const *)right);
}

/* Sorted, each once. */
static size_t order_texts(const char *const *borrowed, size_t n)
{
    const char **texts = (const char **)(uintptr_t)borrowed;
    size_t n_kept = 0;

    if (n > 0)
        qsort(texts, n, sizeof *texts, by_text);
    for (size_t i = 0; i < n; i++)
        if (n_kept == 0 || texts[n_kept - 1] != texts[i])
            texts[n_kept++] = texts[i];
    return n_kept;
}

#define ORDER(list, by)                                                    \
    do {                                                                   \
        if ((list).n_items > 0)                                            \
            qsort((list).items, (list).n_items, sizeof *(list).items, by); \
    } while (0)

void runtime_normalise(struct runtime_trace *trace)
{
    trace->run.n_features = order_texts(trace->run.features, trace->run.n_features);
    trace->run.n_cfg = order_texts(trace->run.cfg, trace->run.n_cfg);
    ORDER(trace->tensors, by_tensor);
    ORDER(trace->operations, by_operation);
    ORDER(trace->gradients, by_gradient);
    ORDER(trace->values, by_value);
    ORDER(trace->edges, by_edge);
}

#define PUT_ARRAY(text, key, list, put)                                       \
    do {                                                                      \
        SW__TRY(sw__builder_string(text, ",\n\"" key "\":["));                \
        for (size_t i = 0; i < (list).n_items; i++) {                         \
            SW__TRY(sw__builder_string(text, i == 0 ? "\n" : ",\n"));         \
            SW__TRY(put(text, &(list).items[i], SW__TRACE_MEMBER));           \
        }                                                                     \
        SW__TRY(sw__builder_string(text, (list).n_items > 0 ? "\n]" : "]"));  \
    } while (0)

enum sw_status runtime_put_document(struct sw__builder *text, const struct runtime_trace *trace)
{
    SW__TRY(sw__builder_string(text, "{\"schema\":"));
    SW__TRY(sw__json_put_text(text, trace->run.schema));
    SW__TRY(sw__builder_string(text, ",\n\"run\":"));
    SW__TRY(sw__trace_put_run(text, &trace->run, SW__TRACE_MEMBER));
    PUT_ARRAY(text, "tensors", trace->tensors, sw__trace_put_tensor);
    PUT_ARRAY(text, "operations", trace->operations, sw__trace_put_operation);
    PUT_ARRAY(text, "gradients", trace->gradients, sw__trace_put_gradient);
    PUT_ARRAY(text, "values", trace->values, sw__trace_put_value);
    PUT_ARRAY(text, "edge_timings", trace->edges, sw__trace_put_edge);
    return sw__builder_string(text, "}\n");
}

static void free_list(const void *list)
{
    sw__free((void *)(uintptr_t)list);
}

void runtime_clear(struct runtime_trace *trace)
{
    for (size_t i = 0; i < trace->tensors.n_items; i++)
        free_list(trace->tensors.items[i].shape);
    for (size_t i = 0; i < trace->operations.n_items; i++)
        free_list(trace->operations.items[i].inputs);
    free_list(trace->run.features);
    free_list(trace->run.cfg);
    sw__free(trace->tensors.items);
    sw__free(trace->operations.items);
    sw__free(trace->gradients.items);
    sw__free(trace->values.items);
    sw__free(trace->edges.items);
    sw__texts_clear(&trace->texts);
    sw__texts_clear(&trace->event_ids);
    *trace = (struct runtime_trace){ .path = NULL };
}

const char *runtime_phase(const char *phase)
{
    static const struct {
        const char *name;
        const char *phase;
    } names[] = { { "train", "train" },  { "training", "train" }, { "infer", "infer" },
                  { "inference", "infer" }, { "eval", "infer" },  { "evaluate", "infer" } };

    for (size_t i = 0; phase != NULL && i < sizeof names / sizeof *names; i++)
        if (strcasecmp(names[i].name, phase) == 0)
            return names[i].phase;
    return NULL;
}
