/*
 * Aligned memory for carriers and their storage.
 */
#include "config.h"

#include "carrier/block.h"

#include "base/forbid.h"

#define ROOM (SW__BLOCK_ALIGNMENT - _Alignof(max_align_t))

void *sw__block_new(size_t bytes, enum sw__fill fill, struct sw__block *ret_block)
{
    struct sw__block block;

    if (bytes > SW__BLOCK_MAX_BYTES) {
        sw_error_set(SW_MEMORY_ERROR, "no memory for %zu bytes", bytes);
        return NULL;
    }
    char *memory = sw__alloc_storage(bytes + ROOM, fill, &block.bytes);
    if (memory == NULL)
        return NULL;
    block.memory = memory;
    size_t past = (uintptr_t)memory % SW__BLOCK_ALIGNMENT;
    char *start = memory + (past != 0 ? SW__BLOCK_ALIGNMENT - past : 0);
    /* The room that alignment did not need lies behind the bytes: an overrun must not hide there. */
    sw__memory_forbid(start + bytes, (size_t)(memory + block.bytes - (start + bytes)));
    *ret_block = block;
    return start;
}

void sw__block_free(struct sw__block *block)
{
    if (block->memory != NULL)
        sw__memory_allow(block->memory, block->bytes);
    sw__free_storage(sw__take(block->memory), block->bytes);
}
