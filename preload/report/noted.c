/*
 * Selecting notes, and their times.
 */
#include "config.h"

#include "report/noted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "report/inside.h"

const struct note_kind *note_kind_find(uint32_t kind)
{
    static const struct note_kind kinds[] = {
#define NOTE_KIND(enumerator, is_interval, has_text, name, category) \
    [SWPROF_NOTE_##enumerator] = { is_interval, has_text, name, category },
#include "report/note_kind.def"
#undef NOTE_KIND
    };

    return kind < sizeof kinds / sizeof *kinds && kinds[kind].name != NULL ? &kinds[kind] : NULL;
}

int noted_is_selected(const struct report_filter *filter, const struct report_note *note)
{
    const struct report_session *session = filter->session;

    if (filter->spans != NULL && !spans_have(filter->spans, note->thread, note->start_ticks))
        return 0;
    if (session == NULL)
        return 1;
    if (session->kind == SWPROF_SESSION_ROUND && note->is_open)
        return session->is_open || note->start_ticks < session->end_ticks;
    uint64_t ticks = session->kind == SWPROF_SESSION_ROUND ? note->end_ticks : note->start_ticks;
    return session->begin_ticks <= ticks && (session->is_open || ticks < session->end_ticks);
}

struct passing {
    const struct report *report;
    const struct report_filter *filter;
    const struct report_thread *thread;
    noted_sink *sink;
    void *context;
    size_t hint;
};

/* Steps and phases are of the whole run. */
static uint64_t end_of(const struct passing *passing, const struct report_note *note)
{
    int is_of_run = note->kind == SWPROF_NOTE_STEP || note->kind == SWPROF_NOTE_PHASE;
    uint64_t last = passing->thread->has_ended && !is_of_run ? passing->thread->end_ticks : passing->report->seen_ticks;

    if (!note->is_open)
        return note->end_ticks;
    return last > note->start_ticks ? last : note->start_ticks;
}

static enum report_outcome pass(void *context, const struct report_note *note)
{
    struct passing *passing = context;
    const struct report_clock *clock = &passing->report->clock;
    struct noted noted = { .note = *note, .kind = note_kind_find(note->kind), .thread = passing->thread };

    if (noted.kind == NULL || !noted_is_selected(passing->filter, note))
        return REPORT_OK;
    noted.start_ns = clock_ns(clock, note->start_ticks, &passing->hint);
    noted.end_ns = clock_ns(clock, end_of(passing, note), &passing->hint);
    if (note->kind == SWPROF_NOTE_STEP)
        snprintf(noted.step_name, sizeof noted.step_name, "ProfilerStep#%" PRIu64, note->extra);
    return report_status(passing->sink(passing->context, &noted));
}

enum report_outcome noted_each(const struct report *report, const struct report_filter *filter, noted_sink *sink,
                               void *context)
{
    struct passing passing = { .report = report, .filter = filter, .sink = sink, .context = context };

    for (size_t i = 0; i < report->n_threads; i++) {
        passing.thread = &report->threads[i];
        if (report_is_thread_selected(filter, passing.thread))
            REPORT_TRY(report_each_note(report, passing.thread, pass, &passing));
    }
    return REPORT_OK;
}

struct gathering {
    struct noted *noted;
    size_t n_noted;
};

static enum sw_status gather(void *context, const struct noted *noted)
{
    struct gathering *gathering = context;

    if (!noted->kind->is_interval)
        return SW_OK;
    if (report_grow(&gathering->noted, gathering->n_noted, sizeof *gathering->noted) != REPORT_OK)
        return SW_MEMORY_ERROR;
    gathering->noted[gathering->n_noted++] = *noted;
    return SW_OK;
}

/* Those that begin together: the outer one first. */
static int by_start(const void *a, const void *b)
{
    const struct noted *left = a, *right = b;

    if (left->start_ns != right->start_ns)
        return left->start_ns < right->start_ns ? -1 : 1;
    return (left->end_ns < right->end_ns) - (left->end_ns > right->end_ns);
}

static void gathering_clear(struct gathering *gathering)
{
    sw__free(gathering->noted);
}

enum report_outcome noted_collect(const struct report *report, const struct report_filter *filter,
                                  struct noted **ret_noted, size_t *ret_n_noted)
{
    struct gathering gathering SW__CLEANUP(gathering_clear) = { .noted = NULL };

    REPORT_TRY(noted_each(report, filter, gather, &gathering));
    if (gathering.n_noted > 1)
        qsort(gathering.noted, gathering.n_noted, sizeof *gathering.noted, by_start);
    *ret_n_noted = gathering.n_noted;
    *ret_noted = sw__take(gathering.noted);
    return REPORT_OK;
}
