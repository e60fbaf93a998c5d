/*
 * swprof-report save: copy a report out of shared memory.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/command.h"
#include "report/copy.h"

/* What opening a report says of a file that is one, be it of no use. */
static int is_report(enum report_outcome outcome)
{
    return outcome == REPORT_OK || outcome == REPORT_NEWER || outcome == REPORT_DAMAGED;
}

/* The only operand is the file to write; one that is a report was rather meant as what to copy. */
static enum report_outcome check_only_operand(const struct options *options)
{
    struct report *report REPORT_OWNED = NULL;
    char *path SW__OWNED = NULL;

    REPORT_TRY(command_find(options, options->arguments[0], &path));
    if (!is_report(report_open(path, &report)))
        return REPORT_OK;
    return report_fail(REPORT_USAGE, "%s: a report that exists; save %s FILE: the operand FILE is missing", path,
                       options->arguments[0]);
}

/* What stands at the place of the copy stays, unless it is another report and --force was given. */
static enum report_outcome check_target(const struct options *options, const struct report *source, const char *path)
{
    struct report *report REPORT_OWNED = NULL;
    struct stat target, original;

    if (stat(path, &target) != 0 || !S_ISREG(target.st_mode))
        return REPORT_OK;
    if (!is_report(report_open(path, &report)))
        return report_fail(REPORT_USAGE, "%s: exists and is not a report", path);
    if (!options->replaces)
        return report_fail(REPORT_USAGE, "%s: exists; --force replaces it", path);
    if (report != NULL && (report->state == REPORT_STATE_RECORDING || report->state == REPORT_STATE_UNKNOWN))
        return report_fail(REPORT_USAGE, "%s: stays: its program %s", path, report_state_sentence(report->state));
    if (fstat(source->source->descriptor, &original) == 0 && original.st_dev == target.st_dev &&
        original.st_ino == target.st_ino)
        return report_fail(REPORT_USAGE, "%s: is the report to copy", path);
    return REPORT_OK;
}

static int is_standard_output(const char *path)
{
    return strcmp(path, "-") == 0;
}

static enum report_outcome open_target(const struct options *options, const struct report *report, const char *path,
                                       struct output *output)
{
    if (!is_standard_output(path)) {
        REPORT_TRY(check_target(options, report, path));
        return options->replaces ? output_open_private(path, output) : output_open_new(path, output);
    }
    if (isatty(STDOUT_FILENO))
        return report_fail(REPORT_USAGE, "a report is nothing for a terminal: save it in a file, or into a pipe");
    return output_open_private(path, output);
}

static enum copy_way way_of(const struct output *output)
{
    struct stat status;
    int is_file = fstat(fileno(output->stream), &status) == 0 && S_ISREG(status.st_mode);

    /* What stands in the standard output already is not ours to write over. */
    return is_file && output->stream != stdout ? COPY_LEAVES_HOLES : COPY_IN_ORDER;
}

enum report_outcome command_save(const struct options *options)
{
    struct options source = *options;
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL };

    if (options->n_arguments < 1 || options->n_arguments > 2)
        return report_fail(REPORT_USAGE, "save [REPORT] FILE: the file to write is wanted, and one report at most");
    source.n_arguments--;
    const char *path = options->arguments[source.n_arguments];
    if (options->n_arguments == 1 && !is_standard_output(path))
        REPORT_TRY(check_only_operand(options));
    REPORT_TRY(command_open(&source, &report));
    REPORT_TRY(open_target(options, report, path, &output));
    REPORT_TRY(report_copy(report, way_of(&output), output.stream,
                           is_standard_output(path) ? "standard output" : path));
    return output_finish(&output);
}
