/*
 * Names of a report: texts, dispatches, shapes. Read whole, checked, and kept
 * so that everything else deals in indices and valid UTF-8.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"
#include "report/utf8.h"

enum report_outcome report_grow(void *array_pointer, size_t n_elements, size_t element_bytes)
{
    void *array;

    if (n_elements != 0 && (n_elements & (n_elements - 1)) != 0)
        return REPORT_OK; /* capacity is the next power of two */
    memcpy(&array, array_pointer, sizeof array);
    array = sw__realloc(array, (n_elements != 0 ? n_elements * 2 : 1) * element_bytes);
    if (array == NULL)
        return REPORT_SYSTEM;
    memcpy(array_pointer, &array, sizeof array);
    return REPORT_OK;
}

enum report_outcome report_check_total(const struct report *report, uint32_t type)
{
    uint64_t total = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == type)
            total += report->blocks[i].published_bytes;
    if (total > REPORT_MAX_NAME_BYTES)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more names than any program has", report->source->path);
    return REPORT_OK;
}

enum report_outcome report_load_payload(const struct report *report, const struct report_block *block,
                                        void **ret_bytes)
{
    void *bytes SW__OWNED = sw__alloc((size_t)block->published_bytes);

    if (bytes == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(source_read(report->source, block->offset, bytes, (size_t)block->published_bytes));
    *ret_bytes = sw__take(bytes);
    return REPORT_OK;
}

/* A text that is not UTF-8 is replaced by a clean copy. */
static enum report_outcome keep_text(struct report *report, const char *text, size_t n_bytes, uint64_t offset)
{
    if (!utf8_valid(text, n_bytes)) {
        char *clean = NULL;
        REPORT_TRY(report_grow(&report->text_buffers, report->n_text_buffers, sizeof *report->text_buffers));
        REPORT_TRY(report_status(utf8_clean(text, n_bytes, &clean)));
        report->text_buffers[report->n_text_buffers++] = clean;
        text = clean;
    }
    REPORT_TRY(report_grow(&report->texts, report->n_texts, sizeof *report->texts));
    REPORT_TRY(report_grow(&report->text_references, report->n_texts, sizeof *report->text_references));
    report->text_references[report->n_texts] = (struct report_reference){ offset / 8, (uint32_t)report->n_texts };
    report->texts[report->n_texts++] = text;
    return REPORT_OK;
}

static enum report_outcome view_strings_of(struct report *report, const struct report_block *block)
{
    void *payload = NULL;

    REPORT_TRY(report_grow(&report->text_buffers, report->n_text_buffers, sizeof *report->text_buffers));
    REPORT_TRY(report_load_payload(report, block, &payload));
    const char *bytes = payload;
    report->text_buffers[report->n_text_buffers++] = payload;
    for (uint64_t at = 0; at < block->published_bytes;) {
        struct swprof_string head;
        uint64_t left = block->published_bytes - at;
        if (left < sizeof head)
            return report_damaged(report, block->offset + at, "a text without its size");
        memcpy(&head, bytes + at, sizeof head);
        if (head.bytes >= left - sizeof head)
            return report_damaged(report, block->offset + at, "a text that is longer than its block");
        if (head.bytes > REPORT_MAX_TEXT_BYTES)
            return report_damaged(report, block->offset + at, "a text that is longer than any name");
        const char *text = bytes + at + sizeof head;
        if (text[head.bytes] != '\0')
            return report_damaged(report, block->offset + at, "a text without an end");
        REPORT_TRY(keep_text(report, text, head.bytes, block->offset + at));
        at += sizeof head + ((uint64_t)head.bytes + 1 + 7) / 8 * 8;
    }
    return REPORT_OK;
}

static enum report_outcome view_shapes_of(struct report *report, const struct report_block *block)
{
    void *payload = NULL;
    struct sw__analyze_names *names = &report->names;

    REPORT_TRY(report_grow(&report->word_buffers, report->n_word_buffers, sizeof *report->word_buffers));
    REPORT_TRY(report_load_payload(report, block, &payload));
    const int64_t *words = payload;
    report->word_buffers[report->n_word_buffers++] = payload;
    uint64_t n_words = block->published_bytes / sizeof *words;
    for (uint64_t at = 0; at < n_words;) {
        struct swprof_shapes head;
        memcpy(&head, words + at, sizeof head);
        struct sw__analyze_shapes shapes = { head.n_inputs, head.n_words, words + at + 1 };
        if (head.n_words > n_words - at - 1 || !sw__analyze_shapes_valid(&shapes))
            return report_damaged(report, block->offset + at * 8, "a shape list that is not well formed");
        if (head.n_words > REPORT_MAX_SHAPE_WORDS)
            return report_damaged(report, block->offset + at * 8, "a shape list that is longer than any");
        REPORT_TRY(report_grow(&report->shapes, names->n_shapes, sizeof *report->shapes));
        REPORT_TRY(report_grow(&report->shape_references, names->n_shapes, sizeof *report->shape_references));
        report->shape_references[names->n_shapes] =
            (struct report_reference){ (block->offset + at * 8) / 8, (uint32_t)names->n_shapes };
        report->shapes[names->n_shapes++] = shapes;
        at += 1 + (uint64_t)head.n_words;
    }
    return REPORT_OK;
}

int report_find_reference(const struct report_reference *references, size_t n_references, uint64_t reference,
                          uint32_t *ret_index)
{
    size_t low = 0, high = n_references;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (references[middle].reference < reference)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == n_references || references[low].reference != reference)
        return 0;
    *ret_index = references[low].index;
    return 1;
}

enum report_outcome report_find_text(const struct report *report, uint32_t reference, const char **ret_text)
{
    uint32_t index = 0;

    if (reference == 0) {
        *ret_text = "";
        return REPORT_OK;
    }
    if (!report_find_reference(report->text_references, report->n_texts, reference, &index))
        return report_damaged(report, (uint64_t)reference * 8, "referred to as a text, which does not begin there");
    *ret_text = report->texts[index];
    return REPORT_OK;
}

enum report_outcome report_find_shapes(const struct report *report, uint32_t reference, uint32_t *ret_index)
{
    if (reference == 0) {
        *ret_index = SW__ANALYZE_NONE;
        return REPORT_OK;
    }
    if (!report_find_reference(report->shape_references, report->names.n_shapes, reference, ret_index))
        return report_damaged(report, (uint64_t)reference * 8,
                              "referred to as a shape list, which does not begin there");
    return REPORT_OK;
}

enum report_outcome report_no_dispatch(const struct report *report, uint32_t id)
{
    return report_fail(REPORT_DAMAGED, "%s: damaged: an event of operation %u, which is not described",
                       report->source->path, (unsigned)id);
}

/* Ids count from 0: none is beyond the number of records, nor is the room for them larger than the file. */
static enum report_outcome make_ids(struct report *report)
{
    size_t n_ids = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == SWPROF_BLOCK_DISPATCH)
            n_ids += (size_t)(report->blocks[i].published_bytes / sizeof(struct swprof_dispatch));
    report->dispatch_of_id = sw__alloc(n_ids * sizeof *report->dispatch_of_id);
    if (report->dispatch_of_id == NULL)
        return REPORT_SYSTEM;
    memset(report->dispatch_of_id, 0xff, n_ids * sizeof *report->dispatch_of_id); /* SW__ANALYZE_NONE */
    report->n_dispatch_ids = n_ids;
    return REPORT_OK;
}

static enum report_outcome number_dispatch(struct report *report, uint32_t id, uint64_t offset)
{
    if (id >= report->n_dispatch_ids || id > SWPROF_MAX_DISPATCH)
        return report_damaged(report, offset, "an operation with an impossible number");
    if (report->dispatch_of_id[id] != SW__ANALYZE_NONE)
        return report_damaged(report, offset, "an operation that is described twice");
    report->dispatch_of_id[id] = (uint32_t)report->names.n_dispatches;
    return REPORT_OK;
}

static enum report_outcome keep_dispatch(struct report *report, const struct swprof_dispatch *record, uint64_t offset)
{
    struct sw__analyze_names *names = &report->names;
    struct sw__analyze_dispatch dispatch = { .carrier = record->carrier };
    struct {
        uint32_t reference;
        const char **text;
    } texts[] = {
        { record->name, &dispatch.name },
        { record->carrier_module, &dispatch.carrier_module },
        { record->carrier_name, &dispatch.carrier_name },
        { record->implementation_module, &dispatch.implementation_module },
        { record->implementation_name, &dispatch.implementation_name },
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        REPORT_TRY(report_find_text(report, texts[i].reference, texts[i].text));
    REPORT_TRY(number_dispatch(report, record->id, offset));
    REPORT_TRY(report_grow(&report->dispatches, names->n_dispatches, sizeof *report->dispatches));
    REPORT_TRY(report_grow(&report->dispatch_flags, names->n_dispatches, sizeof *report->dispatch_flags));
    report->dispatch_flags[names->n_dispatches] = record->flags;
    report->dispatches[names->n_dispatches++] = dispatch;
    return REPORT_OK;
}

static enum report_outcome view_dispatches_of(struct report *report, const struct report_block *block)
{
    void *payload SW__OWNED = NULL;

    REPORT_TRY(report_load_payload(report, block, &payload));
    for (uint64_t at = 0; at < block->published_bytes; at += sizeof(struct swprof_dispatch)) {
        struct swprof_dispatch record;
        memcpy(&record, (const char *)payload + at, sizeof record);
        REPORT_TRY(keep_dispatch(report, &record, block->offset + at));
    }
    return REPORT_OK;
}

enum report_outcome report_view_names(struct report *report)
{
    static const struct {
        uint32_t type;
        enum report_outcome (*view)(struct report *report, const struct report_block *block);
    } kinds[] = {
        { SWPROF_BLOCK_STRINGS, view_strings_of },
        { SWPROF_BLOCK_SHAPES, view_shapes_of },
        { SWPROF_BLOCK_DISPATCH, view_dispatches_of }, /* last: refers to strings */
    };

    REPORT_TRY(make_ids(report));
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++) {
        REPORT_TRY(report_check_total(report, kinds[kind].type));
        for (size_t i = 0; i < report->n_blocks; i++)
            if (report->blocks[i].type == kinds[kind].type)
                REPORT_TRY(kinds[kind].view(report, &report->blocks[i]));
    }
    report->names.dispatches = report->dispatches;
    report->names.shapes = report->shapes;
    return REPORT_OK;
}
