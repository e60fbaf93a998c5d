/*
 * Setting up threads, and telling whether the recorder was interrupted.
 */
#include "config.h"

#include "shim/ready.h"

#include "shim/slow.h"
#include "shim/thread.h"

struct thread *ready_thread(void)
{
    struct thread *thread = thread_self;

    return thread != NULL && __atomic_load_n(&thread->ready, __ATOMIC_RELAXED) ? thread : NULL;
}

struct thread *ready_start(void)
{
    struct capture *capture = capture_get();
    struct thread *thread;
    struct slow slow;
    uint32_t full;

    if (capture == NULL)
        return NULL;
    full = __atomic_load_n(&capture->no_more_threads, __ATOMIC_RELAXED);
    if (full != 0) {
        capture_lose(capture, (enum swprof_lost)(full - 1));
        return NULL;
    }
    slow_begin(&slow);
    slow_lock(&capture->lock);
    thread = thread_start(capture);
    full = capture->no_more_threads;
    slow_unlock(&capture->lock);
    slow_end(&slow);
    if (thread == NULL && full != 0)
        capture_lose(capture, (enum swprof_lost)(full - 1));
    return thread;
}

int ready_is_at_work(struct thread *thread, uintptr_t stack)
{
    struct sw__alternate alternate;

    if (stack < thread->busy)
        return 1;
    sw__alternate_now(&alternate);
    if (alternate.in_use && stack >= alternate.low && stack < alternate.high)
        return 1;
    sw__stack_learn(&thread->frames.stack);
    if (!sw__stack_has(&thread->frames.stack, stack) || !sw__stack_has(&thread->frames.stack, thread->busy))
        return 1;
    thread->busy = 0;
    thread_lose(thread, SWPROF_LOST_ANOMALY);
    return 0;
}
