/*
 * swprof-report runtime: what a runtime trace (candle-graph/runtime/1 to 3)
 * says.
 */
#include "config.h"

#include <string.h>

#include "report/command.h"
#include "report/runtime_view.h"
#include "report/say.h"

/* ---- Views ------------------------------------------------------------------------------------------------- */

typedef enum report_outcome show_view(const struct options *options, const struct runtime_subject *subject,
                                      struct output *output);

static enum report_outcome show_operations(const struct options *options, const struct runtime_subject *subject,
                                           struct output *output)
{
    struct screen screen = output_screen(output, options->unit);

    return runtime_view_operations(subject, options->row_limit, &screen, options->format);
}

static enum report_outcome show_edges(const struct options *options, const struct runtime_subject *subject,
                                      struct output *output)
{
    struct screen screen = output_screen(output, options->unit);

    return runtime_view_edges(subject, options->row_limit, &screen, options->format);
}

static enum report_outcome show_audit(const struct options *options, const struct runtime_subject *subject,
                                      struct output *output)
{
    struct screen screen = output_screen(output, options->unit);

    return runtime_view_audit(subject, options->row_limit, &screen, options->format);
}

static enum report_outcome show_document(const struct options *options, const struct runtime_subject *subject,
                                         struct output *output)
{
    struct sw__builder text SW__OWNED_BUILDER = { 0 };

    (void)options;
    REPORT_TRY(report_status(runtime_put_document(&text, &subject->trace)));
    fwrite(text.bytes, 1, text.n_bytes, output->stream);
    return REPORT_OK;
}

static enum report_outcome show_query(const struct options *options, const struct runtime_subject *subject,
                                      struct output *output)
{
    const struct runtime_query query = {
        .kind = options->arguments[1],
        .limit = !options_has(options, "limit")       ? RUNTIME_QUERY_LIMIT
                 : options->row_limit == SW_NO_LIMIT ? UINT64_MAX
                                                     : (uint64_t)options->row_limit,
        .offset = (uint64_t)options->offset,
        .is_json = options->format == format_json,
    };

    return runtime_query_answer(subject, &query, output->stream);
}

static const struct view {
    const char *name;
    show_view *show;
    int n_arguments; /* the name and the file counted */
} views[] = {
#define RUNTIME_VIEW(name, function, n_arguments) { name, function, n_arguments },
#include "report/runtime_view.def"
#undef RUNTIME_VIEW
};
#define N_VIEWS (sizeof views / sizeof *views)

/* The only argument is a file, whatever its name. */
static enum report_outcome find_view(const struct options *options, const struct view **ret_view)
{
    const struct view *view = views;

    if (options->n_arguments == 0)
        return report_fail(REPORT_USAGE, "runtime: expected a trace");
    if (options->n_arguments == 1) {
        *ret_view = views;
        return REPORT_OK;
    }
    while (view < views + N_VIEWS && strcmp(view->name, options->arguments[0]) != 0)
        view++;
    if (view == views + N_VIEWS)
        return report_fail(REPORT_USAGE, "runtime %s: expected operations, edges, audit, query or document",
                           options->arguments[0]);
    if (options->n_arguments != view->n_arguments)
        return report_fail(REPORT_USAGE, "runtime %s: expected %s", view->name,
                           view->n_arguments == 3 ? "a kind of query, and one trace" : "one trace");
    *ret_view = view;
    return REPORT_OK;
}

static enum report_outcome check_query(const struct options *options)
{
    if (options->row_limit == 0)
        return report_fail(REPORT_USAGE, "--limit 0: a query has at least one result");
    if (options->format == format_csv)
        return report_fail(REPORT_USAGE, "--format csv: the answers of queries are text or json");
    return REPORT_OK;
}

/* ---- Identity ----------------------------------------------------------------------------------------------- */

static const char *expected_of(const struct options *options, const struct runtime_finding *finding)
{
    return strcmp(finding->property, "analysis_id") == 0 ? options->analysis_id : options->build_id;
}

/* Said beside whatever is shown; with --strict nothing is shown. */
static enum report_outcome judge_identity(const struct options *options, const struct runtime_audit *audit)
{
    for (size_t i = 0; i < audit->n_findings && audit->findings[i].kind == RUNTIME_IDENTITY; i++) {
        const struct runtime_finding *finding = &audit->findings[i];
        if (options->is_strict)
            return report_fail(REPORT_FAULTY, "runtime %s mismatch: expected \"%s\", observed \"%s\"",
                               finding->property, expected_of(options, finding), finding->subject);
        say("swprof-report", "runtime-identity: error: runtime %s mismatch: %s; trace was not merged",
            finding->property, finding->detail);
    }
    return REPORT_OK;
}

enum report_outcome command_runtime(const struct options *options)
{
    struct runtime_subject subject RUNTIME_OWNED_SUBJECT = { .operations = { NULL, 0 } };
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };
    const struct runtime_identity expected = { options->analysis_id, options->build_id };
    const struct view *view = NULL;

    REPORT_TRY(find_view(options, &view));
    if (view->show == show_query)
        REPORT_TRY(check_query(options));
    else if (options_has(options, "offset"))
        return report_fail(REPORT_USAGE, "--offset is of queries only");
    REPORT_TRY(runtime_subject_read(options->arguments[options->n_arguments - 1], &expected, &subject));
    REPORT_TRY(judge_identity(options, &subject.audit));
    REPORT_TRY(output_open(options->output, &output));
    REPORT_TRY(view->show(options, &subject, &output));
    REPORT_TRY(output_finish(&output));
    if (view->show == show_audit && !runtime_audit_is_clean(&subject.audit))
        return report_fail(REPORT_FAULTY, "%s: not clean", subject.trace.path);
    return REPORT_OK;
}
