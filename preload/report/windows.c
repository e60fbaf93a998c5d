/*
 * Rounds as intervals in nanoseconds, and what part of another interval they
 * cover.
 */
#include "config.h"

#include "report/windows.h"

#include "base/alloc.h"

static void add_window(struct report_windows *windows, const struct report *report,
                       const struct report_session *session)
{
    size_t hint = 0;
    struct report_window window = {
        .begin_ns = clock_ns(&report->clock, session->begin_ticks, &hint),
        .end_ns = session->is_open ? INT64_MAX : clock_ns(&report->clock, session->end_ticks, &hint),
    };

    /* Rounds follow one another; should they overlap nevertheless, no time is counted twice. */
    if (windows->n_windows > 0 && window.begin_ns < windows->windows[windows->n_windows - 1].end_ns)
        window.begin_ns = windows->windows[windows->n_windows - 1].end_ns;
    if (window.begin_ns < window.end_ns)
        windows->windows[windows->n_windows++] = window;
}

enum report_outcome windows_build(const struct report *report, const struct report_session *session,
                                  struct report_windows *ret_windows)
{
    struct report_windows windows = { NULL, 0 };
    int any = session != NULL;

    windows.windows = sw__alloc((report->n_sessions + 1) * sizeof *windows.windows);
    if (windows.windows == NULL)
        return REPORT_SYSTEM;
    if (session != NULL)
        add_window(&windows, report, session);
    for (size_t i = 0; session == NULL && i < report->n_sessions; i++) {
        if (report->sessions[i].kind != SWPROF_SESSION_ROUND)
            continue;
        any = 1;
        add_window(&windows, report, &report->sessions[i]);
    }
    if (!any)
        windows.windows[windows.n_windows++] = (struct report_window){ INT64_MIN, INT64_MAX };
    *ret_windows = windows;
    return REPORT_OK;
}

void windows_clear(struct report_windows *windows)
{
    sw__free(windows->windows);
    *windows = (struct report_windows){ NULL, 0 };
}

int64_t windows_overlap_ns(const struct report_windows *windows, int64_t begin_ns, int64_t end_ns)
{
    size_t low = 0, high = windows->n_windows;
    int64_t overlap_ns = 0;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (windows->windows[middle].end_ns <= begin_ns)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < windows->n_windows && windows->windows[low].begin_ns < end_ns; low++) {
        const struct report_window *window = &windows->windows[low];
        int64_t from = window->begin_ns > begin_ns ? window->begin_ns : begin_ns;
        int64_t to = window->end_ns < end_ns ? window->end_ns : end_ns;
        int64_t part = 0;
        if (__builtin_sub_overflow(to, from, &part) || __builtin_add_overflow(overlap_ns, part, &overlap_ns))
            return INT64_MAX;
    }
    return overlap_ns;
}
