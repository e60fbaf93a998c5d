/*
 * Stamps and publications of threads that do not stop for it: nothing here costs
 * a hook anything.
 */
#include "config.h"

#include "shim/settle.h"

#include <time.h>

#include "record/at_load.h"
#include "record/clock.h"
#include "record/sys.h"
#include "shim/thread.h"

static void mark(struct thread *thread, uint64_t end)
{
    uint64_t last = __atomic_load_n(&thread->last, __ATOMIC_RELAXED);

    /* Never back: the thread may be stamping. If it overwrites the mark, it is in a hook and is waited for. */
    while (last < end && !__atomic_compare_exchange_n(&thread->last, &last, end, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

uint64_t settle_mark(struct capture *capture, uint64_t end)
{
    for (const struct thread *thread = capture->threads; thread != NULL; thread = thread->next) {
        uint64_t last = __atomic_load_n(&thread->last, __ATOMIC_RELAXED);

        end = last < end ? end : last + 1;
    }
    for (struct thread *thread = capture->threads; thread != NULL; thread = thread->next)
        mark(thread, end);
    return end;
}

#ifndef MEMBARRIER_CMD_PRIVATE_EXPEDITED
enum { MEMBARRIER_CMD_PRIVATE_EXPEDITED = 1 << 3, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED = 1 << 4 };
#endif

SW__AT_LOAD void settle_load(void)
{
    /* Cheap while the process has one thread. */
    syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0);
}

/* Longer than a busy machine keeps a thread from running. */
#define SETTLE_NS INT64_C(1000000000)
#define SETTLE_YIELDS 100

static void wait_for(const struct thread *thread, uint64_t deadline)
{
    const struct timespec while_preempted = {0, 50000};

    for (unsigned i = 0; __atomic_load_n(&thread->busy, __ATOMIC_ACQUIRE) != 0; i++) {
        if (sw__clock_monotonic_ns() > deadline)
            return;
        if (i < SETTLE_YIELDS)
            syscall(SYS_sched_yield);
        else
            syscall(SYS_nanosleep, &while_preempted, NULL);
    }
}

void settle_wait(const struct capture *capture)
{
    const struct thread *thread = __atomic_load_n(&capture->threads, __ATOMIC_ACQUIRE);
    uint64_t deadline = sw__clock_monotonic_ns() + SETTLE_NS;

    /* Hooks say that they are at work without a barrier of their own. Where the kernel has none either, time has. */
    syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    for (; thread != NULL; thread = thread->next)
        if (thread != thread_self)
            wait_for(thread, deadline);
}
