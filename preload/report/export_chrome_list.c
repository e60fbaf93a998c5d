/*
 * The array form of a Chrome trace, with the members and the blanks of
 * EventList.export_chrome_trace of PyTorch.
 */
#include "config.h"

#include "report/export.h"
#include "report/json_text.h"

static enum report_outcome begin(struct exporter *exporter)
{
    return report_status(sw__builder_string(&exporter->text, "["));
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    struct sw__builder *text = &exporter->text;
    const struct report_thread *thread = report_find_thread(exporter->report, event->thread);

    (void)serial;
    if (event->flags & SW__ANALYZE_HIDDEN)
        return SW_OK;
    SW__TRY(sw__builder_string(text, exporter->n_written != 0 ? ", {\"name\": " : "{\"name\": "));
    SW__TRY(json_put_string(text, exporter->report->dispatches[event->dispatch].name));
    SW__TRY(sw__builder_string(text, ", \"ph\": \"X\", \"ts\": "));
    SW__TRY(export_put_us(text, clock_between(exporter->first_ns, event->start_ns)));
    SW__TRY(sw__builder_string(text, ", \"dur\": "));
    SW__TRY(export_put_us(text, event->duration_ns));
    SW__TRY(sw__builder_string(text, ", \"tid\": "));
    SW__TRY(sw__builder_integer(text, thread != NULL ? thread->tid : 0));
    return sw__builder_string(text, ", \"pid\": \"CPU functions\", \"args\": {}}");
}

static enum sw_status end(struct exporter *exporter)
{
    return sw__builder_string(&exporter->text, "]");
}

const struct export_form export_chrome_list = { begin, NULL, put_event, end, NULL };
