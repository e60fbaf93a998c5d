/*
 * Streams that compress what is written to them, and files that may be compressed.
 */
#ifndef REPORT_GZIP_H
#define REPORT_GZIP_H

#include <stdio.h>
#include <sys/types.h>

/** Whether this build can compress. */
int gzip_is_there(void);
/** A stream into a descriptor, which it takes over; NULL, with errno, when there is none. */
FILE *gzip_open(int descriptor);

/** A file that is read, whether it is compressed or not; without zlib only what is not. */
struct gzip_input {
    void *file;
    char fault[96]; /* what went wrong, empty so far */
};

/** Open @path; -1, with errno, when that cannot be. */
int gzip_input_open(const char *path, struct gzip_input *ret_input);
/** The bytes that were read, 0 at the end; -1 with a fault, which an end that comes too early is too. */
ssize_t gzip_input_read(struct gzip_input *input, void *bytes, size_t n_bytes);
void gzip_input_close(struct gzip_input *input);

#endif
