/*
 * Opening and reading the file of a report. What the bytes mean is not known
 * here.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* SEEK_DATA */

#include "report/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static enum report_outcome take_file(struct report_source *source, const char *path)
{
    struct stat status;

    if (source->descriptor < 0)
        return report_fail(REPORT_SYSTEM, "%s: cannot be opened: %s", path, strerror(errno));
    source->path = sw__strdup(path);
    if (source->path == NULL)
        return REPORT_SYSTEM;
    if (fstat(source->descriptor, &status) != 0)
        return report_fail(REPORT_SYSTEM, "%s: its size cannot be read: %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return report_fail(REPORT_NOT_A_REPORT, "%s: not a report: not a regular file", path);
    source->n_bytes = (uint64_t)status.st_size;
    return REPORT_OK;
}

enum report_outcome source_open(const char *path, struct report_source **ret_source)
{
    return source_open_descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), path, ret_source);
}

enum report_outcome source_open_descriptor(int descriptor, const char *path, struct report_source **ret_source)
{
    int error = errno;
    struct report_source *source REPORT_OWNED_SOURCE = sw__alloc_zero(sizeof *source);

    if (source == NULL) {
        if (descriptor >= 0)
            close(descriptor);
        return REPORT_SYSTEM;
    }
    source->descriptor = descriptor;
    errno = error;
    REPORT_TRY(take_file(source, path));
    *ret_source = sw__take(source);
    return REPORT_OK;
}

void source_close(struct report_source *source)
{
    if (source == NULL)
        return;
    if (source->descriptor >= 0)
        close(source->descriptor);
    sw__free(source->path);
    sw__free(source);
}

enum report_outcome source_refresh(struct report_source *source)
{
    struct stat status;

    if (fstat(source->descriptor, &status) != 0)
        return report_fail(REPORT_SYSTEM, "%s: its size cannot be read: %s", source->path, strerror(errno));
    source->n_bytes = (uint64_t)status.st_size;
    return REPORT_OK;
}

enum report_outcome source_read(const struct report_source *source, uint64_t offset, void *ret_bytes, size_t n_bytes)
{
    char *bytes = ret_bytes;
    size_t n_read = 0;

    if (offset > INT64_MAX || n_bytes > INT64_MAX - offset)
        return report_fail(REPORT_DAMAGED, "%s: damaged: refers to byte %" PRIu64, source->path, offset);
    while (n_read < n_bytes) {
        ssize_t n = pread(source->descriptor, bytes + n_read, n_bytes - n_read, (off_t)(offset + n_read));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return report_fail(REPORT_SYSTEM, "%s: cannot be read: %s", source->path, strerror(errno));
        if (n == 0)
            return report_fail(REPORT_DAMAGED, "%s: damaged: ends at byte %" PRIu64 ", inside what should be there",
                               source->path, offset + n_read);
        n_read += (size_t)n;
    }
    return REPORT_OK;
}

uint64_t source_skip_hole(const struct report_source *source, uint64_t offset)
{
    if (offset >= source->n_bytes)
        return source->n_bytes;
    off_t data = lseek(source->descriptor, (off_t)offset, SEEK_DATA);
    if (data >= 0)
        return (uint64_t)data;
    return errno == ENXIO ? source->n_bytes : offset;
}
