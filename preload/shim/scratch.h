/*
 * Room for what is read from /proc. Not on the stack: the first operation of a
 * program may run in a signal handler with 8 KiB, or on a thread with 16.
 * Belongs to the holder of the capture's lock.
 */
#ifndef SHIM_SCRATCH_H
#define SHIM_SCRATCH_H

#include <stdint.h>

struct scratch {
    char bytes[8192];
} __attribute__((aligned(8)));

#endif
