/*
 * What a report says twice has to agree. That it can be read at all has been
 * seen when it was opened.
 */
#include "config.h"

#include "base/checked.h"
#include "report/check.h"

#include <inttypes.h>

#include "report/collect.h"
#include "report/range_times.h"

/* The pass over one thread, from its last operation to its first. */
struct backwards {
    struct check *check;
    const struct report_thread *thread;
    uint64_t ticks; /* at which the operation behind ended */
    uint64_t n_operations; /* as the heading counts them: not the hidden ones */
    int is_told;
};

static void take_operation(struct backwards *backwards, const struct report_operation *operation)
{
    if (operation->flags & SW__ANALYZE_UNFINISHED)
        return;
    if (operation->end_ticks > backwards->ticks && !backwards->is_told) {
        backwards->is_told = 1;
        check_find(backwards->check, CHECK_ORDER, SIZE_MAX,
                   "thread %" PRId64 ": an operation ended after the one that was recorded behind it",
                   backwards->thread->tid);
    }
    backwards->ticks = operation->end_ticks;
    backwards->n_operations += (operation->flags & SW__ANALYZE_HIDDEN) == 0;
}

static enum report_outcome take_operations(void *context, const struct report_operation *operations,
                                           size_t n_operations)
{
    for (size_t i = 0; i < n_operations; i++)
        take_operation(context, &operations[i]);
    return REPORT_OK;
}

static enum report_outcome check_thread(struct check *check, const struct report *report,
                                        const struct report_thread *thread)
{
    struct backwards backwards = { .check = check, .thread = thread, .ticks = UINT64_MAX };

    REPORT_TRY(report_each_operation(report, thread, NULL, take_operations, &backwards));
    check->n_events += backwards.n_operations;
    check->n_lanes++;
    return REPORT_OK;
}

/* Of durations for which a histogram had no room nothing is counted: fewer may stand in it than were summed up. */
static enum report_outcome count_durations(const struct report *report, const struct report_aggregate *aggregate,
                                           uint64_t *ret_count)
{
    uint64_t count = 0;

    for (uint32_t octave = 0; octave < SWPROF_OCTAVES; octave++) {
        struct swprof_octave counters;
        REPORT_TRY(report_read_octave(report, aggregate, octave, &counters));
        for (size_t i = 0; i < sizeof counters.counters / sizeof *counters.counters; i++)
            sw__add_saturating(&count, counters.counters[i]);
    }
    *ret_count = count;
    return REPORT_OK;
}

static enum report_outcome check_histogram(struct check *check, const struct report *report,
                                           const struct report_aggregate *aggregate)
{
    uint64_t count = 0;

    if (aggregate->sums.count == 0)
        return REPORT_OK;
    REPORT_TRY(count_durations(report, aggregate, &count));
    if (count > aggregate->sums.count)
        check_find(check, CHECK_SUMS, SIZE_MAX, "%s: %" PRIu64 " durations of %" PRIu64 " operations",
                   report->dispatches[aggregate->dispatch].name, count, aggregate->sums.count);
    return REPORT_OK;
}

static void check_sums(struct check *check, const struct report *report, const struct report_aggregate *aggregate)
{
    const struct swprof_sums *sums = &aggregate->sums;

    if (sums->count != 0 && (sums->min > sums->max || sums->max > sums->total || sums->self > sums->total))
        check_find(check, CHECK_SUMS, SIZE_MAX, "%s: the shortest, the longest, all and what is its own contradict "
                                                "each other", report->dispatches[aggregate->dispatch].name);
}

static enum sw_status pass_over(void *context, const struct sw__analyze_event *event, uint32_t serial)
{
    (void)context;
    (void)event;
    (void)serial;
    return SW_OK;
}

static void check_totals(struct check *check, const struct report *report, const struct report_totals *totals)
{
    for (size_t i = 0; i < report->n_aggregates; i++)
        check_sums(check, report, &report->aggregates[i]);
    if (totals->n_anomalies != 0)
        check_find(check, CHECK_OVERLAP, SIZE_MAX, "%" PRIu64 " intervals contradict the nesting of their thread",
                   totals->n_anomalies);
}

void check_collected(struct check *check, const struct report *report, const struct report_totals *totals)
{
    if (totals->n_disordered != 0)
        check_find(check, CHECK_ORDER, SIZE_MAX, "%" PRIu64 " operations ended after the one that was recorded behind "
                                                 "them", totals->n_disordered);
    check_totals(check, report, totals);
}

/* Ranges nest in each other and among the operations of their thread. */
static enum report_outcome check_ranges(struct check *check, const struct report *report,
                                        const struct report_filter *everything)
{
    struct range_times times SW__CLEANUP(range_times_clear) = { .rows = NULL };
    struct report_totals totals;
    uint64_t n_open = 0;

    REPORT_TRY(range_times_build(report, everything, &totals, &times));
    for (size_t i = 0; i < times.n_rows; i++)
        n_open += times.rows[i].n_open;
    if (times.n_crossed != 0)
        check_find(check, CHECK_OVERLAP, SIZE_MAX, "%" PRIu64 " ranges or operations end outside of the range around them",
                   times.n_crossed);
    check_count(check, CHECK_OPEN, n_open, "range or step was still open", "ranges or steps were still open");
    return REPORT_OK;
}

enum report_outcome check_report(struct check *check, const struct report *report)
{
    const struct report_filter everything = { .carriers = NULL };
    struct report_totals totals;

    for (size_t i = 0; i < report->n_threads; i++)
        REPORT_TRY(check_thread(check, report, &report->threads[i]));
    for (size_t i = 0; i < report->n_aggregates; i++)
        REPORT_TRY(check_histogram(check, report, &report->aggregates[i]));
    REPORT_TRY(report_each_event(report, &everything, pass_over, NULL, &totals));
    check_totals(check, report, &totals);
    check_count(check, CHECK_OPEN, totals.n_unfinished, "operation was still open", "operations were still open");
    check_count(check, CHECK_LOST, report_lost_total(report), "event was lost", "events were lost");
    check_count(check, CHECK_LOST, report_lost_notes(report), "note was lost", "notes were lost");
    return check_ranges(check, report, &everything);
}
