/*
 * Whether a report or a trace contradicts itself.
 */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H

#include "report/collect.h"
#include "report/overlap_mode.h"

enum check_rule {
#define CHECK_RULE(enumerator, name, is_error, sentence) CHECK_##enumerator,
#include "report/check_rule.def"
#undef CHECK_RULE
    N_CHECK_RULES
};

/** So many findings of one rule are kept; the others are counted. */
#define CHECK_MOST_FINDINGS 20

struct check_finding {
    enum check_rule rule;
    size_t event; /* its place among the events, from 0; SIZE_MAX: of none */
    char *message;
};

/** What was found in one file. */
struct check {
    const char *path; /* borrowed */
    const char *name; /* the same as valid UTF-8; borrowed */
    size_t n_events;  /* operations; of a trace that calls none so its slices */
    size_t n_others;  /* slices of a trace beside its operations: ranges, overhead */
    int has_slices;   /* a trace that calls none of its slices an operation */
    size_t n_lanes;   /* threads */
    struct check_finding *findings;
    size_t n_findings;
    size_t counts[N_CHECK_RULES];
    int64_t most_device_ns; /* that work of a device lasts */
    enum overlap_mode overlap;      /* what is done about overlaps */
    const char *mended;    /* where the treated trace goes; NULL: nowhere */
    int has_no_memory;      /* for what was found: the check itself has failed */
};
#define CHECK_INIT(file, text) { .path = (file), .name = (text), .most_device_ns = 1000000000 }

/** Note a finding. */
void check_find(struct check *check, enum check_rule rule, size_t event, const char *format, ...) SW_PRINTF(4, 5);
/** Of the whole: "1 event was lost", "2 events were lost"; nothing of none. */
void check_count(struct check *check, enum check_rule rule, uint64_t n, const char *of_one, const char *of_more);
/** Findings of rules that are errors. */
size_t check_count_errors(const struct check *check);
const char *check_rule_name(enum check_rule rule);
int check_rule_is_error(enum check_rule rule);
void check_clear(struct check *check);

/** Check a report. */
SW_NODISCARD enum report_outcome check_report(struct check *check, const struct report *report);
/** Of a report, what shows while it is collected: order, nesting, sums. Reads nothing. */
void check_collected(struct check *check, const struct report *report, const struct report_totals *totals);
/** Check a Chrome trace: a file, plain or compressed. USAGE when this build has no JSON parser. */
SW_NODISCARD enum report_outcome check_trace(struct check *check);

#endif
