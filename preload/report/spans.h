/*
 * The times of a step, or of all ranges of a name: which operations began in
 * them.
 */
#ifndef REPORT_SPANS_H
#define REPORT_SPANS_H

#include "report/report.h"

struct report_span {
    uint64_t begin_ticks;
    uint64_t end_ticks; /* behind the last */
    uint32_t thread;
};

struct report_spans {
    struct report_span *spans; /* ascending by thread and time, apart from each other */
    size_t n_spans;
    int is_of_all_threads;     /* they are: of a step */
};

/** Of step @step. NULL when the report has no such step. spans_free(). */
SW_NODISCARD enum report_outcome spans_of_step(const struct report *report, uint64_t step,
                                               struct report_spans **ret_spans);
/** Of the ranges of that name, each on its thread. NULL when there is none. */
SW_NODISCARD enum report_outcome spans_of_ranges(const struct report *report, const char *name,
                                                 struct report_spans **ret_spans);
/** What is in both, of which the second is of all threads: the ranges' parts in a step. */
SW_NODISCARD enum report_outcome spans_intersect(const struct report_spans *ranges, const struct report_spans *step,
                                                 struct report_spans **ret_spans);
void spans_free(struct report_spans *spans);

/** Whether a moment of a thread is in one of them. */
int spans_have(const struct report_spans *spans, uint32_t thread, uint64_t ticks);

SW__DEFINE_CLEANUP(spans, struct report_spans, spans_free)
#define REPORT_OWNED_SPANS SW__CLEANUP(sw__cleanup_spans)

#endif
