/*
 * The pass over a report that all forms share.
 */
#include "config.h"

#include "report/export.h"

#include <inttypes.h>
#include <string.h>

#include "report/progress.h"

/* The text is handed to the stream in pieces of about this size. */
#define FLUSH_BYTES 65536

static const struct {
    const char *name;
    const struct export_form *form;
} forms[] = {
#define REPORT_EXPORT(name, form, help) { name, &form },
#include "report/export.def"
#undef REPORT_EXPORT
};
#define N_FORMS (sizeof forms / sizeof *forms)

const struct export_form *export_find(const char *name)
{
    for (size_t i = 0; i < N_FORMS; i++)
        if (strcmp(forms[i].name, name) == 0)
            return forms[i].form;
    return NULL;
}

enum sw_status export_put_names(struct sw__builder *text)
{
    for (size_t i = 0; i < N_FORMS; i++) {
        SW__TRY(sw__builder_string(text, i == 0 ? "" : i + 1 < N_FORMS ? ", " : " or "));
        SW__TRY(sw__builder_string(text, forms[i].name));
    }
    return SW_OK;
}

enum sw_status export_put_us(struct sw__builder *text, int64_t ns)
{
    uint64_t magnitude = ns < 0 ? (uint64_t)0 - (uint64_t)ns : (uint64_t)ns;
    char digits[40];
    int n = snprintf(digits, sizeof digits, "%s%" PRIu64 ".%03" PRIu64, ns < 0 ? "-" : "", magnitude / 1000,
                     magnitude % 1000);

    return sw__builder_append(text, digits, (size_t)n);
}

/* One passage of all events through a form. */
struct passage {
    struct exporter exporter;
    const struct export_form *form;
    struct progress progress;
};

static void passage_clear(struct passage *passage)
{
    if (passage->form->clear != NULL)
        passage->form->clear(&passage->exporter);
    progress_end(&passage->progress);
    flows_clear(&passage->exporter.flows);
    heading_clear(&passage->exporter.heading);
    sw__builder_clear(&passage->exporter.text);
}

static void flush(struct exporter *exporter)
{
    if (exporter->text.n_bytes != 0)
        fwrite(exporter->text.bytes, 1, exporter->text.n_bytes, exporter->stream);
    exporter->text.n_bytes = 0;
}

void export_flush(struct exporter *exporter)
{
    if (exporter->text.n_bytes >= FLUSH_BYTES)
        flush(exporter);
}

static enum sw_status pass_enter(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct passage *passage = context;

    return passage->form->enter(&passage->exporter, event, serial);
}

static enum sw_status pass_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct passage *passage = context;
    struct exporter *exporter = &passage->exporter;

    progress_step(&passage->progress);
    if (exporter->flows.n_operations != 0)
        flows_see(&exporter->flows, event);
    SW__TRY(passage->form->event(exporter, event, serial));
    exporter->n_written += !(event->flags & SW__ANALYZE_HIDDEN);
    export_flush(exporter);
    if (ferror(exporter->stream))
        return sw_error_set(SW_RUNTIME_ERROR, "the output cannot be written");
    return SW_OK;
}

static enum sw_status pass_note(void *context, const struct noted *noted)
{
    struct passage *passage = context;
    struct exporter *exporter = &passage->exporter;

    SW__TRY(passage->form->note(exporter, noted));
    export_flush(exporter);
    if (ferror(exporter->stream))
        return sw_error_set(SW_RUNTIME_ERROR, "the output cannot be written");
    return SW_OK;
}

static enum sw_status pass_flow(void *context, const struct flow *flow)
{
    struct passage *passage = context;
    struct exporter *exporter = &passage->exporter;

    exporter->n_flows++;
    SW__TRY(passage->form->flow(exporter, flow));
    export_flush(exporter);
    if (ferror(exporter->stream))
        return sw_error_set(SW_RUNTIME_ERROR, "the output cannot be written");
    return SW_OK;
}

/* A reader that has seen enough is no failure: the output says so when it is finished. */
static enum report_outcome pass_all(struct passage *passage, const struct report_filter *filter,
                                    struct report_totals *totals)
{
    const struct report_part all = {
        .sink = pass_event,
        .context = passage,
        .totals = totals,
        .enter = passage->form->enter != NULL ? pass_enter : NULL,
    };
    enum report_outcome outcome = report_each_part(passage->exporter.report, filter, NULL, NULL, &all);

    if (outcome == REPORT_OK && passage->form->note != NULL)
        outcome = noted_each(passage->exporter.report, filter, pass_note, passage);
    if (outcome == REPORT_OK && passage->form->flow != NULL)
        outcome = report_status(flows_each(&passage->exporter.flows, pass_flow, passage));
    return ferror(passage->exporter.stream) ? REPORT_OK : outcome;
}

enum report_outcome export_write(const struct report *report, const struct report_filter *filter,
                                 const struct export_form *form, unsigned wants, const char *metric, FILE *stream,
                                 struct export_written *ret_written)
{
    struct passage passage SW__CLEANUP(passage_clear) = {
        .exporter = { .report = report, .filter = filter, .stream = stream, .wants = wants, .metric = metric,
                      .leaves_out = filter->carriers != NULL || filter->session != NULL || filter->spans != NULL },
        .form = form,
    };
    struct exporter *exporter = &passage.exporter;
    struct report_totals totals = { 0 };
    size_t hint = 0;

    exporter->first_ns = clock_ns(&report->clock, report->header.first.ticks, &hint);
    REPORT_TRY(heading_build(report, filter, &totals, DISPLAY_NS, &exporter->heading));
    progress_begin(&passage.progress, stream, report_n_events(report));
    if (form->flow != NULL)
        REPORT_TRY(flows_read(report, &exporter->flows));
    REPORT_TRY(form->begin(exporter));
    REPORT_TRY(pass_all(&passage, filter, &totals));
    heading_clear(&exporter->heading);
    exporter->heading = (struct heading){ .n_facts = 0 };
    REPORT_TRY(heading_build(report, filter, &totals, DISPLAY_NS, &exporter->heading));
    REPORT_TRY(report_status(form->end(exporter)));
    flush(exporter);
    *ret_written = (struct export_written){ totals, exporter->n_flows };
    return REPORT_OK;
}
