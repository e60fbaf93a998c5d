/*
 * swprof-report rm: remove reports. They are unlinked and never cut, so that
 * whoever still reads or writes one is not disturbed.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/command.h"
#include "report/find.h"

/* A report of a running program stays; what is no report at all is not ours to remove. */
static enum report_outcome check(const char *path)
{
    struct report *report REPORT_OWNED = NULL;
    enum report_outcome outcome = report_open(path, &report);

    if (outcome == REPORT_DAMAGED || outcome == REPORT_NEWER)
        return REPORT_OK;
    if (outcome != REPORT_OK)
        return outcome;
    if (report->state == REPORT_STATE_RECORDING)
        return report_fail(REPORT_USAGE, "%s: stays: its program is still running", path);
    return REPORT_OK;
}

static enum report_outcome remove_report(const char *path)
{
    REPORT_TRY(check(path));
    if (unlink(path) != 0)
        return report_fail(REPORT_SYSTEM, "%s: cannot be removed: %s", path, strerror(errno));
    return REPORT_OK;
}

static enum report_outcome remove_all(const struct options *options)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };

    REPORT_TRY(find_reports(options->directory, &found));
    for (size_t i = 0; i < found.n_reports; i++) {
        if (check(found.reports[i].path) != REPORT_OK)
            continue; /* running, or no report */
        REPORT_TRY(remove_report(found.reports[i].path));
    }
    return REPORT_OK;
}

enum report_outcome command_rm(const struct options *options)
{
    if (options->removes_all && options->n_arguments > 0)
        return report_fail(REPORT_USAGE, "rm --all takes no report, and %s is given: nothing was removed",
                           options->arguments[0]);
    if (options->removes_all)
        return remove_all(options);
    if (options->n_arguments == 0)
        return report_fail(REPORT_USAGE, "rm REPORT...: a report is wanted, or --all");
    for (int i = 0; i < options->n_arguments; i++) {
        char *path SW__OWNED = NULL;
        REPORT_TRY(command_find(options, options->arguments[i], &path));
        REPORT_TRY(remove_report(path));
    }
    return REPORT_OK;
}
