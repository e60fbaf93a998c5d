/*
 * Work on several threads. A job is cut into parts of one size, whatever the
 * number of threads is, and a part computes the same wherever it runs, so that
 * results do not depend on SW_NUM_THREADS.
 */
#ifndef BASE_POOL_H
#define BASE_POOL_H

#include <strideweave/status.h>

#include <stdint.h>

/**
 * Elements [@begin, @end) of a job. May run on a thread of the pool: it writes to its own elements and calls nothing
 * that belongs to the program. Run again it does the same again.
 */
typedef enum sw_status sw__part_fn(void *job, int64_t begin, int64_t end);

/**
 * sw__pool_run - all @n elements of a job, @each to a part.
 *
 * On the calling thread alone, as one part, when SW_NUM_THREADS is 1 or the job is no larger than a part. Threads are
 * made for the first job that wants them; a forked child makes its own, and one that a signal handler forks out of a job
 * runs all of it again on its only thread. While a job runs, those of other threads run where they are called.
 *
 * Returns SW_OK when every part does. From the first part on that failed all are run again here, so that what it says
 * is said to the calling thread.
 * Threads: any. Not cancelled while it waits.
 */
SW_NODISCARD enum sw_status sw__pool_run(sw__part_fn *part, void *job, int64_t n, int64_t each);

#endif
