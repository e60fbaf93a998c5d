/*
 * Call stacks with a weight, a line per operation: the format of PyTorch's
 * export_stacks(), which tools for flame graphs add up.
 */
#include "config.h"

#include "report/export.h"

#include "analyze/event_list.h"

static enum report_outcome begin(struct exporter *exporter)
{
    int is_self = 0;

    return sw__stacks_metric(exporter->metric, &is_self) == SW_OK ? REPORT_OK : REPORT_USAGE;
}

static enum sw_status put_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    struct exporter *exporter = context;
    const struct report *report = exporter->report;
    int is_self = 0;

    (void)serial;
    SW__TRY(sw__stacks_metric(exporter->metric, &is_self));
    if ((event->flags & SW__ANALYZE_HIDDEN) || event->stack >= report->names.n_stacks || !is_self)
        return SW_OK;
    return sw__stacks_put(&exporter->text, &report->names.stacks[event->stack], event->self_ns);
}

static enum sw_status end(struct exporter *exporter)
{
    (void)exporter;
    return SW_OK;
}

const struct export_form export_stacks = { begin, NULL, put_event, NULL, NULL, end, NULL, 1 };
