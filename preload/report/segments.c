/*
 * Segments are cut before operations that nothing encloses: there nesting
 * begins anew, whatever was passed before.
 */
#include "config.h"

#include "report/segments.h"

#include "base/alloc.h"

struct cutting {
    const struct report *report;
    struct report_segments *segments;
    size_t n_shares;  /* that are wanted */
    uint64_t n_slots; /* of all */
    uint64_t n_passed;
};

static uint64_t slots_of(const struct report_chunk *chunk)
{
    return chunk->n_bytes / sizeof(struct swprof_event);
}

uint64_t segments_count(const struct report *report, const struct report_filter *filter)
{
    uint64_t n_slots = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        if (!report_is_thread_selected(filter, thread))
            continue;
        for (size_t k = 0; k < thread->n_chunks; k++)
            n_slots += slots_of(&thread->chunks[k]);
    }
    return n_slots;
}

static struct report_segment *add_segment(struct report_segments *segments, const struct report_thread *thread)
{
    struct report_segment *segment = &segments->segments[segments->n_segments++];

    *segment = (struct report_segment){ .thread = thread, .share = segments->n_shares - 1 };
    return segment;
}

/* Whether the next share should begin. */
static int is_share_full(const struct cutting *cutting)
{
    return cutting->segments->n_shares < cutting->n_shares &&
           cutting->n_passed / cutting->segments->n_shares >= cutting->n_slots / cutting->n_shares;
}

static void cut_thread(struct cutting *cutting, const struct report_thread *thread)
{
    struct report_segments *segments = cutting->segments;
    struct report_segment *segment = add_segment(segments, thread);

    for (size_t i = thread->n_chunks; i-- > 0; cutting->n_passed += slots_of(&thread->chunks[i])) {
        const struct report_chunk *chunk = &thread->chunks[i];
        struct report_position place;
        if (!is_share_full(cutting) || !report_find_outermost(cutting->report, chunk, &place))
            continue;
        segment->has_since = 1;
        segment->since = place;
        segments->n_shares++;
        segment = add_segment(segments, thread);
        segment->has_until = 1;
        segment->until = place;
    }
}

enum report_outcome segments_cut(const struct report *report, const struct report_filter *filter,
                                 struct report_mark *marks, size_t n_shares, struct report_segments *ret_segments)
{
    struct report_segments segments = { .n_shares = 1 };
    struct cutting cutting = { report, &segments, n_shares, segments_count(report, filter), 0 };

    segments.segments = sw__alloc((report->n_threads + n_shares) * sizeof *segments.segments);
    if (segments.segments == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < report->n_threads; i++) {
        if (!report_is_thread_selected(filter, &report->threads[i]))
            continue;
        segments.n_shares += segments.n_segments > 0 && is_share_full(&cutting);
        cut_thread(&cutting, &report->threads[i]);
        segments.segments[segments.n_segments - 1].mark = marks != NULL ? &marks[i] : NULL;
    }
    *ret_segments = segments;
    return REPORT_OK;
}

void segments_clear(struct report_segments *segments)
{
    sw__free(segments->segments);
    *segments = (struct report_segments){ .segments = NULL };
}
