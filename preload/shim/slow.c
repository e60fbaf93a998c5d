/*
 * Signals and locks of the slow path, by system calls: pthread_sigmask() keeps
 * the C library's own signals deliverable, among them that of a cancellation.
 */
#include "config.h"

#include "shim/slow.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>

#include "record/sys.h"

void slow_begin(struct slow *slow)
{
    /* A filter that answers system calls by SIGSYS would end the program where that is blocked. */
    const uint64_t all = ~(UINT64_C(1) << (SIGSYS - 1));

    slow->saved_errno = errno;
    slow->signals = 0; /* where a filter refuses the call; then it refuses the one that restores, too */
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, &slow->signals, sizeof all);
}

void slow_end(const struct slow *slow)
{
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &slow->signals, NULL, sizeof slow->signals);
    errno = slow->saved_errno;
}

enum { FREE = 0, HELD = 1, WAITED_FOR = 2 };

void slow_lock(uint32_t *lock)
{
    uint32_t seen = FREE;

    if (__atomic_compare_exchange_n(lock, &seen, HELD, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED))
        return;
    while (__atomic_exchange_n(lock, WAITED_FOR, __ATOMIC_ACQUIRE) != FREE)
        syscall(SYS_futex, lock, FUTEX_WAIT_PRIVATE, WAITED_FOR, NULL, NULL, 0);
}

void slow_unlock(uint32_t *lock)
{
    if (__atomic_exchange_n(lock, FREE, __ATOMIC_RELEASE) == WAITED_FOR)
        syscall(SYS_futex, lock, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}
