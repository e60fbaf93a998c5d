/*
 * Programs that are started to be measured.
 */
#ifndef TESTS_BENCH_CHILD_H
#define TESTS_BENCH_CHILD_H

#include <stdint.h>

struct child_result {
    int64_t ns;         /* from the start to the end */
    int64_t peak_bytes; /* of its memory */
};

/**
 * Run a program to its end, what it prints thrown away. @preload is the only
 * object in its LD_PRELOAD; NULL: none. Ends the process when it fails.
 */
struct child_result child_run(char *const *command, const char *preload);

#endif
