/*
 * Streams that compress what is written to them.
 */
#ifndef REPORT_GZIP_H
#define REPORT_GZIP_H

#include <stdio.h>

/** Whether this build can compress. */
int gzip_is_there(void);
/** A stream into a descriptor, which it takes over; NULL, with errno, when there is none. */
FILE *gzip_open(int descriptor);

#endif
