/*
 * Private memory of the shim, straight from the kernel: the program's allocator
 * is never called. How it fares in a forked child is part of the request.
 */
#ifndef SHIM_MEMORY_H
#define SHIM_MEMORY_H

#include <stdint.h>

#define MEMORY_PAGE UINT64_C(4096)

/** Once, when the shim is loaded: before any fork handler of the program. */
void memory_load(void);

/**
 * Map memory or a file, readable and writable, by the flags of mmap(2); NULL
 * on failure. Never locked, whatever mlockall(2) says: most of it stays unused.
 */
void *memory_map(uint64_t n_bytes, int flags, int file);

/** Zeroed memory that is not there in forked children; counts only when touched. NULL when there is none. */
void *memory_reserve(uint64_t n_bytes);

/** Zeroed memory that is zero again in forked children. NULL when there is none. */
void *memory_wiped_on_fork(uint64_t n_bytes);

/** Give back what memory_reserve() gave. */
void memory_release(void *memory, uint64_t n_bytes);

#endif
