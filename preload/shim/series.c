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

/* Whether a text is there; its length and key are the result in any case. */
static uint32_t find_text(const struct capture *capture, const char *text, uint32_t *n, uint64_t *key)
{
    uint32_t reference, at = 0;

    *n = text_bytes(text);
    *key = text_key(text, *n);
    while ((reference = table_find(&capture->string_table, *key, &at)) != 0) {
        const struct swprof_string *string = report_address(&capture->report, reference);

        if (string->bytes == *n && sw__same(string->text, text, *n))
            return reference;
    }
    return 0;
}

/* Whole before the table shows it to those without the lock; taken back where that has no room. */
static uint32_t add_text(struct capture *capture, const char *text, uint32_t n, uint64_t key)
{
    uint64_t n_bytes = sizeof(struct swprof_string) + n + 1;
    struct swprof_string *string;
    enum swprof_lost reason;
    uint32_t reference;

    if (capture->string_table.entries == NULL && !table_create(&capture->string_table, 2 * SERIES_MOST_TEXTS))
        return 0;
    string = series_room(capture, &capture->strings, SWPROF_BLOCK_STRINGS, n_bytes, 0, &reason);
    if (string == NULL)
        return 0;
    string->bytes = n;
    sw__copy(string->text, text, n); /* the NUL is there: the room is zero */
    reference = report_reference(&capture->report, string);
    if (!table_insert(&capture->string_table, key, reference)) {
        sw__zero(string, n_bytes);
        return 0;
    }
    series_publish(&capture->strings, n_bytes);
    return reference;
}

uint32_t series_text(struct capture *capture, const char *text)
{
    uint32_t n, reference;
    uint64_t key;

    if (text == NULL)
        return 0;
    reference = find_text(capture, text, &n, &key);
    return reference != 0 ? reference : add_text(capture, text, n, key);
}

uint32_t series_find_text(const struct capture *capture, const char *text)
{
    uint64_t key;
    uint32_t n;

    return find_text(capture, text, &n, &key);
}

#define MADE_UP_PART 64
#define LEAST_MADE_UP_BYTES (UINT64_C(8) << 10)

uint32_t series_made_up_text(struct capture *capture, const char *text)
{
    uint64_t most = capture->report.header->cap_bytes / MADE_UP_PART;
    uint32_t n, reference;
    uint64_t key;

    reference = find_text(capture, text, &n, &key);
    if (reference != 0)
        return reference;
    most = most > LEAST_MADE_UP_BYTES ? most : LEAST_MADE_UP_BYTES;
    if (capture->made_up_bytes + sizeof(struct swprof_string) + n > most)
        return 0;
    reference = add_text(capture, text, n, key);
    if (reference != 0)
        capture->made_up_bytes += sizeof(struct swprof_string) + n;
    return reference;
}
