/*
 * swprof-report export: every operation for another tool.
 */
#include "config.h"

#include <inttypes.h>

#include "report/command.h"
#include "report/export.h"
#include "report/say.h"

/* The form, and the command line without it. */
static enum report_outcome take_form(struct options *options, const struct export_form **ret_form)
{
    struct sw__builder names SW__OWNED_BUILDER = { 0 };
    const char *name = options->n_arguments > 0 ? options->arguments[0] : "";

    *ret_form = export_find(name);
    if (*ret_form == NULL) {
        REPORT_TRY(report_status(export_put_names(&names)));
        return report_fail(REPORT_USAGE, "export%s%s: expected a form: %s", name[0] != '\0' ? " " : "", name, names.bytes);
    }
    options->arguments++;
    options->n_arguments--;
    return REPORT_OK;
}

/* What the export does not have, for whoever started it. */
static void tell_missing(const struct report *report, const struct export_written *written)
{
    const uint64_t n_summed = written->totals.n_summed, lost = report_missing(report);

    if (n_summed != 0)
        say("swprof-report", "%" PRIu64 " operations are known only in sums: the export lacks them", n_summed);
    if (lost != 0)
        say("swprof-report", "%" PRIu64 " events were lost: the export lacks them", lost);
    if (report_lost_notes(report) != 0)
        say("swprof-report", "%" PRIu64 " notes were lost: the export lacks them", report_lost_notes(report));
    if (written->n_flows != 0 && (lost != 0 || report_lost_notes(report) != 0))
        say("swprof-report",
            "what was lost may have made tensors: flows may come from older operations than they should");
}

enum report_outcome command_export(const struct options *options)
{
    struct options rest = *options;
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    const struct export_form *form = NULL;
    struct report_filter filter REPORT_OWNED_FILTER = { .thread = NULL };
    struct export_written written;

    REPORT_TRY(take_form(&rest, &form));
    REPORT_TRY(command_open(&rest, &report));
    REPORT_TRY(command_filter(&rest, report, &filter));
    if (rest.has_stacks || form->needs_stacks)
        REPORT_TRY(command_name_stacks(&rest, report));
    REPORT_TRY(output_open(rest.output, &output));
    REPORT_TRY(export_write(report, &filter, form, rest.wants, rest.metric, output.stream, &written));
    REPORT_TRY(output_finish(&output));
    tell_missing(report, &written);
    return command_strict(&rest, report);
}
