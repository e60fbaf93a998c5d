/*
 * swprof-report table: aggregates of one report.
 */
#include "config.h"

#include "report/command.h"
#include "report/follow.h"
#include "report/table_view.h"

enum report_outcome command_table(const struct options *options)
{
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    struct report_filter filter;
    struct table_view view = { options->sort_by, options->direction, options->grouping, options->row_limit,
                               options->has_percentiles };

    if (options->follows)
        return follow_table(options);
    if (options_has(options, "interval"))
        return report_fail(REPORT_USAGE, "--interval is between the drawings of --follow, which was not given");
    REPORT_TRY(command_open(options, &report));
    REPORT_TRY(command_filter(options, report, &filter));
    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(table_view_print(report, &filter, &view, &screen, options->is_spec_style ? NULL : options->format,
                                stderr));
    REPORT_TRY(output_finish(&output));
    return command_strict(options, report);
}
