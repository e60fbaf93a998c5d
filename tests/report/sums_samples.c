/*
 * Reports with sums and with rings. The order of the writer's stores is that of
 * swprof/format.h: `check`, the sums, their count, the record's count, the
 * counter of the histogram.
 */
#include "config.h"

#include "sums_samples.h"

#include <string.h>

/* ---- Sums ----------------------------------------------------------------------------------- */

/* nop: 3 operations of 10, 20 and 300 ns. */
static size_t make_nop(struct made_report *report, uint32_t number, uint32_t dispatch)
{
    static const uint64_t durations[] = { 10, 20, 300 };
    size_t record = make_aggregate(report, number, dispatch, 0, 3, 330, 330, 10, 300);

    for (size_t i = 0; i < 3; i++)
        make_duration(report, record, durations[i]);
    made_sums(report, record)->worst = 2500;
    made_sums(report, record)->last = 2500;
    made_sums(report, record)->bucket = swprof_bucket(300);
    made_sums(report, record)->in_bucket = 1;
    return record;
}

struct made_report good_sums(void)
{
    struct made_report report = make_summary();

    make_nop(&report, 0, make_dispatch(&report, "nop", "Generic", 1));
    return report;
}

static struct swprof_session *made_session(struct made_report *report, size_t session)
{
    return (struct swprof_session *)(void *)(report->bytes + session);
}

/* Of the carrier Generic, on the thread with number 0. */
static void make_profiler(struct made_report *report, uint64_t begin, uint64_t end, uint64_t n_events)
{
    static const uint32_t list[] = { 1, 0, 1, 0 }; /* one number, padded */
    size_t offset = make_payload(report, make_block(report, SWPROF_BLOCK_CARRIERS, 1), sizeof list);
    size_t session = make_session(report, begin, end, "profiler");

    memcpy(report->bytes + offset, list, sizeof list);
    made_session(report, session)->kind = SWPROF_SESSION_PROFILER;
    made_session(report, session)->tid = 100;
    made_session(report, session)->thread = 1;
    made_session(report, session)->n_events = n_events;
    made_session(report, session)->carriers = (uint32_t)(offset / 8);
}

/* Three threads, of which the third goes on in the sums of the second; two rounds and a Profiler. */
struct made_report good_sums_sessions(void)
{
    struct made_report report = make_summary();
    uint32_t nop = make_dispatch(&report, "nop", "Generic", 1);
    uint32_t outer = make_dispatch(&report, "outer", "Evictable", 2);

    made_session(&report, make_session(&report, 12000, 13000, "second"))->flags = SWPROF_SESSION_SHAPES;
    make_profiler(&report, 2000, 3000, 3);
    for (uint32_t number = 1; number < 3; number++) {
        size_t thread = make_thread(&report, number, 100 + number, 1000 + number, 2000 + number);
        made_thread(&report, thread)->aggregates = 2;
        made_thread(&report, thread)->n_hidden = number;
    }
    make_nop(&report, 0, nop);
    make_nop(&report, 1, nop);
    size_t record = make_aggregate(&report, 1, outer, 0, 2, 900, 300, 400, 500);
    made_sums(&report, record)->outer = 900;
    made_sums(&report, record)->failures = 1;
    made_header(&report)->last = (struct swprof_anchor){ 13000, 13000 };
    return report;
}

/* Where the histogram has no room, percentiles tell of what it counted. */
struct made_report good_sums_gaps(void)
{
    struct made_report report = make_summary();
    size_t record = make_nop(&report, 0, make_dispatch(&report, "nop", "Generic", 1));

    made_aggregate(&report, record)->octaves[swprof_bucket(300) / SWPROF_OCTAVE_COUNTERS] = 0;
    made_sums(&report, record)->bucket = SWPROF_NO_BUCKET;
    made_sums(&report, record)->flags = SWPROF_SUMS_GAPS;
    made_header(&report)->lost[SWPROF_LOST_FULL] = 1;
    return report;
}

struct made_report good_sums_saturated(void)
{
    struct made_report report = make_summary();
    uint32_t nop = make_dispatch(&report, "nop", "Generic", 1);
    size_t record = make_aggregate(&report, 0, nop, 0, UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, UINT64_MAX);

    make_duration(&report, record, UINT64_MAX);
    *made_sums(&report, record) = (struct swprof_sums){
        .count = UINT64_MAX,
        .total = UINT64_MAX,
        .self = UINT64_MAX,
        .outer = UINT64_MAX,
        .max = UINT64_MAX,
        .worst = UINT64_MAX,
        .failures = UINT64_MAX,
        .last = UINT64_MAX,
        .bucket = swprof_bucket(UINT64_MAX),
        .depth = UINT16_MAX,
        .flags = SWPROF_SUMS_SATURATED | SWPROF_SUMS_GAPS,
        .in_bucket = UINT64_MAX,
        .check = UINT64_MAX,
    };
    return report;
}

/* The cap was reached: both of one operation. */
struct made_report good_sums_after_events(void)
{
    struct made_report report = make_good();

    make_nop(&report, 0, 2); /* add of Generic */
    made_header(&report)->lost[SWPROF_LOST_FULL] = 3;
    return report;
}

size_t make_half_added(struct made_report *report, uint32_t number, uint32_t dispatch, unsigned n_stores)
{
    size_t record = make_nop(report, number, dispatch);
    struct swprof_aggregate *aggregate = made_aggregate(report, record);
    const struct swprof_sums *was = &aggregate->sums[1];
    struct swprof_sums *sums = &aggregate->sums[0];
    const uint64_t start = 6000, duration = 20;
    uint64_t counts[] = { 4, was->total + duration, was->self + duration, was->outer, was->min, was->max, was->worst };
    uint64_t *const words[] = { &sums->check, &sums->total, &sums->self, &sums->outer, &sums->min, &sums->max,
                                &sums->worst };
    const unsigned n_words = sizeof words / sizeof *words;

    /* What is left of the operation before the latest. */
    *sums = (struct swprof_sums){ .count = 2, .total = 30, .self = 30, .min = 10, .max = 20, .check = 2 };
    for (unsigned i = 0; i < n_words && i < n_stores; i++)
        *words[i] = counts[i];
    unsigned left = n_stores > n_words ? n_stores - n_words : 0;
    sums->failures = left > 0 ? was->failures + 1 : 0;
    sums->last = left > 1 ? start : 0;
    sums->bucket = left > 2 ? swprof_bucket(duration) : 0;
    sums->depth = 0;
    sums->flags = left > 4 ? was->flags : 0;
    sums->in_bucket = left > 5 ? 2 : 0;
    sums->count = left > 6 ? 4 : 2;
    aggregate->count = left > 7 ? 4 : 3;
    return record;
}

/* One record for each store after which a kill may come. */
struct made_report unfinished_sums_halves(void)
{
    struct made_report report = make_summary();
    size_t thread = make_thread(&report, 1, 101, 2000, 0);
    uint32_t dispatch = 0;

    for (unsigned n_stores = 0; n_stores < SUMS_STORES; n_stores++) {
        char name[8] = { 'n', (char)('a' + (int)n_stores), '\0' };
        dispatch = make_dispatch(&report, name, "Generic", 1);
        make_half_added(&report, 1, dispatch, n_stores);
    }
    made_thread(&report, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&report, thread)->aggregates = 2;
    made_thread(&report, thread)->depth = 1;
    made_frames(&report, thread)[0] = (struct swprof_frame){ .start = 6000, .dispatch = dispatch };
    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    return report;
}

/* Killed while the first operation of all was added. */
struct made_report unfinished_sums_first(void)
{
    struct made_report report = make_summary();
    size_t record = make_aggregate(&report, 0, make_dispatch(&report, "nop", "Generic", 1), 0, 0, 0, 0, UINT64_MAX, 0);

    made_aggregate(&report, record)->sums[1] = (struct swprof_sums){ .total = 10, .check = 1 };
    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    return report;
}

struct made_report unsupported_newer_sums(void)
{
    struct made_report report = good_sums();

    made_header(&report)->incompatible |= 4;
    return report;
}

/* ---- Rings ---------------------------------------------------------------------------------- */

void make_owner(struct made_report *report, size_t chunk, uint64_t number)
{
    struct swprof_event mark = { .start = number, .flags = SWPROF_EVENT_OWNER };
    size_t offset = make_payload(report, chunk, sizeof mark);

    memcpy(report->bytes + offset, &mark, sizeof mark);
    made_block(report, chunk)->n_owners++;
}

void make_parent(struct made_report *report, size_t chunk, uint64_t start, uint64_t duration, uint64_t children,
                 uint32_t dispatch, uint16_t depth)
{
    struct swprof_event pair[2] = {
        { .start = start,
          .word = SWPROF_EVENT_WIDE_DURATION | (uint64_t)dispatch << SWPROF_EVENT_DURATION_BITS,
          .depth = depth,
          .flags = SWPROF_EVENT_SUCCEEDED },
        { .start = duration, .word = children, .flags = SWPROF_EVENT_EXTENSION | SWPROF_EVENT_CHILDREN },
    };
    size_t offset = make_payload(report, chunk, sizeof pair);

    memcpy(report->bytes + offset, pair, sizeof pair);
}

struct made_report make_ring(size_t *ret_chunk)
{
    struct made_report report = make_report();
    uint32_t outer = make_dispatch(&report, "outer", "Generic", 1);
    uint32_t nop = make_dispatch(&report, "nop", "Generic", 1);

    made_header(&report)->policy = SWPROF_POLICY_RING;
    made_header(&report)->incompatible = SWPROF_FEATURE_RING;
    make_session(&report, 1000, 6000, "first");
    make_session(&report, 6500, 11000, "second");
    make_profiler(&report, 4900, 5600, 1);
    for (uint32_t i = 0; i < 3; i++) {
        size_t thread = make_thread(&report, i, 100 + i, 1000, 11000);
        made_thread(&report, thread)->lost[SWPROF_LOST_OLD] = 12;
        made_thread(&report, thread)->drop_begin = 1100;
        made_thread(&report, thread)->drop_end = 1900;
    }
    /* Of the outer one's children, 3000 ns in all, one of 500 is left. */
    size_t chunk = make_chunk(&report, 0, 17, 1);
    made_block(&report, chunk)->generation = 6;
    make_event(&report, chunk, 5000, 500, nop, 1, SWPROF_EVENT_SUCCEEDED, 0);
    make_parent(&report, chunk, 2000, 4000, 3000, outer, 0);
    make_owner(&report, chunk, 1);
    make_owner(&report, chunk, 2);
    make_event(&report, chunk, 7100, 300, nop, 0, SWPROF_EVENT_SUCCEEDED, 0);
    *ret_chunk = chunk;
    return report;
}

struct made_report good_ring_sessions(void)
{
    size_t chunk;

    return make_ring(&chunk);
}

/* Killed while the oldest chunk was emptied, before that was counted. */
struct made_report unfinished_ring_emptying(void)
{
    size_t chunk;
    struct made_report report = make_ring(&chunk);
    size_t thread = make_thread(&report, 3, 103, 1000, 0);
    size_t emptied = make_chunk(&report, 3, 5, 1);

    make_event(&report, emptied, 7000, 500, 1, 0, SWPROF_EVENT_SUCCEEDED, 0);
    made_block(&report, emptied)->generation = 3;
    made_thread(&report, thread)->state = SWPROF_THREAD_LIVE;
    made_thread(&report, thread)->lost[SWPROF_LOST_OLD] = 100;
    made_thread(&report, thread)->drop_chunk = (uint32_t)(emptied / 8);
    made_thread(&report, thread)->drop_generation = 2;
    made_thread(&report, thread)->drop_lost = 101;
    made_header(&report)->state = SWPROF_REPORT_RECORDING;
    return report;
}
