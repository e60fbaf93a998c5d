/*
 * Settled events are aggregated once and kept; the others anew for each table.
 * What settled means stands in collect.h.
 */
#include "config.h"

#include "report/tally.h"

#include "base/alloc.h"

struct report_tally {
    enum sw__grouping grouping;
    unsigned wants; /* flags of enum sw__want */
    struct sw__aggregation *settled; /* NULL before the first update */
    struct report_totals totals;     /* of the settled events */
    struct report_mark *marks;       /* by number of thread */
    size_t n_marks;
    uint64_t n_dispatches;           /* when the marks were made */
    uint64_t n_shapes;
};

enum report_outcome tally_new(enum sw__grouping grouping, unsigned wants, struct report_tally **ret_tally)
{
    struct report_tally *tally = sw__alloc_zero(sizeof *tally);

    if (tally == NULL)
        return REPORT_SYSTEM;
    tally->grouping = grouping;
    tally->wants = wants;
    *ret_tally = tally;
    return REPORT_OK;
}

static enum report_outcome new_aggregation(const struct report_tally *tally, const struct report *report,
                                           struct sw__aggregation **ret_aggregation)
{
    REPORT_TRY(report_status(sw__aggregation_new(&report->names, tally->grouping, ret_aggregation)));
    return report_status(sw__aggregation_want(*ret_aggregation, tally->wants));
}

static void forget(struct report_tally *tally)
{
    sw__aggregation_free(sw__take(tally->settled));
    sw__free(sw__take(tally->marks));
    tally->n_marks = 0;
    tally->totals = (struct report_totals){ 0 };
}

void tally_free(struct report_tally *tally)
{
    if (tally == NULL)
        return;
    forget(tally);
    sw__free(tally);
}

/* Whether what a mark has counted is still there: from the first chunk of its thread on. */
static int is_there(const struct report_mark *mark, const struct report_thread *thread)
{
    return !mark->has_settled || (thread->n_chunks > 0 && thread->chunks[0].number == mark->first_chunk &&
                                  report_has_position(thread, &mark->settled));
}

/* Marks for the threads that there are now: the known ones stay. 0 when one of those is gone. */
static int carry_marks(const struct report_tally *tally, const struct report *report, struct report_mark *marks)
{
    size_t known = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        marks[i] = (struct report_mark){ .number = thread->number };
        if (known < tally->n_marks && tally->marks[known].number == thread->number)
            marks[i] = tally->marks[known++];
        if (!is_there(&marks[i], thread))
            return 0;
    }
    return known == tally->n_marks;
}

static enum report_outcome renew(struct report_tally *tally, const struct report *report)
{
    struct report_mark *marks SW__OWNED = sw__alloc_zero(report->n_threads * sizeof *marks);
    struct sw__aggregation *settled SW__OWNED_AGGREGATION = NULL;

    if (marks == NULL)
        return REPORT_SYSTEM;
    if (!carry_marks(tally, report, marks) || report->names.n_dispatches < tally->n_dispatches ||
        report->names.n_shapes < tally->n_shapes) {
        forget(tally);
        (void)carry_marks(tally, report, marks); /* none is known any more: all begin anew */
    }
    REPORT_TRY(new_aggregation(tally, report, &settled));
    if (tally->settled != NULL)
        REPORT_TRY(report_status(sw__aggregation_merge(settled, tally->settled)));
    sw__aggregation_free(tally->settled);
    tally->settled = sw__take(settled);
    sw__free(tally->marks);
    tally->marks = sw__take(marks);
    tally->n_marks = report->n_threads;
    tally->n_dispatches = report->names.n_dispatches;
    tally->n_shapes = report->names.n_shapes;
    return REPORT_OK;
}

static enum report_outcome count_new(struct report_tally *tally, const struct report *report,
                                     const struct report_filter *filter, const struct report_part *passing)
{
    const struct report_part settled = { .aggregation = tally->settled, .totals = &tally->totals };
    enum report_outcome outcome = report_each_part(report, filter, tally->marks, &settled, passing);

    if (outcome != REPORT_OK)
        forget(tally); /* some of it is counted, and some is not */
    return outcome;
}

enum report_outcome tally_update(struct report_tally *tally, const struct report *report,
                                 const struct report_filter *filter, struct sw__aggregates **ret_aggregates,
                                 struct report_totals *ret_totals)
{
    struct sw__aggregation *all SW__OWNED_AGGREGATION = NULL;
    struct report_totals totals = { 0 };

    REPORT_TRY(renew(tally, report));
    REPORT_TRY(new_aggregation(tally, report, &all));
    const struct report_part passing = { .aggregation = all, .totals = &totals };
    REPORT_TRY(count_new(tally, report, filter, &passing));
    REPORT_TRY(report_aggregate_sums(report, filter, all));
    REPORT_TRY(report_status(sw__aggregation_merge(all, tally->settled)));
    REPORT_TRY(report_status(sw__aggregation_rows(all, ret_aggregates)));
    report_totals_add(&totals, &tally->totals);
    *ret_totals = totals;
    return REPORT_OK;
}
