/*
 * Notes as they are shown: with times of the run, and names.
 */
#ifndef REPORT_NOTED_H
#define REPORT_NOTED_H

#include "report/collect.h"

/** What a kind of note is. */
struct note_kind {
    int is_interval;
    int has_text;
    const char *name;
    const char *category;
};

/** NULL: a kind of later minors. */
const struct note_kind *note_kind_find(uint32_t kind);

/** A note of a thread in nanoseconds. */
struct noted {
    struct report_note note; /* its name is of the report */
    const struct note_kind *kind;
    const struct report_thread *thread;
    int64_t start_ns;
    int64_t end_ns;   /* of one that is open: the latest that is known of its thread, or of the run */
    char step_name[40];
};

/** What it is called: "ProfilerStep#3" for a step. */
static inline const char *noted_name(const struct noted *noted)
{
    return noted->note.kind == SWPROF_NOTE_STEP ? noted->step_name : noted->note.name;
}

typedef enum sw_status noted_sink(void *context, const struct noted *noted);

/**
 * Pass what the filter selects, thread by thread, as it was appended: of a round
 * what ends in it or is open, of a Profiler, a step or a name what begins in it.
 * Carriers select nothing here.
 */
SW_NODISCARD enum report_outcome noted_each(const struct report *report, const struct report_filter *filter,
                                            noted_sink *sink, void *context);

/** Whether a filter selects a note. */
int noted_is_selected(const struct report_filter *filter, const struct report_note *note);

/** All of the intervals, in memory, in the order of their starts. sw__free(). */
SW_NODISCARD enum report_outcome noted_collect(const struct report *report, const struct report_filter *filter,
                                               struct noted **ret_noted, size_t *ret_n_noted);

#endif
