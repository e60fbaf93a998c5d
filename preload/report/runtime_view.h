/*
 * How a runtime trace is shown: as tables, as its findings, as the answers of a
 * query.
 */
#ifndef REPORT_RUNTIME_VIEW_H
#define REPORT_RUNTIME_VIEW_H

#include "report/grid.h"
#include "report/runtime_rollup.h"

/** A trace and all that is made of it. */
struct runtime_subject {
    struct runtime_trace trace;
    struct runtime_rows operations; /* none when the trace is of another analysis or build */
    struct runtime_rows edges;
    struct runtime_audit audit;
};

SW_NODISCARD enum report_outcome runtime_subject_read(const char *path, const struct runtime_identity *expected,
                                                      struct runtime_subject *ret_subject);
void runtime_subject_clear(struct runtime_subject *subject);

#define RUNTIME_OWNED_SUBJECT SW__CLEANUP(runtime_subject_clear)

/** The run and the timings of its operations, or of its edges. */
SW_NODISCARD enum report_outcome runtime_view_operations(const struct runtime_subject *subject, int64_t row_limit,
                                                         const struct screen *screen, write_document *format);
SW_NODISCARD enum report_outcome runtime_view_edges(const struct runtime_subject *subject, int64_t row_limit,
                                                    const struct screen *screen, write_document *format);
/** What the audit found. */
SW_NODISCARD enum report_outcome runtime_view_audit(const struct runtime_subject *subject, int64_t row_limit,
                                                    const struct screen *screen, write_document *format);

/** Which part of the answers, and in which form. */
struct runtime_query {
    const char *kind;
    uint64_t limit;  /* above 0 */
    uint64_t offset;
    int is_json;
};

#define RUNTIME_QUERY_LIMIT 100
/** Operations in the answer to "profile". */
#define RUNTIME_MOST_SLOWEST 50

/** Answer a query; USAGE for a kind that there is not. */
SW_NODISCARD enum report_outcome runtime_query_answer(const struct runtime_subject *subject,
                                                      const struct runtime_query *query, FILE *stream);

#endif
