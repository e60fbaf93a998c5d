/*
 * Sessions and threads of a report, with the operations that are open on each
 * thread and the chunks that hold its recorded ones.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"
#include "report/utf8.h"

static size_t count_published(const struct report *report, uint32_t type, size_t record_bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == type)
            n += (size_t)(report->blocks[i].published_bytes / record_bytes);
    return n;
}

static enum report_outcome view_session(struct report *report, uint64_t offset)
{
    struct swprof_session record;
    struct report_session session;

    REPORT_TRY(source_read(report->source, offset, &record, sizeof record));
    if (record.kind != SWPROF_SESSION_ROUND && record.kind != SWPROF_SESSION_PROFILER)
        return report_damaged(report, offset, "a session of no known kind");
    session = (struct report_session){
        .kind = record.kind,
        .is_open = record.state != SWPROF_SESSION_FROZEN,
        .has_shapes = (record.flags & SWPROF_SESSION_SHAPES) != 0,
        .begin_ticks = record.begin.ticks,
        .end_ticks = record.state == SWPROF_SESSION_FROZEN ? record.end.ticks : UINT64_MAX,
        .begin_realtime_ns = record.begin_realtime_ns,
        .is_partial = (record.flags & SWPROF_SESSION_PARTIAL) != 0,
        .n_events = record.n_events,
        .tid = record.tid,
        .thread = record.thread,
    };
    if (session.end_ticks < session.begin_ticks)
        return report_damaged(report, offset, "a session that ends before it begins");
    REPORT_TRY(report_find_text(report, record.label, &session.label));
    REPORT_TRY(report_find_carriers(report, record.carriers, &session.carriers));
    report->sessions[report->n_sessions++] = session;
    return REPORT_OK;
}

static int by_beginning(const void *a, const void *b)
{
    const struct report_session *left = a, *right = b;

    return (left->begin_ticks > right->begin_ticks) - (left->begin_ticks < right->begin_ticks);
}

enum report_outcome report_view_sessions(struct report *report)
{
    size_t n = count_published(report, SWPROF_BLOCK_SESSIONS, sizeof(struct swprof_session));

    if (n > REPORT_MAX_NAME_BYTES / sizeof *report->sessions)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more sessions than any program has", report->source->path);
    report->sessions = sw__alloc(n * sizeof *report->sessions);
    if (report->sessions == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++) {
        const struct report_block *block = &report->blocks[i];
        if (block->type != SWPROF_BLOCK_SESSIONS)
            continue;
        for (uint64_t at = 0; at < block->published_bytes; at += sizeof(struct swprof_session))
            REPORT_TRY(view_session(report, block->offset + at));
    }
    if (report->n_sessions > 1)
        qsort(report->sessions, report->n_sessions, sizeof *report->sessions, by_beginning);
    return REPORT_OK;
}

/*
 * The open operations of a thread, outermost first. A writer that was at work
 * on them may have left a frame that is half the next one: the first that
 * contradicts the others, or names what was not there yet, ends the list.
 */
static enum report_outcome view_open(const struct report *report, const struct swprof_thread *record,
                                     struct report_thread *thread)
{
    uint32_t n = record->depth < SWPROF_OPEN_FRAMES ? record->depth : SWPROF_OPEN_FRAMES;
    uint64_t latest = 0;

    thread->depth = record->depth;
    thread->open = sw__alloc(n * sizeof *thread->open);
    if (thread->open == NULL)
        return REPORT_SYSTEM;
    for (uint32_t depth = 0; depth < n; depth++) {
        const struct swprof_frame *frame = &record->frames[depth];
        struct report_operation operation = {
            .start_ticks = frame->start,
            .end_ticks = frame->start,
            .depth = depth,
            .flags = SW__ANALYZE_UNFINISHED,
        };
        if (frame->start == 0 || frame->start < latest)
            break;
        latest = frame->start;
        if (report_find_dispatch(report, frame->dispatch, &operation.dispatch) != REPORT_OK ||
            report_find_shapes(report, frame->shapes, &operation.shapes) != REPORT_OK)
            break;
        if (report->dispatch_flags[operation.dispatch] & SWPROF_DISPATCH_HIDDEN)
            operation.flags |= SW__ANALYZE_HIDDEN;
        thread->open[thread->n_open++] = operation;
    }
    return REPORT_OK;
}

static enum report_outcome view_thread(struct report *report, const struct report_block *block)
{
    struct swprof_thread record;
    struct report_thread *thread = &report->threads[report->n_threads];

    REPORT_TRY(source_read(report->source, block->offset, &record, sizeof record));
    if (record.number != block->thread)
        return report_damaged(report, block->offset, "a thread with two numbers");
    *thread = (struct report_thread){
        .tid = record.tid,
        .number = record.number,
        .has_ended = record.state == SWPROF_THREAD_ENDED,
        .begin_ticks = record.begin,
        .end_ticks = record.end,
        .n_events = record.n_events,
        .tool_ticks = record.tool_ticks,
        .lost_begin_ticks = record.lost_begin,
        .lost_end_ticks = record.lost_end,
    };
    report->n_threads++;
    memcpy(thread->lost, record.lost, sizeof thread->lost);
    REPORT_TRY(
        report_status(utf8_clean(record.name, strnlen(record.name, sizeof record.name), &thread->name)));
    return view_open(report, &record, thread);
}

static int by_number(const void *a, const void *b)
{
    const struct report_thread *left = a, *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

static int by_chunk(const void *a, const void *b)
{
    const struct report_block *left = *(const struct report_block *const *)a;
    const struct report_block *right = *(const struct report_block *const *)b;

    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    return (left->first_id > right->first_id) - (left->first_id < right->first_id);
}

/* Give every thread its part of the sorted chunks. */
static enum report_outcome share_chunks(struct report *report, size_t n_chunks)
{
    size_t at = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        struct report_thread *thread = &report->threads[i];
        thread->chunks = report->chunks + at;
        while (at < n_chunks && report->chunks[at]->thread == thread->number) {
            if (thread->n_chunks > 0 && thread->chunks[thread->n_chunks - 1]->first_id == report->chunks[at]->first_id)
                return report_damaged(report, report->chunks[at]->offset, "a second chunk with the same number");
            thread->n_chunks++;
            at++;
        }
        if (i > 0 && thread[-1].number == thread->number)
            return report_fail(REPORT_DAMAGED, "%s: damaged: two threads with the number %u", report->source->path,
                               (unsigned)thread->number);
    }
    if (at < n_chunks)
        return report_damaged(report, report->chunks[at]->offset, "events of a thread that is not described");
    return REPORT_OK;
}

static enum report_outcome view_chunks(struct report *report)
{
    size_t n_chunks = 0;

    report->chunks = sw__alloc(report->n_blocks * sizeof *report->chunks);
    if (report->chunks == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == SWPROF_BLOCK_EVENTS && report->blocks[i].published_bytes != 0)
            report->chunks[n_chunks++] = &report->blocks[i];
    if (n_chunks > 1)
        qsort(report->chunks, n_chunks, sizeof *report->chunks, by_chunk);
    return share_chunks(report, n_chunks);
}

enum report_outcome report_view_threads(struct report *report)
{
    size_t n_threads = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        n_threads += report->blocks[i].type == SWPROF_BLOCK_THREAD && report->blocks[i].published_bytes != 0;
    report->threads = sw__alloc_zero(n_threads * sizeof *report->threads);
    if (report->threads == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == SWPROF_BLOCK_THREAD && report->blocks[i].published_bytes != 0)
            REPORT_TRY(view_thread(report, &report->blocks[i]));
    if (n_threads > 1)
        qsort(report->threads, n_threads, sizeof *report->threads, by_number);
    return view_chunks(report);
}
