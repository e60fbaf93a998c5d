/*
 * swprof-report memory: storage of carriers.
 */
#include "config.h"

#include "report/command.h"
#include "report/memory_view.h"

static enum report_outcome choose_table(const struct options *options, enum memory_table *ret_table)
{
    int has_timeline = options_has(options, "timeline"), has_alive = options_has(options, "alive");

    if (has_timeline && has_alive)
        return report_fail(REPORT_USAGE, "--timeline and --alive are tables of their own: one at a time");
    *ret_table = has_timeline ? MEMORY_TIMELINE : has_alive ? MEMORY_ALIVE : MEMORY_CLASSES;
    return REPORT_OK;
}

enum report_outcome command_memory(const struct options *options)
{
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    struct report_filter filter REPORT_OWNED_FILTER = { .thread = NULL };
    enum memory_table table = MEMORY_CLASSES;

    REPORT_TRY(choose_table(options, &table));
    REPORT_TRY(command_open(options, &report));
    REPORT_TRY(command_filter(options, report, &filter));
    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(memory_view_print(report, &filter, table, options->row_limit, &screen, options->format));
    REPORT_TRY(output_finish(&output));
    return command_strict(options, report);
}
