/*
 * Writing whole lines. Not by stdio, whose buffers a forked child would write
 * a second time when it exits.
 */
#include "config.h"

#include "trace/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/folders.h"

/* Lines are written in pieces of about this size. */
#define FLUSH_BYTES 65536

/* ---- Opening ---------------------------------------------------------------------------------------- */

/* The sentence names the folder of the file, also where one around it is at fault. */
static enum sw_status make_folders(const char *path)
{
    const char *last = strrchr(path, '/');
    char *folders SW__OWNED = sw__strdup(path);

    if (folders == NULL)
        return SW_MEMORY_ERROR;
    const int error = sw__make_folders(folders);
    return error == 0 ? SW_OK
                      : sw_error_set(SW_OS_ERROR, "create profile dir %.*s: %s", (int)(last - path), path, strerror(error));
}

enum sw_status sw__trace_output_open(const char *path, struct sw__trace_output *ret_output)
{
    struct sw__trace_output output = SW__TRACE_OUTPUT_INIT;

    SW__TRY(make_folders(path));
    output.path = sw__strdup(path);
    if (output.path == NULL)
        return SW_MEMORY_ERROR;
    output.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (output.descriptor < 0) {
        int error = errno;
        sw__trace_output_clear(&output);
        return sw_error_set(SW_OS_ERROR, "open profile trace %s: %s", path, strerror(error));
    }
    output.owner = getpid();
    *ret_output = output;
    return SW_OK;
}

/* ---- Writing ---------------------------------------------------------------------------------------- */

static enum sw_status failed(const struct sw__trace_output *output)
{
    return sw_error_set(SW_OS_ERROR, "%s: cannot be written: %s", output->path, strerror(output->error));
}

enum sw_status sw__trace_output_check(struct sw__trace_output *output)
{
    if (output->error == 0)
        return SW_OK;
    output->n_lost++;
    return failed(output);
}

/* Bytes of @lines, up to @n_bytes, that are whole lines. */
static size_t whole_lines(const char *lines, size_t n_bytes)
{
    while (n_bytes > 0 && lines[n_bytes - 1] != '\n')
        n_bytes--;
    return n_bytes;
}

static uint64_t count_lines(const char *lines, size_t n_bytes)
{
    uint64_t n = 0;

    for (size_t i = 0; i < n_bytes; i++)
        n += lines[i] == '\n';
    return n;
}

/* What is there of a line that is not whole is taken back, where that can be. */
static void give_up(struct sw__trace_output *output, size_t n_written, int error)
{
    size_t n_whole = whole_lines(output->lines.bytes, n_written);
    uint64_t n_after = output->n_bytes + n_written;

    output->error = error;
    output->n_bytes += n_whole;
    output->n_lost += output->n_lines - count_lines(output->lines.bytes, n_whole);
    if (n_whole < n_written && ftruncate(output->descriptor, (off_t)output->n_bytes) != 0)
        output->n_bytes = n_after;
}

void sw__trace_output_drain(struct sw__trace_output *output)
{
    size_t n_written = 0;

    if (output->error != 0 || output->owner != getpid())
        return;
    while (n_written < output->lines.n_bytes && output->error == 0) {
        ssize_t n = write(output->descriptor, output->lines.bytes + n_written, output->lines.n_bytes - n_written);
        if (n > 0)
            n_written += (size_t)n;
        else if (n == 0 || errno != EINTR)
            give_up(output, n_written, n < 0 ? errno : EIO);
    }
    if (output->error == 0)
        output->n_bytes += n_written;
    output->lines.n_bytes = 0;
    output->n_lines = 0;
}

enum sw_status sw__trace_output_flush(struct sw__trace_output *output)
{
    if (output->owner != getpid()) {
        output->n_lost += output->n_lines;
        output->lines.n_bytes = 0;
        output->n_lines = 0;
        return sw_error_set(SW_OS_ERROR, "%s: cannot be written: it is the trace of another process", output->path);
    }
    sw__trace_output_drain(output);
    return output->error == 0 ? SW_OK : failed(output);
}

enum sw_status sw__trace_output_line(struct sw__trace_output *output)
{
    output->n_lines++;
    return output->lines.n_bytes >= FLUSH_BYTES ? sw__trace_output_flush(output) : SW_OK;
}

enum sw_status sw__trace_output_close(struct sw__trace_output *output)
{
    enum sw_status status = sw__trace_output_flush(output);
    int descriptor = output->descriptor;

    output->descriptor = -1;
    if (close(descriptor) != 0 && status == SW_OK) {
        output->error = errno;
        status = failed(output);
    }
    return status;
}

void sw__trace_output_clear(struct sw__trace_output *output)
{
    if (output->descriptor >= 0)
        close(output->descriptor);
    sw__free(output->path);
    sw__builder_clear(&output->lines);
    *output = (struct sw__trace_output)SW__TRACE_OUTPUT_INIT;
}
