/*
 * Texts in large blocks, found by their hash.
 */
#include "config.h"

#include "trace/texts.h"

#include <string.h>

#include "base/alloc.h"

#define BLOCK_BYTES 65536

struct sw__texts_block {
    struct sw__texts_block *older;
    size_t n_used;
    size_t n_bytes;
    char bytes[];
};

static const char *find(const struct sw__texts *texts, const char *text, uint64_t hash)
{
    struct sw__index_probe probe = sw__index_probe(&texts->table, hash);
    uint32_t index;

    while ((index = sw__index_next(&probe)) != SW__ANALYZE_NONE)
        if (strcmp(texts->texts[index], text) == 0)
            return texts->texts[index];
    return NULL;
}

const char *sw__texts_find(const struct sw__texts *texts, const char *text)
{
    return find(texts, text, sw__hash_text(SW__HASH_BEGIN, text));
}

/* Room for so many bytes in the newest block; 0 when there is no memory. */
static int reserve_bytes(struct sw__texts *texts, size_t n_bytes)
{
    size_t n_block = n_bytes > BLOCK_BYTES ? n_bytes : BLOCK_BYTES;

    if (texts->blocks != NULL && texts->blocks->n_bytes - texts->blocks->n_used >= n_bytes)
        return 1;
    struct sw__texts_block *block = sw__alloc(sizeof *block + n_block);
    if (block == NULL)
        return 0;
    block->older = texts->blocks;
    block->n_used = 0;
    block->n_bytes = n_block;
    texts->blocks = block;
    return 1;
}

static int reserve_place(struct sw__texts *texts)
{
    size_t capacity = texts->capacity > 0 ? 2 * texts->capacity : 64;

    if (texts->n_texts < texts->capacity)
        return 1;
    const char **larger = sw__realloc(texts->texts, capacity * sizeof *larger);
    if (larger == NULL)
        return 0;
    texts->texts = larger;
    texts->capacity = capacity;
    return 1;
}

enum sw_status sw__texts_put(struct sw__texts *texts, const char *text, const char **ret_kept, int *ret_is_new)
{
    uint64_t hash = sw__hash_text(SW__HASH_BEGIN, text);
    const char *kept = find(texts, text, hash);
    size_t n_bytes = strlen(text) + 1;

    if (kept == NULL) {
        if (texts->n_texts >= SW__ANALYZE_NONE)
            return sw_error_set(SW_MEMORY_ERROR, "more texts than can be numbered");
        if (!reserve_place(texts) || !reserve_bytes(texts, n_bytes))
            return SW_MEMORY_ERROR;
        SW__TRY(sw__index_put(&texts->table, hash, (uint32_t)texts->n_texts));
        char *place = texts->blocks->bytes + texts->blocks->n_used;
        texts->blocks->n_used += n_bytes;
        texts->texts[texts->n_texts++] = memcpy(place, text, n_bytes);
        if (ret_is_new != NULL)
            *ret_is_new = 1;
        *ret_kept = place;
        return SW_OK;
    }
    if (ret_is_new != NULL)
        *ret_is_new = 0;
    *ret_kept = kept;
    return SW_OK;
}

void sw__texts_clear(struct sw__texts *texts)
{
    while (texts->blocks != NULL) {
        struct sw__texts_block *block = texts->blocks;
        texts->blocks = block->older;
        sw__free(block);
    }
    sw__free(texts->texts);
    sw__index_table_clear(&texts->table);
    *texts = (struct sw__texts){ .n_texts = 0 };
}
