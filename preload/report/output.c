/*
 * Output files are written under a temporary name and renamed, so that a full
 * disk or a signal leaves no half file.
 */
#include "config.h"

#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

static enum report_outcome failed(const struct output *output, const char *what)
{
    return report_fail(REPORT_SYSTEM, "%s: %s: %s", output->path != NULL ? output->path : "standard output", what,
                       strerror(errno));
}

/* The permissions that a new file would have got. */
static mode_t new_file_mode(void)
{
    mode_t mask = umask(077);

    umask(mask);
    return 0666 & ~mask;
}

static enum report_outcome open_temporary(struct output *output)
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
    fchmod(descriptor, new_file_mode());
    output->stream = fdopen(descriptor, "w");
    if (output->stream != NULL)
        return REPORT_OK;
    close(descriptor);
    return failed(output, "cannot be opened");
}

enum report_outcome output_open(const char *path, struct output *ret_output)
{
    struct output output REPORT_OWNED_OUTPUT = { NULL, NULL, NULL };
    struct stat status;

    if (path == NULL) {
        *ret_output = (struct output){ .stream = stdout };
        return REPORT_OK;
    }
    output.path = sw__strdup(path);
    if (output.path == NULL)
        return REPORT_SYSTEM;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output.stream = fopen(path, "we");
        if (output.stream == NULL)
            return failed(&output, "cannot be opened");
    } else {
        REPORT_TRY(open_temporary(&output));
    }
    *ret_output = output;
    output = (struct output){ NULL, NULL, NULL };
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

enum report_outcome output_finish(struct output *output)
{
    REPORT_TRY(close_stream(output));
    if (output->temporary_path == NULL)
        return REPORT_OK;
    if (rename(output->temporary_path, output->path) != 0)
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
    *output = (struct output){ NULL, NULL, NULL };
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
