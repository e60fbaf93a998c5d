/*
 * Opening a report: the steps in their order, the state, the clock.
 */
#include "config.h"

#include "report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/checked.h"
#include "report/inside.h"
#include "report/process.h"
#include "report/stack_names.h"
#include "report/utf8.h"

#define N_OF(array) (sizeof(array) / sizeof *(array))

static void find_state(struct report *report)
{
    char host[sizeof report->header.host];

    process_host(host, sizeof host);
    if (report->header.state == SWPROF_REPORT_FROZEN)
        report->state = REPORT_STATE_FROZEN;
    else if (strncmp(host, report->header.host, sizeof host - 1) != 0)
        report->state = REPORT_STATE_UNFINISHED;
    else if (!process_is_in_reach(report->header.pid_namespace))
        report->state = REPORT_STATE_UNKNOWN;
    else if (process_is_alive(report->header.pid, report->header.start_time))
        report->state = REPORT_STATE_RECORDING;
    else
        report->state = REPORT_STATE_KILLED;
}

static void add_anchor(struct swprof_anchor *anchors, size_t *n_anchors, struct swprof_anchor anchor,
                       const struct swprof_anchor *first)
{
    if (anchor.ticks >= first->ticks && anchor.monotonic_ns >= first->monotonic_ns)
        anchors[(*n_anchors)++] = anchor;
}

static void see(struct report *report, uint64_t ticks)
{
    if (ticks > report->seen_ticks)
        report->seen_ticks = ticks;
}

static enum report_outcome build_clock(struct report *report)
{
    const struct swprof_header *header = &report->header;
    struct swprof_anchor *anchors SW__OWNED = sw__alloc((report->n_blocks + 3) * sizeof *anchors);
    struct swprof_anchor now;
    size_t n_anchors = 0;

    if (anchors == NULL)
        return REPORT_SYSTEM;
    anchors[n_anchors++] = header->first;
    add_anchor(anchors, &n_anchors, header->last, &header->first);
    for (size_t i = 0; i < report->n_blocks; i++)
        add_anchor(anchors, &n_anchors, report->blocks[i].anchor, &header->first);
    if (report->state == REPORT_STATE_RECORDING && clock_now(header->clock, &now))
        add_anchor(anchors, &n_anchors, now, &header->first);
    report->seen_ticks = header->first.ticks;
    for (size_t i = 0; i < n_anchors; i++)
        see(report, anchors[i].ticks);
    enum report_outcome outcome = clock_build(header->clock, anchors, n_anchors, &report->clock);
    if (outcome == REPORT_DAMAGED)
        return report_fail(REPORT_DAMAGED, "%s: damaged: no two anchors of its clock give a rate",
                           report->source->path);
    return outcome;
}

/* A killed program was alive for as long as its threads show, be its last anchor older. */
static enum report_outcome see_threads(struct report *report)
{
    for (size_t i = 0; i < report->n_aggregates; i++)
        see(report, report->aggregates[i].sums.last);
    for (size_t i = 0; i < report->n_threads; i++) {
        const struct report_thread *thread = &report->threads[i];
        uint64_t ticks = 0;
        REPORT_TRY(report_latest_end(report, thread, &ticks));
        see(report, ticks);
        see(report, thread->begin_ticks);
        if (thread->has_ended)
            see(report, thread->end_ticks);
        for (size_t k = 0; k < thread->n_open; k++)
            see(report, thread->open[k].start_ticks);
    }
    return REPORT_OK;
}

/* Everything but opening the file. */
static enum report_outcome read_steps(struct report *report)
{
    const char *path = report->source->path;

    REPORT_TRY(report_status(utf8_clean(path, strlen(path), &report->path)));
    REPORT_TRY(report_validate_header(report));
    find_state(report);
    REPORT_TRY(report_validate_blocks(report));
    REPORT_TRY(report_view_names(report));
    REPORT_TRY(report_view_stacks(report));
    REPORT_TRY(report_view_sessions(report));
    REPORT_TRY(report_view_threads(report));
    REPORT_TRY(report_view_chunks(report));
    REPORT_TRY(report_view_note_chunks(report));
    REPORT_TRY(report_view_aggregates(report));
    REPORT_TRY(build_clock(report));
    /* A stamp in the future of a running program would be its clock's fault. */
    return report->state != REPORT_STATE_RECORDING ? see_threads(report) : REPORT_OK;
}

/* The source is taken over. */
static enum report_outcome open_source(struct report_source *source, struct report **ret_report)
{
    struct report *report REPORT_OWNED = sw__alloc_zero(sizeof *report);

    if (report == NULL) {
        source_close(source);
        return REPORT_SYSTEM;
    }
    report->source = source;
    REPORT_TRY(read_steps(report));
    *ret_report = sw__take(report);
    return REPORT_OK;
}

enum report_outcome report_open(const char *path, struct report **ret_report)
{
    struct report_source *source = NULL;

    REPORT_TRY(source_open(path, &source));
    return open_source(source, ret_report);
}

enum report_outcome report_open_descriptor(int descriptor, const char *path, struct report **ret_report)
{
    struct report_source *source = NULL;

    REPORT_TRY(source_open_descriptor(descriptor, path, &source));
    return open_source(source, ret_report);
}

enum report_outcome report_refresh(struct report *report)
{
    struct report *fresh REPORT_OWNED = sw__alloc_zero(sizeof *fresh);

    if (fresh == NULL)
        return REPORT_SYSTEM;
    fresh->source = report->source;
    enum report_outcome outcome = source_refresh(fresh->source);
    if (outcome == REPORT_OK)
        outcome = read_steps(fresh);
    if (outcome == REPORT_OK) {
        /* The structure stays where it is: others know its address. */
        struct report before = *report;
        *report = *fresh;
        *fresh = before;
    }
    fresh->source = NULL;
    return outcome;
}

void report_close(struct report *report)
{
    if (report == NULL)
        return;
    source_close(report->source);
    clock_clear(&report->clock);
    for (size_t i = 0; i < report->n_text_buffers; i++)
        sw__free(report->text_buffers[i]);
    for (size_t i = 0; i < report->n_word_buffers; i++)
        sw__free(report->word_buffers[i]);
    for (size_t i = 0; i < report->n_frame_buffers; i++)
        sw__free(report->frame_buffers[i]);
    stack_names_free(report->stack_names);
    for (size_t i = 0; i < report->n_threads; i++) {
        sw__free(report->threads[i].name);
        sw__free(report->threads[i].open);
    }
    void *owned[] = {
        report->path,              report->program,           report->host,              report->executable,
        report->command_line,      report->carriers,          report->blocks,            report->text_buffers,
        report->texts,             report->text_references,   report->word_buffers,      report->shape_references,
        report->dispatch_of_id,    report->dispatches,        report->dispatch_flags,    report->shapes,
        report->sessions,          report->threads,           report->chunks,
        report->note_chunks,       report->aggregates,        report->modules,           report->frame_buffers,
        report->stacks,            report->stack_references,
    };
    for (size_t i = 0; i < N_OF(owned); i++)
        sw__free(owned[i]);
    sw__free(report);
}

static const struct {
    const char *name;
    const char *sentence;
} states[] = {
#define REPORT_STATE(enumerator, name, sentence) { name, sentence },
#include "report/state.def"
#undef REPORT_STATE
},
  reasons[SWPROF_LOST_REASONS] = {
#define REPORT_LOST(enumerator, name, sentence) [SWPROF_LOST_##enumerator] = { name, sentence },
#include "report/lost.def"
#undef REPORT_LOST
};

const char *report_state_name(enum report_state state)
{
    return states[state].name;
}

const char *report_state_sentence(enum report_state state)
{
    return states[state].sentence;
}

const char *report_lost_name(size_t reason)
{
    return reasons[reason].name != NULL ? reasons[reason].name : "other";
}

const char *report_lost_sentence(size_t reason)
{
    return reasons[reason].sentence != NULL ? reasons[reason].sentence : "for a reason that this tool does not know";
}

uint64_t report_lost(const struct report *report, size_t reason)
{
    uint64_t lost = report->header.lost[reason];

    for (size_t i = 0; i < report->n_threads; i++)
        sw__add_saturating(&lost, report->threads[i].lost[reason]);
    return lost;
}

uint64_t report_lost_stacks(const struct report *report)
{
    uint64_t lost = 0;

    for (size_t i = 0; i < report->n_threads; i++)
        sw__add_saturating(&lost, report->threads[i].lost_stacks);
    return lost;
}

uint64_t report_lost_total(const struct report *report)
{
    uint64_t lost = 0;

    for (size_t reason = 0; reason < SWPROF_LOST_REASONS; reason++)
        if (reason != SWPROF_LOST_SHAPES)
            sw__add_saturating(&lost, report_lost(report, reason));
    return lost;
}

uint64_t report_lost_notes(const struct report *report)
{
    uint64_t lost = report->header.lost_notes;

    for (size_t i = 0; i < report->n_threads; i++)
        sw__add_saturating(&lost, report->threads[i].lost_notes);
    return lost;
}

uint64_t report_n_notes(const struct report *report)
{
    uint64_t n_notes = 0;

    for (size_t i = 0; i < report->n_threads; i++)
        sw__add_saturating(&n_notes, report->threads[i].n_notes);
    return n_notes;
}

uint64_t report_n_events(const struct report *report)
{
    uint64_t n_events = 0;

    for (size_t i = 0; i < report->n_threads; i++)
        sw__add_saturating(&n_events, report->threads[i].n_events);
    return n_events;
}

uint64_t report_n_summed(const struct report *report)
{
    uint64_t n_summed = 0;

    for (size_t i = 0; i < report->n_aggregates; i++)
        sw__add_saturating(&n_summed, report->aggregates[i].sums.count);
    return n_summed;
}

uint64_t report_missing(const struct report *report)
{
    uint64_t lost = report_lost_total(report), summed = report_n_summed(report);

    if (report->header.policy != SWPROF_POLICY_STOP)
        return lost;
    return lost > summed ? lost - summed : 0;
}

static int by_number(const void *a, const void *b)
{
    const struct report_thread *left = a, *right = b;

    return (left->number > right->number) - (left->number < right->number);
}

const struct report_thread *report_find_thread(const struct report *report, uint32_t number)
{
    const struct report_thread key = { .number = number };

    return bsearch(&key, report->threads, report->n_threads, sizeof key, by_number);
}

const char *report_policy_name(const struct report *report)
{
    static const char *const policies[] = {
        [SWPROF_POLICY_STOP] = "stop",
        [SWPROF_POLICY_RING] = "ring",
        [SWPROF_POLICY_SUMMARY] = "summary",
    };

    return report->header.policy < N_OF(policies) ? policies[report->header.policy] : "other";
}

const char *report_clock_name(const struct report *report)
{
    return report->header.clock == SWPROF_CLOCK_TSC ? "tsc" : "monotonic";
}
