/*
 * Start and end of the process's report.
 */
#include "config.h"

#include "shim/capture.h"

#include <errno.h>

#include "record/at_load.h"
#include "record/clock.h"
#include "record/sys.h"
#include "shim/dispatches.h"
#include "shim/launch.h"
#include "shim/memory.h"
#include "shim/rounds.h"
#include "shim/settle.h"
#include "shim/shim.h"
#include "shim/slow.h"
#include "shim/stacks.h"
#include "shim/thread.h"

static struct capture *current; /* atomic; set once */

#define CAPTURE_BYTES ((sizeof(struct capture) + MEMORY_PAGE - 1) & ~(MEMORY_PAGE - 1))

struct capture *capture_get(void)
{
    struct capture *found = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    struct capture *made;

    if (found != NULL)
        return found;
    made = memory_wiped_on_fork(CAPTURE_BYTES);
    /* Where another thread was faster, this memory is lost: a fork handler may already know it. */
    if (made == NULL || __atomic_compare_exchange_n(&current, &found, made, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        return made;
    return found;
}

static int begin(struct capture *capture)
{
    struct report_facts facts = {.settings = &shim.settings, .process = &capture->process};
    int error;

    shim_confirm_clock();
    facts.clock = shim.clock;
    facts.stacks = stacks_state();
    facts.first = shim.first;
    facts.realtime_ns = shim.realtime_ns;
    process_read(&capture->process, &capture->scratch);
    error = report_create(&capture->report, &facts, &capture->scratch);
    if (error != 0)
        return error;
    if (dispatches_start(capture) && rounds_publish(capture))
        return 0;
    report_discard(&capture->report);
    return ENOSPC;
}

int capture_start(struct capture *capture)
{
    uint32_t state = capture->state;
    int error;

    if (state != CAPTURE_NONE)
        return state == CAPTURE_READY;
    error = begin(capture);
    capture->error = error;
    if (error != 0) {
        shim_say("no report: ", capture->report.path, ": error ", shim_number((uint64_t)error).text, NULL);
        rounds_abandon();
    } else {
        shim_say("recording into ", capture->report.path, NULL);
    }
    launch_tell_report(capture);
    __atomic_store_n(&capture->state, error == 0 ? CAPTURE_READY : CAPTURE_FAILED, __ATOMIC_RELEASE);
    return error == 0;
}

SW__AT_LOAD void capture_freeze(void)
{
    struct capture *capture = __atomic_load_n(&current, __ATOMIC_ACQUIRE);
    struct slow slow;

    if (capture == NULL || __atomic_load_n(&capture->state, __ATOMIC_ACQUIRE) != CAPTURE_READY)
        return;
    /* A vfork child that calls exit() still runs on its parent's memory. */
    if (capture->process.pid != (int32_t)syscall(SYS_getpid))
        return;
    slow_begin(&slow);
    slow_lock(&capture->lock);
    capture->last_tid = (int32_t)syscall(SYS_gettid);
    __atomic_store_n(&capture->frozen, 1, __ATOMIC_RELEASE);
    threads_stop(capture);
    slow_unlock(&capture->lock);
    settle_wait(capture);
    slow_lock(&capture->lock);
    rounds_freeze(capture);
    report_freeze(&capture->report);
    launch_tell_frozen();
    slow_unlock(&capture->lock);
    slow_end(&slow);
}

int capture_thaw(struct capture *capture)
{
    if (capture->last_tid != (int32_t)syscall(SYS_gettid))
        return 0;
    report_thaw(&capture->report);
    rounds_thaw(capture);
    return 1;
}

void capture_lose(struct capture *capture, enum swprof_lost reason)
{
    if (__atomic_load_n(&capture->state, __ATOMIC_ACQUIRE) == CAPTURE_READY)
        __atomic_fetch_add(&capture->report.header->lost[reason], 1, __ATOMIC_RELAXED);
}
