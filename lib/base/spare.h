/*
 * Blocks of memory that were given back and wait to be used again. The C
 * library returns large ones to the system, which takes a page fault for every
 * page when it gives them out anew. Only lib/base/alloc.c comes here.
 */
#ifndef BASE_SPARE_H
#define BASE_SPARE_H

#include <stddef.h>
#include <stdint.h>

/** Smaller blocks are left to the C library: from here on it usually maps, and returns, them one by one. */
#define SW__SPARE_LEAST_BYTES ((size_t)128 << 10)

/**
 * A block that has at least @bytes and at most an eighth more, the smallest of
 * those that wait, or NULL. Its contents are nobody's.
 *
 * @ret_bytes  What it has. Untouched without one.
 */
void *sw__spare_take(size_t bytes, size_t *ret_bytes);
/**
 * Let a block of malloc() wait that has @bytes. What has waited longest is
 * freed where the bound (SW_STORAGE_CACHE) asks for it; a block that is larger than the
 * bound is freed at once.
 */
void sw__spare_keep(void *memory, size_t bytes);
/** Free all that wait. Returns their bytes. */
uint64_t sw__spare_empty(void);

#endif
