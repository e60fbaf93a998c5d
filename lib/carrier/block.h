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

/** An allocation, and what it has. */
struct sw__block {
    void *memory;
    size_t bytes;
};

/**
 * @bytes at an address aligned to 64, also for 0 bytes.
 *
 * @ret_block  What is given back, with sw__block_free() or its memory with sw__free().
 *
 * Returns the address, or NULL with MemoryError recorded and @ret_block
 * untouched.
 */
void *sw__block_new(size_t bytes, enum sw__fill fill, struct sw__block *ret_block);
/** Give back a block, or one without memory; it has none afterwards. Large ones wait for their next use. */
void sw__block_free(struct sw__block *block);

#endif
