/*
 * Records that are written once, and the interning of texts.
 */
#include "config.h"

#include "shim/series.h"

#include "record/text.h"

static uint64_t rounded(uint64_t n_bytes)
{
    return (n_bytes + 7) & ~UINT64_C(7);
}

void *series_room(struct capture *capture, struct series *series, enum swprof_block_type type, uint64_t n_bytes,
                  uint32_t first_id, enum swprof_lost *reason)
{
    struct swprof_block *block = series->block;

    n_bytes = rounded(n_bytes);
    if (block == NULL || report_block_bytes(block) - sizeof *block - block->published < n_bytes) {
        uint64_t pages = (sizeof *block + n_bytes + SWPROF_BLOCK_ALIGN - 1) / SWPROF_BLOCK_ALIGN;
        struct swprof_block form = {.type = type, .pages = (uint32_t)pages, .first_id = first_id};

        block = report_block(&capture->report, &form, &capture->scratch, reason);
        if (block == NULL)
            return NULL;
        series->block = block;
    }
    return (char *)(block + 1) + block->published;
}

void series_publish(struct series *series, uint64_t n_bytes)
{
    struct swprof_block *block = series->block;

    __atomic_store_n(&block->published, block->published + rounded(n_bytes), __ATOMIC_RELEASE);
}

/* Length of a text, cut between two characters. */
static uint32_t text_bytes(const char *text)
{
    size_t n = sw__text_bytes(text);

    if (n > SERIES_TEXT_BYTES)
        for (n = SERIES_TEXT_BYTES; n > 0 && ((unsigned char)text[n] & 0xc0) == 0x80;)
            n--;
    return (uint32_t)n;
}

static uint64_t text_key(const char *text, uint32_t n)
{
    uint64_t key = n;

    for (uint32_t i = 0; i < n; i++)
        key = table_mix(key, (unsigned char)text[i]);
    return key;
}

uint32_t series_text(struct capture *capture, const char *text)
{
    struct swprof_string *string;
    enum swprof_lost reason;
    uint32_t n, reference, at = 0;
    uint64_t key, n_bytes;

    if (text == NULL)
        return 0;
    n = text_bytes(text);
    key = text_key(text, n);
    while ((reference = table_find(&capture->string_table, key, &at)) != 0) {
        string = report_address(&capture->report, reference);
        if (string->bytes == n && sw__same(string->text, text, n))
            return reference;
    }
    if (capture->string_table.entries == NULL && !table_create(&capture->string_table, 2 * SERIES_MOST_TEXTS))
        return 0;
    n_bytes = sizeof *string + n + 1;
    string = series_room(capture, &capture->strings, SWPROF_BLOCK_STRINGS, n_bytes, 0, &reason);
    if (string == NULL)
        return 0;
    reference = report_reference(&capture->report, string);
    if (!table_insert(&capture->string_table, key, reference))
        return 0;
    string->bytes = n;
    sw__copy(string->text, text, n); /* the NUL is there: the room is zero */
    series_publish(&capture->strings, n_bytes);
    return reference;
}
