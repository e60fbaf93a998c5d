/*
 * swprof-report save: copy a report out of shared memory. Only what was
 * published when the report was opened is copied, so that the copy of a live
 * report is a whole one.
 */
#include "config.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/command.h"

#define PIECE_BYTES (256u << 10)

static enum report_outcome write_at(FILE *stream, const char *path, uint64_t offset, const void *bytes, size_t n_bytes)
{
    if (fseeko(stream, (off_t)offset, SEEK_SET) != 0 || fwrite(bytes, 1, n_bytes, stream) != n_bytes)
        return report_fail(REPORT_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    return REPORT_OK;
}

static enum report_outcome copy_range(const struct report *report, FILE *stream, const char *path, uint64_t offset,
                                      uint64_t n_bytes, char *piece)
{
    while (n_bytes > 0) {
        size_t n = n_bytes < PIECE_BYTES ? (size_t)n_bytes : PIECE_BYTES;
        REPORT_TRY(source_read(report->source, offset, piece, n));
        REPORT_TRY(write_at(stream, path, offset, piece, n));
        offset += n;
        n_bytes -= n;
    }
    return REPORT_OK;
}

/* A block as it stood when the report was opened. */
static enum report_outcome copy_block(const struct report *report, FILE *stream, const char *path,
                                      const struct report_block *known, char *piece)
{
    struct swprof_block block;
    uint64_t offset = known->offset - sizeof block;

    REPORT_TRY(source_read(report->source, offset, &block, sizeof block));
    block.published = known->published_bytes;
    REPORT_TRY(write_at(stream, path, offset, &block, sizeof block));
    return copy_range(report, stream, path, known->offset, known->published_bytes, piece);
}

static enum report_outcome copy_report(const struct report *report, FILE *stream, const char *path)
{
    char *piece SW__OWNED = sw__alloc(PIECE_BYTES);

    if (piece == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(copy_range(report, stream, path, 0, report->header.header_bytes, piece));
    REPORT_TRY(write_at(stream, path, 0, &report->header, sizeof report->header));
    for (size_t i = 0; i < report->n_blocks; i++)
        REPORT_TRY(copy_block(report, stream, path, &report->blocks[i], piece));
    if (fflush(stream) != 0 || ftruncate(fileno(stream), (off_t)report->header.used_bytes) != 0)
        return report_fail(REPORT_SYSTEM, "%s: cannot be written: %s", path, strerror(errno));
    return REPORT_OK;
}

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
    if (report != NULL && report->state == REPORT_STATE_RECORDING)
        return report_fail(REPORT_USAGE, "%s: stays: its program is still running", path);
    if (fstat(source->source->descriptor, &original) == 0 && original.st_dev == target.st_dev &&
        original.st_ino == target.st_ino)
        return report_fail(REPORT_USAGE, "%s: is the report to copy", path);
    return REPORT_OK;
}

enum report_outcome command_save(const struct options *options)
{
    struct options source = *options;
    struct report *report REPORT_OWNED = NULL;
    struct output output REPORT_OWNED_OUTPUT = { NULL, NULL, NULL };

    if (options->n_arguments < 1 || options->n_arguments > 2)
        return report_fail(REPORT_USAGE, "save [REPORT] FILE: the file to write is wanted, and one report at most");
    source.n_arguments--;
    const char *path = options->arguments[source.n_arguments];
    if (options->n_arguments == 1)
        REPORT_TRY(check_only_operand(options));
    REPORT_TRY(command_open(&source, &report));
    REPORT_TRY(check_target(options, report, path));
    REPORT_TRY(output_open_private(path, &output));
    REPORT_TRY(copy_report(report, output.stream, path));
    return output_finish(&output);
}
