/*
 * gzip by zlib, behind an ordinary stream.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* fopencookie */

#include "report/gzip.h"

#include <errno.h>

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

#endif
