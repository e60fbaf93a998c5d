/*
 * The gate: header and blocks of a report, checked against what the file can
 * hold before anything else looks at them. Nothing in the file is trusted.
 */
#include "config.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"
#include "report/utf8.h"

/* Attempts at a value that the writer may be changing at this moment. */
#define LIVE_ATTEMPTS 1000

enum report_outcome report_damaged(const struct report *report, uint64_t offset, const char *what)
{
    return report_fail(REPORT_DAMAGED, "%s: damaged at byte %" PRIu64 ": %s", report->source->path, offset, what);
}

static enum report_outcome check_magic(const struct report *report)
{
    const struct report_source *source = report->source;
    char magic[SWPROF_MAGIC_BYTES];

    if (source->n_bytes < sizeof magic)
        return report_fail(REPORT_NOT_A_REPORT, "%s: not a report: too short", source->path);
    REPORT_TRY(source_read(source, 0, magic, sizeof magic));
    if (memcmp(magic, SWPROF_MAGIC, sizeof magic) != 0)
        return report_fail(REPORT_NOT_A_REPORT, "%s: not a report of libswprof.so", source->path);
    if (source->n_bytes < sizeof(struct swprof_header))
        return report_fail(REPORT_DAMAGED, "%s: damaged: cut short at byte %" PRIu64 ", inside its header",
                           source->path, source->n_bytes);
    return REPORT_OK;
}

static enum report_outcome check_version(const struct report *report)
{
    const struct swprof_header *header = &report->header;
    const char *path = report->source->path;

    if (header->byte_order == __builtin_bswap32(SWPROF_BYTE_ORDER))
        return report_fail(REPORT_NOT_A_REPORT,
                           "%s: not a report that can be read here: written on a machine of the other byte order",
                           path);
    if (header->byte_order != SWPROF_BYTE_ORDER)
        return report_damaged(report, offsetof(struct swprof_header, byte_order), "no known byte order");
    if (header->major > SWPROF_MAJOR)
        return report_fail(REPORT_NEWER, "%s: newer than this tool: format %u.%u, and this is a reader of %u.%u", path,
                           (unsigned)header->major, (unsigned)header->minor, (unsigned)SWPROF_MAJOR,
                           (unsigned)SWPROF_MINOR);
    if (header->major != SWPROF_MAJOR)
        return report_damaged(report, offsetof(struct swprof_header, major), "no known format version");
    if ((header->incompatible & ~SWPROF_FEATURES) != 0)
        return report_fail(REPORT_NEWER, "%s: newer than this tool: uses features %#" PRIx64 " that it does not know",
                           path, header->incompatible & ~SWPROF_FEATURES);
    return REPORT_OK;
}

static enum report_outcome check_sizes(const struct report *report)
{
    const struct swprof_header *header = &report->header;
    uint64_t n_bytes = report->source->n_bytes;

    if (header->header_bytes < sizeof *header || header->header_bytes % SWPROF_BLOCK_ALIGN != 0)
        return report_damaged(report, offsetof(struct swprof_header, header_bytes), "impossible size of the header");
    if (header->state != SWPROF_REPORT_RECORDING && header->state != SWPROF_REPORT_FROZEN)
        return report_damaged(report, offsetof(struct swprof_header, state), "no known state");
    if (header->clock != SWPROF_CLOCK_MONOTONIC && header->clock != SWPROF_CLOCK_TSC)
        return report_damaged(report, offsetof(struct swprof_header, clock), "no known clock");
    if (header->used_bytes < header->header_bytes)
        return report_damaged(report, offsetof(struct swprof_header, used_bytes), "impossible number of bytes in use");
    if (header->used_bytes > n_bytes)
        return report_fail(REPORT_DAMAGED, "%s: damaged: cut short at byte %" PRIu64 " of %" PRIu64,
                           report->source->path, n_bytes, header->used_bytes);
    return REPORT_OK;
}

/* The writer renews `last` now and then: a copy counts when its sequence did not move meanwhile. */
static enum report_outcome read_header(struct report *report)
{
    for (int attempt = 0; attempt < LIVE_ATTEMPTS; attempt++) {
        struct swprof_header first;
        REPORT_TRY(source_read(report->source, 0, &first, sizeof first));
        REPORT_TRY(source_read(report->source, 0, &report->header, sizeof report->header));
        if (first.anchor_sequence == report->header.anchor_sequence && first.anchor_sequence % 2 == 0)
            return REPORT_OK;
    }
    /* Killed while writing it: the anchors of the blocks serve. */
    report->header.last = report->header.first;
    return REPORT_OK;
}

static enum report_outcome copy_text(const char *bytes, size_t n_bytes, char **ret_text)
{
    return report_status(utf8_clean(bytes, strnlen(bytes, n_bytes), ret_text));
}

enum report_outcome report_validate_header(struct report *report)
{
    const struct swprof_header *header = &report->header;

    REPORT_TRY(check_magic(report));
    REPORT_TRY(read_header(report));
    REPORT_TRY(source_refresh(report->source)); /* after used_bytes was read: a live file only grows */
    REPORT_TRY(check_version(report));
    REPORT_TRY(check_sizes(report));
    REPORT_TRY(copy_text(header->program, sizeof header->program, &report->program));
    REPORT_TRY(copy_text(header->host, sizeof header->host, &report->host));
    REPORT_TRY(copy_text(header->executable, sizeof header->executable, &report->executable));
    REPORT_TRY(copy_text(header->command_line, sizeof header->command_line, &report->command_line));
    return copy_text(header->carriers, sizeof header->carriers, &report->carriers);
}

/* What a payload consists of: its size is a multiple of this. */
static const uint32_t units[] = {
    [SWPROF_BLOCK_STRINGS] = 8,
    [SWPROF_BLOCK_DISPATCH] = sizeof(struct swprof_dispatch),
    [SWPROF_BLOCK_SHAPES] = 8,
    [SWPROF_BLOCK_SESSIONS] = sizeof(struct swprof_session),
    [SWPROF_BLOCK_THREAD] = 8,
    [SWPROF_BLOCK_THREADS] = sizeof(struct swprof_thread),
    [SWPROF_BLOCK_EVENTS] = sizeof(struct swprof_event),
    [SWPROF_BLOCK_CARRIERS] = 8,
    [SWPROF_BLOCK_FRAMES] = SWPROF_OPEN_FRAMES * sizeof(struct swprof_frame),
    [SWPROF_BLOCK_AGGREGATES] = sizeof(struct swprof_aggregate),
    [SWPROF_BLOCK_OCTAVES] = sizeof(struct swprof_octave),
    [SWPROF_BLOCK_NOTES] = sizeof(struct swprof_note),
    [SWPROF_BLOCK_MODULES] = sizeof(struct swprof_module),
    [SWPROF_BLOCK_STACKS] = 8,
};
#define N_PAYLOADS (sizeof units / sizeof *units)

static int is_known(const struct swprof_block *block)
{
    return block->type < N_PAYLOADS && units[block->type] != 0;
}

/* The count may be torn while it is being raised: of two readings the smaller one is true. */
static enum report_outcome read_block(const struct report *report, uint64_t offset, struct swprof_block *ret_block)
{
    struct swprof_block first;

    REPORT_TRY(source_read(report->source, offset, ret_block, sizeof *ret_block));
    for (int attempt = 0; attempt < LIVE_ATTEMPTS && report->header.state != SWPROF_REPORT_FROZEN; attempt++) {
        first = *ret_block;
        REPORT_TRY(source_read(report->source, offset, ret_block, sizeof *ret_block));
        if (first.published < ret_block->published)
            ret_block->published = first.published;
        /* Between two equal generations a chunk was not emptied. */
        if (first.generation == ret_block->generation)
            break;
    }
    return REPORT_OK;
}

static enum report_outcome check_block(const struct report *report, uint64_t offset, const struct swprof_block *block)
{
    uint64_t room = report->header.used_bytes - offset;

    if (block->type == 0 || block->pages == 0)
        return report_damaged(report, offset, "a block without type or size");
    if (block->pages > room / SWPROF_BLOCK_ALIGN)
        return report_damaged(report, offset, "a block that ends behind the bytes in use");
    uint64_t payload_bytes = (uint64_t)block->pages * SWPROF_BLOCK_ALIGN - sizeof *block;
    if (block->published > payload_bytes)
        return report_damaged(report, offset, "a block that holds more than its size");
    if (!is_known(block))
        return REPORT_OK;
    if (block->published % units[block->type] != 0)
        return report_damaged(report, offset, "a block that ends inside a record");
    return REPORT_OK;
}

static int is_chunk(uint32_t type)
{
    return type == SWPROF_BLOCK_EVENTS || type == SWPROF_BLOCK_NOTES;
}

static int is_being_emptied(const struct swprof_block *block)
{
    return is_chunk(block->type) && block->generation % 2 != 0;
}

static enum report_outcome keep_block(struct report *report, size_t *capacity, uint64_t offset,
                                      const struct swprof_block *block)
{
    if (report->n_blocks == *capacity) {
        size_t larger = *capacity != 0 ? *capacity * 2 : 64;
        struct report_block *blocks = sw__realloc(report->blocks, larger * sizeof *blocks);
        if (blocks == NULL)
            return REPORT_SYSTEM;
        report->blocks = blocks;
        *capacity = larger;
    }
    report->blocks[report->n_blocks++] = (struct report_block){
        .offset = offset + sizeof *block,
        .published_bytes = is_being_emptied(block) ? 0 : block->published,
        .type = block->type,
        .thread = block->thread,
        .first_id = block->first_id,
        .anchor = block->anchor,
        .generation = block->generation,
        .n_owners = block->n_owners,
    };
    return REPORT_OK;
}

/* Walk from @offset to the end of what is in use. */
static enum report_outcome walk(struct report *report, uint64_t offset, size_t *capacity)
{
    uint64_t used = report->header.used_bytes;

    while (used - offset >= SWPROF_BLOCK_ALIGN) {
        struct swprof_block block;
        REPORT_TRY(read_block(report, offset, &block));
        if (block.type == 0 && block.pages == 0) {
            /* Handed out and never published: go on behind it, without reading a hole page by page. */
            uint64_t next = source_skip_hole(report->source, offset + SWPROF_BLOCK_ALIGN);
            offset = next / SWPROF_BLOCK_ALIGN * SWPROF_BLOCK_ALIGN;
            if (offset >= used)
                break;
            continue;
        }
        REPORT_TRY(check_block(report, offset, &block));
        if (is_known(&block))
            REPORT_TRY(keep_block(report, capacity, offset, &block));
        offset += (uint64_t)block.pages * SWPROF_BLOCK_ALIGN;
    }
    return REPORT_OK;
}

/*
 * What events refer to is published before them, but may stand in a block that
 * was read earlier: look at the names once more, those that are referred to last.
 */
static enum report_outcome refresh_names(struct report *report, size_t *capacity)
{
    static const uint32_t order[] = { SWPROF_BLOCK_THREADS, SWPROF_BLOCK_FRAMES, SWPROF_BLOCK_OCTAVES,
                                      SWPROF_BLOCK_DISPATCH, SWPROF_BLOCK_STACKS, SWPROF_BLOCK_MODULES, SWPROF_BLOCK_SHAPES, SWPROF_BLOCK_CARRIERS,
                                      SWPROF_BLOCK_STRINGS };
    uint64_t walked = report->header.used_bytes;

    REPORT_TRY(source_read(report->source, offsetof(struct swprof_header, used_bytes), &report->header.used_bytes,
                           sizeof report->header.used_bytes));
    REPORT_TRY(source_refresh(report->source));
    REPORT_TRY(check_sizes(report));
    if (report->header.used_bytes < walked)
        return report_damaged(report, offsetof(struct swprof_header, used_bytes), "the bytes in use became fewer");
    size_t n_walked = report->n_blocks;
    REPORT_TRY(walk(report, walked / SWPROF_BLOCK_ALIGN * SWPROF_BLOCK_ALIGN, capacity));
    for (size_t i = n_walked; i < report->n_blocks; i++)
        if (is_chunk(report->blocks[i].type))
            report->blocks[i].published_bytes = 0; /* later than the moment that is shown */
    for (size_t kind = 0; kind < sizeof order / sizeof *order; kind++) {
        for (size_t i = 0; i < report->n_blocks; i++) {
            struct report_block *known = &report->blocks[i];
            struct swprof_block block;
            if (known->type != order[kind])
                continue;
            REPORT_TRY(read_block(report, known->offset - sizeof block, &block));
            REPORT_TRY(check_block(report, known->offset - sizeof block, &block));
            if (block.type == known->type && block.published > known->published_bytes)
                known->published_bytes = block.published;
        }
    }
    return REPORT_OK;
}

enum report_outcome report_validate_blocks(struct report *report)
{
    size_t capacity = 0;

    REPORT_TRY(walk(report, report->header.header_bytes, &capacity));
    if (report->header.state == SWPROF_REPORT_FROZEN)
        return REPORT_OK;
    return refresh_names(report, &capacity);
}
