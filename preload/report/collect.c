/*
 * One pass over a report's operations: stamps become nanoseconds, operations
 * become events with self times, threads' time is accounted for.
 */
#include "config.h"

#include "report/collect.h"

#include <string.h>

#include "base/alloc.h"
#include "report/overhead.h"
#include "report/storage.h"
#include "report/sums.h"
#include "report/windows.h"

/* Most operations that are nested at a time. */
#define N_NESTED 64

/* The pass over one thread. */
struct pass {
    const struct report *report;
    const struct report_filter *filter;
    const unsigned char *selected; /* per dispatch */
    const struct report_windows *windows;
    uint32_t recorder; /* the dispatch that stands for its own time; SW__ANALYZE_NONE: none */
    struct overhead overhead; /* to be taken out; not known: nothing is */
    const struct report_thread *thread;
    struct report_mark *mark;     /* of the thread; NULL: there is only one part */
    struct report_position settled_until;
    const struct report_part *part; /* the one that events belong to now */
    const struct report_part *settled;
    const struct report_part *passing;
    struct sw__nest *nest;
    uint32_t n_serials;
    size_t n_pending;      /* open operations that wait for the end that they get */
    uint64_t last_ticks;   /* the latest stamp known of the thread */
    uint64_t latest_end_ticks; /* of its operations */
    uint64_t behind_ticks; /* at which the operation behind ended */
    size_t hint;
};

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

static enum report_outcome select_dispatches(const struct report *report, const struct report_filter *filter,
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

/* An operation belongs to the round in which it ends, and to the Profiler, the step or the range in which it begins. */
static int is_selected(const struct pass *pass, const struct report_operation *operation)
{
    const struct report_session *session = pass->filter->session;

    if (!pass->selected[operation->dispatch])
        return 0;
    if (pass->filter->spans != NULL &&
        !spans_have(pass->filter->spans, pass->thread->number, operation->start_ticks))
        return 0;
    if (session == NULL)
        return 1;
    uint64_t ticks = session->kind == SWPROF_SESSION_ROUND ? operation->end_ticks : operation->start_ticks;
    return session->begin_ticks <= ticks && (session->is_open || ticks < session->end_ticks);
}

int report_is_thread_selected(const struct report_filter *filter, const struct report_thread *thread)
{
    const struct report_session *session = filter->session;

    if (filter->thread != NULL && filter->thread != thread)
        return 0;
    return session == NULL || session->kind == SWPROF_SESSION_ROUND ||
           (session->thread != 0 && session->thread - 1 == thread->number);
}

static uint32_t find_recorder(const struct report *report)
{
    return report->n_dispatch_ids > SWPROF_DISPATCH_RECORDER ? report->dispatch_of_id[SWPROF_DISPATCH_RECORDER]
                                                              : SW__ANALYZE_NONE;
}

int report_is_recorder(const struct report *report, uint32_t dispatch)
{
    return dispatch != SW__ANALYZE_NONE && dispatch == find_recorder(report);
}

static void account_root(const struct pass *pass, struct report_totals *totals, const struct sw__analyze_event *event)
{
    int64_t end_ns = 0;

    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns))
        end_ns = INT64_MAX;
    report_add_ns(&totals->inside_ns, windows_overlap_ns(pass->windows, event->start_ns, end_ns), &totals->saturated);
}

static void account_events(const struct pass *pass, const struct sw__analyze_event *events, size_t n_events)
{
    struct report_totals totals = *pass->part->totals; /* a copy, of which nothing else can know */

    for (size_t i = 0; i < n_events; i++) {
        const struct sw__analyze_event *event = &events[i];

        if (event->flags & SW__ANALYZE_ROOT)
            account_root(pass, &totals, event);
        if (event->dispatch == pass->recorder)
            report_add_ns(&totals.tool_inside_ns, event->duration_ns, &totals.saturated);
        if (!(event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))) {
            totals.n_events++;
            totals.n_failures += !(event->flags & SW__ANALYZE_SUCCEEDED);
            report_add_ns(&totals.self_ns, event->self_ns, &totals.saturated);
        }
    }
    *pass->part->totals = totals;
}

/* Time inside any operation is what it was: the recorder's cost is not outside of them either. */
static enum sw_status take_compensated(struct pass *pass, const struct sw__analyze_event *event, uint32_t serial)
{
    const struct report_part *part = pass->part;
    struct report_totals *totals = part->totals;
    struct sw__analyze_event shown = *event;

    account_events(pass, event, 1);
    if (!(event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED))) {
        totals->n_clamped += overhead_compensate(&pass->overhead, &shown);
        totals->self_ns -= event->self_ns - shown.self_ns;
    }
    return part->aggregation != NULL ? sw__aggregation_add(part->aggregation, &shown, 1)
                                     : part->sink(part->context, &shown, serial);
}

static enum sw_status take_events(void *context, const struct sw__analyze_event *events, const uint32_t *serials,
                                  size_t n_events)
{
    struct pass *pass = context;
    const struct report_part *part = pass->part;

    if (pass->overhead.is_known) {
        for (size_t i = 0; i < n_events; i++)
            SW__TRY(take_compensated(pass, &events[i], serials[i]));
        return SW_OK;
    }
    account_events(pass, events, n_events);
    if (part->aggregation != NULL)
        return sw__aggregation_add(part->aggregation, events, n_events);
    for (size_t i = 0; i < n_events; i++)
        SW__TRY(part->sink(part->context, &events[i], serials[i]));
    return SW_OK;
}

static enum sw_status enter_event(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    const struct pass *pass = context;

    return pass->part->enter(pass->part->context, event, serial);
}

static int64_t children_ns(const struct report_clock *clock, const struct report_operation *operation, size_t *hint)
{
    int64_t ns = 0;

    /* No more than the operation lasted: the sum is a stamp. */
    if (operation->children_ticks == 0 ||
        __builtin_sub_overflow(clock_ns(clock, operation->start_ticks + operation->children_ticks, hint),
                               clock_ns(clock, operation->start_ticks, hint), &ns))
        return 0;
    return ns;
}

/* What of an operation is not its times. */
static inline uint32_t flags_of(const struct pass *pass, const struct report_operation *operation)
{
    struct report_totals *totals = pass->part->totals;
    uint32_t flags = operation->flags;

    if (flags & SW__ANALYZE_HIDDEN)
        totals->n_hidden += !(flags & SW__ANALYZE_UNFINISHED) && operation->dispatch != pass->recorder;
    else if (!is_selected(pass, operation))
        flags |= SW__ANALYZE_HIDDEN;
    else if (flags & SW__ANALYZE_UNFINISHED)
        totals->n_unfinished++;
    return flags;
}

static enum report_outcome push_some(struct pass *pass, const struct report_operation *operations, size_t n_operations)
{
    const struct report_clock *clock = &pass->report->clock;
    struct sw__nest_operation nested[N_NESTED];
    size_t hint = pass->hint;

    for (size_t i = 0; i < n_operations; i++) {
        const struct report_operation *operation = &operations[i];

        nested[i].end_ns = clock_ns(clock, operation->end_ticks, &hint);
        nested[i].start_ns = clock_ns(clock, operation->start_ticks, &hint);
        nested[i].nested_ns = children_ns(clock, operation, &hint);
        nested[i].depth = operation->depth;
        nested[i].dispatch = operation->dispatch;
        nested[i].shapes = operation->shapes;
        nested[i].stack = operation->stack;
        nested[i].flags = flags_of(pass, operation);
    }
    pass->hint = hint;
    if (n_operations >= SW__ANALYZE_NONE - pass->n_serials)
        return report_fail(REPORT_SYSTEM, "%s: more events than can be numbered", pass->report->source->path);
    pass->n_serials += (uint32_t)n_operations;
    return report_status(sw__nest_push(pass->nest, nested, n_operations));
}

static enum report_outcome push(struct pass *pass, const struct report_operation *operations, size_t n_operations)
{
    for (size_t n; n_operations > 0; operations += n, n_operations -= n) {
        n = n_operations < N_NESTED ? n_operations : N_NESTED;
        REPORT_TRY(push_some(pass, operations, n));
    }
    return REPORT_OK;
}

/* Open operations last until the latest stamp that is known of their thread. */
static enum report_outcome push_pending(struct pass *pass)
{
    for (size_t i = 0; i < pass->n_pending; i++) {
        struct report_operation operation = pass->thread->open[i];
        if (operation.end_ticks < pass->last_ticks)
            operation.end_ticks = pass->last_ticks;
        REPORT_TRY(push(pass, &operation, 1));
    }
    pass->n_pending = 0;
    return REPORT_OK;
}

/* The writer publishes an operation before it takes back its frame: a kill between the two leaves both. */
static void drop_ended(struct pass *pass, const struct report_operation *last)
{
    const struct report_operation *innermost = &pass->thread->open[pass->n_pending - 1];

    if (innermost->start_ticks == last->start_ticks && innermost->depth == last->depth)
        pass->n_pending--;
}

static enum report_outcome finish_nest(struct pass *pass)
{
    REPORT_TRY(report_status(sw__nest_finish(pass->nest)));
    pass->part->totals->n_anomalies += sw__nest_anomalies(pass->nest);
    sw__nest_free(sw__take(pass->nest));
    return REPORT_OK;
}

static enum report_outcome begin_part(struct pass *pass, const struct report_part *part)
{
    pass->part = part;
    REPORT_TRY(report_status(sw__nest_new(pass->thread->number, pass->n_serials, take_events, pass, &pass->nest)));
    if (part->enter != NULL)
        sw__nest_on_enter(pass->nest, enter_event);
    return REPORT_OK;
}

/*
 * Nothing encloses an operation of depth 0, and nothing that ended before it
 * lies in what ended after it: from here on backwards all is as it will be.
 */
static enum report_outcome settle(struct pass *pass, const struct report_operation *operation)
{
    pass->settled_until = operation->behind;
    REPORT_TRY(finish_nest(pass));
    return begin_part(pass, pass->settled);
}

static void see_end(struct pass *pass, uint64_t end_ticks)
{
    pass->part->totals->n_disordered += end_ticks > pass->behind_ticks;
    pass->behind_ticks = end_ticks;
    if (end_ticks > pass->latest_end_ticks)
        pass->latest_end_ticks = end_ticks;
    if (end_ticks > pass->last_ticks && !pass->thread->has_ended)
        pass->last_ticks = end_ticks;
}

static enum report_outcome take_recorded(struct pass *pass, const struct report_operation *operations,
                                         size_t n_operations)
{
    see_end(pass, operations[0].end_ticks);
    if (pass->n_pending > 0) {
        drop_ended(pass, &operations[0]);
        REPORT_TRY(push_pending(pass));
    }
    if (pass->mark != NULL && pass->part != pass->settled && operations[0].depth == 0)
        REPORT_TRY(settle(pass, &operations[0]));
    for (size_t i = 1; i < n_operations; i++)
        see_end(pass, operations[i].end_ticks);
    return push(pass, operations, n_operations);
}

static enum report_outcome take_operations(void *context, const struct report_operation *operations,
                                           size_t n_operations)
{
    struct pass *pass = context;

    if (operations[0].flags & SW__ANALYZE_UNFINISHED) {
        pass->n_pending += n_operations;
        return REPORT_OK;
    }
    /* One by one until they are settled: each may be the last that is not. */
    for (; n_operations > 1 && pass->mark != NULL && pass->part != pass->settled; operations++, n_operations--)
        REPORT_TRY(take_recorded(pass, operations, 1));
    return take_recorded(pass, operations, n_operations);
}

static void account_thread(struct pass *pass)
{
    const struct report_thread *thread = pass->thread;
    const struct report_clock *clock = &pass->report->clock;
    struct report_totals *totals = pass->passing->totals;
    int64_t begin_ns = clock_ns(clock, thread->begin_ticks, &pass->hint);
    int64_t end_ns = clock_ns(clock, pass->last_ticks, &pass->hint);
    uint64_t first = pass->report->header.first.ticks;
    int64_t tool_ns = 0;

    totals->n_threads++;
    report_add_ns(&totals->alive_ns, windows_overlap_ns(pass->windows, begin_ns, end_ns), &totals->saturated);
    /* A length in ticks: converted at the beginning of the report. */
    if (thread->tool_ticks <= UINT64_MAX - first &&
        !__builtin_sub_overflow(clock_ns(clock, first + thread->tool_ticks, &pass->hint),
                                clock_ns(clock, first, &pass->hint), &tool_ns))
        report_add_ns(&totals->tool_ns, tool_ns, &totals->saturated);
}

static enum report_outcome pass_operations(struct pass *pass)
{
    struct report_mark *mark = pass->mark;
    int has_settled = mark != NULL && mark->has_settled;

    REPORT_TRY(begin_part(pass, pass->passing));
    pass->n_pending = 0;
    pass->behind_ticks = UINT64_MAX;
    pass->last_ticks = pass->thread->has_ended ? pass->thread->end_ticks : pass->report->seen_ticks;
    pass->latest_end_ticks = has_settled ? mark->latest_end_ticks : 0;
    if (pass->latest_end_ticks > pass->last_ticks && !pass->thread->has_ended)
        pass->last_ticks = pass->latest_end_ticks;
    REPORT_TRY(report_each_operation(pass->report, pass->thread, has_settled ? &mark->settled : NULL, take_operations,
                                     pass));
    REPORT_TRY(push_pending(pass));
    int settles = pass->part == pass->settled;
    REPORT_TRY(finish_nest(pass));
    if (settles) {
        mark->latest_end_ticks = pass->latest_end_ticks;
        mark->settled = pass->settled_until;
        mark->first_chunk = pass->thread->chunks[0].number;
        mark->has_settled = 1;
    }
    return REPORT_OK;
}

static enum report_outcome pass_thread(struct pass *pass)
{
    enum report_outcome outcome = pass_operations(pass);

    sw__nest_free(sw__take(pass->nest));
    REPORT_TRY(outcome);
    account_thread(pass);
    return REPORT_OK;
}

enum report_outcome report_each_part(const struct report *report, const struct report_filter *filter,
                                     struct report_mark *marks, const struct report_part *settled,
                                     const struct report_part *passing)
{
    unsigned char *selected SW__OWNED = NULL;
    struct report_windows windows SW__CLEANUP(windows_clear) = { .windows = NULL };

    REPORT_TRY(select_dispatches(report, filter, &selected));
    REPORT_TRY(windows_build(report, filter->session, &windows));
    struct pass pass = {
        .report = report,
        .filter = filter,
        .selected = selected,
        .windows = &windows,
        .recorder = find_recorder(report),
        .settled = settled,
        .passing = passing,
    };
    if (filter->is_compensated)
        pass.overhead = overhead_of(report);
    for (size_t i = 0; i < report->n_threads; i++) {
        if (!report_is_thread_selected(filter, &report->threads[i]))
            continue;
        pass.thread = &report->threads[i];
        pass.mark = marks != NULL ? &marks[i] : NULL;
        REPORT_TRY(pass_thread(&pass));
    }
    sums_account(report, filter, selected, passing->totals);
    return REPORT_OK;
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

enum report_outcome report_aggregate_sums(const struct report *report, const struct report_filter *filter,
                                          struct sw__aggregation *aggregation)
{
    unsigned char *selected SW__OWNED = NULL;

    REPORT_TRY(select_dispatches(report, filter, &selected));
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
