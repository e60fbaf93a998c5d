/*
 * A stream of candle-graph/runtime/3: an operation per record, named after what
 * it is and on which carrier class. A report knows of no tensor which it is:
 * there are no inputs, no outputs, and no edges, and none are made up.
 */
#include "config.h"

#include "report/export.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "report/names.h"
#include "trace/records.h"

struct names_state {
    struct class_names names;
    struct sw__builder static_id; /* of the event that was written last */
};

static void clear(struct exporter *exporter)
{
    struct names_state *state = exporter->state;

    if (state == NULL)
        return;
    names_clear(&state->names);
    sw__builder_clear(&state->static_id);
    sw__free(sw__take(exporter->state));
}

/* How the program was built is not in the report, and what it does only the program knows. */
static enum report_outcome begin(struct exporter *exporter)
{
    const struct sw__trace_run run = {
        .schema = SW__TRACE_SCHEMA,
        .entrypoint = exporter->report->program,
        .profile = "unknown",
    };

    exporter->state = sw__alloc_zero(sizeof(struct names_state));
    if (exporter->state == NULL)
        return REPORT_SYSTEM;
    return report_status(sw__trace_put_run(&exporter->text, &run, SW__TRACE_LINE));
}

/* "operation:add:strideweave.Generic": the same in every run. */
static enum sw_status name_operation(struct names_state *state, const struct sw__analyze_dispatch *dispatch)
{
    struct sw__builder *text = &state->static_id;

    SW__TRY(names_make(&state->names, dispatch));
    text->n_bytes = 0;
    SW__TRY(sw__builder_string(text, "operation:"));
    SW__TRY(sw__builder_string(text, dispatch->name));
    SW__TRY(sw__builder_string(text, ":"));
    return sw__builder_string(text, names_text(&state->names.carrier));
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct names_state *state = exporter->state;
    const struct sw__analyze_dispatch *dispatch = &exporter->report->dispatches[event->dispatch];
    char event_id[24];

    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    snprintf(event_id, sizeof event_id, "op-%" PRIu64, (uint64_t)serial + 1);
    SW__TRY(name_operation(state, dispatch));
    struct sw__trace_operation operation = {
        .event_id = event_id,
        .op = dispatch->name,
        .static_id = state->static_id.bytes,
    };
    /* How long one that is still open will last nobody knows. */
    if (!(event->flags & SW__ANALYZE_UNFINISHED))
        operation.duration_ns = SW__TRACE_COUNT((uint64_t)event->duration_ns);
    return sw__trace_put_operation(&exporter->text, &operation, SW__TRACE_LINE);
}

static enum sw_status end(struct exporter *exporter)
{
    (void)exporter;
    return SW_OK;
}

const struct export_form export_runtime = { begin, NULL, put_event, NULL, end, clear, 0 };
