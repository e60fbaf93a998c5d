/*
 * Runs before and after a change, compared operation by operation.
 *
 * What is compared of a run is, per operation, the mean of its self times and
 * the median of its durations. Whether the runs after the change differ from
 * those before by more than chance is told by the rank-sum test over the runs of
 * both sides, with the level of all tests together at DIFF_LEVEL (Holm).
 */
#ifndef REPORT_DIFF_H
#define REPORT_DIFF_H

#include "report/collect.h"

/** The probability of any false alarm in one comparison. */
#define DIFF_LEVEL 0.01

enum diff_side { DIFF_BEFORE, DIFF_AFTER, N_DIFF_SIDES };

enum diff_verdict {
#define DIFF_VERDICT(enumerator, name) DIFF_##enumerator,
#include "report/diff_verdict.def"
#undef DIFF_VERDICT
};

struct diff_run {
    struct report *report;
    struct sw__aggregates *aggregates;
    struct report_totals totals;
};

/** An operation on one side; per run: the median of the runs in which it occurs. */
struct diff_numbers {
    size_t n_runs; /* in which it occurs; 0: none, and nothing else is known */
    double calls;
    double total_ns;
    double self_ns;
    double self_mean_ns; /* per call */
    double median_ns;
    double p95_ns;
};

struct diff_row {
    const struct sw__aggregate *aggregate; /* of some run: for its texts */
    struct diff_numbers numbers[N_DIFF_SIDES];
    double change_ns;      /* of the self time of a run */
    double self_p;         /* probability that chance explains the change of the mean self time, of all tests together */
    double median_p;       /* the same of the median */
    enum diff_verdict verdict;
};

struct diff {
    struct diff_run *runs[N_DIFF_SIDES];
    size_t n_runs[N_DIFF_SIDES];
    struct diff_row *rows; /* what changed first, by the size of the change of the self time */
    size_t n_rows;
    size_t n_tests;
    int can_tell;          /* so many runs are there that a difference could be told from chance */
};

/** Read a run and add it to a side. */
SW_NODISCARD enum report_outcome diff_add(struct diff *diff, enum diff_side side, const char *path,
                                          enum sw__grouping grouping, const char *carriers);
/** Compare what was added: at least one run per side. */
SW_NODISCARD enum report_outcome diff_compare(struct diff *diff);
void diff_clear(struct diff *diff);

/** Whether the operation occurs on both sides. */
static inline int diff_has_both(const struct diff_row *row)
{
    return row->numbers[DIFF_BEFORE].n_runs > 0 && row->numbers[DIFF_AFTER].n_runs > 0;
}

/** The change in per cent of what the verdict is about: of the mean self time, or of the median. */
double diff_change_percent(const struct diff_row *row);
/** The fewest runs per side with which a difference could be told. */
size_t diff_least_runs(const struct diff *diff);
const char *diff_verdict_name(enum diff_verdict verdict);

#endif
