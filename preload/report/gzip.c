/*
 * gzip by zlib: writing behind an ordinary stream, reading by pieces.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* fopencookie */

#include "report/gzip.h"

#include <errno.h>
#include <string.h>

#ifdef HAVE_ZLIB

#include <zlib.h>

/* zlib's own failures have no errno; those of the system leave theirs. */
static ssize_t write_some(void *cookie, const char *bytes, size_t n_bytes)
{
    int n = 0;

    errno = 0;
    if (n_bytes > 0)
        n = gzwrite(cookie, bytes, (unsigned)(n_bytes < 1u << 20 ? n_bytes : 1u << 20));
    if (n == 0 && n_bytes > 0 && errno == 0)
        errno = EIO;
    return n;
}

static int close_it(void *cookie)
{
    errno = 0;
    if (gzclose(cookie) == Z_OK)
        return 0;
    if (errno == 0)
        errno = EIO;
    return EOF;
}

int gzip_is_there(void)
{
    return 1;
}

FILE *gzip_open(int descriptor)
{
    gzFile cookie = gzdopen(descriptor, "wb6");
    FILE *stream = cookie != NULL ? fopencookie(cookie, "w", (cookie_io_functions_t){ .write = write_some,
                                                                                     .close = close_it })
                                  : NULL;

    if (cookie != NULL && stream == NULL)
        gzclose(cookie);
    return stream;
}

int gzip_input_open(const char *path, struct gzip_input *ret_input)
{
    *ret_input = (struct gzip_input){ .file = gzopen(path, "rbe") };
    return ret_input->file != NULL ? 0 : -1;
}

static ssize_t keep_fault(struct gzip_input *input)
{
    int code = Z_OK;
    const char *said = gzerror(input->file, &code);

    snprintf(input->fault, sizeof input->fault, "%s", code == Z_ERRNO || said[0] == '\0' ? strerror(errno) : said);
    return -1;
}

/* Of a compressed file that was cut zlib hands out what there is, and then says end and Z_BUF_ERROR. */
ssize_t gzip_input_read(struct gzip_input *input, void *bytes, size_t n_bytes)
{
    int n = gzread(input->file, bytes, (unsigned)(n_bytes < 1u << 20 ? n_bytes : 1u << 20));
    int code = Z_OK;

    if (n == 0)
        gzerror(input->file, &code);
    return n < 0 || code == Z_BUF_ERROR ? keep_fault(input) : n;
}

void gzip_input_close(struct gzip_input *input)
{
    gzclose(input->file);
}

#else

int gzip_is_there(void)
{
    return 0;
}

FILE *gzip_open(int descriptor)
{
    (void)descriptor;
    errno = ENOTSUP;
    return NULL;
}

int gzip_input_open(const char *path, struct gzip_input *ret_input)
{
    *ret_input = (struct gzip_input){ .file = fopen(path, "rbe") };
    return ret_input->file != NULL ? 0 : -1;
}

ssize_t gzip_input_read(struct gzip_input *input, void *bytes, size_t n_bytes)
{
    size_t n = fread(bytes, 1, n_bytes, input->file);

    if (n == 0 && ferror((FILE *)input->file)) {
        snprintf(input->fault, sizeof input->fault, "%s", strerror(errno));
        return -1;
    }
    return (ssize_t)n;
}

void gzip_input_close(struct gzip_input *input)
{
    fclose(input->file);
}

#endif
