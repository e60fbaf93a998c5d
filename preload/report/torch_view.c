/*
 * Aggregates of a report as the averages of an event list, whose table is
 * written once for the library and for this tool.
 */
#include "config.h"

#include "report/torch_view.h"

#include "analyze/event_list.h"
#include "base/alloc.h"
#include "report/heading.h"
#include "report/table_view.h"

enum report_outcome torch_view_print(const struct report *report, const struct report_filter *filter,
                                     const struct torch_view *view, const struct screen *screen, FILE *notes)
{
    struct heading heading SW__CLEANUP(heading_clear) = { .n_facts = 0 };
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    struct sw_event_list *list SW__OWNED_EVENT_LIST = NULL;
    struct report_totals totals;
    char *text SW__OWNED = NULL;

    REPORT_TRY(report_aggregate_stacks(report, filter, view->grouping, view->n_stack_entries, view->wants, &aggregates,
                                       &totals));
    REPORT_TRY(heading_build(report, filter, &totals, screen->unit, &heading));
    REPORT_TRY(report_status(sw__event_list_of_aggregates(&report->names, NULL, aggregates, &list)));
    list->n_stack_shown = view->n_stack_entries;
    list->profile_memory = (view->wants & SW__WANT_MEMORY) != 0;
    list->with_flops = (view->wants & SW__WANT_FLOPS) != 0;
    REPORT_TRY(report_status(sw_event_list_table(list, view->options, &text)));
    const struct table_content content = { report, filter, aggregates, &totals };
    REPORT_TRY(report_status(table_view_put_missing(&heading.lines, &content, view->grouping, view->wants)));
    fputs(heading.lines.bytes, notes);
    fputs(text, screen->stream);
    return REPORT_OK;
}
