/*
 * The recorded operations of a thread, from the last to the first, read in
 * pieces: memory does not grow with the report.
 */
#include "config.h"

#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"

/* Slots that are read at a time. */
#define PIECE_SLOTS 4096
/* Operations that are passed at a time. */
#define N_READY 64
/* Slots at the end of a chunk among which an outermost operation is looked for. */
#define N_LOOKED_AT 1024

/* Where a backward walk over one thread's slots stands. */
struct walk {
    const struct report *report;
    report_operation_sink *sink;
    void *context;
    int has_extension; /* the slot behind the next one is the second half of a wide event */
    uint64_t extension_ticks;
    struct report_position behind_extension;
    uint64_t children_ticks; /* that it tells */
    uint32_t stack;          /* index, that it tells */
    uint32_t last_stack_reference;
    uint32_t last_stack;
    uint32_t last_shapes_reference; /* most events have the shapes of the one before */
    uint32_t last_shapes;
    size_t n_ready;
    struct report_operation ready[N_READY]; /* not yet passed */
};

static enum report_outcome pass_ready(struct walk *walk)
{
    size_t n_ready = walk->n_ready;

    walk->n_ready = 0;
    return n_ready > 0 ? walk->sink(walk->context, walk->ready, n_ready) : REPORT_OK;
}

static enum report_outcome find_shapes(struct walk *walk, uint32_t reference, uint32_t *ret_shapes)
{
    if (reference != walk->last_shapes_reference) {
        REPORT_TRY(report_find_shapes(walk->report, reference, &walk->last_shapes));
        walk->last_shapes_reference = reference;
    }
    *ret_shapes = walk->last_shapes;
    return REPORT_OK;
}

static enum report_outcome find_stack(struct walk *walk, uint32_t reference)
{
    if (reference != walk->last_stack_reference) {
        REPORT_TRY(report_find_stack(walk->report, reference, &walk->last_stack));
        walk->last_stack_reference = reference;
    }
    walk->stack = walk->last_stack;
    return REPORT_OK;
}

static uint32_t flags_of(const struct report *report, const struct swprof_event *event, uint32_t dispatch)
{
    uint32_t flags = 0;

    if (event->flags & SWPROF_EVENT_SUCCEEDED)
        flags |= SW__ANALYZE_SUCCEEDED;
    if (event->flags & SWPROF_EVENT_HEALED)
        flags |= SW__ANALYZE_HEALED;
    if ((event->flags & SWPROF_EVENT_HIDDEN) || (report->dispatch_flags[dispatch] & SWPROF_DISPATCH_HIDDEN))
        flags |= SW__ANALYZE_HIDDEN;
    return flags;
}

static inline enum report_outcome pass_event(struct walk *walk, const struct swprof_event *event, uint64_t offset,
                                             struct report_position behind)
{
    const struct report *report = walk->report;
    struct report_operation *operation = &walk->ready[walk->n_ready];
    uint64_t duration = event->word & SWPROF_EVENT_WIDE_DURATION;
    int is_wide = duration == SWPROF_EVENT_WIDE_DURATION;

    operation->start_ticks = event->start;
    operation->depth = event->depth;
    operation->behind = behind;
    operation->children_ticks = 0;
    operation->stack = SW__ANALYZE_NONE;
    if (is_wide != walk->has_extension)
        return report_damaged(report, offset, "an event and its extension are not together");
    if (is_wide) {
        duration = walk->extension_ticks;
        operation->behind = walk->behind_extension;
        operation->stack = walk->stack;
        operation->children_ticks = walk->children_ticks < duration ? walk->children_ticks : duration;
        walk->has_extension = 0;
    }
    if (__builtin_add_overflow(event->start, duration, &operation->end_ticks))
        return report_damaged(report, offset, "an event that ends beyond all time");
    REPORT_TRY(report_find_dispatch(report, (uint32_t)(event->word >> SWPROF_EVENT_DURATION_BITS),
                                    &operation->dispatch));
    REPORT_TRY(find_shapes(walk, event->shapes, &operation->shapes));
    operation->flags = flags_of(report, event, operation->dispatch);
    return ++walk->n_ready == N_READY ? pass_ready(walk) : REPORT_OK;
}

static inline enum report_outcome pass_slot(struct walk *walk, const struct swprof_event *event, uint64_t offset,
                                            struct report_position behind)
{
    if (!(event->flags & SWPROF_EVENT_EXTENSION))
        return pass_event(walk, event, offset, behind);
    if (walk->has_extension)
        return report_damaged(walk->report, offset, "an extension of no event");
    walk->has_extension = 1;
    walk->extension_ticks = event->start;
    walk->behind_extension = behind;
    walk->children_ticks = event->flags & SWPROF_EVENT_CHILDREN ? event->word : 0;
    return find_stack(walk, event->flags & SWPROF_EVENT_STACK ? event->shapes : 0);
}

/* How many slots of a chunk stand before a position; all of them: it is in a later one. */
static uint64_t slots_before(const struct report_chunk *chunk, const struct report_position *position)
{
    uint64_t n_slots = chunk->n_bytes / sizeof(struct swprof_event);

    if (position == NULL || chunk->number < position->chunk)
        return n_slots;
    if (chunk->number > position->chunk)
        return 0;
    return position->n_slots < n_slots ? position->n_slots : n_slots;
}

/* The slots of a chunk that are in a stretch, from the last to the first. */
static enum report_outcome walk_chunk(struct walk *walk, const struct report_chunk *chunk,
                                      const struct report_stretch *stretch, struct swprof_event *slots)
{
    uint64_t n_left = slots_before(chunk, stretch->until);
    uint64_t n_skipped = stretch->since != NULL ? slots_before(chunk, stretch->since) : 0;
    int is_kept = 1;

    while (n_left > n_skipped) {
        size_t n = n_left - n_skipped < PIECE_SLOTS ? (size_t)(n_left - n_skipped) : PIECE_SLOTS;
        n_left -= n;
        uint64_t offset = chunk->offset + n_left * sizeof *slots;
        REPORT_TRY(source_read(walk->report->source, offset, slots, n * sizeof *slots));
        REPORT_TRY(report_chunk_is_kept(walk->report, chunk->block, &is_kept));
        if (!is_kept) {
            walk->has_extension = 0;
            return REPORT_OK; /* a ring went on: what was there is older than what it keeps */
        }
        while (n-- > 0)
            REPORT_TRY(pass_slot(walk, &slots[n], offset + n * sizeof *slots,
                                 (struct report_position){ chunk->number, n_left + n + 1 }));
    }
    return REPORT_OK;
}

/* No operation ends before the one recorded before it: the last is the latest. */
enum report_outcome report_latest_end(const struct report *report, const struct report_thread *thread,
                                      uint64_t *ret_ticks)
{
    struct swprof_event slots[2] = { { .start = 0 }, { .start = 0 } };
    uint64_t end = 0, duration;
    size_t n_slots = 0;

    if (thread->n_chunks > 0) {
        const struct report_chunk *chunk = &thread->chunks[thread->n_chunks - 1];
        n_slots = chunk->n_bytes >= sizeof slots ? 2 : 1;
        REPORT_TRY(source_read(report->source, chunk->offset + chunk->n_bytes - n_slots * sizeof *slots,
                               slots, n_slots * sizeof *slots));
    }
    if (n_slots > 0) {
        const struct swprof_event *last = &slots[n_slots - 1];
        int is_wide = n_slots == 2 && (last->flags & SWPROF_EVENT_EXTENSION);
        duration = is_wide ? last->start : last->word & SWPROF_EVENT_WIDE_DURATION;
        /* What does not add up is found damaged when the events are read. */
        if (__builtin_add_overflow(is_wide ? slots[0].start : last->start, duration, &end))
            end = 0;
    }
    *ret_ticks = end;
    return REPORT_OK;
}

int report_has_position(const struct report_thread *thread, const struct report_position *position)
{
    size_t low = 0, high = thread->n_chunks;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (thread->chunks[middle].number < position->chunk)
            low = middle + 1;
        else
            high = middle;
    }
    return low < thread->n_chunks && thread->chunks[low].number == position->chunk &&
           thread->chunks[low].n_bytes / sizeof(struct swprof_event) >= position->n_slots;
}

/* An outermost operation, behind which another one stands: not its own extension. */
static int is_outermost(const struct swprof_event *slot)
{
    return slot[0].depth == 0 && !((slot[0].flags | slot[1].flags) & SWPROF_EVENT_EXTENSION);
}

int report_find_outermost(const struct report *report, const struct report_chunk *chunk,
                          struct report_position *ret_behind)
{
    struct swprof_event slots[N_LOOKED_AT];
    uint64_t n_slots = chunk->n_bytes / sizeof *slots;
    size_t n = n_slots < N_LOOKED_AT ? (size_t)n_slots : N_LOOKED_AT;
    uint64_t first = n_slots - n;
    int is_kept = 0;

    if (source_read(report->source, chunk->offset + first * sizeof *slots, slots, n * sizeof *slots) != REPORT_OK ||
        report_chunk_is_kept(report, chunk->block, &is_kept) != REPORT_OK || !is_kept)
        return 0;
    for (size_t i = n; i-- > 1;)
        if (is_outermost(&slots[i - 1])) {
            *ret_behind = (struct report_position){ chunk->number, first + i };
            return 1;
        }
    return 0;
}

static enum report_outcome walk_chunks(struct walk *walk, const struct report_thread *thread,
                                       const struct report_stretch *stretch)
{
    const struct report_position *since = stretch->since;
    struct swprof_event *slots SW__OWNED = sw__alloc(PIECE_SLOTS * sizeof *slots);

    if (slots == NULL)
        return REPORT_SYSTEM;
    for (size_t i = thread->n_chunks; i-- > 0 && (since == NULL || thread->chunks[i].number >= since->chunk);)
        REPORT_TRY(walk_chunk(walk, &thread->chunks[i], stretch, slots));
    if (walk->has_extension)
        return report_damaged(walk->report, thread->chunks[0].offset, "an extension of no event");
    return REPORT_OK;
}

enum report_outcome report_each_operation(const struct report *report, const struct report_thread *thread,
                                          const struct report_stretch *stretch, report_operation_sink *sink,
                                          void *context)
{
    static const struct report_stretch all = { NULL, NULL };
    struct walk walk = { .report = report, .sink = sink, .context = context, .last_shapes = SW__ANALYZE_NONE,
                         .last_stack = SW__ANALYZE_NONE };
    enum report_outcome outcome, passed;

    if (stretch == NULL)
        stretch = &all;
    if (stretch->until == NULL && thread->n_open > 0)
        REPORT_TRY(sink(context, thread->open, thread->n_open));
    if (thread->n_chunks == 0)
        return REPORT_OK;
    outcome = walk_chunks(&walk, thread, stretch);
    passed = pass_ready(&walk);
    return passed != REPORT_OK ? passed : outcome;
}
