/*
 * The first lines of every view: which run, how it ended, what is missing.
 */
#include "config.h"

#include "report/heading.h"

#include <inttypes.h>
#include <string.h>

#include "analyze/visible.h"
#include "report/overhead.h"

static enum sw_status put(struct sw__builder *text, const char *string)
{
    return sw__builder_string(text, string);
}

static enum sw_status put_program(struct sw__builder *text, const struct report *report)
{
    char process[48];

    SW__TRY(sw__visible(text, report->command_line[0] != '\0' ? report->command_line : report->program));
    snprintf(process, sizeof process, "  (process %" PRId32, report->header.pid);
    SW__TRY(put(text, process));
    if (report->header.rank >= 0) {
        snprintf(process, sizeof process, ", rank %" PRId32, report->header.rank);
        SW__TRY(put(text, process));
    }
    SW__TRY(put(text, ", "));
    SW__TRY(sw__visible(text, report->host));
    return put(text, ")\n");
}

static enum sw_status put_end(struct sw__builder *text, const struct report *report, enum display_unit unit)
{
    SW__TRY(display_moment(text, report->header.realtime_ns));
    SW__TRY(put(text, "  "));
    SW__TRY(put(text, report_state_sentence(report->state)));
    SW__TRY(put(text, "; seen for "));
    SW__TRY(display_time(text, heading_ns_between(report, report->header.first.ticks, report->seen_ticks), unit));
    return put(text, "\n");
}

/* A part of a nanosecond of an estimate says nothing. */
static enum sw_status put_overhead(struct sw__builder *text, const struct report *report)
{
    struct overhead overhead = overhead_of(report);
    char cost[96];

    if (!overhead.is_known)
        return put(text, "\n");
    snprintf(cost, sizeof cost, "; recording one takes about %.0f ns, %.0f of them inside it\n",
             overhead.inside_ns + overhead.outside_ns, overhead.inside_ns);
    return put(text, cost);
}

static enum sw_status put_counts(struct sw__builder *text, const struct report *report,
                                 const struct report_totals *totals)
{
    uint64_t lost = report_lost_total(report);

    SW__TRY(display_counted(text, totals->n_events, "event", "events"));
    if (totals->n_summed != 0) {
        SW__TRY(put(text, " and "));
        SW__TRY(display_counted(text, totals->n_summed, "operation known only in sums,",
                                "operations known only in sums,"));
    }
    SW__TRY(put(text, " of "));
    SW__TRY(display_counted(text, totals->n_threads, "thread", "threads"));
    if (totals->n_failures != 0) {
        SW__TRY(put(text, ", "));
        SW__TRY(display_count(text, totals->n_failures));
        SW__TRY(put(text, " failed"));
    }
    if (totals->n_unfinished != 0) {
        SW__TRY(put(text, ", "));
        SW__TRY(display_counted(text, totals->n_unfinished, "operation still open", "operations still open"));
    }
    SW__TRY(put(text, lost == 0 ? "; none lost; clock " : "; clock "));
    SW__TRY(put(text, report_clock_name(report)));
    return put_overhead(text, report);
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
        SW__TRY(sw__visible(text, dispatch->carrier_module));
        SW__TRY(put(text, dispatch->carrier_module[0] != '\0' ? "." : ""));
        SW__TRY(sw__visible(text, dispatch->carrier_name));
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
    SW__TRY(sw__visible(text, report->carriers));
    if (is_none) {
        SW__TRY(put(text, " selected none of the operations"));
        return put_carriers_seen(text, report, 0);
    }
    SW__TRY(put(text, "; "));
    SW__TRY(display_counted(text, totals->n_hidden, "other operation", "other operations"));
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
    SW__TRY(sw__visible(text, carriers));
    if (is_there)
        return put(text, "\n");
    SW__TRY(put(text, "'"));
    return put_carriers_seen(text, report, SWPROF_DISPATCH_HIDDEN);
}

static enum sw_status put_spans(struct sw__builder *text, const struct report_filter *filter)
{
    char number[48];

    SW__TRY(put(text, "only what began in"));
    if (filter->has_step) {
        snprintf(number, sizeof number, " step %" PRIu64, filter->step);
        SW__TRY(put(text, number));
    }
    if (filter->range != NULL) {
        SW__TRY(put(text, filter->has_step ? " and in a range " : " a range "));
        SW__TRY(sw__visible(text, filter->range));
    }
    return put(text, "\n");
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
        SW__TRY(sw__visible(text, filter->thread->name));
        SW__TRY(put(text, "\n"));
    }
    if (filter->spans != NULL)
        SW__TRY(put_spans(text, filter));
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
    if (report_lost_notes(report) != 0 && used < sizeof heading->reasons)
        snprintf(heading->reasons + used, sizeof heading->reasons - used, "%snotes=%" PRIu64, used != 0 ? ";" : "",
                 report_lost_notes(report));
    return heading->reasons;
}

static void add_facts(struct heading *heading, const struct report *report, const struct report_filter *filter,
                      const struct report_totals *totals)
{
    struct fact session[HEADING_SESSION_FACTS];
    size_t n_session = heading_session_facts(report, filter->session, session);
    struct overhead overhead = overhead_of(report);
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
        { "seen_ns", CELL_OF_TIME(heading_ns_between(report, header->first.ticks, report->seen_ticks)), 0 },
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
        { "notes", CELL_OF_COUNT(report_n_notes(report)), 0 },
        { "lost_notes", CELL_OF_COUNT(report_lost_notes(report)), 0 },
    };

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        add_fact(heading, facts[i].key, facts[i].cell, facts[i].in_every_row);
    if (overhead.is_known) {
        add_fact(heading, "cost_inside_ns", CELL_OF_MEAN(overhead.inside_ns), 0);
        add_fact(heading, "cost_outside_ns", CELL_OF_MEAN(overhead.outside_ns), 0);
    }
    /* Rows of reports of version 1.0 stay what they were. */
    if (report->header.minor > 0 && name_reasons(heading, report)[0] != '\0')
        add_fact(heading, "lost_reasons", CELL_OF_TEXT(heading->reasons), 1);
    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++)
        if (lost_keys[reason] != NULL)
            add_fact(heading, lost_keys[reason], CELL_OF_COUNT(report_lost(report, reason)), 0);
    if (report->header.stack_depth != 0)
        add_fact(heading, "lost_stacks", CELL_OF_COUNT(report_lost_stacks(report)), 0);
    for (size_t i = 0; i < n_session; i++)
        add_fact(heading, session[i].key, session[i].cell, session[i].in_every_row);
}

int64_t heading_outside_ns(const struct report_filter *filter, const struct report_totals *totals, int *ret_is_known)
{
    /* A Profiler's session is one thread's, whose time is not known when nothing of it was recorded. */
    *ret_is_known = filter->spans == NULL && (filter->session == NULL || totals->n_threads > 0) && !totals->inside_is_unknown;
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
    if (filter->is_compensated)
        heading->totals[heading->n_totals++] = (struct fact){ "clamped_times", CELL_OF_COUNT(totals->n_clamped), 0 };
}

/* Sums are as they were measured: how many operations were inside of them is not known. */
static enum sw_status put_compensation(struct sw__builder *text, const struct report *report,
                                       const struct report_filter *filter, const struct report_totals *totals)
{
    const struct overhead overhead = overhead_of(report);
    char cost[96];

    if (!filter->is_compensated)
        return SW_OK;
    if (!overhead.is_known)
        return put(text, "not compensated: the report does not say what recording has cost\n");
    snprintf(cost, sizeof cost, "compensated: less %.1f ns inside of each call and %.1f ns beside it; ",
             overhead.inside_ns, overhead.outside_ns);
    SW__TRY(put(text, cost));
    SW__TRY(display_counted(text, totals->n_clamped, "time was shorter and stands as 0",
                            "times were shorter and stand as 0"));
    if (totals->n_summed != 0)
        SW__TRY(put(text, "; what is known only in sums is as it was measured"));
    return put(text, "\n");
}

static enum sw_status put_lines(struct sw__builder *text, const struct report *report,
                                const struct report_filter *filter, const struct report_totals *totals,
                                enum display_unit unit)
{
    SW__TRY(put_program(text, report));
    SW__TRY(put_end(text, report, unit));
    SW__TRY(put_counts(text, report, totals));
    SW__TRY(heading_put_losses(text, report, totals, unit));
    SW__TRY(put_compensation(text, report, filter, totals));
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

/* Above the blank line that ends the heading. */
enum sw_status heading_add_line(struct heading *heading, const char *line)
{
    heading->lines.n_bytes--;
    SW__TRY(sw__visible(&heading->lines, line));
    return put(&heading->lines, "\n\n");
}

void heading_clear(struct heading *heading)
{
    sw__builder_clear(&heading->lines);
}
