/*
 * What of a report is looked at, and what is made of its events.
 */
#include "config.h"

#include "report/collect.h"

#include <string.h>

#include "base/alloc.h"
#include "report/overhead.h"
#include "report/storage.h"
#include "report/sums.h"
#include "report/windows.h"

void report_totals_add(struct report_totals *totals, const struct report_totals *more)
{
    totals->n_events += more->n_events;
    totals->n_failures += more->n_failures;
    totals->n_summed += more->n_summed;
    totals->n_unattributed += more->n_unattributed;
    totals->n_unfinished += more->n_unfinished;
    totals->n_hidden += more->n_hidden;
    totals->n_anomalies += more->n_anomalies;
    totals->n_disordered += more->n_disordered;
    totals->n_clamped += more->n_clamped;
    totals->n_threads += more->n_threads;
    totals->saturated |= more->saturated;
    totals->inside_is_unknown |= more->inside_is_unknown;
    report_add_ns(&totals->alive_ns, more->alive_ns, &totals->saturated);
    report_add_ns(&totals->inside_ns, more->inside_ns, &totals->saturated);
    report_add_ns(&totals->self_ns, more->self_ns, &totals->saturated);
    report_add_ns(&totals->tool_ns, more->tool_ns, &totals->saturated);
    report_add_ns(&totals->tool_inside_ns, more->tool_inside_ns, &totals->saturated);
}

/* "Generic" and "strideweave.Generic" both name strideweave.Generic. */
static int is_named(const char *item, size_t n_bytes, const struct sw__analyze_dispatch *dispatch)
{
    size_t n_module = strlen(dispatch->carrier_module), n_name = strlen(dispatch->carrier_name);

    if (n_bytes == n_name && memcmp(item, dispatch->carrier_name, n_name) == 0)
        return 1;
    return n_bytes == n_module + 1 + n_name && memcmp(item, dispatch->carrier_module, n_module) == 0 &&
           item[n_module] == '.' && memcmp(item + n_module + 1, dispatch->carrier_name, n_name) == 0;
}

int report_carrier_is_listed(const char *carriers, const struct sw__analyze_dispatch *dispatch)
{
    while (*carriers != '\0') {
        size_t n = strcspn(carriers, ",");
        if (is_named(carriers, n, dispatch))
            return 1;
        carriers += n + (carriers[n] == ',');
    }
    return 0;
}

enum report_outcome report_select_dispatches(const struct report *report, const struct report_filter *filter,
                                             unsigned char **ret_selected)
{
    unsigned char *selected SW__OWNED = sw__alloc(report->names.n_dispatches);

    if (selected == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->names.n_dispatches; i++)
        selected[i] = filter->carriers == NULL ||
                      report_carrier_is_listed(filter->carriers, &report->names.dispatches[i]);
    if (filter->session != NULL)
        REPORT_TRY(report_session_selects(report, filter->session, selected));
    *ret_selected = sw__take(selected);
    return REPORT_OK;
}

int report_is_thread_selected(const struct report_filter *filter, const struct report_thread *thread)
{
    const struct report_session *session = filter->session;

    if (filter->thread != NULL && filter->thread != thread)
        return 0;
    return session == NULL || session->kind == SWPROF_SESSION_ROUND ||
           (session->thread != 0 && session->thread - 1 == thread->number);
}

uint32_t report_recorder(const struct report *report)
{
    return report->n_dispatch_ids > SWPROF_DISPATCH_RECORDER ? report->dispatch_of_id[SWPROF_DISPATCH_RECORDER]
                                                              : SW__ANALYZE_NONE;
}

int report_is_recorder(const struct report *report, uint32_t dispatch)
{
    return dispatch != SW__ANALYZE_NONE && dispatch == report_recorder(report);
}

enum report_outcome report_each_event(const struct report *report, const struct report_filter *filter,
                                      sw__nest_sink *sink, void *context, struct report_totals *ret_totals)
{
    struct report_totals totals = { 0 };
    const struct report_part all = { .sink = sink, .context = context, .totals = &totals };

    REPORT_TRY(report_each_part(report, filter, NULL, NULL, &all));
    *ret_totals = totals;
    return REPORT_OK;
}

enum report_outcome report_account_sums(const struct report *report, const struct report_filter *filter,
                                        struct report_totals *totals)
{
    unsigned char *selected SW__OWNED = NULL;

    REPORT_TRY(report_select_dispatches(report, filter, &selected));
    sums_account(report, filter, selected, totals);
    return REPORT_OK;
}

enum report_outcome report_aggregate_sums(const struct report *report, const struct report_filter *filter,
                                          struct sw__aggregation *aggregation)
{
    unsigned char *selected SW__OWNED = NULL;

    REPORT_TRY(report_select_dispatches(report, filter, &selected));
    return sums_aggregate(report, filter, selected, aggregation);
}

enum report_outcome report_aggregate_stacks(const struct report *report, const struct report_filter *filter,
                                            enum sw__grouping grouping, size_t n_entries, unsigned wants,
                                            struct sw__aggregates **ret_aggregates, struct report_totals *ret_totals)
{
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;
    struct report_totals totals = { 0 };

    REPORT_TRY(report_status(sw__aggregation_new(&report->names, grouping, &aggregation)));
    REPORT_TRY(report_status(sw__aggregation_want(aggregation, wants)));
    if (n_entries != 0)
        REPORT_TRY(report_status(sw__aggregation_group_by_stack(aggregation, n_entries)));
    const struct report_part all = { .aggregation = aggregation, .totals = &totals };
    REPORT_TRY(wants & SW__WANT_MEMORY ? storage_aggregate(report, filter, aggregation, &totals)
                                       : report_each_part(report, filter, NULL, NULL, &all));
    REPORT_TRY(report_aggregate_sums(report, filter, aggregation));
    REPORT_TRY(report_status(sw__aggregation_rows(aggregation, ret_aggregates)));
    *ret_totals = totals;
    return REPORT_OK;
}

enum report_outcome report_aggregate_wanted(const struct report *report, const struct report_filter *filter,
                                            enum sw__grouping grouping, unsigned wants,
                                            struct sw__aggregates **ret_aggregates, struct report_totals *ret_totals)
{
    return report_aggregate_stacks(report, filter, grouping, 0, wants, ret_aggregates, ret_totals);
}

enum report_outcome report_aggregate(const struct report *report, const struct report_filter *filter,
                                     enum sw__grouping grouping, struct sw__aggregates **ret_aggregates,
                                     struct report_totals *ret_totals)
{
    return report_aggregate_wanted(report, filter, grouping, SW__WANT_NOTHING, ret_aggregates, ret_totals);
}
