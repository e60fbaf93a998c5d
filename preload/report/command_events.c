/*
 * swprof-report events: the recorded operations one by one.
 */
#include "config.h"

#include "report/command.h"
#include "report/events_view.h"

enum report_outcome command_events(const struct options *options)
{
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    struct report_filter filter REPORT_OWNED_FILTER = { .thread = NULL };

    REPORT_TRY(command_open(options, &report));
    REPORT_TRY(command_filter(options, report, &filter));
    if (options->has_stacks)
        REPORT_TRY(command_name_stacks(options, report));
    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    const struct events_view view = { options->row_limit, options->wants };
    REPORT_TRY(events_view_print(report, &filter, &view, &screen, options->format));
    REPORT_TRY(output_finish(&output));
    return command_strict(options, report);
}
