/*
 * make_samples KIND FILE: write one of the reports by which the commands are
 * tested. A kind is called OUTCOME-NAME: good, unfinished, unsupported or bad is
 * what the reader makes of it, the name says what is special about it.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bad_samples.h"
#include "make_report.h"
#include "notes_samples.h"
#include "stack_samples.h"
#include "sums_samples.h"

static struct made_report good(void)
{
    return make_good();
}

static struct made_report empty(void)
{
    struct made_report report = make_report();

    make_thread(&report, 0, 100, 1000, 11000);
    return report;
}

static void this_host(struct made_report *report)
{
    gethostname(made_header(report)->host, sizeof made_header(report)->host);
}

/* Never frozen, with two operations open, one inside the other. */
static struct made_report killed(void)
{
    struct made_report report = make_good();
    size_t thread = make_thread(&report, 1, 101, 2000, 0);
    struct swprof_thread *record = made_thread(&report, thread);

    record->state = SWPROF_THREAD_LIVE;
    record->depth = 2;
    made_frames(&report, thread)[0] = (struct swprof_frame){ .start = 5000, .dispatch = 0 };
    made_frames(&report, thread)[1] = (struct swprof_frame){ .start = 6000, .dispatch = 1 };
    size_t chunk = make_chunk(&report, 1, 0, 1);
    make_event(&report, chunk, 6500, 500, 2, 2, SWPROF_EVENT_SUCCEEDED, 0);
    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    this_host(&report);
    return report;
}

/* Its last anchor is older than its last operation; it has one thread, that lives. */
static struct made_report killed_late(void)
{
    struct made_report report = make_good();
    size_t thread = report.n_bytes - 2 * SWPROF_BLOCK_ALIGN;

    made_thread(&report, thread)->state = SWPROF_THREAD_LIVE;
    made_header(&report)->last = (struct swprof_anchor){ 3000, 3000 };
    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    this_host(&report);
    return report;
}

/* 2000 ns of the recorder's own work, 500 of it inside an operation. */
static struct made_report recorder_time(void)
{
    struct made_report report = make_report();
    uint32_t recorder = make_dispatch(&report, "(recorder)", "libswprof", 0);
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);
    size_t thread = make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);

    make_event(&report, chunk, 3000, 500, recorder, 1, SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN, 0);
    make_event(&report, chunk, 2000, 4000, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    made_thread(&report, thread)->n_events = 1;
    made_thread(&report, thread)->tool_ticks = 2000;
    return report;
}

static struct made_report other_host(void)
{
    struct made_report report = make_good();

    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    return report;
}

static struct made_report lost(void)
{
    struct made_report report = make_good();

    made_header(&report)->lost[SWPROF_LOST_FULL] = 9000;
    made_header(&report)->lost[SWPROF_LOST_TABLE] = 1;
    return report;
}

/* Of three operations the shapes found no room. */
static struct made_report shapeless(void)
{
    struct made_report report = make_good();

    made_header(&report)->lost[SWPROF_LOST_SHAPES] = 3;
    return report;
}

/* nop: 4 calls, one failed, 10000 ns in all, self 8000; and 3 of another carrier. */
static struct made_report summary(void)
{
    static const uint64_t durations[] = { 1000, 2000, 3000, 4000 };
    struct made_report report = make_summary();
    uint32_t nop = make_dispatch(&report, "nop", "Generic", 1);
    uint32_t other = make_dispatch(&report, "nop", "Evictable", 2);
    size_t record = make_aggregate(&report, 0, nop, 0, 4, 10000, 8000, 1000, 4000);

    made_sums(&report, record)->failures = 1;
    made_sums(&report, record)->worst = 6000;
    made_sums(&report, record)->outer = 8000;
    for (size_t i = 0; i < 4; i++)
        make_duration(&report, record, durations[i]);
    make_aggregate(&report, 0, other, 0, 3, 600, 600, 100, 300);
    return report;
}

/* The good one, whose cap was reached: 7 operations more are only in sums, 2 are nowhere. */
static struct made_report stopped(void)
{
    struct made_report report = make_good();
    size_t record = make_aggregate(&report, 0, 2, 0, 7, 700, 700, 100, 100);

    made_sums(&report, record)->outer = 700;
    made_header(&report)->lost[SWPROF_LOST_FULL] = 9;
    return report;
}

/* The good one as a ring that dropped 12 events of 1100..1900. */
static struct made_report ring(void)
{
    struct made_report report = make_good();
    size_t thread = make_thread(&report, 1, 101, 1000, 2000);

    made_header(&report)->policy = SWPROF_POLICY_RING;
    made_header(&report)->incompatible = SWPROF_FEATURE_RING;
    made_thread(&report, thread)->lost[SWPROF_LOST_OLD] = 12;
    made_thread(&report, thread)->drop_begin = 1100;
    made_thread(&report, thread)->drop_end = 1900;
    return report;
}

static struct made_report foreign(void)
{
    struct made_report report = make_good();

    made_header(&report)->magic[0] = 'X';
    return report;
}

static struct made_report swapped(void)
{
    struct made_report report = make_good();

    made_header(&report)->byte_order = __builtin_bswap32(SWPROF_BYTE_ORDER);
    return report;
}

static struct made_report newer(void)
{
    struct made_report report = make_good();

    made_header(&report)->major = SWPROF_MAJOR + 1;
    made_header(&report)->minor = 0;
    return report;
}

static struct made_report newer_feature(void)
{
    struct made_report report = make_good();

    made_header(&report)->incompatible = 4;
    return report;
}

/* What a later minor version may do: compatible bits, larger minor, a block of a new type. */
static struct made_report later_minor(void)
{
    struct made_report report = make_good();

    made_header(&report)->minor = 7;
    made_header(&report)->compatible = UINT64_C(1) << 63;
    size_t block = make_block(&report, 77, 1);
    make_payload(&report, block, 13);
    return report;
}

static struct made_report cut_short(void)
{
    struct made_report report = make_good();

    report.n_bytes -= SWPROF_BLOCK_ALIGN;
    return report;
}

static struct made_report bad_reference(void)
{
    struct made_report report = make_good();
    size_t chunk = make_chunk(&report, 0, 1, 1);

    make_event(&report, chunk, 9000, 10, 55, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

static struct made_report huge_count(void)
{
    struct made_report report = make_good();

    made_block(&report, report.strings)->published = UINT64_MAX - 7;
    return report;
}

/* 2^41 ns: more than the 40 bits of an event's own field; and the largest that fits them. */
static struct made_report wide(void)
{
    struct made_report report = make_report();
    uint64_t length = UINT64_C(1) << 41, narrow = SWPROF_EVENT_WIDE_DURATION - 1;
    uint32_t outer = make_dispatch(&report, "long", "Generic", 1);
    uint32_t inner = make_dispatch(&report, "short", "Generic", 1);

    make_thread(&report, 0, 100, 1000, 1000 + length);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, 2000, narrow, inner, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&report, chunk, 1000, length, outer, 0, SWPROF_EVENT_SUCCEEDED, 0);
    made_header(&report)->last = (struct swprof_anchor){ 1000 + length, (int64_t)(1000 + length) };
    return report;
}

/* As the good one, with everything of Evictable outside SWPROF_CARRIERS. */
static struct made_report hidden(void)
{
    struct made_report report = make_report();
    uint32_t outer = make_dispatch(&report, "matmul", "Evictable", 2);
    uint32_t inner = make_dispatch(&report, "matmul", "Generic", 1);

    strcpy(made_header(&report)->carriers, "Evictable");
    make_session(&report, 1000, 11000, "");
    make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, 2500, 3000, inner, 1, SWPROF_EVENT_SUCCEEDED | SWPROF_EVENT_HIDDEN, 0);
    make_event(&report, chunk, 2000, 4000, outer, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

/* No operation had a carrier of SWPROF_CARRIERS; the first entry is the recorder's own. */
static struct made_report none_selected(void)
{
    struct made_report report = make_report();

    make_dispatch(&report, "recorder", "Recorder", 3);
    make_dispatch(&report, "matmul", "Generic", 1);
    strcpy(made_header(&report)->carriers, "Nope");
    make_thread(&report, 0, 100, 1000, 11000);
    return report;
}

/* Two rounds with a pause between them; one operation begins in the pause. */
static struct made_report rounds(void)
{
    struct made_report report = make_report();
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);

    make_session(&report, 1000, 4000, "warm-up");
    make_session(&report, 6000, 10000, "train");
    make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, 2000, 1000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* ends in the first */
    make_event(&report, chunk, 5000, 2000, add, 0, SWPROF_EVENT_SUCCEEDED, 0); /* began in the pause */
    make_event(&report, chunk, 8000, 500, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

/* Ticks of 4 GHz: 4 ticks are a nanosecond. */
static struct made_report ticks(void)
{
    struct made_report report = make_report();
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);

    made_header(&report)->clock = SWPROF_CLOCK_TSC;
    made_header(&report)->first = (struct swprof_anchor){ UINT64_C(1) << 40, 1000 };
    made_header(&report)->last = (struct swprof_anchor){ (UINT64_C(1) << 40) + 40000, 11000 };
    make_thread(&report, 0, 100, UINT64_C(1) << 40, (UINT64_C(1) << 40) + 40000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, (UINT64_C(1) << 40) + 4000, 8000, add, 0, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

/* A child that ends after its parent, and depths that skip: shown, flagged, never negative. */
static struct made_report odd_nesting(void)
{
    struct made_report report = make_report();
    uint32_t add = make_dispatch(&report, "add", "Generic", 1);

    make_thread(&report, 0, 100, 1000, 11000);
    size_t chunk = make_chunk(&report, 0, 0, 1);
    make_event(&report, chunk, 3000, 5000, add, 60000, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&report, chunk, 2000, 2000, add, 3, SWPROF_EVENT_SUCCEEDED, 0);
    make_event(&report, chunk, 9000, 100, add, 65535, SWPROF_EVENT_SUCCEEDED, 0);
    return report;
}

/* As many events as the environment's MADE_EVENTS says, 9 inside each 10th. */
static struct made_report many(void)
{
    const char *number = getenv("MADE_EVENTS");
    uint64_t n_events = number != NULL ? strtoull(number, NULL, 10) : 1000;
    struct made_report report = make_report();
    uint32_t dispatches[20];
    uint64_t now = 1000;
    size_t chunk = 0;
    const uint32_t pages = 64;
    uint64_t room = (pages * SWPROF_BLOCK_ALIGN - sizeof(struct swprof_block)) / sizeof(struct swprof_event);

    for (uint32_t i = 0; i < 20; i++) {
        char name[16];
        snprintf(name, sizeof name, "op%u", (unsigned)i);
        dispatches[i] = make_dispatch(&report, name, i % 2 != 0 ? "Generic" : "Cpu", i % 2);
    }
    make_thread(&report, 0, 100, 1000, 1000 + n_events * 200);
    for (uint64_t i = 0; i < n_events; i++) {
        if (i % room == 0)
            chunk = make_chunk(&report, 0, (uint32_t)(i / room), pages);
        int is_parent = i % 10 == 9;
        make_event(&report, chunk, is_parent ? now - 9 * 100 - 50 : now, is_parent ? 9 * 100 + 50 : 80,
                   dispatches[i % 20], is_parent ? 0 : 1, SWPROF_EVENT_SUCCEEDED, 0);
        now += 100;
    }
    made_header(&report)->last = (struct swprof_anchor){ now, (int64_t)now };
    return report;
}

/* No payload at all: threads and events come with the first operation. */
static struct made_report nothing_yet(void)
{
    struct made_report report = make_report();

    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    this_host(&report);
    return report;
}

/* Its latest anchor was being written when it was killed. */
static struct made_report torn_anchor(void)
{
    struct made_report report = killed();

    made_header(&report)->anchor_sequence = 7;
    made_header(&report)->last.ticks = 0;
    return report;
}

/* Killed inside of a range and a step. */
static struct made_report killed_in_range(void)
{
    struct made_report report = killed();
    struct swprof_note range = { .start = 6500, .name = make_string(&report, "epoch", 5), .kind = SWPROF_NOTE_RANGE,
                                 .flags = SWPROF_NOTE_OPEN };
    size_t chunk = make_note_chunk(&report, 0, 0);

    make_note(&report, chunk, &range);
    make_note(&report, chunk, &(struct swprof_note){ .start = 6200, .extra = 1, .kind = SWPROF_NOTE_STEP,
                                                     .flags = SWPROF_NOTE_OPEN });
    return report;
}

/* What becomes of a report: the outcome is the beginning of its whole name. */
static const struct {
    const char *outcome;
    const char *name;
    struct made_report (*make)(void);
} kinds[] = {
    { "good", "plain", good },
    { "good", "empty", empty },
    { "good", "lost", lost },
    { "good", "shapeless", shapeless },
    { "good", "summary", summary },
    { "good", "stopped", stopped },
    { "good", "ring", ring },
    { "good", "later-minor", later_minor },
    { "good", "wild-names", sample_wild_names },
    { "good", "wide", wide },
    { "good", "hidden", hidden },
    { "good", "none-selected", none_selected },
    { "good", "rounds", rounds },
    { "good", "ticks", ticks },
    { "good", "odd-nesting", odd_nesting },
    { "good", "many", many },
    { "good", "recorder-time", recorder_time },
    { "good", "notes", make_noted },
    { "good", "lost-notes", sample_lost_notes },
    { "good", "wild-notes", sample_wild_notes },
    { "good", "crossed-notes", sample_crossed_notes },
    { "unfinished", "killed-in-range", killed_in_range },
    { "good", "stacks", good_stacks },
    { "unfinished", "killed", killed },
    { "unfinished", "killed-late", killed_late },
    { "unfinished", "other-host", other_host },
    { "unfinished", "nothing-yet", nothing_yet },
    { "unfinished", "torn-anchor", torn_anchor },
    { "unsupported", "foreign", foreign },
    { "unsupported", "swapped", swapped },
    { "unsupported", "newer", newer },
    { "unsupported", "newer-feature", newer_feature },
#define SUMS_SAMPLE(outcome, name, function) { outcome, name, function },
#include "sums_samples.def"
#undef SUMS_SAMPLE
    { "bad", "cut-short", cut_short },
    { "bad", "reference", bad_reference },
    { "bad", "huge-count", huge_count },
#define BAD_SAMPLE(name, function, sentence) { "bad", name, function },
#include "bad_samples.def"
#undef BAD_SAMPLE
};
#define N_KINDS (sizeof kinds / sizeof *kinds)

static int list(void)
{
    for (size_t i = 0; i < N_KINDS; i++)
        printf("%s-%s\n", kinds[i].outcome, kinds[i].name);
    return fflush(stdout) == 0 ? 0 : 1;
}

static int write_sample(const char *kind, const char *path)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        char whole[64];
        snprintf(whole, sizeof whole, "%s-%s", kinds[i].outcome, kinds[i].name);
        if (strcmp(whole, kind) != 0)
            continue;
        struct made_report report = kinds[i].make();
        int is_written = made_write(&report, path);
        made_free(&report);
        return is_written ? 0 : 1;
    }
    fprintf(stderr, "%s is no sample; --list has them\n", kind);
    return 2;
}

int main(int n_arguments, char **arguments)
{
    if (n_arguments == 2 && strcmp(arguments[1], "--list") == 0)
        return list();
    if (n_arguments == 3)
        return write_sample(arguments[1], arguments[2]);
    fprintf(stderr, "usage: make_samples KIND FILE, or make_samples --list\n");
    return 2;
}
