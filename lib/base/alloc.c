/*
 * The one allocator. Failure injection exists only in a test build: the
 * shipped library has no way to make an allocation fail on purpose.
 */
#include "config.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/checked.h"
#include "base/spare.h"

#define LARGE_PAGE_BYTES ((size_t)2 << 20)

#ifdef SW_FAILURE_INJECTION
#include "base/inject.h"

/* Allocations before the first failure, and failures: written by the test and counted down here. */
static uint64_t remaining = UINT64_MAX;
static uint64_t failing = UINT64_MAX;

void sw__inject_failures(uint64_t n_allocations, uint64_t n_failures)
{
    __atomic_store_n(&failing, n_failures, __ATOMIC_RELAXED);
    __atomic_store_n(&remaining, n_allocations, __ATOMIC_RELAXED);
}

void sw__inject_failure_after(uint64_t n_allocations)
{
    sw__inject_failures(n_allocations, UINT64_MAX);
}

/* Counts down to 0, where it stays; whether it was there already. */
static int is_used_up(uint64_t *count)
{
    uint64_t left = __atomic_load_n(count, __ATOMIC_RELAXED);

    if (left != 0 && left != UINT64_MAX)
        __atomic_store_n(count, left - 1, __ATOMIC_RELAXED);
    return left == 0;
}

static int allowed(void)
{
    return !is_used_up(&remaining) || is_used_up(&failing);
}

static uint64_t n_live; /* atomic */

uint64_t sw__inject_n_live(void)
{
    return __atomic_load_n(&n_live, __ATOMIC_RELAXED);
}

static void count(int64_t step)
{
    __atomic_add_fetch(&n_live, (uint64_t)step, __ATOMIC_RELAXED);
}
#else
static int allowed(void)
{
    return 1;
}

static void count(int64_t step)
{
    (void)step;
}
#endif

static void *checked(void *memory, size_t bytes)
{
    if (memory == NULL)
        sw_error_set(SW_MEMORY_ERROR, "no memory for %zu bytes", bytes);
    return memory;
}

static void *counted(void *memory, size_t bytes)
{
    if (memory != NULL)
        count(1);
    return checked(memory, bytes);
}

static void *ask_system(size_t bytes, enum sw__fill fill)
{
    return fill == SW__FILL_ZERO ? calloc(1, bytes) : malloc(bytes);
}

/* Before there is no memory, there is none that merely waits: another thread may have given it back meanwhile. */
static void *ask(size_t bytes, enum sw__fill fill)
{
    void *memory = ask_system(bytes, fill);

    if (memory == NULL) {
        (void)sw__spare_empty();
        memory = ask_system(bytes, fill);
    }
    return memory;
}

void *sw__alloc(size_t bytes)
{
    return counted(allowed() ? ask(bytes != 0 ? bytes : 1, SW__FILL_NONE) : NULL, bytes);
}

/* What the C library keeps at hand for each thread is not for calloc(). */
#define SMALL_BYTES 1024

void *sw__alloc_zero(size_t bytes)
{
    if (bytes <= SMALL_BYTES) {
        void *memory = sw__alloc(bytes);
        return memory != NULL ? memset(memory, 0, bytes) : NULL;
    }
    return counted(allowed() ? ask(bytes, SW__FILL_ZERO) : NULL, bytes);
}

static void *ask_storage(size_t bytes, enum sw__fill fill, size_t *ret_bytes)
{
    void *memory = sw__spare_take(bytes, ret_bytes);

    if (memory != NULL)
        return fill == SW__FILL_ZERO ? memset(memory, 0, bytes) : memory;
    memory = ask(bytes, fill);
    if (memory != NULL)
        *ret_bytes = bytes;
    return memory;
}

void *sw__alloc_storage(size_t bytes, enum sw__fill fill, size_t *ret_bytes)
{
    if (bytes >= SW__SPARE_LEAST_BYTES)
        return counted(allowed() ? ask_storage(bytes, fill, ret_bytes) : NULL, bytes);
    void *memory = fill == SW__FILL_ZERO ? sw__alloc_zero(bytes) : sw__alloc(bytes);
    if (memory != NULL)
        *ret_bytes = bytes;
    return memory;
}

void sw__free_storage(void *memory, size_t bytes)
{
    if (memory == NULL || bytes < SW__SPARE_LEAST_BYTES) {
        sw__free(memory);
        return;
    }
    count(-1);
    sw__spare_keep(memory, bytes);
}

static void *ask_system_aligned(size_t alignment, size_t bytes)
{
    void *memory;

    return posix_memalign(&memory, alignment, bytes) == 0 ? memory : NULL;
}

static void *ask_aligned(size_t alignment, size_t bytes)
{
    void *memory = ask_system_aligned(alignment, bytes);

    if (memory == NULL) {
        (void)sw__spare_empty();
        memory = ask_system_aligned(alignment, bytes);
    }
    return memory;
}

void *sw__alloc_aligned(size_t alignment, size_t bytes)
{
    return counted(allowed() ? ask_aligned(alignment, bytes != 0 ? bytes : 1) : NULL, bytes);
}

void *sw__alloc_rows(int64_t n, int64_t each, size_t element_bytes)
{
    int64_t bytes;

    if (!sw__mul_fits(n, each, &bytes) || !sw__mul_fits(bytes, (int64_t)element_bytes, &bytes)) {
        sw_error_set(SW_MEMORY_ERROR, "no memory for %lld rows of %lld elements", (long long)n, (long long)each);
        return NULL;
    }
    return sw__alloc_aligned(64, (size_t)bytes);
}

void *sw__alloc_large(size_t bytes)
{
    if (bytes < LARGE_PAGE_BYTES)
        return sw__alloc(bytes);
    void *memory = sw__alloc_aligned(LARGE_PAGE_BYTES, bytes);
#ifdef MADV_HUGEPAGE
    /* Advice: where it is not taken the memory is as good, only slower to come. */
    if (memory != NULL)
        (void)madvise(memory, bytes / LARGE_PAGE_BYTES * LARGE_PAGE_BYTES, MADV_HUGEPAGE);
#endif
    return memory;
}

void *sw__realloc(void *memory, size_t bytes)
{
    const size_t asked = bytes != 0 ? bytes : 1;
    const int is_new = memory == NULL;
    void *changed = NULL;

    if (allowed()) {
        changed = realloc(memory, asked);
        if (changed == NULL) { /* and @memory is what it was */
            (void)sw__spare_empty();
            changed = realloc(memory, asked);
        }
    }
    return is_new ? counted(changed, bytes) : checked(changed, bytes);
}

void sw__free(void *memory)
{
    if (memory != NULL)
        count(-1);
    free(memory);
}

void sw_free(void *memory)
{
    sw__free(memory);
}

char *sw__strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = sw__alloc(bytes);

    if (copy != NULL)
        memcpy(copy, text, bytes);
    return copy;
}
