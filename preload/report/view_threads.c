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

/* A thread in version 1.0 of the format. */
#define THREAD_BLOCK_BYTES (SWPROF_THREAD_BLOCK_FIELDS + SWPROF_THREAD_BLOCK_FRAMES * sizeof(struct swprof_frame))

/* Sessions that are read at a time. */
#define PIECE_SESSIONS 128

static size_t count_published(const struct report *report, uint32_t type, size_t record_bytes)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == type)
            n += (size_t)(report->blocks[i].published_bytes / record_bytes);
    return n;
}

static enum report_outcome view_session(struct report *report, const struct swprof_session *record, uint64_t offset)
{
    struct report_session session;

    if (record->kind != SWPROF_SESSION_ROUND && record->kind != SWPROF_SESSION_PROFILER)
        return report_damaged(report, offset, "a session of no known kind");
    session = (struct report_session){
        .kind = record->kind,
        .is_open = record->state != SWPROF_SESSION_FROZEN,
        .has_shapes = (record->flags & SWPROF_SESSION_SHAPES) != 0,
        .begin_ticks = record->begin.ticks,
        .end_ticks = record->state == SWPROF_SESSION_FROZEN ? record->end.ticks : UINT64_MAX,
        .begin_realtime_ns = record->begin_realtime_ns,
        .is_partial = (record->flags & SWPROF_SESSION_PARTIAL) != 0,
        .n_events = record->n_events,
        .tid = record->tid,
        .thread = record->thread,
    };
    if (session.end_ticks < session.begin_ticks)
        return report_damaged(report, offset, "a session that ends before it begins");
    REPORT_TRY(report_find_text(report, record->label, &session.label));
    REPORT_TRY(report_find_carriers(report, record->carriers, &session.carriers));
    report->sessions[report->n_sessions++] = session;
    return REPORT_OK;
}

/* Some of them at a time: a program may have had a million rounds. */
static enum report_outcome view_sessions_of(struct report *report, const struct report_block *block)
{
    struct swprof_session records[PIECE_SESSIONS];

    for (uint64_t at = 0, n_bytes; at < block->published_bytes; at += n_bytes) {
        n_bytes = block->published_bytes - at < sizeof records ? block->published_bytes - at : sizeof records;
        REPORT_TRY(source_read(report->source, block->offset + at, records, (size_t)n_bytes));
        for (size_t i = 0; i < n_bytes / sizeof *records; i++)
            REPORT_TRY(view_session(report, &records[i], block->offset + at + i * sizeof *records));
    }
    return REPORT_OK;
}

static int by_beginning(const void *a, const void *b)
{
    const struct report_session *left = a, *right = b;

    return (left->begin_ticks > right->begin_ticks) - (left->begin_ticks < right->begin_ticks);
}

/* As the writer has them, but for a Profiler's, which is written at its end. */
static int are_in_order(const struct report *report)
{
    for (size_t i = 1; i < report->n_sessions; i++)
        if (report->sessions[i].begin_ticks < report->sessions[i - 1].begin_ticks)
            return 0;
    return 1;
}

enum report_outcome report_view_sessions(struct report *report)
{
    size_t n = count_published(report, SWPROF_BLOCK_SESSIONS, sizeof(struct swprof_session));

    if (n > REPORT_MAX_NAME_BYTES / sizeof *report->sessions)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more sessions than any program has", report->source->path);
    report->sessions = sw__alloc(n * sizeof *report->sessions);
    if (report->sessions == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++)
        if (report->blocks[i].type == SWPROF_BLOCK_SESSIONS)
            REPORT_TRY(view_sessions_of(report, &report->blocks[i]));
    if (report->n_sessions > 1 && !are_in_order(report))
        qsort(report->sessions, report->n_sessions, sizeof *report->sessions, by_beginning);
    return REPORT_OK;
}

/* The frames of version 1.0 lie behind their thread in its block. */
static enum report_outcome read_frames(const struct report *report, uint32_t reference, struct swprof_frame *frames)
{
    uint64_t offset = (uint64_t)reference * 8;
    const struct report_block *block = report_block_at(report, offset);

    if (block != NULL && block->type == SWPROF_BLOCK_THREAD && offset - block->offset == SWPROF_THREAD_BLOCK_FIELDS)
        return source_read(report->source, offset, frames, SWPROF_OPEN_FRAMES * sizeof *frames);
    if (block == NULL || block->type != SWPROF_BLOCK_FRAMES ||
        (offset - block->offset) % (SWPROF_OPEN_FRAMES * sizeof *frames) != 0)
        return report_damaged(report, offset, "referred to as open operations, which do not begin there");
    return source_read(report->source, offset, frames, SWPROF_OPEN_FRAMES * sizeof *frames);
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
    struct swprof_frame frames[SWPROF_OPEN_FRAMES];
    uint64_t latest = 0;

    thread->depth = record->depth;
    if (n == 0)
        return REPORT_OK;
    REPORT_TRY(read_frames(report, record->frames, frames));
    thread->open = sw__alloc(n * sizeof *thread->open);
    if (thread->open == NULL)
        return REPORT_SYSTEM;
    for (uint32_t depth = 0; depth < n; depth++) {
        const struct swprof_frame *frame = &frames[depth];
        struct report_operation operation = {
            .start_ticks = frame->start,
            .end_ticks = frame->start,
            .stack = SW__ANALYZE_NONE,
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

/* The losses of a ring as they are when its last drop is complete; see swprof/format.h. */
static void complete_drop(const struct report *report, const struct swprof_thread *record,
                          struct report_thread *thread)
{
    uint64_t payload = (uint64_t)record->drop_chunk * 8 + sizeof(struct swprof_block);
    const struct report_block *block = record->drop_chunk != 0 ? report_block_of(report, payload) : NULL;

    if (block != NULL && block->generation > record->drop_generation &&
        record->drop_lost > thread->lost[SWPROF_LOST_OLD])
        thread->lost[SWPROF_LOST_OLD] = record->drop_lost;
}

static enum report_outcome view_record(struct report *report, const struct swprof_thread *from)
{
    const struct swprof_thread record = *from;
    struct report_thread *thread = &report->threads[report->n_threads];

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
        .drop_begin_ticks = record.drop_begin,
        .drop_end_ticks = record.drop_end,
        .lost_stacks = record.lost_stacks,
        .n_hidden = record.n_hidden,
        .aggregates = record.aggregates,
        .n_notes = record.n_notes,
        .lost_notes = record.lost_notes,
    };
    report->n_threads++;
    memcpy(thread->lost, record.lost, sizeof thread->lost);
    complete_drop(report, &record, thread);
    REPORT_TRY(
        report_status(utf8_clean(record.name, strnlen(record.name, sizeof record.name), &thread->name)));
    return view_open(report, &record, thread);
}

static enum report_outcome view_threads_of(struct report *report, const struct report_block *block)
{
    struct swprof_thread record;

    for (uint64_t at = 0; at < block->published_bytes; at += sizeof record) {
        REPORT_TRY(source_read(report->source, block->offset + at, &record, sizeof record));
        REPORT_TRY(view_record(report, &record));
    }
    return REPORT_OK;
}

static enum report_outcome view_thread_of_version_1_0(struct report *report, const struct report_block *block)
{
    struct swprof_thread record = { .tid = 0 };

    if (block->published_bytes == 0)
        return REPORT_OK;
    if (block->published_bytes < THREAD_BLOCK_BYTES)
        return report_damaged(report, block->offset, "a block that ends inside its record");
    REPORT_TRY(source_read(report->source, block->offset, &record, SWPROF_THREAD_BLOCK_FIELDS));
    if (record.number != block->thread)
        return report_damaged(report, block->offset, "a thread with two numbers");
    record.frames = (uint32_t)((block->offset + SWPROF_THREAD_BLOCK_FIELDS) / 8);
    return view_record(report, &record);
}

static int by_number(const void *a, const void *b)
{
    const struct report_thread *left = a, *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

enum report_outcome report_view_threads(struct report *report)
{
    size_t n_threads = count_published(report, SWPROF_BLOCK_THREADS, sizeof(struct swprof_thread)) +
                       count_published(report, SWPROF_BLOCK_THREAD, THREAD_BLOCK_BYTES);

    if (n_threads > REPORT_MAX_NAME_BYTES / sizeof *report->threads)
        return report_fail(REPORT_DAMAGED, "%s: damaged: more threads than any program has", report->source->path);
    report->threads = sw__alloc_zero(n_threads * sizeof *report->threads);
    if (report->threads == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_blocks; i++) {
        const struct report_block *block = &report->blocks[i];
        if (block->type == SWPROF_BLOCK_THREADS)
            REPORT_TRY(view_threads_of(report, block));
        else if (block->type == SWPROF_BLOCK_THREAD)
            REPORT_TRY(view_thread_of_version_1_0(report, block));
    }
    if (report->n_threads > 1)
        qsort(report->threads, report->n_threads, sizeof *report->threads, by_number);
    for (size_t i = 1; i < report->n_threads; i++)
        if (report->threads[i - 1].number == report->threads[i].number)
            return report_fail(REPORT_DAMAGED, "%s: damaged: two threads with the number %u", report->source->path,
                               (unsigned)report->threads[i].number);
    return REPORT_OK;
}
