/*
 * swprof-report rm: remove reports.
 */
#include "config.h"

#include "base/alloc.h"
#include "report/command.h"
#include "report/find.h"
#include "report/remove.h"

static enum report_outcome remove_all(const struct options *options)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };

    REPORT_TRY(find_reports(options->directory, &found));
    for (size_t i = 0; i < found.n_reports; i++) {
        enum report_outcome outcome = report_remove(found.reports[i].path, NULL);
        if (outcome == REPORT_SYSTEM)
            return outcome;
        /* Else it is of a running program, or no report. */
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
        REPORT_TRY(report_remove(path, NULL));
    }
    return REPORT_OK;
}
