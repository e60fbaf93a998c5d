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
#include "report/say.h"
#include "report/stack_names.h"

/* DIRECTORY/NAME; NULL when there is no memory. */
static char *path_in_directory(const struct options *options, const char *name)
{
    size_t n_bytes = strlen(options->directory) + 1 + strlen(name) + 1;
    char *path = sw__alloc(n_bytes);

    if (path != NULL)
        snprintf(path, n_bytes, "%s/%s", options->directory, name);
    return path;
}

int command_has_file(const struct options *options, const char *argument)
{
    char *path SW__OWNED = path_in_directory(options, argument);

    return access(argument, F_OK) == 0 || (path != NULL && access(path, F_OK) == 0);
}

enum report_outcome command_find(const struct options *options, const char *argument, char **ret_path)
{
    if (strchr(argument, '/') == NULL && access(argument, F_OK) != 0) {
        char *path SW__OWNED = path_in_directory(options, argument);
        if (path == NULL)
            return REPORT_SYSTEM;
        if (access(path, F_OK) == 0) {
            *ret_path = sw__take(path);
            return REPORT_OK;
        }
    }
    *ret_path = sw__strdup(argument);
    return *ret_path != NULL ? REPORT_OK : REPORT_SYSTEM;
}

/* Whether a report is one that the options mean. */
typedef int is_meant(const struct options *options, const struct report *report);

static int is_any(const struct options *options, const struct report *report)
{
    (void)options;
    (void)report;
    return 1;
}

static int is_running(const struct options *options, const struct report *report)
{
    (void)options;
    return report->state == REPORT_STATE_RECORDING;
}

static int is_of_process(const struct options *options, const struct report *report)
{
    return report->header.pid == options->pid;
}

static int is_of_running_process(const struct options *options, const struct report *report)
{
    return is_of_process(options, report) && is_running(options, report);
}

/* The newest report that is meant; NULL, and OK, when there is none. */
static enum report_outcome open_newest_of(const struct options *options, const struct found_reports *found,
                                          is_meant *fits, struct report **ret_report)
{
    for (size_t i = 0; i < found->n_reports; i++) {
        struct report *report REPORT_OWNED = NULL;
        enum report_outcome outcome = report_open(found->reports[i].path, &report);
        if (outcome == REPORT_OK && fits(options, report)) {
            *ret_report = sw__take(report);
            return REPORT_OK;
        }
        /* Of all reports the newest is wanted, and not an older one in its stead. */
        if (outcome != REPORT_OK && outcome != REPORT_NOT_A_REPORT && fits == is_any)
            return outcome;
    }
    *ret_report = NULL;
    return REPORT_OK;
}

static enum report_outcome open_first_of(const struct options *options, is_meant *first, is_meant *second,
                                         struct report **ret_report)
{
    struct found_reports found SW__CLEANUP(found_reports_clear) = { NULL, 0 };
    struct report *report = NULL;

    REPORT_TRY(find_reports(options->directory, &found));
    REPORT_TRY(open_newest_of(options, &found, first, &report));
    if (report == NULL && second != first)
        REPORT_TRY(open_newest_of(options, &found, second, &report));
    if (report != NULL)
        say("swprof-report", "%s, %s %zu", report->source->path, options->pid != 0 ? "one of" : "the newest of",
            found.n_reports);
    *ret_report = report;
    return REPORT_OK;
}

static enum report_outcome open_of_process(const struct options *options, struct report **ret_report)
{
    struct report *report = NULL;

    REPORT_TRY(open_first_of(options, is_of_running_process, is_of_process, &report));
    if (report == NULL)
        return report_fail(REPORT_NO_REPORT,
                           "no report of process %" PRId64 " in %s: it ran no operation yet, or SWPROF_OUTPUT puts "
                           "its report elsewhere (--directory)",
                           options->pid, options->directory);
    *ret_report = report;
    return REPORT_OK;
}

static enum report_outcome open_newest(const struct options *options, struct report **ret_report)
{
    struct report *report = NULL;

    REPORT_TRY(open_first_of(options, options->follows ? is_running : is_any, is_any, &report));
    if (report == NULL)
        return report_fail(REPORT_NO_REPORT,
                           "no report of this user in %s: run a program with swprof-run, or name a report",
                           options->directory);
    *ret_report = report;
    return REPORT_OK;
}

enum report_outcome command_open(const struct options *options, struct report **ret_report)
{
    char *path SW__OWNED = NULL;

    if (options->n_arguments > 1)
        return report_fail(REPORT_USAGE, "%s: one report at a time", options->arguments[1]);
    if (options->n_arguments > 0 && options->pid != 0)
        return report_fail(REPORT_USAGE, "%s: --pid says already which report", options->arguments[0]);
    if (options->pid != 0)
        return open_of_process(options, ret_report);
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

static enum report_outcome find_step(const struct report *report, uint64_t step, struct report_spans **ret_spans)
{
    REPORT_TRY(spans_of_step(report, step, ret_spans));
    return *ret_spans != NULL ? REPORT_OK : report_fail(REPORT_USAGE, "--step %" PRIu64 ": the report has no such step",
                                                        step);
}

static enum report_outcome find_ranges(const struct report *report, const char *name, struct report_spans **ret_spans)
{
    REPORT_TRY(spans_of_ranges(report, name, ret_spans));
    return *ret_spans != NULL ? REPORT_OK
                              : report_fail(REPORT_USAGE, "--range %s: the report has no range of that name", name);
}

/* When the operations have to have begun. */
static enum report_outcome choose_spans(const struct options *options, const struct report *report,
                                        struct report_filter *filter)
{
    struct report_spans *step REPORT_OWNED_SPANS = NULL, *ranges REPORT_OWNED_SPANS = NULL, *both = NULL;

    if (options->step >= 0) {
        filter->has_step = 1;
        filter->step = (uint64_t)options->step;
        REPORT_TRY(find_step(report, filter->step, &step));
    }
    filter->range = options->range;
    if (options->range != NULL)
        REPORT_TRY(find_ranges(report, options->range, &ranges));
    if (step != NULL && ranges != NULL) {
        REPORT_TRY(spans_intersect(ranges, step, &both));
        filter->spans = both;
    } else {
        filter->spans = step != NULL ? sw__take(step) : sw__take(ranges);
    }
    return REPORT_OK;
}

void command_filter_clear(struct report_filter *filter)
{
    spans_free((struct report_spans *)(uintptr_t)filter->spans);
}

enum report_outcome command_filter(const struct options *options, const struct report *report,
                                   struct report_filter *ret_filter)
{
    struct report_filter filter = { .carriers = options->carriers, .is_compensated = options->compensates };

    if (options->thread >= 0)
        REPORT_TRY(find_thread(report, options->thread, &filter.thread));
    if (options->session != 0) {
        if ((uint64_t)options->session > report->n_sessions)
            return report_fail(REPORT_USAGE, "--session %" PRId64 ": the report has %zu", options->session,
                               report->n_sessions);
        filter.session = &report->sessions[options->session - 1];
    }
    REPORT_TRY(choose_spans(options, report, &filter));
    *ret_filter = filter;
    return REPORT_OK;
}

/* Why there are none, and what to do. */
static const char *no_stacks(const struct report *report)
{
    switch (report->header.stacks) {
    case SWPROF_STACKS_NO_LIBRARY:
        return "SWPROF_STACK asked for them, but the program found no libunwind";
    case SWPROF_STACKS_NO_SUPPORT:
        return "SWPROF_STACK asked for them, but there is no way on that system";
    case SWPROF_STACKS_RECORDED:
        return "none was found, or none had room";
    default:
        return "SWPROF_STACK=32 in the environment of the program records them";
    }
}

enum report_outcome command_name_stacks(const struct options *options, struct report *report)
{
    const struct symbols_wanted wanted = { options->debug_directories, options->has_no_lines, 0, NULL };

    if (report->n_stacks == 0)
        return report_fail(REPORT_USAGE, "%s: no call stacks were recorded: %s", report->path, no_stacks(report));
    REPORT_TRY(report_name_stacks(report, &wanted));
    fputs(stack_names_notes(report), stderr);
    return REPORT_OK;
}

enum report_outcome command_strict(const struct options *options, const struct report *report)
{
    uint64_t lost = report_lost_total(report), shapeless = report_lost(report, SWPROF_LOST_SHAPES);
    uint64_t notes = report_lost_notes(report);
    int is_whole = report->state == REPORT_STATE_FROZEN;
    char losses[96] = "";

    if (!options->is_strict || (lost == 0 && shapeless == 0 && notes == 0 && is_whole))
        return REPORT_OK;
    if (lost != 0)
        snprintf(losses, sizeof losses, lost == 1 ? "1 event was lost" : "%" PRIu64 " events were lost", lost);
    else if (shapeless != 0)
        snprintf(losses, sizeof losses, "shapes were lost, %" PRIu64 " times", shapeless);
    else if (notes != 0)
        snprintf(losses, sizeof losses, notes == 1 ? "1 note was lost" : "%" PRIu64 " notes were lost", notes);
    return report_fail(REPORT_INCOMPLETE, "%s: incomplete: %s%s%s%s", report->source->path, losses,
                       losses[0] != '\0' && !is_whole ? "; " : "", is_whole ? "" : "the program ",
                       is_whole ? "" : report_state_sentence(report->state));
}

enum report_outcome command_write(const struct options *options, const struct document *document)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };

    REPORT_TRY(output_open(options->output, &output));
    struct screen screen = output_screen(&output, options->unit);
    REPORT_TRY(report_status(options->format(&screen, document)));
    return output_finish(&output);
}
