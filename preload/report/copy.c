/*
 * Header and blocks of a report, one after the other in the order of the file.
 */
#include "config.h"

#include "report/copy.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "report/inside.h"

#define PIECE_BYTES (256u << 10)

struct copy {
    const struct report *report;
    enum copy_way way;
    FILE *stream;
    const char *name;
    char *piece;
    uint64_t at; /* where the next byte goes */
    size_t n_sums; /* records of sums that were copied */
};

static void copy_clear(struct copy *copy)
{
    sw__free(copy->piece);
}

static enum report_outcome failed(const struct copy *copy)
{
    return report_fail(REPORT_SYSTEM, "%s: cannot be written: %s", copy->name, strerror(errno));
}

static enum report_outcome put(struct copy *copy, const void *bytes, size_t n_bytes)
{
    if (fwrite(bytes, 1, n_bytes, copy->stream) != n_bytes)
        return failed(copy);
    copy->at += n_bytes;
    return REPORT_OK;
}

static enum report_outcome put_zeros(struct copy *copy, uint64_t n_bytes)
{
    static const char zeros[4096];

    while (n_bytes > 0) {
        size_t n = n_bytes < sizeof zeros ? (size_t)n_bytes : sizeof zeros;
        REPORT_TRY(put(copy, zeros, n));
        n_bytes -= n;
    }
    return REPORT_OK;
}

/* Blocks follow one another in the file: it never goes back. */
static enum report_outcome go_to(struct copy *copy, uint64_t offset)
{
    if (copy->way == COPY_IN_ORDER)
        return put_zeros(copy, offset - copy->at);
    if (fseeko(copy->stream, (off_t)offset, SEEK_SET) != 0)
        return failed(copy);
    copy->at = offset;
    return REPORT_OK;
}

static enum report_outcome copy_range(struct copy *copy, uint64_t n_bytes)
{
    while (n_bytes > 0) {
        size_t n = n_bytes < PIECE_BYTES ? (size_t)n_bytes : PIECE_BYTES;
        REPORT_TRY(source_read(copy->report->source, copy->at, copy->piece, n));
        REPORT_TRY(put(copy, copy->piece, n));
        n_bytes -= n;
    }
    return REPORT_OK;
}

/* Sums as they were when the report was opened: the writer may be at them. They stand in the order of the file. */
static enum report_outcome copy_sums(struct copy *copy, uint64_t n_bytes)
{
    const struct report *report = copy->report;

    for (uint64_t n = n_bytes / sizeof(struct swprof_aggregate); n > 0; n--) {
        const struct report_aggregate *sums = &report->aggregates[copy->n_sums++];
        struct swprof_aggregate record;
        REPORT_TRY(source_read(report->source, copy->at, &record, sizeof record));
        record.count = sums->sums.count;
        record.sums[record.count % 2] = sums->sums;
        record.sums[(record.count + 1) % 2] = (struct swprof_sums){ .count = 0 };
        memcpy(record.octaves, sums->octaves, sizeof record.octaves);
        REPORT_TRY(put(copy, &record, sizeof record));
    }
    return REPORT_OK;
}

/* What is in a chunk that a ring may have used again: looked at whole, because nothing is taken back. */
static enum report_outcome copy_ring_chunk(struct copy *copy, const struct report_block *known,
                                           struct swprof_block *block)
{
    size_t n_bytes = (size_t)known->published_bytes;
    int is_kept = 1;

    if (n_bytes > PIECE_BYTES)
        return report_damaged(copy->report, known->offset, "a chunk of a ring that is too long");
    REPORT_TRY(source_read(copy->report->source, copy->at + sizeof *block, copy->piece, n_bytes));
    REPORT_TRY(report_chunk_is_kept(copy->report, known, &is_kept));
    if (!is_kept)
        block->published = 0;
    REPORT_TRY(put(copy, block, sizeof *block));
    return put(copy, copy->piece, (size_t)block->published);
}

/* A block as it stood when the report was opened. */
static enum report_outcome copy_block(struct copy *copy, const struct report_block *known)
{
    struct swprof_block block;

    REPORT_TRY(go_to(copy, known->offset - sizeof block));
    REPORT_TRY(source_read(copy->report->source, copy->at, &block, sizeof block));
    block.published = known->published_bytes;
    if ((known->type == SWPROF_BLOCK_EVENTS || known->type == SWPROF_BLOCK_NOTES) &&
        (copy->report->header.incompatible & SWPROF_FEATURE_RING) != 0)
        return copy_ring_chunk(copy, known, &block);
    REPORT_TRY(put(copy, &block, sizeof block));
    if (known->type == SWPROF_BLOCK_AGGREGATES)
        return copy_sums(copy, known->published_bytes);
    return copy_range(copy, known->published_bytes);
}

static enum report_outcome finish(struct copy *copy)
{
    uint64_t n_bytes = copy->report->header.used_bytes;

    if (copy->way == COPY_IN_ORDER)
        REPORT_TRY(go_to(copy, n_bytes));
    if (fflush(copy->stream) != 0 ||
        (copy->way == COPY_LEAVES_HOLES && ftruncate(fileno(copy->stream), (off_t)n_bytes) != 0))
        return failed(copy);
    return REPORT_OK;
}

enum report_outcome report_copy(const struct report *report, enum copy_way way, FILE *stream, const char *name)
{
    const struct swprof_header *header = &report->header;
    struct copy copy SW__CLEANUP(copy_clear) = { report, way, stream, name, sw__alloc(PIECE_BYTES), 0, 0 };

    if (copy.piece == NULL)
        return REPORT_SYSTEM;
    REPORT_TRY(go_to(&copy, 0));
    REPORT_TRY(put(&copy, header, sizeof *header));
    REPORT_TRY(copy_range(&copy, header->header_bytes - sizeof *header));
    for (size_t i = 0; i < report->n_blocks; i++)
        REPORT_TRY(copy_block(&copy, &report->blocks[i]));
    return finish(&copy);
}
