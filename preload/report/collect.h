/*
 * From a report's operations to analysed events: selection, nesting, and the
 * account of the threads' time.
 */
#ifndef REPORT_COLLECT_H
#define REPORT_COLLECT_H

#include "report/report.h"
#include "report/spans.h"

/** What of a report is looked at. What is filtered out still counts as its parent's nested time. */
struct report_filter {
    const struct report_thread *thread;   /* NULL: all */
    const struct report_session *session; /* NULL: all */
    const char *carriers;                 /* "Generic,module.Name"; NULL: all */
    const struct report_spans *spans;     /* in which operations began; NULL: whenever */
    int has_step;                         /* what the spans are of: */
    uint64_t step;
    const char *range;                    /* NULL: no name of ranges */
    int is_compensated;                   /* times of events are without what recording them has added */
};

/** The dispatch that stands for the recorder's own time; SW__ANALYZE_NONE: there is none. */
uint32_t report_recorder(const struct report *report);
/** Whether a dispatch is that one, which is nobody's operation. */
int report_is_recorder(const struct report *report, uint32_t dispatch);
/** Whether a list of carrier classes names the one of an operation. */
int report_carrier_is_listed(const char *carriers, const struct sw__analyze_dispatch *dispatch);

/** Whether operations of a dispatch are looked at, for each of them. sw__free(). */
SW_NODISCARD enum report_outcome report_select_dispatches(const struct report *report,
                                                          const struct report_filter *filter,
                                                          unsigned char **ret_selected);

/** Whether anything of a thread is looked at: rounds are of all threads, a Profiler is of one. */
int report_is_thread_selected(const struct report_filter *filter, const struct report_thread *thread);

struct report_totals {
    uint64_t n_events;     /* passed the filter and finished */
    uint64_t n_summed;     /* passed the filter and are known only as sums */
    uint64_t n_unattributed; /* known only as sums that may hold what the filter leaves out: not counted */
    uint64_t n_failures;
    uint64_t n_unfinished; /* still open */
    uint64_t n_hidden;     /* recorded outside SWPROF_CARRIERS */
    uint64_t n_anomalies;  /* intervals that contradict the nesting */
    uint64_t n_disordered; /* operations that ended after the one that was recorded behind them */
    uint64_t n_clamped;    /* times that were shorter than what was to be taken out of them, and stand as 0 */
    uint64_t n_threads;
    int64_t alive_ns;      /* of the threads together, while a round was open */
    int64_t inside_ns;     /* of that: inside any operation */
    int64_t self_ns;       /* sum of self times of the events */
    int64_t tool_ns;       /* in the recorder's slow path, whenever */
    int64_t tool_inside_ns; /* of that: inside of operations, in nobody's self time */
    int saturated;
    int inside_is_unknown; /* some of it is in sums that may hold what the filter leaves out */
};

/** Add to a sum of times; it stays at the largest, and is marked, where it would leave 63 bits. */
static inline void report_add_ns(int64_t *sum, int64_t value, int *saturated)
{
    if (__builtin_add_overflow(*sum, value, sum)) {
        *sum = INT64_MAX;
        *saturated = 1;
    }
}

/** Add sums to sums, saturating. */
void report_totals_add(struct report_totals *totals, const struct report_totals *more);
/** Operations that the totals are of, one by one or as sums; saturates. */
static inline uint64_t report_n_calls(const struct report_totals *totals)
{
    return totals->n_events > UINT64_MAX - totals->n_summed ? UINT64_MAX : totals->n_events + totals->n_summed;
}

/**
 * Pass the events of the selected threads, thread by thread, in no particular
 * order within a thread. Those that the filter leaves out have the flag
 * SW__ANALYZE_HIDDEN. Serials count over all threads.
 */
SW_NODISCARD enum report_outcome report_each_event(const struct report *report, const struct report_filter *filter,
                                                   sw__nest_sink *sink, void *context,
                                                   struct report_totals *ret_totals);

/** How far the operations of a thread are settled: no later one will change their self times. */
struct report_mark {
    uint32_t number;     /* of the thread */
    int has_settled;
    uint32_t first_chunk; /* that there was then */
    struct report_position settled;
    uint64_t latest_end_ticks; /* of the settled operations, and later ones that were seen */
};

/** Where events and their sums go: into an aggregation, or one by one to a sink. */
struct report_part {
    struct sw__aggregation *aggregation; /* NULL: to the sink */
    sw__nest_sink *sink;
    void *context;
    struct report_totals *totals; /* added to */
    sw__nest_sink *enter; /* NULL, or as of sw__nest_on_enter() */
    int without_sums;     /* of passing: what is in no event is not accounted to */
};

/**
 * The same in two parts: what stands behind the marks and is settled now goes
 * to @settled, and the marks (one per thread of the report) move on; what an
 * operation that is still open may enclose goes to @passing, and so does what
 * is of the whole threads: n_threads, alive_ns, tool_ns. Without marks all is
 * passing.
 */
SW_NODISCARD enum report_outcome report_each_part(const struct report *report, const struct report_filter *filter,
                                                  struct report_mark *marks, const struct report_part *settled,
                                                  const struct report_part *passing);

/** Account to what is selected of the sums, as a pass does that is not without them. */
SW_NODISCARD enum report_outcome report_account_sums(const struct report *report, const struct report_filter *filter,
                                                     struct report_totals *totals);

/** Aggregates of the selected events and sums. sw__aggregates_free(). */
SW_NODISCARD enum report_outcome report_aggregate(const struct report *report, const struct report_filter *filter,
                                                  enum sw__grouping grouping, struct sw__aggregates **ret_aggregates,
                                                  struct report_totals *ret_totals);
/** The same with what is wanted beside, and rows are told apart by the innermost entries of call stacks, whose names have been looked up. */
SW_NODISCARD enum report_outcome report_aggregate_stacks(const struct report *report, const struct report_filter *filter,
                                                         enum sw__grouping grouping, size_t n_entries, unsigned wants,
                                                         struct sw__aggregates **ret_aggregates,
                                                         struct report_totals *ret_totals);
/** Add the selected sums, which are in no event, to an aggregation. */
SW_NODISCARD enum report_outcome report_aggregate_sums(const struct report *report, const struct report_filter *filter,
                                                       struct sw__aggregation *aggregation);
/** The same with more: flags of enum sw__want. */
SW_NODISCARD enum report_outcome report_aggregate_wanted(const struct report *report,
                                                         const struct report_filter *filter,
                                                         enum sw__grouping grouping, unsigned wants,
                                                         struct sw__aggregates **ret_aggregates,
                                                         struct report_totals *ret_totals);
/** With percentiles. */
static inline enum report_outcome report_aggregate_percentiles(const struct report *report,
                                                               const struct report_filter *filter,
                                                               enum sw__grouping grouping,
                                                               struct sw__aggregates **ret_aggregates,
                                                               struct report_totals *ret_totals)
{
    return report_aggregate_wanted(report, filter, grouping, SW__WANT_PERCENTILES, ret_aggregates, ret_totals);
}

struct report_events {
    struct sw__analyze_event *events; /* in the order of their starts; parent is an index */
    size_t n_events;
    struct report_totals totals;
};

/** The selected events, unfinished ones included, in memory. */
SW_NODISCARD enum report_outcome report_collect(const struct report *report, const struct report_filter *filter,
                                                struct report_events *ret_events);
void report_events_clear(struct report_events *events);

#endif
