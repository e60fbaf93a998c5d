/*
 * A stream of candle-graph/runtime/3: an operation per record, named after what
 * it is and on which carrier class. Where the report has flows, operations name
 * the storages of what they took and made, and an edge per flow has its delay.
 */
#include "config.h"

#include "report/export.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "report/names.h"
#include "report/run_steps.h"
#include "trace/records.h"

/** What an operation took, as texts. */
struct inputs {
    char (*names)[FLOWS_NAME_BYTES];
    const char **pointers;
    size_t room;
};

struct runtime_state {
    struct class_names names;
    struct sw__builder from; /* static ids: of an operation, or of the ends of a flow */
    struct sw__builder to;
    struct inputs inputs;
    struct run_steps steps;
};

static void clear(struct exporter *exporter)
{
    struct runtime_state *state = exporter->state;

    if (state == NULL)
        return;
    names_clear(&state->names);
    sw__builder_clear(&state->from);
    sw__builder_clear(&state->to);
    sw__free(state->inputs.names);
    sw__free(state->inputs.pointers);
    run_steps_clear(&state->steps);
    sw__free(sw__take(exporter->state));
}

/* How the program was built is not in the report, and what it does only the program knows. */
static enum report_outcome begin(struct exporter *exporter)
{
    struct runtime_state *state = sw__alloc_zero(sizeof *state);

    if (state == NULL)
        return REPORT_SYSTEM;
    exporter->state = state;
    REPORT_TRY(run_steps_read(exporter->report, &state->steps));
    const struct sw__trace_run run = {
        .schema = SW__TRACE_SCHEMA,
        .entrypoint = exporter->report->program,
        .profile = "unknown",
        .phase = state->steps.phase,
    };
    return report_status(sw__trace_put_run(&exporter->text, &run, SW__TRACE_LINE));
}

/* "operation:add:strideweave.Generic": the same in every run. */
static enum sw_status name_operation(struct runtime_state *state, const struct sw__analyze_dispatch *dispatch,
                                     struct sw__builder *text)
{
    SW__TRY(names_make(&state->names, dispatch));
    text->n_bytes = 0;
    SW__TRY(sw__builder_string(text, "operation:"));
    SW__TRY(sw__builder_string(text, dispatch->name));
    SW__TRY(sw__builder_string(text, ":"));
    return sw__builder_string(text, names_text(&state->names.carrier));
}

static struct sw__trace_count step_at(const struct runtime_state *state, int64_t ns)
{
    const struct run_step *step = run_steps_at(&state->steps, ns);

    return step != NULL ? SW__TRACE_COUNT(step->number) : (struct sw__trace_count){ 0, 0 };
}

static enum sw_status make_room(struct inputs *inputs, size_t n)
{
    if (n <= inputs->room)
        return SW_OK;
    void *names = sw__realloc(inputs->names, n * sizeof *inputs->names);
    if (names == NULL)
        return SW_MEMORY_ERROR;
    inputs->names = names;
    void *pointers = sw__realloc(inputs->pointers, n * sizeof *inputs->pointers);
    if (pointers == NULL)
        return SW_MEMORY_ERROR;
    inputs->pointers = pointers;
    inputs->room = n;
    return SW_OK;
}

/* @output: room for the name of the result. */
static enum sw_status add_tensors(struct exporter *exporter, struct flow_operation *flow,
                                  struct sw__trace_operation *operation, char *output)
{
    struct runtime_state *state = exporter->state;
    struct inputs *inputs = &state->inputs;

    flow->is_told = 1;
    SW__TRY(make_room(inputs, flow->n_inputs));
    for (uint32_t i = 0; i < flow->n_inputs; i++) {
        flows_name(exporter->flows.inputs[flow->first_input + i].storage, inputs->names[i]);
        inputs->pointers[i] = inputs->names[i];
    }
    operation->inputs = inputs->pointers;
    operation->n_inputs = flow->n_inputs;
    if (flow->result == 0)
        return SW_OK;
    flows_name(flow->result, output);
    operation->output = output;
    return SW_OK;
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct runtime_state *state = exporter->state;
    const struct sw__analyze_dispatch *dispatch = &exporter->report->dispatches[event->dispatch];
    struct flow_operation *flow;
    char event_id[24], output[FLOWS_NAME_BYTES];

    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    snprintf(event_id, sizeof event_id, "op-%" PRIu64, (uint64_t)serial + 1);
    SW__TRY(name_operation(state, dispatch, &state->from));
    struct sw__trace_operation operation = {
        .event_id = event_id,
        .op = dispatch->name,
        .static_id = state->from.bytes,
        .step = step_at(state, event->start_ns),
    };
    flow = flows_find(&exporter->flows, event);
    if (flow != NULL && !flow->is_told)
        SW__TRY(add_tensors(exporter, flow, &operation, output));
    /* How long one that is still open will last nobody knows. */
    if (!(event->flags & SW__ANALYZE_UNFINISHED))
        operation.duration_ns = SW__TRACE_COUNT((uint64_t)event->duration_ns);
    return sw__trace_put_operation(&exporter->text, &operation, SW__TRACE_LINE);
}

/* How long it took from the end of the one to the beginning of the other. */
static enum sw_status put_flow(void *context, const struct flow *flow)
{
    struct exporter *exporter = context;
    struct runtime_state *state = exporter->state;
    const struct sw__analyze_dispatch *dispatches = exporter->report->dispatches;
    char event_id[32];

    snprintf(event_id, sizeof event_id, "edge-%" PRIu64, exporter->n_flows);
    SW__TRY(name_operation(state, &dispatches[flow->from->dispatch], &state->from));
    SW__TRY(name_operation(state, &dispatches[flow->to->dispatch], &state->to));
    const struct sw__trace_edge edge = {
        .event_id = event_id,
        .from = state->from.bytes,
        .to = state->to.bytes,
        .duration_ns = (uint64_t)clock_between(flow->from->end_ns, flow->to->start_ns),
        .step = step_at(state, flow->to->start_ns),
    };
    return sw__trace_put_edge(&exporter->text, &edge, SW__TRACE_LINE);
}

static enum sw_status end(struct exporter *exporter)
{
    (void)exporter;
    return SW_OK;
}

const struct export_form export_runtime = { begin, NULL, put_event, NULL, put_flow, end, clear, 0 };
