/*
 * How much room the system can spare for the report: a quarter of the headroom
 * of the memory cgroup, half of the file system's free space.
 */
#ifndef SHIM_LIMITS_H
#define SHIM_LIMITS_H

#include <stdint.h>

#include "shim/scratch.h"

struct limits {
    char group[512]; /* directory of the process's memory cgroup; empty when it has none */
    int legacy;      /* cgroup version 1 */
    char directory[4096]; /* on the file system of the report */
};

/** Find the memory cgroup of the process and the directory of a report at @path. */
void limits_find(struct limits *limits, const char *path, struct scratch *scratch);

/** Bytes that may be taken now; UINT64_MAX when nothing is known. */
uint64_t limits_spare(const struct limits *limits, struct scratch *scratch);

/** Largest file that the process may make. */
uint64_t limits_file_bytes(void);

#endif
