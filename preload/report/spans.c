/*
 * Intervals that are found among notes, sorted and joined.
 */
#include "config.h"

#include "report/spans.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "report/inside.h"

struct gathering {
    struct report_spans *spans;
    uint32_t kind;    /* of notes */
    uint64_t step;    /* of STEP */
    const char *name; /* of RANGE */
};

static enum report_outcome add(struct gathering *gathering, struct report_span span)
{
    struct report_spans *spans = gathering->spans;

    REPORT_TRY(report_grow(&spans->spans, spans->n_spans, sizeof *spans->spans));
    spans->spans[spans->n_spans++] = span;
    return REPORT_OK;
}

static enum report_outcome take_note(void *context, const struct report_note *note)
{
    struct gathering *gathering = context;

    if (note->kind != gathering->kind ||
        (note->kind == SWPROF_NOTE_STEP ? note->extra != gathering->step : strcmp(note->name, gathering->name) != 0))
        return REPORT_OK;
    return add(gathering, (struct report_span){ note->start_ticks, note->end_ticks,
                                                gathering->spans->is_of_all_threads ? 0 : note->thread });
}

static int by_thread_and_time(const void *a, const void *b)
{
    const struct report_span *left = a, *right = b;

    if (left->thread != right->thread)
        return left->thread < right->thread ? -1 : 1;
    return (left->begin_ticks > right->begin_ticks) - (left->begin_ticks < right->begin_ticks);
}

/* Those that nest or touch become one. */
static void join(struct report_spans *spans)
{
    size_t n = 0;

    if (spans->n_spans > 1)
        qsort(spans->spans, spans->n_spans, sizeof *spans->spans, by_thread_and_time);
    for (size_t i = 0; i < spans->n_spans; i++) {
        struct report_span *last = n > 0 ? &spans->spans[n - 1] : NULL;
        const struct report_span *span = &spans->spans[i];
        if (last == NULL || last->thread != span->thread || span->begin_ticks > last->end_ticks)
            spans->spans[n++] = *span;
        else if (span->end_ticks > last->end_ticks)
            last->end_ticks = span->end_ticks;
    }
    spans->n_spans = n;
}

static enum report_outcome gather(const struct report *report, struct gathering *gathering,
                                  struct report_spans **ret_spans)
{
    struct report_spans *spans REPORT_OWNED_SPANS = sw__alloc_zero(sizeof *spans);

    if (spans == NULL)
        return REPORT_SYSTEM;
    spans->is_of_all_threads = gathering->kind == SWPROF_NOTE_STEP;
    gathering->spans = spans;
    for (size_t i = 0; i < report->n_threads; i++)
        REPORT_TRY(report_each_note(report, &report->threads[i], take_note, gathering));
    join(spans);
    *ret_spans = spans->n_spans > 0 ? sw__take(spans) : NULL;
    return REPORT_OK;
}

enum report_outcome spans_of_step(const struct report *report, uint64_t step, struct report_spans **ret_spans)
{
    struct gathering gathering = { .kind = SWPROF_NOTE_STEP, .step = step };

    return gather(report, &gathering, ret_spans);
}

enum report_outcome spans_of_ranges(const struct report *report, const char *name, struct report_spans **ret_spans)
{
    struct gathering gathering = { .kind = SWPROF_NOTE_RANGE, .name = name };

    return gather(report, &gathering, ret_spans);
}

/* The first span of all threads that ends behind a moment. */
static size_t first_behind(const struct report_spans *spans, uint64_t ticks)
{
    size_t low = 0, high = spans->n_spans;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (spans->spans[middle].end_ticks <= ticks)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum report_outcome spans_intersect(const struct report_spans *ranges, const struct report_spans *step,
                                    struct report_spans **ret_spans)
{
    struct report_spans *spans REPORT_OWNED_SPANS = sw__alloc_zero(sizeof *spans);
    struct gathering gathering = { .spans = spans };

    if (spans == NULL)
        return REPORT_SYSTEM;
    for (size_t i = 0; i < ranges->n_spans; i++) {
        const struct report_span *range = &ranges->spans[i];
        for (size_t k = first_behind(step, range->begin_ticks);
             k < step->n_spans && step->spans[k].begin_ticks < range->end_ticks; k++) {
            struct report_span part = *range;
            if (part.begin_ticks < step->spans[k].begin_ticks)
                part.begin_ticks = step->spans[k].begin_ticks;
            if (part.end_ticks > step->spans[k].end_ticks)
                part.end_ticks = step->spans[k].end_ticks;
            if (part.begin_ticks < part.end_ticks)
                REPORT_TRY(add(&gathering, part));
        }
    }
    *ret_spans = sw__take(spans);
    return REPORT_OK;
}

void spans_free(struct report_spans *spans)
{
    if (spans == NULL)
        return;
    sw__free(spans->spans);
    sw__free(spans);
}

int spans_have(const struct report_spans *spans, uint32_t thread, uint64_t ticks)
{
    size_t low = 0, high = spans->n_spans;

    if (spans->is_of_all_threads)
        thread = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct report_span *span = &spans->spans[middle];
        if (span->thread < thread || (span->thread == thread && span->begin_ticks <= ticks))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && spans->spans[low - 1].thread == thread && ticks < spans->spans[low - 1].end_ticks;
}
