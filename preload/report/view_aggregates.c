/*
 * Operations that were only added up. A record may be written at this very
 * moment, and the process may have been killed at any store: swprof/format.h
 * says which half of a record counts.
 */
#include "config.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "report/inside.h"

/* Attempts at a record that the writer may be changing at this moment. */
#define LIVE_ATTEMPTS 1000

static int is_whole(const struct swprof_aggregate *record)
{
    const struct swprof_sums *sums = &record->sums[record->count % 2];

    return record->count == 0 || (sums->count == record->count && sums->check == record->count);
}

static enum report_outcome read_record(const struct report *report, uint64_t offset,
                                       struct swprof_aggregate *ret_record)
{
    int n_attempts = report->header.state == SWPROF_REPORT_FROZEN ? 1 : LIVE_ATTEMPTS;

    for (int attempt = 0; attempt < n_attempts; attempt++) {
        REPORT_TRY(source_read(report->source, offset, ret_record, sizeof *ret_record));
        if (is_whole(ret_record))
            return REPORT_OK;
    }
    return report_damaged(report, offset, "sums that are not whole");
}

/* A reference that is newer than what is looked at counts as none. */
static enum report_outcome check_octaves(const struct report *report, uint64_t offset,
                                         struct report_aggregate *aggregate)
{
    for (uint32_t i = 0; i < SWPROF_OCTAVES; i++) {
        uint64_t at = (uint64_t)aggregate->octaves[i] * 8;
        const struct report_block *block = aggregate->octaves[i] != 0 ? report_block_at(report, at) : NULL;
        if (aggregate->octaves[i] == 0)
            continue;
        if (block != NULL && block->type == SWPROF_BLOCK_OCTAVES &&
            (at - block->offset) % sizeof(struct swprof_octave) == 0)
            continue;
        if (block != NULL || report->header.state == SWPROF_REPORT_FROZEN)
            return report_damaged(report, offset, "refers to a histogram, which does not begin there");
        aggregate->octaves[i] = 0;
    }
    return REPORT_OK;
}

static enum report_outcome view_aggregate(struct report *report, uint64_t offset)
{
    struct report_aggregate *aggregate = &report->aggregates[report->n_aggregates];
    struct swprof_aggregate record;

    REPORT_TRY(read_record(report, offset, &record));
    *aggregate = (struct report_aggregate){ .thread = record.thread, .sums = record.sums[record.count % 2] };
    if (record.count == 0)
        aggregate->sums = (struct swprof_sums){ .count = 0 };
    REPORT_TRY(report_find_dispatch(report, record.dispatch, &aggregate->dispatch));
    REPORT_TRY(report_find_shapes(report, record.shapes, &aggregate->shapes));
    for (uint32_t i = 0; i < SWPROF_OCTAVES; i++)
        aggregate->octaves[i] = record.octaves[i];
    REPORT_TRY(check_octaves(report, offset, aggregate));
    report->n_aggregates++;
    return REPORT_OK;
}

/*
 * The writer adds an operation before it takes back its frame: a kill between
 * the two leaves both, and with it those inside that a jump had left.
 */
static void drop_ended(struct report_thread *thread, const struct report_aggregate *aggregate)
{
    size_t depth = aggregate->sums.depth;

    if (aggregate->sums.count != 0 && depth < thread->n_open &&
        thread->open[depth].start_ticks == aggregate->sums.last &&
        thread->open[depth].dispatch == aggregate->dispatch)
        thread->n_open = depth;
}

static int by_aggregates(const void *a, const void *b)
{
    const struct report_thread *left = *(struct report_thread *const *)a, *right = *(struct report_thread *const *)b;

    if (left->aggregates != right->aggregates)
        return left->aggregates < right->aggregates ? -1 : 1;
    return (left->number > right->number) - (left->number < right->number);
}

/* The last of the threads that add to what the thread with a number began; NULL: none has an operation open. */
static struct report_thread *adding_to(struct report_thread **threads, size_t n_threads, uint32_t number)
{
    size_t low = 0, high = n_threads;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (threads[middle]->aggregates <= number + UINT64_C(1))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && threads[low - 1]->aggregates == number + UINT64_C(1) ? threads[low - 1] : NULL;
}

static void threads_clear(struct report_thread ***threads)
{
    sw__free(*threads);
}

static enum report_outcome drop_all_ended(struct report *report)
{
    struct report_thread **threads SW__CLEANUP(threads_clear) = sw__alloc(report->n_threads * sizeof *threads);
    size_t n_threads = 0;

    if (threads == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_threads; i++)
        if (report->threads[i].n_open > 0 && report->threads[i].aggregates != 0)
            threads[n_threads++] = &report->threads[i];
    if (n_threads > 1)
        qsort(threads, n_threads, sizeof *threads, by_aggregates);
    for (size_t i = 0; n_threads > 0 && i < report->n_aggregates; i++) {
        struct report_thread *thread = adding_to(threads, n_threads, report->aggregates[i].thread);
        if (thread != NULL)
            drop_ended(thread, &report->aggregates[i]);
    }
    return REPORT_OK;
}

enum report_outcome report_view_aggregates(struct report *report)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == SWPROF_BLOCK_AGGREGATES)
            n += report->blocks[i].published_bytes / sizeof(struct swprof_aggregate);
    if (n > REPORT_MAX_NAME_BYTES / sizeof *report->aggregates)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more sums than any program has", report->source->path);
    report->aggregates = sw__alloc(n * sizeof *report->aggregates);
    if (report->aggregates == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++) {
        const struct report_block *block = &report->blocks[i];
        if (block->type != SWPROF_BLOCK_AGGREGATES)
            continue;
        for (uint64_t at = 0; at < block->published_bytes; at += sizeof(struct swprof_aggregate))
            REPORT_TRY(view_aggregate(report, block->offset + at));
    }
    return drop_all_ended(report);
}

enum report_outcome report_read_octave(const struct report *report, const struct report_aggregate *aggregate,
                                       uint32_t octave, struct swprof_octave *ret_counters)
{
    uint32_t latest = aggregate->sums.bucket;

    *ret_counters = (struct swprof_octave){ .counters = { 0 } };
    if (aggregate->octaves[octave] == 0)
        return REPORT_OK;
    REPORT_TRY(source_read(report->source, (uint64_t)aggregate->octaves[octave] * 8, ret_counters,
                           sizeof *ret_counters));
    if (latest / SWPROF_OCTAVE_COUNTERS == octave) {
        uint64_t *counter = &ret_counters->counters[latest % SWPROF_OCTAVE_COUNTERS];
        if (*counter < aggregate->sums.in_bucket)
            *counter = aggregate->sums.in_bucket;
    }
    return REPORT_OK;
}
