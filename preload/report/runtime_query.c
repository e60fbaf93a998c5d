/*
 * Answers to queries, in the envelope candle-graph/query/1 or as lines.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/json_text.h"
#include "analyze/visible.h"
#include "base/alloc.h"
#include "report/runtime_view.h"

/* ---- JSON ------------------------------------------------------------------------------------------------ */

/* @key: with what comes before it, as in the following. */
static enum sw_status put_text(struct sw__builder *text, const char *key, const char *value)
{
    SW__TRY(sw__builder_string(text, key));
    return value != NULL ? sw__json_put_text(text, value) : sw__builder_string(text, "null");
}

static enum sw_status put_count(struct sw__builder *text, const char *key, uint64_t value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_count(text, value);
}

static enum sw_status put_optional(struct sw__builder *text, const char *key, struct sw__trace_count count)
{
    return count.is_there ? put_count(text, key, count.value) : SW_OK;
}

static enum sw_status put_timing(struct sw__builder *text, const struct runtime_timing *timing)
{
    SW__TRY(put_count(text, ",\"timing\":{\"samples\":", timing->n_samples));
    SW__TRY(put_count(text, ",\"avg_ns\":", timing->avg_ns));
    SW__TRY(put_count(text, ",\"min_ns\":", timing->min_ns));
    SW__TRY(put_count(text, ",\"max_ns\":", timing->max_ns));
    return sw__builder_string(text, "}}");
}

static enum sw_status put_edge(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    SW__TRY(put_text(text, "{\"from\":", subject->edges.rows[i].id));
    SW__TRY(put_text(text, ",\"to\":", subject->edges.rows[i].to));
    return put_timing(text, &subject->edges.rows[i].timing);
}

static enum sw_status put_row(struct sw__builder *text, const struct runtime_subject *subject,
                              const struct runtime_row *row)
{
    SW__TRY(put_text(text, "{\"id\":", row->id));
    SW__TRY(put_text(text, ",\"name\":", row->name));
    SW__TRY(put_text(text, ",\"phase\":", runtime_phase(subject->trace.run.phase)));
    return put_timing(text, &row->timing);
}

static enum sw_status put_operation(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    return put_row(text, subject, &subject->operations.rows[i]);
}

static enum sw_status put_summary(struct sw__builder *text, const struct runtime_subject *subject)
{
    const struct runtime_trace *trace = &subject->trace;
    const size_t *counts = subject->audit.counts;
    const char *phase = runtime_phase(trace->run.phase);

    SW__TRY(put_text(text, "{\"trace_schema\":", trace->run.schema));
    SW__TRY(put_text(text, ",\"entrypoint\":", trace->run.entrypoint));
    SW__TRY(put_text(text, ",\"profile\":", trace->run.profile));
    SW__TRY(put_count(text, ",\"tensor_observations\":", trace->tensors.n_items));
    SW__TRY(put_count(text, ",\"operation_observations\":", trace->operations.n_items));
    SW__TRY(put_count(text, ",\"gradient_observations\":", trace->gradients.n_items));
    SW__TRY(put_count(text, ",\"missing_gradients\":", counts[RUNTIME_MISSING]));
    SW__TRY(put_count(text, ",\"zero_gradients\":", counts[RUNTIME_ZERO]));
    SW__TRY(put_count(text, ",\"non_finite_gradients\":", counts[RUNTIME_NON_FINITE]));
    SW__TRY(put_count(text, ",\"tensor_conflicts\":", counts[RUNTIME_TENSOR_CONFLICT]));
    SW__TRY(put_count(text, ",\"gradient_conflicts\":", counts[RUNTIME_GRADIENT_CONFLICT]));
    SW__TRY(put_count(text, ",\"identity_mismatches\":", counts[RUNTIME_IDENTITY]));
    SW__TRY(put_optional(text, ",\"first_non_finite_step\":", subject->audit.first_non_finite_step));
    SW__TRY(put_count(text, ",\"saturating_activations\":", counts[RUNTIME_SATURATING]));
    SW__TRY(put_count(text, ",\"value_observations\":", trace->values.n_items));
    if (phase != NULL)
        SW__TRY(put_text(text, ",\"execution_phase\":", phase));
    SW__TRY(put_optional(text, ",\"avg_operation_duration_ns\":", runtime_mean_ns(trace)));
    SW__TRY(sw__builder_string(text, ",\"edge_timings\":["));
    for (size_t i = 0; i < subject->edges.n_rows; i++) {
        SW__TRY(sw__builder_string(text, i == 0 ? "" : ","));
        SW__TRY(put_edge(text, subject, i));
    }
    return sw__builder_string(text, "]}");
}

/* Slowest first; of equal ones the order of their ids. */
static int by_mean(const void *left, const void *right)
{
    const struct runtime_row *a = *(const struct runtime_row *const *)left;
    const struct runtime_row *b = *(const struct runtime_row *const *)right;

    if (a->timing.avg_ns != b->timing.avg_ns)
        return a->timing.avg_ns > b->timing.avg_ns ? -1 : 1;
    return (a > b) - (a < b);
}

static enum sw_status find_slowest(const struct runtime_subject *subject, const struct runtime_row ***ret_rows,
                                   size_t *ret_n)
{
    size_t n = subject->operations.n_rows;
    const struct runtime_row **rows = sw__alloc((n + 1) * sizeof *rows);

    if (rows == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        rows[i] = &subject->operations.rows[i];
    qsort(rows, n, sizeof *rows, by_mean);
    *ret_rows = rows;
    *ret_n = n < RUNTIME_MOST_SLOWEST ? n : RUNTIME_MOST_SLOWEST;
    return SW_OK;
}

#define DRILL_DOWN ",\"drill_down\":[\"operations\",\"edges\"]}"

static enum sw_status put_profile(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    const struct runtime_row **slowest SW__OWNED = NULL;
    size_t n = 0;

    (void)i;
    SW__TRY(find_slowest(subject, &slowest, &n));
    SW__TRY(sw__builder_string(text, "{\"id\":\"profile\",\"runtime\":"));
    SW__TRY(put_summary(text, subject));
    SW__TRY(sw__builder_string(text, ",\"slowest_operations\":["));
    for (size_t k = 0; k < n; k++) {
        SW__TRY(sw__builder_string(text, k == 0 ? "" : ","));
        SW__TRY(put_row(text, subject, slowest[k]));
    }
    return sw__builder_string(text, "]" DRILL_DOWN);
}

static size_t count_gradient_findings(const struct runtime_audit *audit)
{
    return audit->counts[RUNTIME_MISSING] + audit->counts[RUNTIME_ZERO] + audit->counts[RUNTIME_NON_FINITE] +
           audit->counts[RUNTIME_GRADIENT_CONFLICT];
}

static enum sw_status put_runtime(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    (void)i;
    SW__TRY(sw__builder_string(text, "{\"id\":\"runtime\",\"summary\":"));
    SW__TRY(put_summary(text, subject));
    SW__TRY(put_count(text, ",\"gradient_finding_count\":", count_gradient_findings(&subject->audit)));
    return sw__builder_string(text, DRILL_DOWN);
}

/* ---- Lines: two blanks, id, name, @source, what it leads to ---------------------------------------------- */

static enum sw_status put_line(struct sw__builder *text, const char *indent, const struct runtime_row *row)
{
    SW__TRY(sw__builder_string(text, indent));
    SW__TRY(sw__visible(text, row->id));
    SW__TRY(sw__builder_string(text, row->to != NULL ? "  \xe2\x86\x92 " : "  "));
    SW__TRY(sw__visible(text, row->to != NULL ? row->to : row->name));
    SW__TRY(sw__builder_string(text, row->source != NULL ? "  @" : ""));
    SW__TRY(sw__visible(text, row->source != NULL ? row->source : ""));
    SW__TRY(put_count(text, "  ", row->timing.avg_ns));
    SW__TRY(put_count(text, " ns \xc2\xb7 ", row->timing.min_ns));
    SW__TRY(put_count(text, "\xe2\x80\x93", row->timing.max_ns));
    return sw__builder_string(text, " ns\n");
}

static enum sw_status put_operation_line(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    return put_line(text, "  ", &subject->operations.rows[i]);
}

static enum sw_status put_edge_line(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    return put_line(text, "  ", &subject->edges.rows[i]);
}

static enum sw_status put_profile_line(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    const struct runtime_row **slowest SW__OWNED = NULL;
    size_t n = 0;

    (void)i;
    SW__TRY(find_slowest(subject, &slowest, &n));
    SW__TRY(sw__builder_string(text, "  profile  \xe2\x86\x92 operations, edges\n"));
    for (size_t k = 0; k < n; k++)
        SW__TRY(put_line(text, "    ", slowest[k]));
    return SW_OK;
}

static enum sw_status put_runtime_line(struct sw__builder *text, const struct runtime_subject *subject, size_t i)
{
    (void)i;
    SW__TRY(sw__builder_string(text, "  runtime  "));
    SW__TRY(sw__visible(text, subject->trace.run.entrypoint));
    SW__TRY(put_count(text, "  ", count_gradient_findings(&subject->audit)));
    return sw__builder_string(text, " gradient finding(s)  \xe2\x86\x92 operations, edges\n");
}

/* ---- The envelope ------------------------------------------------------------------------------------------ */

static size_t count_one(const struct runtime_subject *subject)
{
    (void)subject;
    return 1;
}

static size_t count_operations(const struct runtime_subject *subject)
{
    return subject->operations.n_rows;
}

static size_t count_edges(const struct runtime_subject *subject)
{
    return subject->edges.n_rows;
}

struct query_kind {
    const char *name;
    const char *title;
    size_t (*count)(const struct runtime_subject *subject);
    enum sw_status (*put)(struct sw__builder *text, const struct runtime_subject *subject, size_t i);
    enum sw_status (*put_line)(struct sw__builder *text, const struct runtime_subject *subject, size_t i);
};

static const struct query_kind kinds[] = {
#define RUNTIME_QUERY(name, title, count, put, put_line) { name, title, count, put, put_line },
#include "report/runtime_query.def"
#undef RUNTIME_QUERY
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static enum sw_status put_lines(struct sw__builder *text, const struct runtime_subject *subject,
                                const struct query_kind *kind, size_t begin, size_t end, size_t total)
{
    SW__TRY(sw__builder_string(text, "query "));
    SW__TRY(sw__builder_string(text, kind->title));
    SW__TRY(put_count(text, ": ", total));
    SW__TRY(sw__builder_string(text, " result(s)"));
    if (end - begin < total) {
        SW__TRY(put_count(text, " (offset ", begin));
        SW__TRY(put_count(text, ", showing ", end - begin));
        SW__TRY(sw__builder_string(text, ")"));
    }
    SW__TRY(sw__builder_string(text, "\n"));
    for (size_t i = begin; i < end; i++)
        SW__TRY(kind->put_line(text, subject, i));
    return SW_OK;
}

static enum sw_status put_envelope(struct sw__builder *text, const struct runtime_subject *subject,
                                   const struct query_kind *kind, size_t begin, size_t end, size_t total)
{
    SW__TRY(put_text(text, "{\"schema\":\"candle-graph/query/1\",\"analysis_id\":", subject->trace.run.analysis_id));
    SW__TRY(put_text(text, ",\"kind\":", kind->name));
    SW__TRY(put_count(text, ",\"selector\":null,\"total\":", total));
    SW__TRY(put_count(text, ",\"returned\":", end - begin));
    SW__TRY(put_count(text, ",\"offset\":", begin));
    SW__TRY(sw__builder_string(text, end < total ? ",\"truncated\":true" : ",\"truncated\":false"));
    SW__TRY(sw__builder_string(text, ",\"items\":["));
    for (size_t i = begin; i < end; i++) {
        SW__TRY(sw__builder_string(text, i == begin ? "" : ","));
        SW__TRY(kind->put(text, subject, i));
    }
    return sw__builder_string(text, "]}\n");
}

enum report_outcome runtime_query_answer(const struct runtime_subject *subject, const struct runtime_query *query,
                                         FILE *stream)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };
    const struct query_kind *kind = kinds;

    while (kind < kinds + N_KINDS && strcmp(kind->name, query->kind) != 0)
        kind++;
    if (kind == kinds + N_KINDS)
        return report_fail(REPORT_USAGE, "query %s: expected profile, runtime, operations or edges", query->kind);
    size_t total = kind->count(subject);
    size_t begin = query->offset < total ? (size_t)query->offset : total;
    size_t end = query->limit < total - begin ? begin + (size_t)query->limit : total;
    REPORT_TRY(report_status((query->is_json ? put_envelope : put_lines)(&text, subject, kind, begin, end, total)));
    fwrite(text.bytes, 1, text.n_bytes, stream);
    return REPORT_OK;
}
