/*
 * What a program that may be killed at any moment has counted itself: a file
 * that it and the test map.
 */
#ifndef TESTS_SHIM_COUNTS_H
#define TESTS_SHIM_COUNTS_H

#include <stdint.h>

#define COUNTS_THREADS 8

/** Of one thread: written by it alone, each operation counted after it returned. */
struct thread_count {
    int64_t tid; /* 0: not there yet; atomic */
    uint64_t n_completed; /* atomic */
    uint64_t reserved[6];
};

struct counts {
    struct thread_count threads[COUNTS_THREADS];
};

#endif
