/*
 * The array form of a Chrome trace, with the members and the blanks of
 * EventList.export_chrome_trace of PyTorch.
 */
#include "config.h"

#include "report/export.h"
#include "analyze/json_text.h"

static enum report_outcome begin(struct exporter *exporter)
{
    return report_status(sw__builder_string(&exporter->text, "["));
}

static enum sw_status put_function(struct exporter *exporter, const char *name, int64_t tid, int64_t start_ns,
                                   int64_t duration_ns)
{
    struct sw__builder *text = &exporter->text;

    SW__TRY(sw__builder_string(text, exporter->n_written != 0 ? ", {\"name\": " : "{\"name\": "));
    SW__TRY(sw__json_put_text(text, name));
    SW__TRY(sw__builder_string(text, ", \"ph\": \"X\", \"ts\": "));
    SW__TRY(export_put_us(text, clock_between(exporter->first_ns, start_ns)));
    SW__TRY(sw__builder_string(text, ", \"dur\": "));
    SW__TRY(export_put_us(text, duration_ns));
    SW__TRY(sw__builder_string(text, ", \"tid\": "));
    SW__TRY(sw__builder_integer(text, tid));
    return sw__builder_string(text, ", \"pid\": \"CPU functions\", \"args\": {}}");
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    const struct report_thread *thread = report_find_thread(exporter->report, event->thread);

    (void)serial;
    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    return put_function(exporter, exporter->report->dispatches[event->dispatch].name, thread != NULL ? thread->tid : 0,
                        event->start_ns, event->duration_ns);
}

/* PyTorch's list has what its user marks, and nothing that is no interval. */
static enum sw_status put_note(void *context, const struct noted *noted)
{
    struct exporter *exporter = context;

    if (noted->note.kind != SWPROF_NOTE_RANGE && noted->note.kind != SWPROF_NOTE_STEP)
        return SW_OK;
    SW__TRY(put_function(exporter, noted_name(noted), noted->thread->tid, noted->start_ns,
                         clock_between(noted->start_ns, noted->end_ns)));
    exporter->n_written++;
    return SW_OK;
}

/* Inside of its operation, as in the object form. */
static enum sw_status put_flow_end(struct exporter *exporter, const struct flow *flow, int is_beginning)
{
    const struct flow_operation *operation = is_beginning ? flow->from : flow->to;
    const struct report_thread *thread = report_find_thread(exporter->report, operation->thread);
    int64_t ns = is_beginning ? flow_begin_ns(flow) : flow->to->start_ns;
    struct sw__builder *text = &exporter->text;

    SW__TRY(sw__builder_string(text, is_beginning ? ", {\"name\": \"tensor\", \"ph\": \"s\", \"ts\": "
                                                  : ", {\"name\": \"tensor\", \"ph\": \"f\", \"bp\": \"e\", \"ts\": "));
    SW__TRY(export_put_us(text, clock_between(exporter->first_ns, ns)));
    SW__TRY(sw__builder_string(text, ", \"tid\": "));
    SW__TRY(sw__builder_integer(text, thread != NULL ? thread->tid : 0));
    SW__TRY(sw__builder_string(text, ", \"pid\": \"CPU functions\", \"id\": "));
    SW__TRY(sw__builder_integer(text, (int64_t)exporter->n_flows));
    return sw__builder_string(text, ", \"cat\": \"tensor\", \"args\": {}}");
}

static enum sw_status put_flow(void *context, const struct flow *flow)
{
    SW__TRY(put_flow_end(context, flow, 1));
    return put_flow_end(context, flow, 0);
}

static enum sw_status end(struct exporter *exporter)
{
    return sw__builder_string(&exporter->text, "]");
}

const struct export_form export_chrome_list = { begin, NULL, put_event, put_note, put_flow, end, NULL, 0 };
