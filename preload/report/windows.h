/*
 * The intervals in which a report was recording: its rounds.
 */
#ifndef REPORT_WINDOWS_H
#define REPORT_WINDOWS_H

#include "report/report.h"

struct report_window {
    int64_t begin_ns;
    int64_t end_ns;
    uint64_t covered_ns; /* by the windows before it */
};

struct report_windows {
    struct report_window *windows; /* ascending, apart from each other */
    size_t n_windows;
};

/** The rounds, or @session alone, or all time when there is no round. */
SW_NODISCARD enum report_outcome windows_build(const struct report *report, const struct report_session *session,
                                               struct report_windows *ret_windows);
void windows_clear(struct report_windows *windows);
/** windows_overlap_ns() in all cases. */
int64_t windows_slow_overlap_ns(const struct report_windows *windows, int64_t begin_ns, int64_t end_ns);

/** How much of an interval lies in windows. */
static inline int64_t windows_overlap_ns(const struct report_windows *windows, int64_t begin_ns, int64_t end_ns)
{
    const struct report_window *last = windows->n_windows > 0 ? &windows->windows[windows->n_windows - 1] : NULL;

    /* As nearly all; nothing overflows. */
    if (__builtin_expect(last != NULL && last->begin_ns <= begin_ns && 0 <= begin_ns && begin_ns < end_ns &&
                             end_ns <= last->end_ns,
                         1))
        return end_ns - begin_ns;
    return windows_slow_overlap_ns(windows, begin_ns, end_ns);
}

#endif
