/*
 * Operations come from the last to the first: each is handed on when all that
 * can be inside of it is known.
 */
#include "config.h"

#include "report/pass.h"

/* Most operations that are nested at a time. */
#define N_NESTED 64

struct pass {
    const struct pass_plan *plan;
    const struct report_thread *thread;
    struct report_segment *segment;
    struct report_position settled_until;
    const struct report_part *part; /* the one that events belong to now */
    struct sw__nest *nest;
    uint32_t n_serials;
    size_t n_pending;      /* open operations that wait for the end that they get */
    uint64_t last_ticks;   /* the latest stamp known of the thread */
    uint64_t latest_end_ticks; /* of its operations */
    uint64_t behind_ticks; /* at which the operation behind ended */
    size_t hint;
};

/* An operation belongs to the round in which it ends, and to the Profiler, the step or the range in which it begins. */
static int is_selected(const struct pass *pass, const struct report_operation *operation)
{
    const struct report_session *session = pass->plan->filter->session;

    if (!pass->plan->selected[operation->dispatch])
        return 0;
    if (pass->plan->filter->spans != NULL &&
        !spans_have(pass->plan->filter->spans, pass->thread->number, operation->start_ticks))
        return 0;
    if (session == NULL)
        return 1;
    uint64_t ticks = session->kind == SWPROF_SESSION_ROUND ? operation->end_ticks : operation->start_ticks;
    return session->begin_ticks <= ticks && (session->is_open || ticks < session->end_ticks);
}

static void account_root(const struct pass *pass, struct report_totals *totals, const struct sw__analyze_event *event)
{
    int64_t end_ns = 0;

    if (__builtin_add_overflow(event->start_ns, event->duration_ns, &end_ns))
        end_ns = INT64_MAX;
    report_add_ns(&totals->inside_ns, windows_overlap_ns(pass->plan->windows, event->start_ns, end_ns),
                  &totals->saturated);
}

static void account_events(const struct pass *pass, const struct sw__analyze_event *events, size_t n_events)
{
    struct report_totals totals = *pass->part->totals; /* a copy, of which nothing else can know */

    for (size_t i = 0; i < n_events; i++) {
        const struct sw__analyze_event *event = &events[i];

        if (event->flags & SW__ANALYZE_ROOT)
            account_root(pass, &totals, event);
        if (event->dispatch == pass->plan->recorder)
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
    struct sw__analyze_event shown = *event, counted = *event;

    if (!(event->flags & (SW__ANALYZE_HIDDEN | SW__ANALYZE_UNFINISHED)))
        part->totals->n_clamped += overhead_compensate(&pass->plan->overhead, &shown);
    counted.self_ns = shown.self_ns;
    account_events(pass, &counted, 1);
    return part->aggregation != NULL ? sw__aggregation_add(part->aggregation, &shown, 1)
                                     : part->sink(part->context, &shown, serial);
}

static enum sw_status take_events(void *context, const struct sw__analyze_event *events, const uint32_t *serials,
                                  size_t n_events)
{
    struct pass *pass = context;
    const struct report_part *part = pass->part;

    if (pass->plan->overhead.is_known) {
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
        totals->n_hidden += !(flags & SW__ANALYZE_UNFINISHED) && operation->dispatch != pass->plan->recorder;
    else if (!is_selected(pass, operation))
        flags |= SW__ANALYZE_HIDDEN;
    else if (flags & SW__ANALYZE_UNFINISHED)
        totals->n_unfinished++;
    return flags;
}

static enum report_outcome push_some(struct pass *pass, const struct report_operation *operations, size_t n_operations)
{
    const struct report_clock *clock = &pass->plan->report->clock;
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
        return report_fail(REPORT_SYSTEM, "%s: more events than can be numbered", pass->plan->report->source->path);
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
    return begin_part(pass, pass->plan->settled);
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
    if (!pass->segment->has_operations)
        pass->segment->first_end_ticks = operations[0].end_ticks;
    pass->segment->has_operations = 1;
    see_end(pass, operations[0].end_ticks);
    if (pass->n_pending > 0) {
        drop_ended(pass, &operations[0]);
        REPORT_TRY(push_pending(pass));
    }
    if (pass->segment->mark != NULL && pass->part != pass->plan->settled && operations[0].depth == 0)
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
    int settles = pass->segment->mark != NULL;
    for (; n_operations > 1 && settles && pass->part != pass->plan->settled; operations++, n_operations--)
        REPORT_TRY(take_recorded(pass, operations, 1));
    return take_recorded(pass, operations, n_operations);
}

/* ---- A segment ----------------------------------------------------------------------------- */

static void begin_segment(struct pass *pass)
{
    const struct report_thread *thread = pass->thread;
    const struct report_mark *mark = pass->segment->mark;

    pass->behind_ticks = UINT64_MAX;
    pass->last_ticks = thread->has_ended ? thread->end_ticks : pass->plan->report->seen_ticks;
    pass->latest_end_ticks = mark != NULL && mark->has_settled ? mark->latest_end_ticks : 0;
    if (pass->latest_end_ticks > pass->last_ticks && !thread->has_ended)
        pass->last_ticks = pass->latest_end_ticks;
}

static void move_mark(const struct pass *pass)
{
    struct report_mark *mark = pass->segment->mark;

    mark->latest_end_ticks = pass->latest_end_ticks;
    mark->settled = pass->settled_until;
    mark->first_chunk = pass->thread->chunks[0].number;
    mark->has_settled = 1;
}

static enum report_outcome pass_operations(struct pass *pass, const struct report_part *passing)
{
    struct report_segment *segment = pass->segment;
    const struct report_mark *mark = segment->mark;
    const struct report_stretch stretch = {
        .since = mark != NULL && mark->has_settled ? &mark->settled : segment->has_since ? &segment->since : NULL,
        .until = segment->has_until ? &segment->until : NULL,
    };

    begin_segment(pass);
    REPORT_TRY(begin_part(pass, passing));
    REPORT_TRY(report_each_operation(pass->plan->report, pass->thread, &stretch, take_operations, pass));
    REPORT_TRY(push_pending(pass));
    int settles = pass->part == pass->plan->settled;
    REPORT_TRY(finish_nest(pass));
    if (settles)
        move_mark(pass);
    segment->latest_ticks = pass->last_ticks;
    segment->behind_ticks = pass->behind_ticks;
    return REPORT_OK;
}

enum report_outcome pass_segment(const struct pass_plan *plan, struct report_segment *segment,
                                 const struct report_part *passing, uint32_t *n_serials)
{
    struct pass pass = { .plan = plan, .thread = segment->thread, .segment = segment, .n_serials = *n_serials };
    enum report_outcome outcome = pass_operations(&pass, passing);

    sw__nest_free(pass.nest);
    *n_serials = pass.n_serials;
    return outcome;
}
