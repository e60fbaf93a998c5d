/*
 * As many processors as a test wants: what the reader asks is answered here, in
 * the place of the C library. For programs that define _GNU_SOURCE.
 */
#ifndef TESTS_REPORT_PROCESSORS_H
#define TESTS_REPORT_PROCESSORS_H

#include <pthread.h>
#include <sched.h>

#include <check.h>

static int n_processors = 1; /* 0: the kernel does not say */

int sched_getaffinity(pid_t pid, size_t n_bytes, cpu_set_t *ret_usable)
{
    (void)pid;
    CPU_ZERO_S(n_bytes, ret_usable);
    for (int i = 0; i < n_processors; i++)
        CPU_SET_S((size_t)i, n_bytes, ret_usable);
    return n_processors > 0 ? 0 : -1;
}

/* No address space has room for such a stack: creating a thread fails as it does at a limit of processes. */
static inline void refuse_threads(void)
{
    pthread_attr_t attributes;

    ck_assert_int_eq(pthread_attr_init(&attributes), 0);
    ck_assert_int_eq(pthread_attr_setstacksize(&attributes, (size_t)1 << 60), 0);
    ck_assert_int_eq(pthread_setattr_default_np(&attributes), 0);
    pthread_attr_destroy(&attributes);
}

#endif
