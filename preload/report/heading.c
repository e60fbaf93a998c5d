/*
 * The first lines of every view: which run, how it ended, what is missing.
 */
#include "config.h"

#include "report/heading.h"

#include <inttypes.h>
#include <string.h>

/* What is suggested for SWPROF_BUFFER. */
#define LEAST_BUFFER_BYTES (UINT64_C(1) << 20)
#define MOST_BUFFER_BYTES (UINT64_C(1) << 35)

static enum sw_status put(struct sw__builder *text, const char *string)
{
    return sw__builder_string(text, string);
}

static enum sw_status put_count(struct sw__builder *text, uint64_t count, const char *one, const char *many)
{
    SW__TRY(display_count(text, count));
    SW__TRY(put(text, " "));
    return put(text, count == 1 ? one : many);
}

static int64_t ns_between(const struct report *report, uint64_t from_ticks, uint64_t to_ticks)
{
    size_t hint = 0;
    int64_t ns = 0;

    if (__builtin_sub_overflow(clock_ns(&report->clock, to_ticks, &hint), clock_ns(&report->clock, from_ticks, &hint),
                               &ns))
        return INT64_MAX;
    return ns;
}

static enum sw_status put_program(struct sw__builder *text, const struct report *report)
{
    char process[48];

    SW__TRY(display_visible(text, report->command_line[0] != '\0' ? report->command_line : report->program));
    snprintf(process, sizeof process, "  (process %" PRId32, report->header.pid);
    SW__TRY(put(text, process));
    if (report->header.rank >= 0) {
        snprintf(process, sizeof process, ", rank %" PRId32, report->header.rank);
        SW__TRY(put(text, process));
    }
    SW__TRY(put(text, ", "));
    SW__TRY(display_visible(text, report->host));
    return put(text, ")\n");
}

static enum sw_status put_end(struct sw__builder *text, const struct report *report, enum display_unit unit)
{
    SW__TRY(display_moment(text, report->header.realtime_ns));
    SW__TRY(put(text, "  "));
    SW__TRY(put(text, report_state_sentence(report->state)));
    SW__TRY(put(text, "; seen for "));
    SW__TRY(display_time(text, ns_between(report, report->header.first.ticks, report->seen_ticks), unit));
    return put(text, "\n");
}

static enum sw_status put_counts(struct sw__builder *text, const struct report *report,
                                 const struct report_totals *totals)
{
    uint64_t lost = report_lost_total(report);

    SW__TRY(put_count(text, totals->n_events, "event", "events"));
    if (totals->n_summed != 0) {
        SW__TRY(put(text, " and "));
        SW__TRY(put_count(text, totals->n_summed, "operation known only in sums,", "operations known only in sums,"));
    }
    SW__TRY(put(text, " of "));
    SW__TRY(put_count(text, totals->n_threads, "thread", "threads"));
    if (totals->n_failures != 0) {
        SW__TRY(put(text, ", "));
        SW__TRY(display_count(text, totals->n_failures));
        SW__TRY(put(text, " failed"));
    }
    if (totals->n_unfinished != 0) {
        SW__TRY(put(text, ", "));
        SW__TRY(put_count(text, totals->n_unfinished, "operation still open", "operations still open"));
    }
    SW__TRY(put(text, lost == 0 ? "; none lost; clock " : "; clock "));
    SW__TRY(put(text, report_clock_name(report)));
    return put(text, "\n");
}

/*
 * A report that became full holds the first part of a run. The cap with which
 * it would have held all, judged by what was recorded of the events: a power of
 * two, and the largest that there is when even that is too small.
 */
static uint64_t sufficient_bytes(const struct report *report, uint64_t n_recorded, uint64_t n_lost)
{
    double wanted = (double)report->header.used_bytes * (1.0 + (double)n_lost / (double)(n_recorded + 1));
    uint64_t bytes = LEAST_BUFFER_BYTES;

    while (bytes < MOST_BUFFER_BYTES && (double)bytes < wanted)
        bytes *= 2;
    return bytes;
}

static uint64_t count_recorded(const struct report *report)
{
    uint64_t n_events = 0;

    for (size_t i = 0; i < report->n_threads; i++)
        n_events += report->threads[i].n_events;
    return n_events;
}

static enum sw_status put_hint(struct sw__builder *text, const struct report *report, size_t reason, uint64_t lost)
{
    char hint[128];

    if (reason != SWPROF_LOST_FULL)
        return SW_OK;
    snprintf(hint, sizeof hint,
             "     only the first part of the run was recorded; SWPROF_BUFFER=%" PRIu64 "M would hold all of it\n",
             sufficient_bytes(report, count_recorded(report), lost) >> 20);
    return put(text, hint);
}

/* When the events were that a ring dropped, since the run began. */
static enum sw_status put_dropped(struct sw__builder *text, const struct report *report, enum display_unit unit)
{
    uint64_t begin = UINT64_MAX, end = 0;

    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        if (thread->drop_begin_ticks == 0)
            continue;
        begin = thread->drop_begin_ticks < begin ? thread->drop_begin_ticks : begin;
        end = thread->drop_end_ticks > end ? thread->drop_end_ticks : end;
    }
    if (begin == UINT64_MAX)
        return SW_OK;
    SW__TRY(put(text, "the events that were dropped began at "));
    SW__TRY(display_time(text, ns_between(report, report->header.first.ticks, begin), unit));
    SW__TRY(put(text, " and ended at "));
    SW__TRY(display_time(text, ns_between(report, report->header.first.ticks, end), unit));
    return put(text, " of the run\n");
}

/* What else there is than events, and what there is not. */
static enum sw_status put_policy(struct sw__builder *text, const struct report *report,
                                 const struct report_totals *totals, enum display_unit unit)
{
    if (report->header.policy == SWPROF_POLICY_SUMMARY)
        SW__TRY(put(text, "recorded with SWPROF_FULL=summary: there are sums in the table, and no events\n"));
    else if (totals->n_summed != 0)
        SW__TRY(put(text, "SUMS go on in the table where events ended; the list of events has nothing of them\n"));
    if (totals->n_unattributed != 0) {
        SW__TRY(put(text, "LEFT OUT "));
        SW__TRY(put_count(text, totals->n_unattributed, "operation", "operations"));
        SW__TRY(put(text, " in sums that are not only of what was selected\n"));
    }
    return report->header.policy == SWPROF_POLICY_RING ? put_dropped(text, report, unit) : SW_OK;
}

static enum sw_status put_losses(struct sw__builder *text, const struct report *report,
                                 const struct report_totals *totals, enum display_unit unit)
{
    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++) {
        uint64_t lost = report_lost(report, reason);
        if (lost == 0)
            continue;
        SW__TRY(put(text, "LOST "));
        SW__TRY(put_count(text, lost, "event: ", "events: "));
        SW__TRY(put(text, report_lost_sentence(reason)));
        SW__TRY(put(text, "\n"));
        SW__TRY(put_hint(text, report, reason, lost));
    }
    SW__TRY(put_policy(text, report, totals, unit));
    if (totals->n_anomalies != 0) {
        SW__TRY(put(text, "SUSPECT "));
        SW__TRY(put_count(text, totals->n_anomalies, "interval contradicts", "intervals contradict"));
        SW__TRY(put(text, " the nesting: self times around them are too small\n"));
    }
    if (totals->saturated)
        SW__TRY(put(text, "SUSPECT sums of time left 63 bits: they are shown as the largest value\n"));
    return SW_OK;
}

/* More carrier classes than these are a sign of nothing that a list would help with. */
#define MOST_CARRIERS_SEEN 8

/* Whether one of the operations that are shown already had the same carrier class. */
static int is_repeated(const struct sw__analyze_dispatch *const *shown, size_t n_shown,
                       const struct sw__analyze_dispatch *dispatch)
{
    for (size_t i = 0; i < n_shown; i++)
        if (strcmp(shown[i]->carrier_name, dispatch->carrier_name) == 0 &&
            strcmp(shown[i]->carrier_module, dispatch->carrier_module) == 0)
            return 1;
    return 0;
}

/* The carrier classes of the program's operations, for who misspelled one; but for those with some flag. */
static enum sw_status put_carriers_seen(struct sw__builder *text, const struct report *report, uint32_t flags)
{
    const struct sw__analyze_dispatch *shown[MOST_CARRIERS_SEEN];
    size_t n_shown = 0;

    for (size_t i = 0; i < report->names.n_dispatches; i++) {
        const struct sw__analyze_dispatch *dispatch = &report->dispatches[i];
        if (report_is_recorder(report, (uint32_t)i) || (report->dispatch_flags[i] & flags) != 0 ||
            is_repeated(shown, n_shown, dispatch))
            continue;
        if (n_shown == MOST_CARRIERS_SEEN) {
            SW__TRY(put(text, ", and more"));
            break;
        }
        SW__TRY(put(text, n_shown == 0 ? "; carriers seen: " : ", "));
        SW__TRY(display_visible(text, dispatch->carrier_module));
        SW__TRY(put(text, dispatch->carrier_module[0] != '\0' ? "." : ""));
        SW__TRY(display_visible(text, dispatch->carrier_name));
        shown[n_shown++] = dispatch;
    }
    return put(text, "\n");
}

/* Nothing of the whole report, whatever part of it is looked at. */
static int has_selected_none(const struct report *report, const struct report_totals *totals)
{
    for (size_t i = 0; i < report->n_threads; i++)
        if (report->threads[i].n_events != 0)
            return 0;
    return report_n_calls(totals) == 0 && totals->n_unfinished == 0;
}

static enum sw_status put_recorded_carriers(struct sw__builder *text, const struct report *report,
                                            const struct report_totals *totals)
{
    int is_none = has_selected_none(report, totals) && report_lost_total(report) == 0;

    SW__TRY(put(text, is_none ? "SWPROF_CARRIERS=" : "recorded with SWPROF_CARRIERS="));
    SW__TRY(display_visible(text, report->carriers));
    if (is_none) {
        SW__TRY(put(text, " selected none of the operations"));
        return put_carriers_seen(text, report, 0);
    }
    SW__TRY(put(text, "; "));
    SW__TRY(put_count(text, totals->n_hidden, "other operation", "other operations"));
    return put(text, " only as nested time\n");
}

static int has_carrier(const struct report *report, const char *carriers)
{
    for (size_t i = 0; i < report->names.n_dispatches; i++)
        if (!(report->dispatch_flags[i] & SWPROF_DISPATCH_HIDDEN) &&
            report_carrier_is_listed(carriers, &report->dispatches[i]))
            return 1;
    return 0;
}

static enum sw_status put_chosen_carriers(struct sw__builder *text, const struct report *report, const char *carriers)
{
    int is_there = has_carrier(report, carriers);

    SW__TRY(put(text, is_there ? "only carrier " : "no operation on '"));
    SW__TRY(display_visible(text, carriers));
    if (is_there)
        return put(text, "\n");
    SW__TRY(put(text, "'"));
    return put_carriers_seen(text, report, SWPROF_DISPATCH_HIDDEN);
}

static enum sw_status put_selection(struct sw__builder *text, const struct report *report,
                                    const struct report_filter *filter, const struct report_totals *totals)
{
    char number[64];

    if (report->carriers[0] != '\0')
        SW__TRY(put_recorded_carriers(text, report, totals));
    if (filter->carriers != NULL)
        SW__TRY(put_chosen_carriers(text, report, filter->carriers));
    if (filter->thread != NULL) {
        snprintf(number, sizeof number, "only thread %" PRId64 " ", filter->thread->tid);
        SW__TRY(put(text, number));
        SW__TRY(display_visible(text, filter->thread->name));
        SW__TRY(put(text, "\n"));
    }
    return heading_put_session(text, report, filter, totals);
}

static void add_fact(struct heading *heading, const char *key, struct cell cell, int in_every_row)
{
    if (heading->n_facts < HEADING_MAX_FACTS)
        heading->facts[heading->n_facts++] = (struct fact){ key, cell, in_every_row };
}

static const char *const lost_keys[SWPROF_LOST_REASONS] = {
#define REPORT_LOST(enumerator, name, sentence) [SWPROF_LOST_##enumerator] = "lost_" name,
#include "report/lost.def"
#undef REPORT_LOST
};

/* "full=5;space=2": for rows of exports, which have no other place for it. */
static const char *name_reasons(struct heading *heading, const struct report *report)
{
    size_t used = 0;

    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++) {
        uint64_t lost = report_lost(report, reason);
        if (lost != 0 && used < sizeof heading->reasons)
            used += (size_t)snprintf(heading->reasons + used, sizeof heading->reasons - used, "%s%s=%" PRIu64,
                                     used != 0 ? ";" : "", report_lost_name(reason), lost);
    }
    return heading->reasons;
}

static void add_facts(struct heading *heading, const struct report *report, const struct report_filter *filter,
                      const struct report_totals *totals)
{
    struct fact session[HEADING_SESSION_FACTS];
    size_t n_session = heading_session_facts(report, filter->session, session);
    const struct swprof_header *header = &report->header;
    const struct fact facts[] = {
        { "path", CELL_OF_TEXT(report->path), 0 },
        { "program", CELL_OF_TEXT(report->program), 0 },
        { "command_line", CELL_OF_TEXT(report->command_line), 0 },
        { "executable", CELL_OF_TEXT(report->executable), 0 },
        { "host", CELL_OF_TEXT(report->host), 0 },
        { "pid", CELL_OF_ID((uint64_t)(header->pid > 0 ? header->pid : 0)), 0 },
        { "rank", header->rank >= 0 ? CELL_OF_ID((uint64_t)header->rank) : (struct cell){ .kind = CELL_NONE }, 0 },
        { "started", CELL_OF_MOMENT(header->realtime_ns), 0 },
        { "seen_ns", CELL_OF_TIME(ns_between(report, header->first.ticks, report->seen_ticks)), 0 },
        { "report_state", CELL_OF_TEXT(report_state_name(report->state)), 1 },
        { "clock", CELL_OF_TEXT(report_clock_name(report)), 1 },
        { "lost_events", CELL_OF_COUNT(report_lost_total(report)), 1 },
        { "full_policy", CELL_OF_TEXT(report_policy_name(report)), 0 },
        { "summed_operations", CELL_OF_COUNT(totals->n_summed), 0 },
        { "unattributed_operations", CELL_OF_COUNT(totals->n_unattributed), 0 },
        { "sessions", CELL_OF_COUNT(report->n_sessions), 0 },
        { "profiler_sessions", CELL_OF_COUNT(heading_count_sessions(report, SWPROF_SESSION_PROFILER)), 0 },
        { "carriers_recorded", CELL_OF_TEXT(report->carriers), 0 },
        { "hidden_events", CELL_OF_COUNT(totals->n_hidden), 0 },
        { "unfinished_operations", CELL_OF_COUNT(totals->n_unfinished), 0 },
        { "suspect_intervals", CELL_OF_COUNT(totals->n_anomalies), 0 },
        { "recorder_ns", CELL_OF_TIME(totals->tool_ns), 0 },
    };

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_fact(heading, facts[i].key, facts[i].cell, facts[i].in_every_row);
    /* Rows of reports of version 1.0 stay what they were. */
    if (report_lost_total(report) != 0 && report->header.minor > 0)
        add_fact(heading, "lost_reasons", CELL_OF_TEXT(name_reasons(heading, report)), 1);
    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++)
        if (lost_keys[reason] != NULL)
            add_fact(heading, lost_keys[reason], CELL_OF_COUNT(report_lost(report, reason)), 0);
    for (size_t i = 0; i < n_session; i++)
        add_fact(heading, session[i].key, session[i].cell, session[i].in_every_row);
}

int64_t heading_outside_ns(const struct report_filter *filter, const struct report_totals *totals, int *ret_is_known)
{
    /* A Profiler's session is one thread's, whose time is not known when nothing of it was recorded. */
    *ret_is_known = (filter->session == NULL || totals->n_threads > 0) && !totals->inside_is_unknown;
    return totals->alive_ns > totals->inside_ns ? totals->alive_ns - totals->inside_ns : 0;
}

static void add_totals(struct heading *heading, const struct report_filter *filter, const struct report_totals *totals)
{
    int is_known = 0;
    int64_t outside_ns = heading_outside_ns(filter, totals, &is_known);
    struct cell none = { .kind = CELL_NONE };
    const struct fact facts[] = {
        { "calls", CELL_OF_COUNT(report_n_calls(totals)), 0 },
        { "failures", CELL_OF_COUNT(totals->n_failures), 0 },
        { "self_ns", CELL_OF_TIME(totals->self_ns), 0 },
        { "threads", CELL_OF_COUNT(totals->n_threads), 0 },
        { "threads_alive_ns", is_known ? CELL_OF_TIME(totals->alive_ns) : none, 0 },
        { "outside_ns", is_known ? CELL_OF_TIME(outside_ns) : none, 0 },
    };

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        heading->totals[heading->n_totals++] = facts[i];
}

static enum sw_status put_lines(struct sw__builder *text, const struct report *report,
                                const struct report_filter *filter, const struct report_totals *totals,
                                enum display_unit unit)
{
    SW__TRY(put_program(text, report));
    SW__TRY(put_end(text, report, unit));
    SW__TRY(put_counts(text, report, totals));
    SW__TRY(put_losses(text, report, totals, unit));
    SW__TRY(heading_put_sessions(text, report, unit));
    SW__TRY(put_selection(text, report, filter, totals));
    return put(text, "\n");
}

enum report_outcome heading_build(const struct report *report, const struct report_filter *filter,
                                  const struct report_totals *totals, enum display_unit unit,
                                  struct heading *ret_heading)
{
    struct heading heading = { .n_facts = 0 };

    if (put_lines(&heading.lines, report, filter, totals, unit) != SW_OK) {
        heading_clear(&heading);
        return REPORT_SYSTEM;
    }
    *ret_heading = heading;
    add_facts(ret_heading, report, filter, totals);
    add_totals(ret_heading, filter, totals);
    return REPORT_OK;
}

void heading_clear(struct heading *heading)
{
    sw__builder_clear(&heading->lines);
}
