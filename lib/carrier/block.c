/*
 * Aligned memory for carriers and their storage.
 */
#include "config.h"

#include "carrier/block.h"

#ifdef __has_include
#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif
#endif

#define ROOM (SW__BLOCK_ALIGNMENT - _Alignof(max_align_t))

void sw__block_forbid(const void *address, size_t bytes)
{
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_POISON_MEMORY_REGION(address, bytes);
#endif
    (void)address;
    (void)bytes;
}

void *sw__block_new(size_t bytes, enum sw__fill fill, void **ret_memory)
{
    if (bytes > SW__BLOCK_MAX_BYTES) {
        sw_error_set(SW_MEMORY_ERROR, "no memory for %zu bytes", bytes);
        return NULL;
    }
    char *memory = fill == SW__FILL_ZERO ? sw__alloc_zero(bytes + ROOM) : sw__alloc(bytes + ROOM);
    if (memory == NULL)
        return NULL;
    size_t past = (uintptr_t)memory % SW__BLOCK_ALIGNMENT;
    char *start = memory + (past != 0 ? SW__BLOCK_ALIGNMENT - past : 0);
    /* The room that alignment did not need lies behind the block: an overrun must not hide there. */
    sw__block_forbid(start + bytes, (size_t)(memory + bytes + ROOM - (start + bytes)));
    *ret_memory = memory;
    return start;
}
