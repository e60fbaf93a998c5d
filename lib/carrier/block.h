/*
 * Memory that starts at a cache line, from the one allocator. An aligned
 * allocation of the C library costs several times a plain one; this is a plain
 * one with room to move the start.
 */
#ifndef CARRIER_BLOCK_H
#define CARRIER_BLOCK_H

#include "base/alloc.h"

#define SW__BLOCK_ALIGNMENT ((size_t)64)
/** Largest request: its size with the room added is still an object size. */
#define SW__BLOCK_MAX_BYTES ((size_t)PTRDIFF_MAX - 4096)

enum sw__fill { SW__FILL_NONE, SW__FILL_ZERO };

/**
 * @bytes at an address aligned to 64, also for 0 bytes.
 *
 * @ret_memory  What sw__free() is called with.
 *
 * Returns the address, or NULL with MemoryError recorded and @ret_memory
 * untouched.
 */
void *sw__block_new(size_t bytes, enum sw__fill fill, void **ret_memory);

/* Tell AddressSanitizer that nobody may touch these bytes; nothing without it. */
void sw__block_forbid(const void *address, size_t bytes);

#endif
