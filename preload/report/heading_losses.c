/*
 * What is missing from a report, why, what helps, and what stands for it.
 */
#include "config.h"

#include "report/heading.h"

#include <inttypes.h>
#include <stdio.h>

/* What is suggested for SWPROF_BUFFER. */
#define LEAST_BUFFER_BYTES (UINT64_C(1) << 20)
#define MOST_BUFFER_BYTES (UINT64_C(1) << 35)
/* Events whose average size says something. */
#define ENOUGH_EVENTS 1000

static enum sw_status put(struct sw__builder *text, const char *string)
{
    return sw__builder_string(text, string);
}

int64_t heading_ns_between(const struct report *report, uint64_t from_ticks, uint64_t to_ticks)
{
    size_t hint = 0;
    int64_t from_ns = clock_ns(&report->clock, from_ticks, &hint);

    return clock_between(from_ns, clock_ns(&report->clock, to_ticks, &hint));
}

/* What an event takes with all that comes with it: of enough of them as it was, else twice what its record takes. */
static double bytes_per_event(const struct report *report, uint64_t n_recorded)
{
    uint64_t record_bytes = sizeof(struct swprof_event) * (report->header.stack_depth != 0 ? 2 : 1);

    return n_recorded >= ENOUGH_EVENTS ? (double)report->header.used_bytes / (double)n_recorded : 2.0 * (double)record_bytes;
}

/*
 * A report that became full holds the first part of a run. The cap with which
 * it would have held all, judged by what was recorded of the events: a power of
 * two, and the largest that there is when even that is too small. Notes take half of the cap at most.
 */
static uint64_t sufficient_bytes(const struct report *report, uint64_t n_recorded, uint64_t n_lost)
{
    double wanted = (double)report->header.used_bytes + (double)n_lost * bytes_per_event(report, n_recorded);
    double for_notes = 2.0 * sizeof(struct swprof_note) * ((double)report_n_notes(report) + (double)report_lost_notes(report));
    uint64_t bytes = LEAST_BUFFER_BYTES;

    if (report_lost_notes(report) != 0)
        wanted += for_notes;

    while (bytes < MOST_BUFFER_BYTES && (double)bytes < wanted)
        bytes *= 2;
    return bytes;
}

static const struct {
    size_t reason;
    uint64_t policy;
    int names_size;
    const char *sentence;
} hints[] = {
#define REPORT_HINT(reason, policy, size, sentence) { SWPROF_LOST_##reason, SWPROF_POLICY_##policy, size, sentence },
#include "report/hint.def"
#undef REPORT_HINT
};
#define N_HINTS (sizeof hints / sizeof *hints)

static enum sw_status put_hint(struct sw__builder *text, const struct report *report, size_t reason, uint64_t lost)
{
    char size[96];

    for (size_t i = 0; i < N_HINTS; i++) {
        if (hints[i].reason != reason || hints[i].policy != report->header.policy)
            continue;
        SW__TRY(put(text, "     "));
        if (hints[i].names_size) {
            snprintf(size, sizeof size, "only the first part of the run was recorded; SWPROF_BUFFER=%" PRIu64 "M ",
                     sufficient_bytes(report, report_n_events(report), lost) >> 20);
            SW__TRY(put(text, size));
        }
        SW__TRY(put(text, hints[i].sentence));
        return put(text, "\n");
    }
    return SW_OK;
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
    SW__TRY(display_time(text, heading_ns_between(report, report->header.first.ticks, begin), unit));
    SW__TRY(put(text, " and ended at "));
    SW__TRY(display_time(text, heading_ns_between(report, report->header.first.ticks, end), unit));
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
        SW__TRY(display_counted(text, totals->n_unattributed, "operation", "operations"));
        SW__TRY(put(text, " in sums that are not only of what was selected\n"));
    }
    return report->header.policy == SWPROF_POLICY_RING ? put_dropped(text, report, unit) : SW_OK;
}

/* Call stacks that were asked for and are not there. */
static enum sw_status put_stacks(struct sw__builder *text, const struct report *report)
{
    uint64_t lost = report_lost_stacks(report);

    if (report->header.stacks == SWPROF_STACKS_NO_LIBRARY)
        SW__TRY(put(text, "NO CALL STACKS: SWPROF_STACK asked for them, but the program found no libunwind\n"));
    if (report->header.stacks == SWPROF_STACKS_NO_SUPPORT)
        SW__TRY(put(text, "NO CALL STACKS: SWPROF_STACK asked for them, but there is no way on that system\n"));
    if (lost == 0)
        return SW_OK;
    SW__TRY(put(text, "LOST "));
    SW__TRY(display_counted(text, lost, "call stack: ", "call stacks: "));
    return put(text, "no room for them, or more distinct ones than are kept; the events are there without them\n");
}

enum sw_status heading_put_losses(struct sw__builder *text, const struct report *report,
                                  const struct report_totals *totals, enum display_unit unit)
{
    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++) {
        uint64_t lost = report_lost(report, reason);
        if (lost == 0)
            continue;
        SW__TRY(put(text, "LOST "));
        SW__TRY(reason == SWPROF_LOST_SHAPES ? display_counted(text, lost, "shape list: ", "shape lists: ")
                                             : display_counted(text, lost, "event: ", "events: "));
        SW__TRY(put(text, report_lost_sentence(reason)));
        SW__TRY(put(text, "\n"));
        SW__TRY(put_hint(text, report, reason, lost));
    }
    if (report_lost_notes(report) != 0) {
        SW__TRY(put(text, "LOST "));
        SW__TRY(display_counted(text, report_lost_notes(report), "note", "notes"));
        SW__TRY(put(text, ": ranges, steps, storage, flows and other remarks for which there was no room, or whose names were too many\n"));
    }
    SW__TRY(put_stacks(text, report));
    SW__TRY(put_policy(text, report, totals, unit));
    if (totals->n_anomalies != 0) {
        SW__TRY(put(text, "SUSPECT "));
        SW__TRY(display_counted(text, totals->n_anomalies, "interval contradicts", "intervals contradict"));
        SW__TRY(put(text, " the nesting: self times around them are too small\n"));
    }
    if (totals->saturated)
        SW__TRY(put(text, "SUSPECT sums of time left 63 bits: they are shown as the largest value\n"));
    return SW_OK;
}
