/*
 * swprof-report check: do reports and traces contradict themselves?
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "report/check.h"
#include "report/check_view.h"
#include "report/command.h"
#include "report/utf8.h"

struct checks {
    struct check *checks;
    char **paths;
    char **names;
    size_t n_checks;
};

static void checks_clear(struct checks *checks)
{
    for (size_t i = 0; i < checks->n_checks; i++) {
        check_clear(&checks->checks[i]);
        sw__free(checks->paths[i]);
        sw__free(checks->names[i]);
    }
    sw__free(checks->checks);
    sw__free(checks->paths);
    sw__free(checks->names);
}

/* A report when it begins as one; anything else should be a trace. */
static enum report_outcome check_file(struct check *check)
{
    struct report *report REPORT_OWNED = NULL;
    enum report_outcome outcome = report_open(check->path, &report);

    if (outcome == REPORT_NOT_A_REPORT)
        REPORT_TRY(check_trace(check));
    else if (outcome == REPORT_DAMAGED)
        check_find(check, CHECK_DOCUMENT, SIZE_MAX, "%s", sw_error_message());
    else if (outcome != REPORT_OK)
        return outcome;
    else if (check->mended != NULL)
        return report_fail(REPORT_USAGE, "--mended %s: %s is a report, no trace: export it first", check->mended,
                           check->path);
    else
        REPORT_TRY(check_report(check, report));
    return check->has_no_memory ? REPORT_SYSTEM : REPORT_OK;
}

static enum report_outcome check_all(const struct options *options, struct checks *checks)
{
    size_t n = (size_t)options->n_arguments;

    checks->checks = sw__alloc(n * sizeof *checks->checks);
    checks->paths = sw__alloc(n * sizeof *checks->paths);
    checks->names = sw__alloc(n * sizeof *checks->names);
    if (checks->checks == NULL || checks->paths == NULL || checks->names == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < n; i++) {
        char *path SW__OWNED = NULL;
        REPORT_TRY(command_find(options, options->arguments[i], &path));
        REPORT_TRY(report_status(utf8_clean(path, strlen(path), &checks->names[i])));
        struct check *check = &checks->checks[i];
        checks->paths[i] = sw__take(path);
        *check = (struct check)CHECK_INIT(checks->paths[i], checks->names[i]);
        checks->n_checks++;
        if (options->most_device_ns > 0)
            check->most_device_ns = options->most_device_ns;
        check->overlap = options->overlap;
        check->mended = options->mended;
        REPORT_TRY(check_file(check));
    }
    return REPORT_OK;
}

static enum report_outcome judge(const struct checks *checks)
{
    size_t n_errors = 0;

    for (size_t i = 0; i < checks->n_checks; i++)
        n_errors += check_count_errors(&checks->checks[i]);
    if (n_errors == 0)
        return REPORT_OK;
    return report_fail(REPORT_FAULTY, "%zu error%s", n_errors, n_errors == 1 ? "" : "s");
}

enum report_outcome command_check(const struct options *options)
{
    struct checks checks SW__CLEANUP(checks_clear) = { .n_checks = 0 };
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };

    if (options->n_arguments == 0)
        return report_fail(REPORT_USAGE, "check: expected files: reports or Chrome traces");
    if (options->mended != NULL && (options->n_arguments != 1 || options->overlap == OVERLAP_FAULT))
        return report_fail(REPORT_USAGE, "--mended %s: expected --overlap, and one trace", options->mended);
    REPORT_TRY(check_all(options, &checks));
    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(check_view_print(checks.checks, checks.n_checks, options->row_limit, &screen, options->format));
    REPORT_TRY(output_finish(&output));
    return judge(&checks);
}
