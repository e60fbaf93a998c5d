/*
 * Memory that nobody may touch for now, in the eyes of the program's
 * AddressSanitizer, whether or not this library was built for it, and of
 * memcheck: what lies beside an array, and what waits to be used again. Without
 * either these are a load and a test, and some instructions that do nothing.
 */
#ifndef BASE_FORBID_H
#define BASE_FORBID_H

#include <stddef.h>

#ifdef HAVE_VALGRIND_MEMCHECK_H
#include <valgrind/memcheck.h>
#else
#define VALGRIND_MAKE_MEM_NOACCESS(address, bytes) ((void)0)
#define VALGRIND_MAKE_MEM_UNDEFINED(address, bytes) ((void)0)
#endif

extern void __asan_poison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));

static inline void sw__memory_forbid(const void *address, size_t bytes)
{
    if (__builtin_expect(__asan_poison_memory_region != NULL, 0))
        __asan_poison_memory_region(address, bytes);
    (void)VALGRIND_MAKE_MEM_NOACCESS(address, bytes);
}

static inline void sw__memory_allow(const void *address, size_t bytes)
{
    if (__builtin_expect(__asan_unpoison_memory_region != NULL, 0))
        __asan_unpoison_memory_region(address, bytes);
    (void)VALGRIND_MAKE_MEM_UNDEFINED(address, bytes);
}

#endif
