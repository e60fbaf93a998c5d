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
/** How much of an interval lies in windows. */
int64_t windows_overlap_ns(const struct report_windows *windows, int64_t begin_ns, int64_t end_ns);

#endif
