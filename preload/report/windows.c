/*
 * Rounds as intervals in nanoseconds, and what part of another interval they
 * cover.
 */
#include "config.h"

#include "report/windows.h"

#include "base/alloc.h"

static uint64_t length(int64_t begin_ns, int64_t end_ns)
{
    return (uint64_t)end_ns - (uint64_t)begin_ns;
}

static void push(struct report_windows *windows, struct report_window window)
{
    const struct report_window *last = windows->n_windows > 0 ? &windows->windows[windows->n_windows - 1] : NULL;

    /* They are apart, so that all of them together are no longer than all time, which fits. */
    window.covered_ns = last != NULL ? last->covered_ns + length(last->begin_ns, last->end_ns) : 0;
    windows->windows[windows->n_windows++] = window;
}

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
        push(windows, window);
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
        push(&windows, (struct report_window){ .begin_ns = INT64_MIN, .end_ns = INT64_MAX });
    *ret_windows = windows;
    return REPORT_OK;
}

void windows_clear(struct report_windows *windows)
{
    sw__free(windows->windows);
    *windows = (struct report_windows){ NULL, 0 };
}

/* How many windows begin before a moment. */
static size_t count_begun(const struct report_windows *windows, int64_t moment_ns)
{
    size_t low = 0, high = windows->n_windows;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (windows->windows[middle].begin_ns < moment_ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What the windows have of all time before a moment, at which so many have begun. */
static uint64_t covered_until(const struct report_windows *windows, size_t n_begun, int64_t moment_ns)
{
    if (n_begun == 0)
        return 0;
    const struct report_window *window = &windows->windows[n_begun - 1];
    return window->covered_ns + length(window->begin_ns, moment_ns < window->end_ns ? moment_ns : window->end_ns);
}

int64_t windows_slow_overlap_ns(const struct report_windows *windows, int64_t begin_ns, int64_t end_ns)
{
    if (end_ns <= begin_ns)
        return 0;
    uint64_t overlap_ns = covered_until(windows, count_begun(windows, end_ns), end_ns) -
                          covered_until(windows, count_begun(windows, begin_ns), begin_ns);
    return overlap_ns > INT64_MAX ? INT64_MAX : (int64_t)overlap_ns;
}
