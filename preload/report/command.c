/*
 * What several commands do: find and open a report, select, write.
 */
#include "config.h"

#include "report/command.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/find.h"

enum report_outcome command_find(const struct options *options, const char *argument, char **ret_path)
{
    if (strchr(argument, '/') == NULL && access(argument, F_OK) != 0) {
        size_t n_bytes = strlen(options->directory) + 1 + strlen(argument) + 1;
        char *path SW__OWNED = sw__alloc(n_bytes);
        if (path == NULL)
            return REPORT_SYSTEM;
        snprintf(path, n_bytes, "%s/%s", options->directory, argument);
        if (access(path, F_OK) == 0) {
            *ret_path = sw__take(path);
            return REPORT_OK;
        }
    }
    *ret_path = sw__strdup(argument);
    return *ret_path != NULL ? REPORT_OK : REPORT_SYSTEM;
}

static enum report_outcome open_newest(const struct options *options, struct report **ret_report)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };

    REPORT_TRY(find_reports(options->directory, &found));
    for (size_t i = 0; i < found.n_reports; i++) {
        enum report_outcome outcome = report_open(found.reports[i].path, ret_report);
        if (outcome == REPORT_NOT_A_REPORT)
            continue;
        if (outcome == REPORT_OK)
            fprintf(stderr, "swprof-report: %s, the newest of %zu\n", found.reports[i].path, found.n_reports);
        return outcome;
    }
    return report_fail(REPORT_NO_REPORT,
                       "no report of this user in %s: run a program with swprof-run, or name a report",
                       options->directory);
}

enum report_outcome command_open(const struct options *options, struct report **ret_report)
{
    char *path SW__OWNED = NULL;

    if (options->n_arguments > 1)
        return report_fail(REPORT_USAGE, "%s: one report at a time", options->arguments[1]);
    if (options->n_arguments == 0)
        return open_newest(options, ret_report);
    REPORT_TRY(command_find(options, options->arguments[0], &path));
    return report_open(path, ret_report);
}

static enum report_outcome find_thread(const struct report *report, int64_t tid,
                                       const struct report_thread **ret_thread)
{
    for (size_t i = 0; i < report->n_threads; i++) {
        if (report->threads[i].tid == tid) {
            *ret_thread = &report->threads[i];
            return REPORT_OK;
        }
    }
    return report_fail(REPORT_USAGE, "--thread %" PRId64 ": no such thread among the %zu of the report", tid,
                       report->n_threads);
}

enum report_outcome command_filter(const struct options *options, const struct report *report,
                                   struct report_filter *ret_filter)
{
    struct report_filter filter = { .carriers = options->carriers };

    if (options->thread >= 0)
        REPORT_TRY(find_thread(report, options->thread, &filter.thread));
    if (options->session != 0) {
        if ((uint64_t)options->session > report->n_sessions)
            return report_fail(REPORT_USAGE, "--session %" PRId64 ": the report has %zu", options->session,
                               report->n_sessions);
        filter.session = &report->sessions[options->session - 1];
    }
    *ret_filter = filter;
    return REPORT_OK;
}

enum report_outcome command_strict(const struct options *options, const struct report *report)
{
    uint64_t lost = report_lost_total(report);

    if (!options->is_strict)
        return REPORT_OK;
    if (lost != 0)
        return report_fail(REPORT_INCOMPLETE, "%s: incomplete: %" PRIu64 " events were lost", report->source->path,
                           lost);
    if (report->state != REPORT_STATE_FROZEN)
        return report_fail(REPORT_INCOMPLETE, "%s: incomplete: the program %s", report->source->path,
                           report_state_sentence(report->state));
    return REPORT_OK;
}

enum report_outcome command_write(const struct options *options, const struct document *document)
{
    struct output output REPORT_OWNED_OUTPUT = { NULL, NULL, NULL };

    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(report_status(options->format(&screen, document)));
    return output_finish(&output);
}
