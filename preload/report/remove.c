/*
 * The folder and the file are opened first, without following a link at the
 * end, and everything else is done through them: a path that is made to lead
 * elsewhere meanwhile changes nothing.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* O_PATH */

#include "report/remove.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

struct target {
    const char *path;
    const char *name; /* within the folder */
    int folder;
    int file;
};

static void target_clear(struct target *target)
{
    if (target->folder >= 0)
        close(target->folder);
    if (target->file >= 0)
        close(target->file);
}

static enum report_outcome cannot(const char *path)
{
    return report_fail(REPORT_SYSTEM, "%s: cannot be removed: %s", path, strerror(errno));
}

static enum report_outcome open_folder(struct target *target)
{
    const char *slash = strrchr(target->path, '/');
    char *folder SW__OWNED = sw__strdup(slash == NULL ? "." : target->path);

    if (folder == NULL)
        return REPORT_SYSTEM;
    target->name = slash == NULL ? target->path : slash + 1;
    if (slash != NULL)
        folder[slash == target->path ? 1 : slash - target->path] = '\0';
    target->folder = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return target->folder >= 0 ? REPORT_OK : cannot(target->path);
}

static enum report_outcome open_file(struct target *target)
{
    target->file = openat(target->folder, target->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (target->file >= 0)
        return REPORT_OK;
    if (errno == ELOOP)
        return report_fail(REPORT_NOT_A_REPORT, "%s: not a report: a symbolic link", target->path);
    return report_fail(REPORT_SYSTEM, "%s: cannot be opened: %s", target->path, strerror(errno));
}

/* A report of a running program stays; what is no report at all is not ours to remove. */
static enum report_outcome check(struct target *target, const struct report_writer *writer)
{
    struct report *report REPORT_OWNED = NULL;
    enum report_outcome outcome = report_open_descriptor(dup(target->file), target->path, &report);

    if ((outcome == REPORT_DAMAGED || outcome == REPORT_NEWER) && writer == NULL)
        return REPORT_OK;
    if (outcome != REPORT_OK)
        return outcome;
    if (report->state == REPORT_STATE_RECORDING)
        return report_fail(REPORT_USAGE, "%s: stays: its program is still running", target->path);
    if (report->state == REPORT_STATE_UNKNOWN)
        return report_fail(REPORT_USAGE, "%s: stays: its program may still be running in another PID namespace",
                           target->path);
    if (writer != NULL &&
        (report->header.pid != writer->pid || report->header.start_time != writer->start_time))
        return report_fail(REPORT_USAGE, "%s: stays: it is of another process", target->path);
    return REPORT_OK;
}

static enum report_outcome unlink_it(const struct target *target)
{
    struct stat looked_at, standing;

    if (fstat(target->file, &looked_at) != 0 ||
        fstatat(target->folder, target->name, &standing, AT_SYMLINK_NOFOLLOW) != 0)
        return cannot(target->path);
    if (looked_at.st_dev != standing.st_dev || looked_at.st_ino != standing.st_ino)
        return report_fail(REPORT_SYSTEM, "%s: stays: something else was put there", target->path);
    return unlinkat(target->folder, target->name, 0) == 0 ? REPORT_OK : cannot(target->path);
}

enum report_outcome report_remove(const char *path, const struct report_writer *writer)
{
    struct target target SW__CLEANUP(target_clear) = { .path = path, .folder = -1, .file = -1 };

    REPORT_TRY(open_folder(&target));
    REPORT_TRY(open_file(&target));
    REPORT_TRY(check(&target, writer));
    return unlink_it(&target);
}
