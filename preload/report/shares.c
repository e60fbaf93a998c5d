/*
 * All segments of a report, in one or several shares. A share is passed like a
 * report of its own; what it adds up is added to that of the shares before it.
 */
#include "config.h"

#include "base/alloc.h"
#include "report/pass.h"
#include "report/sums.h"
#include "report/team.h"

/* Beyond that the memory is what is slow. */
#define MOST_SHARES 8
/* Recorded slots for which a thread is worth its creation: more than a millisecond's work. */
#define LEAST_SLOTS 65536

/* What a share adds up. */
struct share {
    struct report_part part;
    struct report_totals totals;
    struct sw__aggregation *aggregation; /* of any but the first, which has what the caller gave */
};

struct work {
    const struct pass_plan *plan;
    const struct report_part *passing; /* the caller's */
    struct report_segments segments;
    struct share *shares;
};

static void work_clear(struct work *work)
{
    for (size_t i = 0; work->shares != NULL && i < work->segments.n_shares; i++)
        sw__aggregation_free(work->shares[i].aggregation);
    sw__free(work->shares);
    segments_clear(&work->segments);
}

/* What is passed on one by one comes in one order on one thread. */
static size_t count_shares(const struct pass_plan *plan, const struct report_mark *marks,
                           const struct report_part *passing)
{
    int is_sum = marks == NULL && passing->aggregation != NULL && passing->enter == NULL;
    size_t n_shares = is_sum ? team_size(MOST_SHARES) : 1;
    uint64_t n_slots = n_shares > 1 ? segments_count(plan->report, plan->filter) : 0;

    if (n_slots >= SW__ANALYZE_NONE || n_slots / LEAST_SLOTS < 2)
        return 1; /* more than can be numbered is refused at the same place as ever */
    return n_slots / LEAST_SLOTS < n_shares ? (size_t)(n_slots / LEAST_SLOTS) : n_shares;
}

static enum report_outcome make_shares(struct work *work)
{
    work->shares = sw__alloc_zero(work->segments.n_shares * sizeof *work->shares);
    if (work->shares == NULL)
        return REPORT_SYSTEM;
    work->shares[0].part = *work->passing;
    for (size_t i = 1; i < work->segments.n_shares; i++) {
        struct share *share = &work->shares[i];
        REPORT_TRY(report_status(sw__aggregation_new_alike(work->passing->aggregation, &share->aggregation)));
        share->part = (struct report_part){ .aggregation = share->aggregation, .totals = &share->totals };
    }
    return REPORT_OK;
}

static enum report_outcome pass_share(void *context, size_t number)
{
    struct work *work = context;
    uint32_t n_serials = 0;

    for (size_t i = 0; i < work->segments.n_segments; i++)
        if (work->segments.segments[i].share == number)
            REPORT_TRY(pass_segment(work->plan, &work->segments.segments[i], &work->shares[number].part, &n_serials));
    return REPORT_OK;
}

/* In their order: of the longest operations that are equally long the one stays that was passed first. */
static enum report_outcome join_shares(const struct work *work)
{
    for (size_t i = 1; i < work->segments.n_shares; i++) {
        REPORT_TRY(report_status(sw__aggregation_merge(work->passing->aggregation, work->shares[i].aggregation)));
        report_totals_add(work->passing->totals, &work->shares[i].totals);
    }
    return REPORT_OK;
}

static void account_thread(const struct pass_plan *plan, const struct report_thread *thread, uint64_t last_ticks,
                           struct report_totals *totals)
{
    const struct report_clock *clock = &plan->report->clock;
    size_t hint = 0;
    int64_t begin_ns = clock_ns(clock, thread->begin_ticks, &hint);
    int64_t end_ns = clock_ns(clock, last_ticks, &hint);
    uint64_t first = plan->report->header.first.ticks;
    int64_t tool_ns = 0;

    totals->n_threads++;
    report_add_ns(&totals->alive_ns, windows_overlap_ns(plan->windows, begin_ns, end_ns), &totals->saturated);
    /* A length in ticks: converted at the beginning of the report. */
    if (thread->tool_ticks <= UINT64_MAX - first &&
        !__builtin_sub_overflow(clock_ns(clock, first + thread->tool_ticks, &hint), clock_ns(clock, first, &hint),
                                &tool_ns))
        report_add_ns(&totals->tool_ns, tool_ns, &totals->saturated);
}

/* What is of whole threads, be they in several segments. */
static void account_threads(const struct work *work)
{
    const struct report_segments *segments = &work->segments;
    struct report_totals *totals = work->passing->totals;
    uint64_t behind_ticks = UINT64_MAX, latest_ticks = 0;

    for (size_t i = 0; i < segments->n_segments; i++) {
        const struct report_segment *segment = &segments->segments[i];

        if (!segment->has_until) {
            behind_ticks = UINT64_MAX;
            latest_ticks = 0;
        }
        if (segment->latest_ticks > latest_ticks)
            latest_ticks = segment->latest_ticks;
        if (segment->has_operations) {
            totals->n_disordered += segment->first_end_ticks > behind_ticks;
            behind_ticks = segment->behind_ticks;
        }
        if (!segment->has_since)
            account_thread(work->plan, segment->thread, latest_ticks, totals);
    }
}

static enum report_outcome pass_all(const struct pass_plan *plan, struct report_mark *marks,
                                    const struct report_part *passing)
{
    struct work work SW__CLEANUP(work_clear) = { .plan = plan, .passing = passing };

    REPORT_TRY(segments_cut(plan->report, plan->filter, marks, count_shares(plan, marks, passing), &work.segments));
    REPORT_TRY(make_shares(&work));
    REPORT_TRY(team_run(work.segments.n_shares, pass_share, &work));
    REPORT_TRY(join_shares(&work));
    account_threads(&work);
    return REPORT_OK;
}

enum report_outcome report_each_part(const struct report *report, const struct report_filter *filter,
                                     struct report_mark *marks, const struct report_part *settled,
                                     const struct report_part *passing)
{
    unsigned char *selected SW__OWNED = NULL;
    struct report_windows windows SW__CLEANUP(windows_clear) = { .windows = NULL };

    REPORT_TRY(report_select_dispatches(report, filter, &selected));
    REPORT_TRY(windows_build(report, filter->session, &windows));
    struct pass_plan plan = {
        .report = report,
        .filter = filter,
        .selected = selected,
        .windows = &windows,
        .recorder = report_recorder(report),
        .settled = settled,
    };
    if (filter->is_compensated)
        plan.overhead = overhead_of(report);
    REPORT_TRY(pass_all(&plan, marks, passing));
    if (!passing->without_sums)
        sums_account(report, filter, selected, passing->totals);
    return REPORT_OK;
}
