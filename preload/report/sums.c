/*
 * Which sums belong to what is looked at, and their conversion.
 */
#include "config.h"

#include "base/checked.h"
#include "report/sums.h"

#include "record/clock_map.h"

struct lengths {
    struct sw__clock_map map;
    int is_identity;
};

static struct lengths lengths_of(const struct report *report)
{
    struct lengths lengths = { .is_identity = report->header.clock == SWPROF_CLOCK_MONOTONIC };
    struct swprof_anchor from = { 0, 0 }, to = { 0, 0 };
    size_t hint = 0;
    int64_t ns = 0;

    to.ticks = report->seen_ticks - report->header.first.ticks;
    if (!__builtin_sub_overflow(clock_ns(&report->clock, report->seen_ticks, &hint),
                                clock_ns(&report->clock, report->header.first.ticks, &hint), &ns))
        to.monotonic_ns = ns;
    if (!sw__clock_map_init(&lengths.map, &from, &to))
        lengths.is_identity = 1;
    return lengths;
}

static int64_t length_ns(const struct lengths *lengths, uint64_t ticks)
{
    if (!lengths->is_identity)
        return sw__clock_map_ns(&lengths->map, ticks);
    return ticks > INT64_MAX ? INT64_MAX : (int64_t)ticks;
}

/* Sums may be of several threads that followed one another. */
static int is_alone(const struct report *report, const struct report_thread *thread)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n_threads; i++)
        n += report->threads[i].aggregates == thread->aggregates;
    return n == 1;
}

static int is_only_round(const struct report *report, const struct report_session *session)
{
    size_t n_rounds = 0;

    for (size_t i = 0; i < report->n_sessions; i++)
        n_rounds += report->sessions[i].kind == SWPROF_SESSION_ROUND;
    return session->kind == SWPROF_SESSION_ROUND && n_rounds == 1;
}

/* Whether sums of the threads that are looked at are of nothing else. */
static int is_told_apart(const struct report *report, const struct report_filter *filter)
{
    return filter->spans == NULL && (filter->session == NULL || is_only_round(report, filter->session)) &&
           (filter->thread == NULL || is_alone(report, filter->thread));
}

/* Whether a thread that is looked at has added to these sums. */
static int is_of_selected_thread(const struct report *report, const struct report_filter *filter,
                                 const struct report_aggregate *sums)
{
    if (filter->thread == NULL && filter->session == NULL)
        return 1;
    for (size_t i = 0; i < report->n_threads; i++)
        if (report->threads[i].aggregates == sums->thread + UINT64_C(1) &&
            report_is_thread_selected(filter, &report->threads[i]))
            return 1;
    return 0;
}

static int may_be_of(const struct report *report, const struct report_filter *filter, const unsigned char *selected,
                     const struct report_aggregate *sums)
{
    return sums->sums.count != 0 && selected[sums->dispatch] && is_of_selected_thread(report, filter, sums);
}

static void account(const struct report_aggregate *sums, const struct lengths *lengths, struct report_totals *totals)
{
    sw__add_saturating(&totals->n_summed, sums->sums.count);
    sw__add_saturating(&totals->n_failures, sums->sums.failures);
    report_add_ns(&totals->self_ns, length_ns(lengths, sums->sums.self), &totals->saturated);
    totals->saturated |= (sums->sums.flags & SWPROF_SUMS_SATURATED) != 0;
}

static int is_hidden_by(const struct report_filter *filter, const struct report_thread *thread)
{
    return filter->session != NULL || (filter->thread != NULL && filter->thread != thread);
}

/* Time inside operations does not depend on which of them are selected. */
static void account_inside(const struct report *report, const struct report_filter *filter,
                           const struct lengths *lengths, struct report_totals *totals)
{
    int told_apart = is_told_apart(report, filter);

    for (size_t i = 0; i < report->n_aggregates; i++) {
        const struct report_aggregate *sums = &report->aggregates[i];
        if (sums->sums.count == 0 || !is_of_selected_thread(report, filter, sums))
            continue;
        if (told_apart)
            report_add_ns(&totals->inside_ns, length_ns(lengths, sums->sums.outer), &totals->saturated);
        else
            totals->inside_is_unknown = 1;
    }
    for (size_t i = 0; i < report->n_threads; i++)
        if (!is_hidden_by(filter, &report->threads[i]))
            totals->n_hidden += report->threads[i].n_hidden;
}

void sums_account(const struct report *report, const struct report_filter *filter, const unsigned char *selected,
                  struct report_totals *totals)
{
    struct lengths lengths = lengths_of(report);
    int told_apart = is_told_apart(report, filter);

    for (size_t i = 0; i < report->n_aggregates; i++) {
        const struct report_aggregate *sums = &report->aggregates[i];
        if (!may_be_of(report, filter, selected, sums))
            continue;
        if (told_apart)
            account(sums, &lengths, totals);
        else
            sw__add_saturating(&totals->n_unattributed, sums->sums.count);
    }
    account_inside(report, filter, &lengths, totals);
}

/* The middle of what a counter counts, in ticks. */
static uint64_t middle(uint32_t octave, uint32_t counter)
{
    uint32_t shift = octave > 1 ? octave - 1 : 0;
    uint64_t low = (uint64_t)(octave > 0 ? SWPROF_OCTAVE_COUNTERS + counter : counter) << shift;

    return low + ((UINT64_C(1) << shift) - 1) / 2;
}

static enum report_outcome add_durations(const struct report *report, const struct report_aggregate *sums,
                                         const struct lengths *lengths, struct sw__aggregation *aggregation)
{
    for (uint32_t octave = 0; octave < SWPROF_OCTAVES; octave++) {
        struct swprof_octave counters;
        if (sums->octaves[octave] == 0)
            continue;
        REPORT_TRY(report_read_octave(report, sums, octave, &counters));
        for (uint32_t i = 0; i < SWPROF_OCTAVE_COUNTERS; i++)
            if (counters.counters[i] != 0)
                REPORT_TRY(report_status(sw__aggregation_add_duration(aggregation, sums->dispatch, sums->shapes,
                                                                      length_ns(lengths, middle(octave, i)),
                                                                      counters.counters[i])));
    }
    return REPORT_OK;
}

static enum report_outcome add_sums(const struct report *report, const struct report_aggregate *from,
                                    const struct lengths *lengths, struct sw__aggregation *aggregation)
{
    const struct swprof_sums *sums = &from->sums;
    size_t hint = 0;
    struct sw__aggregate row = {
        .count = sums->count,
        .failures = sums->failures,
        .total_ns = length_ns(lengths, sums->total),
        .self_total_ns = length_ns(lengths, sums->self),
        .min_ns = length_ns(lengths, sums->min),
        .max_ns = length_ns(lengths, sums->max),
        .max_start_ns = clock_ns(&report->clock, sums->worst, &hint),
        .saturated = (sums->flags & SWPROF_SUMS_SATURATED) != 0,
        .first = INT64_MAX,
        .first_flags = sums->outer == 0 && sums->total != 0 ? SW__FUNCTION_NESTED : 0,
    };

    REPORT_TRY(report_status(sw__aggregation_add_sums(aggregation, from->dispatch, from->shapes, &row)));
    return add_durations(report, from, lengths, aggregation);
}

enum report_outcome sums_aggregate(const struct report *report, const struct report_filter *filter,
                                   const unsigned char *selected, struct sw__aggregation *aggregation)
{
    struct lengths lengths = lengths_of(report);

    if (!is_told_apart(report, filter))
        return REPORT_OK;
    for (size_t i = 0; i < report->n_aggregates; i++)
        if (may_be_of(report, filter, selected, &report->aggregates[i]))
            REPORT_TRY(add_sums(report, &report->aggregates[i], &lengths, aggregation));
    return REPORT_OK;
}
