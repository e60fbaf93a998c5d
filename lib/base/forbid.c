/*
 * Requests to the tools that watch memory.
 */
#include "config.h"

#include "base/forbid.h"

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_NOACCESS(address, bytes) ((void)0)
#define VALGRIND_MAKE_MEM_UNDEFINED(address, bytes) ((void)0)
#endif

/* Of the program's AddressSanitizer when there is one, whether or not this library was built for it. */
extern void __asan_poison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));

void sw__memory_forbid(const void *address, size_t bytes)
{
    if (__asan_poison_memory_region != NULL)
        __asan_poison_memory_region(address, bytes);
    (void)VALGRIND_MAKE_MEM_NOACCESS(address, bytes);
}

void sw__memory_allow(const void *address, size_t bytes)
{
    if (__asan_unpoison_memory_region != NULL)
        __asan_unpoison_memory_region(address, bytes);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(address, bytes);
}
