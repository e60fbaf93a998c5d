/*
 * Memory that nobody may touch for now, in the eyes of the program's
 * AddressSanitizer, whether or not this library was built for it: what lies
 * beside an array, and what waits to be used again. Without one these are a
 * load and a test.
 */
#ifndef BASE_FORBID_H
#define BASE_FORBID_H

#include <stddef.h>

extern void __asan_poison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *address, size_t bytes) __attribute__((weak));

static inline void sw__memory_forbid(const void *address, size_t bytes)
{
    if (__builtin_expect(__asan_poison_memory_region != NULL, 0))
        __asan_poison_memory_region(address, bytes);
}

static inline void sw__memory_allow(const void *address, size_t bytes)
{
    if (__builtin_expect(__asan_unpoison_memory_region != NULL, 0))
        __asan_unpoison_memory_region(address, bytes);
}

#endif
