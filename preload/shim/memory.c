/*
 * Mappings, and what becomes of them in a forked child.
 */
#include "config.h"

#include "shim/memory.h"

#include <errno.h>
#include <pthread.h>

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

void *memory_map(uint64_t n_bytes, int flags, int file)
{
    /* Where locking is on, the kernel makes a mapping present at once, but for one that cannot be read. */
    void *memory = sw__sys_map(n_bytes, PROT_NONE, flags, file);

    if (memory == NULL)
        return NULL;
    syscall(SYS_munlock, memory, n_bytes);
    if (syscall(SYS_mprotect, memory, n_bytes, PROT_READ | PROT_WRITE) == 0)
        return memory;
    sw__sys_unmap(memory, n_bytes);
    return NULL;
}

static void *map(uint64_t n_bytes)
{
    return memory_map(n_bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1);
}

void *memory_reserve(uint64_t n_bytes)
{
    void *memory = map(n_bytes);

    /* A child starts anew and would only carry a copy that nothing refers to. */
    if (memory != NULL)
        sw__sys_advise(memory, n_bytes, MADV_DONTFORK);
    return memory;
}

void memory_release(void *memory, uint64_t n_bytes)
{
    if (memory != NULL)
        sw__sys_unmap(memory, n_bytes);
}

/* ---- Kernels before 4.14 cannot wipe: a fork handler does, which raw clone() does not call. */

#define MAX_WIPED 1024

struct wiped {
    void *memory;
    uint64_t n_bytes;
};

static struct wiped *wiped; /* MAX_WIPED; NULL: there is no handler. Constant once loaded */
static uint32_t n_wiped;    /* atomic */

static void wipe_in_child(void)
{
    uint32_t n = __atomic_load_n(&n_wiped, __ATOMIC_ACQUIRE);

    for (uint32_t i = 0; i < n && i < MAX_WIPED; i++)
        if (wiped[i].memory != NULL)
            sw__zero(wiped[i].memory, wiped[i].n_bytes);
}

/*
 * Asked of the last page but one, where no process has memory: a kernel that
 * knows the advice misses the memory, one that does not refuses the advice. Of
 * no bytes it might say yes before it looks at the advice.
 */
SW__AT_LOAD static int kernel_wipes(void)
{
    void *nowhere = (void *)(UINTPTR_MAX - 2 * MEMORY_PAGE + 1);

    return sw__sys_advise(nowhere, MEMORY_PAGE, MADV_WIPEONFORK) != 0 && errno == ENOMEM;
}

/* A handler costs a small program more than the question whether one is needed. */
SW__AT_LOAD void memory_load(void)
{
    if (kernel_wipes())
        return;
    wiped = map(MAX_WIPED * sizeof *wiped);
    if (wiped == NULL || pthread_atfork(NULL, NULL, wipe_in_child) == 0)
        return;
    memory_release(wiped, MAX_WIPED * sizeof *wiped);
    wiped = NULL;
}

static int wipe_by_handler(void *memory, uint64_t n_bytes)
{
    uint32_t at;

    if (wiped == NULL || (at = __atomic_fetch_add(&n_wiped, 1, __ATOMIC_ACQ_REL)) >= MAX_WIPED)
        return 0;
    wiped[at].n_bytes = n_bytes;
    wiped[at].memory = memory;
    return 1;
}

void *memory_wiped_on_fork(uint64_t n_bytes)
{
    void *memory = map(n_bytes);

    if (memory == NULL)
        return NULL;
    if (sw__sys_advise(memory, n_bytes, MADV_WIPEONFORK) != 0 && !wipe_by_handler(memory, n_bytes)) {
        sw__sys_unmap(memory, n_bytes);
        return NULL;
    }
    return memory;
}
