/*
 * swprof-report table: aggregates of one report.
 */
#include "config.h"

#include "report/command.h"
#include "report/follow.h"
#include "report/ranges_view.h"
#include "report/table_view.h"
#include "report/torch_view.h"

/* Whatever the style: which report, which part of it, how it ends. */
#define GROUPS_OF_BOTH (OPTIONS_ROWS | OPTIONS_SELECT | OPTIONS_STRICT | OPTIONS_PROCESS)

/* What is about rows of operations says nothing of ranges. */
static enum report_outcome check_ranges(const struct options *options)
{
    static const char *const strangers[] = { "sort",   "ascending", "descending", "group-by-shape", "group-by-stack",
                                             "memory", "flops",     "percentiles", "compensate" };

    if (options->style != STYLE_PEOPLE)
        return report_fail(REPORT_USAGE, "--ranges has a table of its own: not with --style");
    for (size_t i = 0; i < sizeof strangers / sizeof *strangers; i++)
        if (options_has(options, strangers[i]))
            return report_fail(REPORT_USAGE, "--%s is of tables of operations: not with --ranges", strangers[i]);
    return REPORT_OK;
}

static enum report_outcome check_options(const struct options *options)
{
    int is_torch = options_are_torch(options);
    const char *stranger = options_find_stranger(options, GROUPS_OF_BOTH | (is_torch ? OPTIONS_TORCH
                                                                                     : OPTIONS_TABLE | OPTIONS_FORMAT));

    if (stranger != NULL)
        return report_fail(REPORT_USAGE, "--%s is no option of %s tables; see --style", stranger,
                           is_torch ? "PyTorch's" : "the people's and the specification's");
    if (options->compensates && options->style != STYLE_PEOPLE)
        return report_fail(REPORT_USAGE, "--compensate is of the people's tables: others show times as they were measured");
    if (!options->follows && options_has(options, "interval"))
        return report_fail(REPORT_USAGE, "--interval is between the drawings of --follow, which was not given");
    if (options->follows && (options->step >= 0 || options->range != NULL || options_has(options, "ranges")))
        return report_fail(REPORT_USAGE, "--follow draws all operations: not with --step, --range or --ranges");
    if (options->follows && (options->wants & SW__WANT_MEMORY))
        return report_fail(REPORT_USAGE, "--follow draws what is settled: not with --memory");
    if (options_has(options, "ranges"))
        REPORT_TRY(check_ranges(options));
    if (options->stack_entries != 0 && (options->follows || options->style == STYLE_SPEC))
        return report_fail(REPORT_USAGE, "--group-by-stack goes neither with --follow nor with the specification's table");
    return REPORT_OK;
}

static enum report_outcome print(const struct options *options, const struct report *report,
                                 const struct report_filter *filter, const struct screen *screen)
{
    const struct torch_view torch = { options->grouping, options->wants, (size_t)options->stack_entries,
                                      &options->torch };
    const struct table_view view = { options->sort_by, options->direction, options->grouping, options->row_limit,
                                     options->wants, !options->leaves_out_check, (size_t)options->stack_entries };

    if (options_has(options, "ranges"))
        return ranges_view_print(report, filter, options->row_limit, screen, options->format);
    if (options_are_torch(options))
        return torch_view_print(report, filter, &torch, screen, stderr);
    return table_view_print(report, filter, &view, screen, options->style == STYLE_SPEC ? NULL : options->format,
                            stderr);
}

enum report_outcome command_table(const struct options *options)
{
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    struct report_filter filter REPORT_OWNED_FILTER = { .thread = NULL };

    REPORT_TRY(check_options(options));
    if (options->follows)
        return follow_table(options);
    REPORT_TRY(command_open(options, &report));
    REPORT_TRY(command_filter(options, report, &filter));
    if (options->stack_entries != 0)
        REPORT_TRY(command_name_stacks(options, report));
    REPORT_TRY(output_open(options->output, &output));
    const struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(print(options, report, &filter, &screen));
    REPORT_TRY(output_finish(&output));
    return command_strict(options, report);
}
