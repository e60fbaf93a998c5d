/*
 * Tables of a runtime trace: the run above, timings or findings below.
 */
#include "config.h"

#include "report/runtime_view.h"

#include <string.h>

#include "analyze/visible.h"
#include "base/alloc.h"

void runtime_subject_clear(struct runtime_subject *subject)
{
    runtime_rows_clear(&subject->operations);
    runtime_rows_clear(&subject->edges);
    runtime_audit_clear(&subject->audit);
    runtime_clear(&subject->trace);
}

enum report_outcome runtime_subject_read(const char *path, const struct runtime_identity *expected,
                                         struct runtime_subject *ret_subject)
{
    struct runtime_subject subject RUNTIME_OWNED_SUBJECT = { .operations = { NULL, 0 } };

    REPORT_TRY(runtime_read(path, &subject.trace));
    REPORT_TRY(runtime_audit(&subject.trace, expected, &subject.audit));
    if (subject.audit.counts[RUNTIME_IDENTITY] == 0)
        REPORT_TRY(runtime_time_operations(&subject.trace, &subject.operations));
    REPORT_TRY(runtime_time_edges(&subject.trace, &subject.edges));
    *ret_subject = subject;
    subject = (struct runtime_subject){ .operations = { NULL, 0 } };
    return REPORT_OK;
}

/* ---- The run --------------------------------------------------------------------------------------------- */

static struct cell cell_of_text(const char *text)
{
    return text != NULL ? CELL_OF_TEXT(text) : (struct cell){ .kind = CELL_NONE };
}

static struct cell cell_of_count(struct sw__trace_count count)
{
    return count.is_there ? CELL_OF_COUNT(count.value) : (struct cell){ .kind = CELL_NONE };
}

#define MOST_FACTS 24

static size_t make_facts(const struct runtime_subject *subject, struct fact *ret_facts)
{
    const struct runtime_trace *trace = &subject->trace;
    const struct runtime_audit *audit = &subject->audit;
    const struct fact facts[] = {
        { "path", CELL_OF_TEXT(trace->path), 0 },
        { "trace_schema", CELL_OF_TEXT(trace->run.schema), 0 },
        { "entrypoint", CELL_OF_TEXT(trace->run.entrypoint), 0 },
        { "profile", CELL_OF_TEXT(trace->run.profile), 0 },
        { "analysis_id", cell_of_text(trace->run.analysis_id), 0 },
        { "build_id", cell_of_text(trace->run.build_id), 0 },
        { "execution_phase", cell_of_text(runtime_phase(trace->run.phase)), 0 },
        { "tensor_observations", CELL_OF_COUNT(trace->tensors.n_items), 0 },
        { "operation_observations", CELL_OF_COUNT(trace->operations.n_items), 0 },
        { "gradient_observations", CELL_OF_COUNT(trace->gradients.n_items), 0 },
        { "value_observations", CELL_OF_COUNT(trace->values.n_items), 0 },
        { "edge_observations", CELL_OF_COUNT(trace->edges.n_items), 0 },
        { "missing_gradients", CELL_OF_COUNT(audit->counts[RUNTIME_MISSING]), 0 },
        { "zero_gradients", CELL_OF_COUNT(audit->counts[RUNTIME_ZERO]), 0 },
        { "non_finite_gradients", CELL_OF_COUNT(audit->counts[RUNTIME_NON_FINITE]), 0 },
        { "tensor_conflicts", CELL_OF_COUNT(audit->counts[RUNTIME_TENSOR_CONFLICT]), 0 },
        { "gradient_conflicts", CELL_OF_COUNT(audit->counts[RUNTIME_GRADIENT_CONFLICT]), 0 },
        { "identity_mismatches", CELL_OF_COUNT(audit->counts[RUNTIME_IDENTITY]), 0 },
        { "saturating_activations", CELL_OF_COUNT(audit->counts[RUNTIME_SATURATING]), 0 },
        { "first_non_finite_step", cell_of_count(audit->first_non_finite_step), 0 },
        { "avg_operation_duration_ns", cell_of_count(runtime_mean_ns(trace)), 0 },
    };

    memcpy(ret_facts, facts, sizeof facts);
    return sizeof facts / sizeof *facts;
}

static enum sw_status put_amount(struct sw__builder *text, size_t n, const char *one, const char *many)
{
    if (n == 0)
        return SW_OK;
    SW__TRY(sw__builder_string(text, ", "));
    return display_counted(text, n, one, many);
}

/* "Model::forward, train; 12 operations, 3 edges\naudit: clean\n" */
static enum sw_status put_heading(struct sw__builder *text, const struct runtime_subject *subject)
{
    const struct runtime_trace *trace = &subject->trace;
    const struct runtime_audit *audit = &subject->audit;
    const char *phase = runtime_phase(trace->run.phase);

    SW__TRY(sw__visible(text, trace->run.entrypoint));
    SW__TRY(sw__builder_string(text, phase != NULL ? ", " : ""));
    SW__TRY(sw__builder_string(text, phase != NULL ? phase : ""));
    SW__TRY(sw__builder_string(text, ", build profile "));
    SW__TRY(sw__visible(text, trace->run.profile));
    SW__TRY(sw__builder_string(text, "  ("));
    SW__TRY(sw__visible(text, trace->run.schema));
    SW__TRY(sw__builder_string(text, ")\n"));
    SW__TRY(display_counted(text, trace->operations.n_items, "operation", "operations"));
    SW__TRY(put_amount(text, trace->edges.n_items, "edge", "edges"));
    SW__TRY(put_amount(text, trace->tensors.n_items, "tensor", "tensors"));
    SW__TRY(put_amount(text, trace->gradients.n_items, "gradient", "gradients"));
    SW__TRY(put_amount(text, trace->values.n_items, "value", "values"));
    SW__TRY(sw__builder_string(text, "\naudit: "));
    SW__TRY(sw__builder_string(text, runtime_audit_is_clean(audit) ? "clean" : "not clean"));
    SW__TRY(put_amount(text, audit->n_findings, "finding", "findings"));
    return sw__builder_string(text, "\n\n");
}

static enum report_outcome print(const struct runtime_subject *subject, const struct grid *grid, const char *footing,
                                 int64_t row_limit, const struct screen *screen, write_document *format)
{
    struct sw__builder heading SW__OWNED_BUILDER = { 0 };
    struct fact facts[MOST_FACTS];
    struct document document = { .footing = footing, .facts = facts, .n_facts = make_facts(subject, facts),
                                 .grid = *grid };

    REPORT_TRY(report_status(put_heading(&heading, subject)));
    document.heading = heading.bytes;
    if (row_limit != SW_NO_LIMIT && (uint64_t)row_limit < grid->n_rows)
        document.grid.n_rows = (size_t)row_limit;
    return report_status(format(screen, &document));
}

/* ---- Timings ----------------------------------------------------------------------------------------------- */

typedef struct cell make_timing(const struct runtime_row *row);

static struct cell cell_ns(uint64_t ns)
{
    return CELL_OF_TIME(ns <= INT64_MAX ? (int64_t)ns : INT64_MAX);
}

static struct cell cell_avg(const struct runtime_row *row)
{
    return cell_ns(row->timing.avg_ns);
}

static struct cell cell_min(const struct runtime_row *row)
{
    return cell_ns(row->timing.min_ns);
}

static struct cell cell_max(const struct runtime_row *row)
{
    return cell_ns(row->timing.max_ns);
}

static struct cell cell_samples(const struct runtime_row *row)
{
    return CELL_OF_COUNT(row->timing.n_samples);
}

static struct cell cell_name(const struct runtime_row *row)
{
    return cell_of_text(row->name);
}

static struct cell cell_id(const struct runtime_row *row)
{
    return CELL_OF_TEXT(row->id);
}

static struct cell cell_to(const struct runtime_row *row)
{
    return cell_of_text(row->to);
}

static make_timing *const timing_makers[] = {
#define RUNTIME_COLUMN(title, key, flags, function) function,
#include "report/runtime_columns.def"
#undef RUNTIME_COLUMN
};
#define N_COLUMNS (sizeof timing_makers / sizeof *timing_makers)

static const struct column timing_columns[N_COLUMNS] = {
#define RUNTIME_COLUMN(title, key, flags, function) { title, key, flags },
#include "report/runtime_columns.def"
#undef RUNTIME_COLUMN
};

static enum sw_status make_timing_row(void *context, size_t row, struct cell *ret_cells)
{
    const struct runtime_row *rows = context;

    for (size_t i = 0; i < N_COLUMNS; i++)
        ret_cells[i] = timing_makers[i](&rows[row]);
    return SW_OK;
}

/* @left_out: the column that rows of this kind do not have. */
static enum report_outcome print_rows(const struct runtime_subject *subject, const struct runtime_rows *rows,
                                      make_timing *left_out, const char *footing, int64_t row_limit,
                                      const struct screen *screen, write_document *format)
{
    struct column columns[N_COLUMNS];
    const struct grid grid = { columns, N_COLUMNS, rows->n_rows, make_timing_row, rows->rows };

    memcpy(columns, timing_columns, sizeof columns);
    for (size_t i = 0; i < N_COLUMNS; i++) {
        if (timing_makers[i] == left_out)
            columns[i].flags |= COLUMN_EXPORT | COLUMN_SCREEN;
        if (timing_makers[i] == cell_id && left_out == cell_name)
            columns[i].title = "From", columns[i].key = "from_static_id";
    }
    return print(subject, &grid, footing, row_limit, screen, format);
}

enum report_outcome runtime_view_operations(const struct runtime_subject *subject, int64_t row_limit,
                                            const struct screen *screen, write_document *format)
{
    return print_rows(subject, &subject->operations, cell_to, "", row_limit, screen, format);
}

enum report_outcome runtime_view_edges(const struct runtime_subject *subject, int64_t row_limit,
                                       const struct screen *screen, write_document *format)
{
    const char *footing =
        subject->edges.n_rows == 0 ? "\nno edge is in this trace: exports of reports have them with SWPROF_FLOWS=1\n" : "";

    return print_rows(subject, &subject->edges, cell_name, footing, row_limit, screen, format);
}

/* ---- Findings ---------------------------------------------------------------------------------------------- */

static const struct column finding_columns[] = {
    { "Finding", "finding", COLUMN_LEFT },
    { "Of", "subject", COLUMN_LEFT },
    { "What", "property", COLUMN_LEFT },
    { "Values", "values", COLUMN_LEFT },
};

/* The identity of a gradient is its root and its key. */
struct findings {
    const struct runtime_audit *audit;
    struct sw__builder subject; /* of the row that was made last */
};

static enum sw_status make_finding_row(void *context, size_t row, struct cell *ret_cells)
{
    struct findings *findings = context;
    const struct runtime_finding *finding = &findings->audit->findings[row];

    findings->subject.n_bytes = 0;
    SW__TRY(sw__builder_string(&findings->subject, finding->root != NULL ? finding->root : ""));
    SW__TRY(sw__builder_string(&findings->subject, finding->root != NULL ? ":" : ""));
    SW__TRY(sw__builder_string(&findings->subject, finding->subject));
    ret_cells[0] = CELL_OF_TEXT(runtime_finding_name(finding->kind));
    ret_cells[1] = CELL_OF_TEXT(findings->subject.bytes);
    ret_cells[2] = cell_of_text(finding->property);
    ret_cells[3] = finding->detail[0] != '\0' ? CELL_OF_TEXT(finding->detail) : (struct cell){ .kind = CELL_NONE };
    return SW_OK;
}

static void findings_clear(struct findings *findings)
{
    sw__builder_clear(&findings->subject);
}

enum report_outcome runtime_view_audit(const struct runtime_subject *subject, int64_t row_limit,
                                       const struct screen *screen, write_document *format)
{
    struct findings findings SW__CLEANUP(findings_clear) = { .audit = &subject->audit };
    const struct grid grid = { finding_columns, sizeof finding_columns / sizeof *finding_columns,
                               subject->audit.n_findings, make_finding_row, &findings };

    return print(subject, &grid, "", row_limit, screen, format);
}
