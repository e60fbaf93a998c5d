/*
 * What a runtime trace says in sum: timings by static id and by edge, and what
 * its observations contradict.
 */
#ifndef REPORT_RUNTIME_ROLLUP_H
#define REPORT_RUNTIME_ROLLUP_H

#include "report/runtime.h"

/** Of one list of durations; no samples: none. */
struct runtime_timing {
    uint64_t n_samples;
    uint64_t avg_ns; /* rounded down */
    uint64_t min_ns;
    uint64_t max_ns;
};

/** Operations of one static id, or edges from one to another. */
struct runtime_row {
    const char *id;   /* of edges: from where */
    const char *to;   /* of edges; else NULL */
    const char *name; /* the kind of operation; NULL for edges */
    const char *source; /* NULL for none */
    struct runtime_timing timing;
};

struct runtime_rows {
    struct runtime_row *rows; /* by id and to, byte by byte */
    size_t n_rows;
};

/** Operations that have a static id and a duration. */
SW_NODISCARD enum report_outcome runtime_time_operations(const struct runtime_trace *trace,
                                                         struct runtime_rows *ret_rows);
SW_NODISCARD enum report_outcome runtime_time_edges(const struct runtime_trace *trace, struct runtime_rows *ret_rows);
/** The mean of all operations' durations, whose sum stays at the largest; absent when there are none. */
struct sw__trace_count runtime_mean_ns(const struct runtime_trace *trace);
void runtime_rows_clear(struct runtime_rows *rows);

#define RUNTIME_OWNED_ROWS SW__CLEANUP(runtime_rows_clear)

enum runtime_finding_kind {
#define RUNTIME_FINDING(enumerator, name, is_clean, sentence) RUNTIME_##enumerator,
#include "report/runtime_finding.def"
#undef RUNTIME_FINDING
    N_RUNTIME_FINDINGS
};

struct runtime_finding {
    enum runtime_finding_kind kind;
    const char *subject; /* a static id, a source; of gradients the key */
    const char *root;    /* of gradients; else NULL */
    const char *property; /* of tensors: "dtype", ...; of identities: the field; else NULL */
    char *detail;        /* the values that contradict each other */
};

/** What an importer expects of the trace; NULL: anything. */
struct runtime_identity {
    const char *analysis_id;
    const char *build_id;
};

struct runtime_audit {
    struct runtime_finding *findings; /* by kind, then by subject */
    size_t n_findings;
    size_t counts[N_RUNTIME_FINDINGS];
    struct sw__trace_count first_non_finite_step;
};

SW_NODISCARD enum report_outcome runtime_audit(const struct runtime_trace *trace,
                                               const struct runtime_identity *expected,
                                               struct runtime_audit *ret_audit);
/** Whether nothing was found that is wrong; saturated activations alone are no fault. */
int runtime_audit_is_clean(const struct runtime_audit *audit);
const char *runtime_finding_name(enum runtime_finding_kind kind);
const char *runtime_finding_sentence(enum runtime_finding_kind kind);
void runtime_audit_clear(struct runtime_audit *audit);

#define RUNTIME_OWNED_AUDIT SW__CLEANUP(runtime_audit_clear)

#endif
