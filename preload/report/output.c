/*
 * Output files are written under a temporary name and renamed, so that a full
 * disk or a signal leaves no half file. Links stay links: their target is what
 * is replaced. What is no regular file is written to as it stands.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* renameat2 */

#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/gzip.h"

static enum report_outcome failed(const struct output *output, const char *what)
{
    return report_fail(REPORT_SYSTEM, "%s: %s: %s", output->path != NULL ? output->path : "standard output", what,
                       strerror(errno));
}

/* Take over a descriptor, or say why there is none. */
static enum report_outcome open_stream(struct output *output, int descriptor)
{
    if (descriptor >= 0)
        output->stream = output->compresses ? gzip_open(descriptor) : fdopen(descriptor, "w");
    if (output->stream != NULL)
        return REPORT_OK;
    enum report_outcome outcome = failed(output, "cannot be opened");
    if (descriptor >= 0)
        close(descriptor);
    return outcome;
}

/* The permissions that a new file would have got. */
static mode_t new_file_mode(void)
{
    mode_t mask = umask(077);

    umask(mask);
    return 0666 & ~mask;
}

static enum report_outcome open_temporary(struct output *output, mode_t mode)
{
    size_t n_bytes = strlen(output->path) + sizeof ".XXXXXX";
    char *name SW__OWNED = sw__alloc(n_bytes);

    if (name == NULL)
        return REPORT_SYSTEM;
    snprintf(name, n_bytes, "%s.XXXXXX", output->path);
    int descriptor = mkstemp(name);
    if (descriptor < 0)
        return failed(output, "cannot be created");
    output->temporary_path = sw__take(name);
    fchmod(descriptor, mode);
    return open_stream(output, descriptor);
}

/* A pipe without a reader would let open() wait; what is written later may wait all the same. */
static enum report_outcome open_directly(struct output *output, const struct stat *status)
{
    int descriptor = open(output->path, O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);

    if (descriptor < 0 && errno == ENXIO && S_ISFIFO(status->st_mode))
        return report_fail(REPORT_SYSTEM, "%s: cannot be opened: a pipe that nobody reads", output->path);
    if (descriptor >= 0)
        fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
    return open_stream(output, descriptor);
}

/* The standard stream of ours that a link such as /dev/stdout leads to; -1 for none. */
static int find_standard(const struct stat *status)
{
    for (int descriptor = STDOUT_FILENO; descriptor <= STDERR_FILENO; descriptor++) {
        struct stat standard;
        if (fstat(descriptor, &standard) == 0 && standard.st_dev == status->st_dev &&
            standard.st_ino == status->st_ino)
            return descriptor;
    }
    return -1;
}

/* What is written through a link goes to the end of it. */
static enum report_outcome follow_link(struct output *output, mode_t mode, const struct stat *status)
{
    int standard = find_standard(status);

    if (standard >= 0)
        return open_stream(output, fcntl(standard, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    char *resolved = realpath(output->path, NULL);
    char *target = resolved != NULL ? sw__strdup(resolved) : NULL;
    if (resolved == NULL)
        return failed(output, "cannot be followed");
    free(resolved);
    if (target == NULL)
        return REPORT_SYSTEM;
    sw__free(output->path);
    output->path = target;
    return open_temporary(output, mode);
}

static enum report_outcome open_path(struct output *output, mode_t mode)
{
    struct stat status, itself;

    if (lstat(output->path, &itself) != 0)
        return open_temporary(output, mode);
    if (stat(output->path, &status) != 0)
        return failed(output, "cannot be followed");
    if (!S_ISREG(status.st_mode))
        return open_directly(output, &status);
    return S_ISLNK(itself.st_mode) ? follow_link(output, mode, &status) : open_temporary(output, mode);
}

static enum report_outcome open_with_mode(const char *path, mode_t mode, int compresses, struct output *ret_output)
{
    struct output output REPORT_OWNED_OUTPUT = { .stream = NULL, .compresses = compresses };

    if (path == NULL || strcmp(path, "-") == 0) {
        *ret_output = (struct output){ .stream = stdout };
        return REPORT_OK;
    }
    output.path = sw__strdup(path);
    if (output.path == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(open_path(&output, mode));
    *ret_output = output;
    output = (struct output){ .stream = NULL };
    return REPORT_OK;
}

enum report_outcome output_open(const char *path, struct output *ret_output)
{
    size_t n_bytes = path != NULL ? strlen(path) : 0;
    int compresses = n_bytes > 3 && strcmp(path + n_bytes - 3, ".gz") == 0;

    if (compresses && !gzip_is_there())
        return report_fail(REPORT_USAGE, "%s: this swprof-report was built without zlib and cannot compress", path);
    return open_with_mode(path, new_file_mode(), compresses, ret_output);
}

enum report_outcome output_open_private(const char *path, struct output *ret_output)
{
    return open_with_mode(path, 0600, 0, ret_output);
}

enum report_outcome output_open_new(const char *path, struct output *ret_output)
{
    REPORT_TRY(output_open_private(path, ret_output));
    ret_output->replaces_nothing = 1;
    return REPORT_OK;
}

/* A write that failed earlier fails again here, or at least has left its mark. */
static enum report_outcome close_stream(struct output *output)
{
    int error = 0;

    if (fflush(output->stream) != 0)
        error = errno;
    else if (ferror(output->stream))
        error = EIO;
    if (output->path != NULL) {
        if (fclose(output->stream) != 0 && error == 0)
            error = errno;
        output->stream = NULL;
    }
    errno = error;
    return error == 0 || error == EPIPE ? REPORT_OK : failed(output, "cannot be written");
}

/* Without a moment in which something could come to stand there unnoticed. */
static int rename_to_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return -1;
    return link(from, to) == 0 ? unlink(from) : -1; /* a file system without the flag */
}

enum report_outcome output_finish(struct output *output)
{
    REPORT_TRY(close_stream(output));
    if (output->temporary_path == NULL)
        return REPORT_OK;
    if ((output->replaces_nothing ? rename_to_new : rename)(output->temporary_path, output->path) != 0)
        return failed(output, "cannot be given its name");
    sw__free(sw__take(output->temporary_path));
    return REPORT_OK;
}

void output_clear(struct output *output)
{
    if (output->path != NULL && output->stream != NULL)
        fclose(output->stream);
    if (output->temporary_path != NULL)
        unlink(output->temporary_path);
    sw__free(output->temporary_path);
    sw__free(output->path);
    *output = (struct output){ .stream = NULL };
}

static size_t columns_of(FILE *stream)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;

    if (columns != NULL) {
        char *end = NULL;
        unsigned long n = strtoul(columns, &end, 10);
        if (end != columns && *end == '\0' && n >= 20 && n <= 10000)
            return n;
    }
    if (ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return 0;
}

static int has_colour(FILE *stream)
{
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");

    return isatty(fileno(stream)) && (no_colour == NULL || no_colour[0] == '\0') &&
           (terminal == NULL || strcmp(terminal, "dumb") != 0);
}

struct screen output_screen(const struct output *output, enum display_unit unit)
{
    return (struct screen){
        .stream = output->stream,
        .columns = columns_of(output->stream),
        .has_colour = has_colour(output->stream),
        .unit = unit,
    };
}
