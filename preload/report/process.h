/*
 * The process that writes a report: does it still run?
 */
#ifndef REPORT_PROCESS_H
#define REPORT_PROCESS_H

#include <stddef.h>
#include <stdint.h>

/** Whether process @pid runs and is the one that started at @start_time (field 22 of /proc/PID/stat). */
int process_is_alive(int32_t pid, uint64_t start_time);
/**
 * Whether processes of a PID namespace (inode of /proc/PID/ns/pid) can be looked
 * at from here by their numbers. 0, a namespace that nobody recorded, is taken
 * for ours.
 */
int process_is_in_reach(uint64_t pid_namespace);
/** The host name of this machine, cut to @n_bytes. */
void process_host(char *ret_name, size_t n_bytes);

#endif
