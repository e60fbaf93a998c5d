/*
 * Who the recording process is: what the report's header and name tell.
 */
#ifndef SHIM_PROCESS_H
#define SHIM_PROCESS_H

#include <stdint.h>

#include "shim/scratch.h"

struct process {
    int32_t pid;
    uint32_t uid;
    uint64_t start_time;    /* field 22 of /proc/PID/stat */
    uint64_t pid_namespace; /* inode of /proc/self/ns/pid, 0 when unknown */
    int sees_others;        /* /proc is of that namespace: process_start_time() tells of others in it */
    char program[64];       /* file name of the executable */
    char host[65];
    char executable[512];
    char command_line[1024]; /* arguments separated by blanks */
};

/** Everything that can be found out; the rest is 0 or empty. */
void process_read(struct process *process, struct scratch *scratch);

/** Start time of a process by its number; 0 when there is none or it cannot be read. */
uint64_t process_start_time(int32_t pid);

#endif
