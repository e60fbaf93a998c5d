/*
 * Lines about sessions: rounds when there are several, Profilers of the
 * program, and the one that is looked at.
 */
#include "config.h"

#include <inttypes.h>
#include <stdio.h>

#include "analyze/visible.h"
#include "report/heading.h"

/* Most sessions of a kind that are listed. */
#define LISTED_SESSIONS 8

static enum sw_status put_length(struct sw__builder *text, const struct report *report,
                                 const struct report_session *session, enum display_unit unit)
{
    size_t hint = 0;
    int64_t ns = 0;

    if (session->is_open)
        return sw__builder_string(text, "open");
    if (__builtin_sub_overflow(clock_ns(&report->clock, session->end_ticks, &hint),
                               clock_ns(&report->clock, session->begin_ticks, &hint), &ns))
        ns = INT64_MAX;
    return display_time(text, ns, unit);
}

static enum sw_status put_round(struct sw__builder *text, const struct report *report,
                                const struct report_session *session, enum display_unit unit)
{
    char number[24];

    snprintf(number, sizeof number, "%td ", session - report->sessions + 1);
    SW__TRY(sw__builder_string(text, number));
    SW__TRY(sw__visible(text, session->label));
    SW__TRY(sw__builder_string(text, session->label[0] != '\0' ? " " : ""));
    return put_length(text, report, session, unit);
}

static enum sw_status put_profiler(struct sw__builder *text, const struct report *report,
                                   const struct report_session *session, enum display_unit unit)
{
    char number[64];

    snprintf(number, sizeof number, "--session %td (thread %" PRId64 ", ", session - report->sessions + 1,
             session->tid);
    SW__TRY(sw__builder_string(text, number));
    SW__TRY(put_length(text, report, session, unit));
    SW__TRY(sw__builder_string(text, ", "));
    SW__TRY(display_counted(text, session->n_events, "call", "calls"));
    return sw__builder_string(text, session->is_partial ? ", not all recorded)" : ")");
}

typedef enum sw_status put_session(struct sw__builder *text, const struct report *report,
                                   const struct report_session *session, enum display_unit unit);

/* "first, second, and 3 more\n" */
static enum sw_status put_list(struct sw__builder *text, const struct report *report, uint32_t kind, put_session *put,
                               enum display_unit unit)
{
    size_t n_listed = 0, n_more = 0;

    for (size_t i = 0; i < report->n_sessions; i++) {
        if (report->sessions[i].kind != kind)
            continue;
        if (n_listed == LISTED_SESSIONS) {
            n_more++;
            continue;
        }
        SW__TRY(sw__builder_string(text, n_listed++ == 0 ? ": " : ", "));
        SW__TRY(put(text, report, &report->sessions[i], unit));
    }
    if (n_more > 0) {
        SW__TRY(sw__builder_string(text, ", and "));
        SW__TRY(display_counted(text, n_more, "more", "more"));
    }
    return sw__builder_string(text, "\n");
}

size_t heading_count_sessions(const struct report *report, uint32_t kind)
{
    size_t n = 0;

    for (size_t i = 0; i < report->n_sessions; i++)
        n += report->sessions[i].kind == kind;
    return n;
}

/* One round without a label is the whole run. */
static int are_worth_telling(const struct report *report, size_t n_rounds)
{
    for (size_t i = 0; n_rounds == 1 && i < report->n_sessions; i++)
        if (report->sessions[i].kind == SWPROF_SESSION_ROUND)
            return report->sessions[i].label[0] != '\0';
    return n_rounds > 1;
}

enum sw_status heading_put_sessions(struct sw__builder *text, const struct report *report, enum display_unit unit)
{
    size_t n_profilers = heading_count_sessions(report, SWPROF_SESSION_PROFILER);
    size_t n_rounds = report->n_sessions - n_profilers;

    if (are_worth_telling(report, n_rounds)) {
        SW__TRY(sw__builder_string(text, n_rounds == 1 ? "session" : "sessions"));
        SW__TRY(put_list(text, report, SWPROF_SESSION_ROUND, put_round, unit));
    }
    if (n_profilers > 0) {
        SW__TRY(display_counted(text, n_profilers, "Profiler session", "Profiler sessions"));
        SW__TRY(put_list(text, report, SWPROF_SESSION_PROFILER, put_profiler, unit));
    }
    return SW_OK;
}

/* How much of what the Profiler itself has is in the report; another selection has less for its own reasons. */
static enum sw_status put_share(struct sw__builder *text, const struct report_session *session,
                                const struct report_filter *filter, const struct report_totals *totals)
{
    if (filter->carriers != NULL || filter->thread != NULL || session->n_events == totals->n_events)
        return SW_OK;
    SW__TRY(sw__builder_string(text, "; "));
    SW__TRY(display_count(text, totals->n_events));
    SW__TRY(sw__builder_string(text, " of its "));
    SW__TRY(display_counted(text, session->n_events, "event is in the report", "events are in the report"));
    return sw__builder_string(text, session->is_partial ? ": no round was open during part of it" : "");
}

enum sw_status heading_put_session(struct sw__builder *text, const struct report *report,
                                   const struct report_filter *filter, const struct report_totals *totals)
{
    const struct report_session *session = filter->session;
    char number[80];

    if (session == NULL)
        return SW_OK;
    snprintf(number, sizeof number, "only session %td", session - report->sessions + 1);
    SW__TRY(sw__builder_string(text, number));
    if (session->kind == SWPROF_SESSION_PROFILER) {
        snprintf(number, sizeof number, ": a Profiler of thread %" PRId64, session->tid);
        SW__TRY(sw__builder_string(text, number));
        SW__TRY(put_share(text, session, filter, totals));
    }
    return sw__builder_string(text, "\n");
}

size_t heading_session_facts(const struct report *report, const struct report_session *session,
                             struct fact ret_facts[HEADING_SESSION_FACTS])
{
    static const char *const kinds[] = {
        [SWPROF_SESSION_ROUND] = "round",
        [SWPROF_SESSION_PROFILER] = "profiler",
    };
    const struct cell none = { .kind = CELL_NONE };
    int is_profiler = session != NULL && session->kind == SWPROF_SESSION_PROFILER;

    if (session == NULL)
        return 0;
    const struct fact facts[HEADING_SESSION_FACTS] = {
        { "session", CELL_OF_ID((uint64_t)(session - report->sessions) + 1), 1 },
        { "session_kind", CELL_OF_TEXT(kinds[session->kind]), 1 },
        { "session_label", CELL_OF_TEXT(session->label), 0 },
        { "session_thread_id", is_profiler ? CELL_OF_ID((uint64_t)session->tid) : none, 0 },
        { "session_events", is_profiler ? CELL_OF_COUNT(session->n_events) : none, 1 },
    };
    for (size_t i = 0; i < HEADING_SESSION_FACTS; i++)
        ret_facts[i] = facts[i];
    return HEADING_SESSION_FACTS;
}
