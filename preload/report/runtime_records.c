/*
 * Records: their members, and what has to hold of each.
 */
#include "config.h"

#include "report/runtime_records.h"

#ifdef HAVE_JANSSON

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"

/* ---- Sentences --------------------------------------------------------------------------------------- */

static enum report_outcome fail(const struct runtime_trace *trace, const char *where, const char *format,
                                va_list values)
{
    char what[256];

    vsnprintf(what, sizeof what, format, values);
    return report_fail(REPORT_DAMAGED, "%s: %s%s", trace->path, where, what);
}

/* "line 3: ", "operations[2]: ", or "run: ". */
static void put_place(char *where, size_t n_bytes, const char *before, const struct runtime_place *place,
                      const char *line)
{
    if (place->array == NULL)
        snprintf(where, n_bytes, "%s%zu: ", line, place->number);
    else if (place->number == RUNTIME_NO_NUMBER)
        snprintf(where, n_bytes, "%s%s: ", before, place->array);
    else
        snprintf(where, n_bytes, "%s%s[%zu]: ", before, place->array, place->number);
}

enum report_outcome runtime_fail(const struct runtime_trace *trace, const struct runtime_place *place,
                                 const char *format, ...)
{
    char where[64];
    va_list values;

    put_place(where, sizeof where, "", place, "line ");
    va_start(values, format);
    enum report_outcome outcome = fail(trace, where, format, values);
    va_end(values);
    return outcome;
}

enum report_outcome runtime_fail_parse(const struct runtime_trace *trace, const struct runtime_place *place,
                                       const char *format, ...)
{
    char where[96];
    va_list values;

    put_place(where, sizeof where, "failed to parse runtime JSON document: ", place,
              "failed to parse runtime JSONL line ");
    va_start(values, format);
    enum report_outcome outcome = fail(trace, where, format, values);
    va_end(values);
    return outcome;
}

/* ---- Lists ------------------------------------------------------------------------------------------- */

/* Room for one more member; NULL when there is no memory. */
#define NEXT(list)                                                                            \
    (report_grow(&(list).items, (list).n_items, sizeof *(list).items) == REPORT_OK            \
         ? &(list).items[(list).n_items++]                                                    \
         : NULL)

/* ---- One record ---------------------------------------------------------------------------------------- */

/* Ids are unique over all kinds together. */
static enum report_outcome take_event_id(struct runtime_fields *fields, const struct runtime_place *place,
                                         const char *event_id)
{
    const char *kept = NULL;
    int is_new = 0;

    if (fields->outcome != REPORT_OK)
        return fields->outcome;
    if (fields->fault[0] != '\0')
        return runtime_fail_parse(fields->trace, place, "%s", fields->fault);
    if (event_id[0] == '\0')
        return runtime_fail(fields->trace, place, "empty event_id is not allowed");
    REPORT_TRY(report_status(sw__texts_put(&fields->trace->event_ids, event_id, &kept, &is_new)));
    if (!is_new)
        return runtime_fail(fields->trace, place, "duplicate event_id `%.200s`", event_id);
    return REPORT_OK;
}

typedef enum report_outcome take_record(struct runtime_fields *fields, const struct runtime_place *place);

static enum report_outcome take_tensor(struct runtime_fields *fields, const struct runtime_place *place)
{
    struct sw__trace_tensor *tensor = NEXT(fields->trace->tensors);

    if (tensor == NULL)
        return REPORT_SYSTEM;
    *tensor = (struct sw__trace_tensor){ .event_id = fields_need_text(fields, "event_id") };
    tensor->static_id = fields_find_text(fields, "static_id");
    tensor->source = fields_find_text(fields, "source");
    tensor->step = fields_find_count(fields, "step");
    tensor->shape = fields_need_counts(fields, "shape", &tensor->rank);
    tensor->dtype = fields_need_text(fields, "dtype");
    tensor->device = fields_need_text(fields, "device");
    tensor->is_contiguous = fields_need_flag(fields, "contiguous");
    tensor->requires_grad = fields_need_flag(fields, "requires_grad");
    tensor->storage_id = fields_find_text(fields, "storage_id");
    return take_event_id(fields, place, tensor->event_id);
}

static enum report_outcome take_operation(struct runtime_fields *fields, const struct runtime_place *place)
{
    struct sw__trace_operation *operation = NEXT(fields->trace->operations);

    if (operation == NULL)
        return REPORT_SYSTEM;
    *operation = (struct sw__trace_operation){ .event_id = fields_need_text(fields, "event_id") };
    operation->op = fields_need_text(fields, "op");
    operation->static_id = fields_find_text(fields, "static_id");
    operation->source = fields_find_text(fields, "source");
    operation->inputs = fields_texts(fields, "inputs", &operation->n_inputs);
    operation->output = fields_find_text(fields, "output");
    operation->step = fields_find_count(fields, "step");
    operation->duration_ns = fields_find_count(fields, "duration_ns");
    return take_event_id(fields, place, operation->event_id);
}

static enum report_outcome take_gradient(struct runtime_fields *fields, const struct runtime_place *place)
{
    struct sw__trace_gradient *gradient = NEXT(fields->trace->gradients);

    if (gradient == NULL)
        return REPORT_SYSTEM;
    *gradient = (struct sw__trace_gradient){ .event_id = fields_need_text(fields, "event_id") };
    gradient->root = fields_need_text(fields, "root");
    gradient->key = fields_need_text(fields, "key");
    const char *state = fields_need_text(fields, "state");
    gradient->state = state != NULL ? sw__trace_state_find(state) : 0;
    if (gradient->state < 0)
        fields_fault(fields, "state", "is none of present, missing, zero, non_finite");
    gradient->step = fields_find_count(fields, "step");
    gradient->has_norm = fields_find_real(fields, "norm", &gradient->norm);
    REPORT_TRY(take_event_id(fields, place, gradient->event_id));
    const char *fault = sw__trace_gradient_fault(gradient);
    if (fault != NULL)
        return runtime_fail(fields->trace, place, "invalid gradient fact %.80s:%.80s: %s", gradient->root,
                            gradient->key, fault);
    return REPORT_OK;
}

static enum report_outcome take_value(struct runtime_fields *fields, const struct runtime_place *place)
{
    struct sw__trace_value *value = NEXT(fields->trace->values);

    if (value == NULL)
        return REPORT_SYSTEM;
    *value = (struct sw__trace_value){ .event_id = fields_need_text(fields, "event_id") };
    value->static_id = fields_find_text(fields, "static_id");
    value->source = fields_find_text(fields, "source");
    value->step = fields_find_count(fields, "step");
    value->min = fields_need_real(fields, "min");
    value->max = fields_need_real(fields, "max");
    value->abs_max = fields_need_real(fields, "abs_max");
    value->n_nonfinite = fields_count(fields, "nonfinite_count", 1);
    value->n_saturated = fields_count(fields, "saturated_count", 1);
    return take_event_id(fields, place, value->event_id);
}

static enum report_outcome take_edge(struct runtime_fields *fields, const struct runtime_place *place)
{
    struct sw__trace_edge *edge = NEXT(fields->trace->edges);

    if (edge == NULL)
        return REPORT_SYSTEM;
    *edge = (struct sw__trace_edge){ .event_id = fields_need_text(fields, "event_id") };
    edge->from = fields_need_text(fields, "from_static_id");
    edge->to = fields_need_text(fields, "to_static_id");
    edge->duration_ns = fields_count(fields, "duration_ns", 0);
    edge->step = fields_find_count(fields, "step");
    return take_event_id(fields, place, edge->event_id);
}

static const struct {
    const char *name;
    const char *array;
    take_record *take;
} kinds[] = {
#define RUNTIME_KIND(name, array, function) { name, array, function },
#include "report/runtime_kind.def"
#undef RUNTIME_KIND
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

/* ---- The run -------------------------------------------------------------------------------------------- */

static int is_schema(const char *schema)
{
    static const char *const schemas[] = { "candle-graph/runtime/1", "candle-graph/runtime/2", SW__TRACE_SCHEMA };

    for (size_t i = 0; i < sizeof schemas / sizeof *schemas; i++)
        if (strcmp(schemas[i], schema) == 0)
            return 1;
    return 0;
}

/* In the order of the format; what one function makes is given back by runtime_clear(). */
enum report_outcome runtime_take_run(struct runtime_trace *trace, const struct runtime_place *place,
                                     const json_t *object, const json_t *schema)
{
    struct runtime_fields fields = { .object = object, .trace = trace };
    struct sw__trace_run *run = &trace->run;
    const char *name = runtime_json_text(schema);

    trace->has_run = 1;
    if (name == NULL)
        return runtime_fail_parse(trace, place, "schema is %s", schema == NULL ? "missing" : "no text");
    REPORT_TRY(report_status(sw__texts_put(&trace->texts, name, &run->schema, NULL)));
    run->entrypoint = fields_need_text(&fields, "entrypoint");
    run->profile = fields_need_text(&fields, "profile");
    run->features = fields_texts(&fields, "cargo_features", &run->n_features);
    run->cfg = fields_texts(&fields, "cfg", &run->n_cfg);
    run->analysis_id = fields_find_text(&fields, "analysis_id");
    run->build_id = fields_find_text(&fields, "build_id");
    run->phase = fields_find_text(&fields, "phase");
    if (fields.outcome != REPORT_OK)
        return fields.outcome;
    if (fields.fault[0] != '\0')
        return runtime_fail_parse(trace, place, "%s", fields.fault);
    if (!is_schema(run->schema))
        return runtime_fail(trace, place, "unsupported runtime schema \"%.80s\"; expected candle-graph/runtime/1, "
                                          "candle-graph/runtime/2 or candle-graph/runtime/3", run->schema);
    return REPORT_OK;
}

/* ---- Lines and documents ---------------------------------------------------------------------------------- */

enum report_outcome runtime_take_line(struct runtime_trace *trace, const struct runtime_place *place,
                                      const json_t *object)
{
    struct runtime_fields fields = { .object = object, .trace = trace };
    const char *kind = runtime_json_text(json_object_get(object, "kind"));

    if (!json_is_object(object))
        return runtime_fail_parse(trace, place, "no object");
    if (kind == NULL)
        return runtime_fail_parse(trace, place, "kind is %s", json_object_get(object, "kind") == NULL ? "missing"
                                                                                                     : "no text");
    if (strcmp(kind, "meta") == 0 && trace->has_run)
        return report_fail(REPORT_DAMAGED, "%s: duplicate meta event on JSONL line %zu", trace->path, place->number);
    if (strcmp(kind, "meta") == 0)
        return runtime_take_run(trace, place, object, json_object_get(object, "schema"));
    for (size_t i = 0; i < N_KINDS; i++)
        if (strcmp(kinds[i].name, kind) == 0)
            return kinds[i].take(&fields, place);
    return runtime_fail_parse(trace, place, "no kind of record is called %.80s", kind);
}

static enum report_outcome take_array(struct runtime_trace *trace, size_t kind, const json_t *array)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        struct runtime_fields fields = { .object = json_array_get(array, i), .trace = trace };
        const struct runtime_place place = { kinds[kind].array, i };
        if (!json_is_object(fields.object))
            return runtime_fail_parse(trace, &place, "no object");
        REPORT_TRY(kinds[kind].take(&fields, &place));
    }
    return REPORT_OK;
}

enum report_outcome runtime_take_arrays(struct runtime_trace *trace, const json_t *document)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        const json_t *array = json_object_get(document, kinds[i].array);
        if (array != NULL && !json_is_array(array))
            return report_fail(REPORT_DAMAGED, "%s: failed to parse runtime JSON document: %s is no list", trace->path,
                               kinds[i].array);
        REPORT_TRY(take_array(trace, i, array));
    }
    return REPORT_OK;
}

#endif
