/*
 * The library's one allocator: every allocation passes here, so that a test
 * build can make the n-th one fail (configure --enable-failure-injection).
 * Where the system has no memory what waits for its next use (lib/base/spare.h)
 * is given back to it before anything fails.
 */
#ifndef BASE_ALLOC_H
#define BASE_ALLOC_H

#include <strideweave/status.h>

#include "base/cleanup.h"

/** @bytes of memory, not initialised; NULL and MemoryError recorded when there is none. 0 bytes give an address too. */
void *sw__alloc(size_t bytes) __attribute__((malloc));
/** The same, zeroed. */
void *sw__alloc_zero(size_t bytes) __attribute__((malloc));
/** As sw__alloc() with an alignment (power of two, multiple of sizeof(void *)). */
void *sw__alloc_aligned(size_t alignment, size_t bytes) __attribute__((malloc));
/** Memory for @n rows of @each elements, aligned to 64 bytes; MemoryError also when their bytes leave 64 bits. */
void *sw__alloc_rows(int64_t n, int64_t each, size_t element_bytes) __attribute__((malloc));
/**
 * As sw__alloc(), for arrays of many megabytes that are written from end to
 * end: asks the kernel for large pages, because faulting in small ones costs
 * more than filling them.
 */
void *sw__alloc_large(size_t bytes) __attribute__((malloc));

enum sw__fill { SW__FILL_NONE, SW__FILL_ZERO };

/**
 * As sw__alloc() or sw__alloc_zero(), for storage of carriers: from 128 KiB on
 * it may be what another carrier has given back.
 *
 * @ret_bytes  What the block has, @bytes or more; sw__free_storage() wants it. Untouched on failure.
 */
void *sw__alloc_storage(size_t bytes, enum sw__fill fill, size_t *ret_bytes);
/** Give back what sw__alloc_storage() gave, with what it said the block has. */
void sw__free_storage(void *memory, size_t bytes);

/** Change the size of an allocation; on failure it stays as it is. */
void *sw__realloc(void *memory, size_t bytes);
/** Give back memory of any of the above, to the C library; NULL is accepted. */
void sw__free(void *memory);
/** A copy of a string. */
char *sw__strdup(const char *text);

static inline void sw__cleanup_memory(void *pointer)
{
    sw__free(*(void **)pointer);
}

/** An owning local of memory from sw__alloc(). */
#define SW__OWNED SW__CLEANUP(sw__cleanup_memory)

#endif
