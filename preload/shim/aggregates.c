/*
 * Adding operations up. What an aggregate looks like to whoever reads it, at
 * any moment and after a kill, is in swprof/format.h.
 */
#include "config.h"

#include "shim/aggregates.h"

#include "record/text.h"
#include "shim/memory.h"
#include "shim/series.h"
#include "shim/slow.h"
#include "shim/thread.h"

#define FIRST_SLOTS 256
#define MOST_SLOTS (UINT32_C(1) << 18)
/* Operations without room, for want of space, after which it is asked for again; a full report stays full. */
#define RETRY_OPERATIONS 4096
/* Milliseconds, and seconds, on any clock. */
#define LEAST_ANCHOR_TICKS (UINT64_C(1) << 24)
#define MOST_ANCHOR_TICKS (UINT64_C(1) << 32)

/* ---- The private table of a thread ---------------------------------------------------------- */

static uint64_t key_of(uint32_t dispatch, uint32_t shapes)
{
    return (uint64_t)shapes << 32 | dispatch; /* dispatch 0 is the recorder: a key is never 0 */
}

static inline struct aggregates_entry *slot_of(const struct aggregates *aggregates, uint64_t key)
{
    uint64_t spread = key * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t mask = aggregates->n_slots - 1;
    uint32_t at = (uint32_t)(spread >> 32) & mask;

    while (aggregates->entries[at].key != 0 && aggregates->entries[at].key != key)
        at = (at + 1) & mask;
    return &aggregates->entries[at];
}

/* The aggregate of a key, NULL when there is none yet. */
static inline struct swprof_aggregate *find(struct aggregates *aggregates, uint64_t key)
{
    if (key != aggregates->last_key) {
        struct swprof_aggregate *found = slot_of(aggregates, key)->aggregate;

        if (found == NULL)
            return NULL;
        aggregates->last = found;
        aggregates->last_key = key;
    }
    return aggregates->last;
}

static int create_table(struct aggregates *aggregates, uint32_t n_slots)
{
    struct aggregates_entry *entries = memory_reserve(n_slots * sizeof *entries);

    if (entries == NULL)
        return 0;
    aggregates->entries = entries;
    aggregates->n_slots = n_slots;
    return 1;
}

/* Never more than half full. */
static int has_free_slot(struct aggregates *aggregates)
{
    struct aggregates former = *aggregates;

    if (aggregates->n_used < aggregates->n_slots / 2)
        return 1;
    if (aggregates->n_slots == MOST_SLOTS || !create_table(aggregates, 2 * aggregates->n_slots))
        return 0;
    for (uint32_t i = 0; i < former.n_slots; i++)
        if (former.entries[i].key != 0)
            *slot_of(aggregates, former.entries[i].key) = former.entries[i];
    memory_release(former.entries, former.n_slots * sizeof *former.entries);
    return 1;
}

static int begin(struct thread *thread, uint32_t depth)
{
    struct aggregates *aggregates = &thread->aggregates;

    if ((aggregates->entries == NULL && !create_table(aggregates, FIRST_SLOTS)) || !thread_start_children(thread, depth))
        return 0;
    thread->mode = THREAD_AGGREGATES;
    thread->limit = thread->cursor;
    if (aggregates->first_thread == 0)
        aggregates->first_thread = 1 + thread->number;
    thread->report->aggregates = aggregates->first_thread;
    return 1;
}

int aggregates_start(struct thread *thread)
{
    return begin(thread, 0);
}

/* ---- Taking over from events ---------------------------------------------------------------- */

/* A walk back over the thread's events, for what is inside of the operations that are open. */
struct walk {
    struct thread *thread;
    uint32_t depth;                   /* of the operation that is ending: the innermost */
    uint64_t start;                   /* of it */
    uint64_t wide;                    /* duration in the extension that was passed last */
    uint64_t earliest;                /* start of the outermost */
    uint64_t selected;                /* start of the outermost that is not hidden */
};

static uint64_t open_start(const struct walk *walk, uint32_t depth)
{
    return depth == walk->depth ? walk->start : sw__frames_at(&walk->thread->frames, depth)->start;
}

/* 0 when what comes before it is of no interest. */
static int pass(struct walk *walk, const struct swprof_event *event)
{
    uint64_t duration = event->word & SWPROF_EVENT_WIDE_DURATION;
    uint32_t depth = event->depth;

    if (event->flags & SWPROF_EVENT_OWNER)
        return 0;
    if (event->flags & SWPROF_EVENT_EXTENSION) {
        walk->wide = event->start;
        return 1;
    }
    if (duration == SWPROF_EVENT_WIDE_DURATION)
        duration = walk->wide;
    if (event->start + duration < walk->earliest)
        return 0;
    if (depth > 0 && depth <= walk->depth + 1 && event->start >= open_start(walk, depth - 1)) {
        walk->thread->children[depth - 1] += duration;
        walk->thread->events_inside += event->start >= walk->selected ? duration : 0;
    }
    return 1;
}

static uint64_t selected_start(const struct walk *walk)
{
    uint32_t depth = 0;

    while (depth < walk->depth &&
           dispatches_hides(walk->thread->capture, sw__frames_at(&walk->thread->frames, depth)->dispatch))
        depth++;
    return open_start(walk, depth);
}

static void look_back(struct walk *walk)
{
    struct swprof_block *chunk = walk->thread->chunk;

    while (chunk != NULL) {
        const struct swprof_event *events = events_of(chunk);

        for (uint64_t i = chunk->published / sizeof *events; i > 0; i--)
            if (!pass(walk, &events[i - 1]))
                return;
        if (chunk->previous == 0)
            return;
        chunk = (struct swprof_block *)(void *)((char *)walk->thread->capture->report.header + chunk->previous);
    }
}

int aggregates_take_over(struct thread *thread, uint32_t depth, uint64_t start)
{
    struct walk walk = {.thread = thread, .depth = depth, .start = start};

    if (!begin(thread, depth))
        return 0;
    walk.earliest = open_start(&walk, 0);
    walk.selected = selected_start(&walk);
    look_back(&walk);
    return 1;
}

/* ---- First sights --------------------------------------------------------------------------- */

static void *room(struct capture *capture, struct series *series, enum swprof_block_type type, uint64_t n_bytes,
                  const struct thread *thread, enum swprof_lost *reason)
{
    *reason = SWPROF_LOST_FULL;
    if (capture->frozen && !(thread->after & THREAD_LATE))
        return NULL;
    return series_room(capture, series, type, n_bytes, 0, reason);
}

static struct swprof_aggregate *make(struct thread *thread, uint32_t dispatch, uint32_t shapes,
                                     enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct swprof_aggregate *aggregate;

    *reason = SWPROF_LOST_SPACE;
    if (!has_free_slot(&thread->aggregates))
        return NULL;
    aggregate = room(capture, &capture->aggregates, SWPROF_BLOCK_AGGREGATES, sizeof *aggregate, thread, reason);
    if (aggregate == NULL)
        return NULL;
    aggregate->dispatch = dispatch;
    aggregate->shapes = shapes;
    aggregate->thread = thread->aggregates.first_thread - 1;
    aggregate->sums[0].min = UINT64_MAX;
    series_publish(&capture->aggregates, sizeof *aggregate);
    *slot_of(&thread->aggregates, key_of(dispatch, shapes)) =
        (struct aggregates_entry){key_of(dispatch, shapes), aggregate};
    thread->aggregates.n_used++;
    return aggregate;
}

static void make_octave(struct thread *thread, struct swprof_aggregate *aggregate, uint32_t octave,
                        enum swprof_lost *reason)
{
    struct capture *capture = thread->capture;
    struct swprof_octave *counters =
        room(capture, &capture->octaves, SWPROF_BLOCK_OCTAVES, sizeof *counters, thread, reason);

    if (counters == NULL)
        return;
    series_publish(&capture->octaves, sizeof *counters);
    __atomic_store_n(&aggregate->octaves[octave], report_reference(&capture->report, counters), __ATOMIC_RELEASE);
}

/* Whether there is any use in asking for room now. */
static int may_ask(struct aggregates *aggregates)
{
    if (aggregates->refused == 0)
        return 1;
    return aggregates->refused != 1 + SWPROF_LOST_FULL && ++aggregates->retry % RETRY_OPERATIONS == 0;
}

/* The aggregate with room to count in an octave; without shapes where there is no room for one with them. */
static __attribute__((noinline)) struct swprof_aggregate *see(struct thread *thread, uint32_t dispatch, uint32_t shapes,
                                                              uint32_t octave, enum swprof_lost *reason)
{
    struct aggregates *aggregates = &thread->aggregates;
    struct swprof_aggregate *aggregate = slot_of(aggregates, key_of(dispatch, shapes))->aggregate;
    uint64_t begin = thread_now();
    struct slow slow;

    if (!may_ask(aggregates)) {
        *reason = (enum swprof_lost)(aggregates->refused - 1);
        return aggregate != NULL ? aggregate : slot_of(aggregates, key_of(dispatch, 0))->aggregate;
    }
    slow_begin(&slow);
    slow_lock(&thread->capture->lock);
    aggregates->refused = 0;
    if (aggregate == NULL)
        aggregate = make(thread, dispatch, shapes, reason);
    if (aggregate == NULL) {
        aggregates->refused = 1 + (uint32_t)*reason;
        aggregate = slot_of(aggregates, key_of(dispatch, 0))->aggregate;
    } else if (aggregate->octaves[octave] == 0) {
        make_octave(thread, aggregate, octave, reason);
        aggregates->refused = aggregate->octaves[octave] == 0 ? 1 + (uint32_t)*reason : 0;
    }
    slow_unlock(&thread->capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
    return aggregate;
}

/* ---- Adding --------------------------------------------------------------------------------- */

static inline uint64_t add_saturating(uint64_t sum, uint64_t value, uint16_t *flags)
{
    if (UNLIKELY(__builtin_add_overflow(sum, value, &sum))) {
        *flags |= SWPROF_SUMS_SATURATED;
        return UINT64_MAX;
    }
    return sum;
}

#define SET(field, value) __atomic_store_n(&sums->field, value, __ATOMIC_RELAXED)

/*
 * The other half of the sums is filled, `check` first and `count` last, then
 * becomes the valid one by one store. The counter of the histogram comes after
 * it; killed in between, the sums still say what it has to be.
 */
static inline __attribute__((always_inline)) void add(struct swprof_aggregate *aggregate, uint64_t *counter,
                                                      uint32_t bucket, uint64_t start, uint64_t duration,
                                                      uint64_t self, uint64_t outer, uint32_t depth, uint32_t flags)
{
    uint64_t count = aggregate->count + 1, in_bucket = *counter + (*counter != UINT64_MAX);
    const struct swprof_sums *was = &aggregate->sums[(count - 1) % 2];
    struct swprof_sums *sums = &aggregate->sums[count % 2];
    uint16_t marks = bucket == SWPROF_NO_BUCKET ? was->flags | SWPROF_SUMS_GAPS : was->flags;
    int is_worst = duration > was->max || count == 1;

    SET(check, count);
    report_store_fence();
    SET(total, add_saturating(was->total, duration, &marks));
    SET(self, add_saturating(was->self, self, &marks));
    SET(outer, add_saturating(was->outer, outer, &marks));
    SET(min, duration < was->min ? duration : was->min);
    SET(max, is_worst ? duration : was->max);
    SET(worst, is_worst ? start : was->worst);
    SET(failures, add_saturating(was->failures, (flags & SWPROF_EVENT_SUCCEEDED) == 0, &marks));
    SET(last, start);
    SET(bucket, bucket);
    SET(depth, (uint16_t)depth);
    SET(flags, marks);
    SET(in_bucket, in_bucket);
    report_store_fence();
    SET(count, count);
    __atomic_store_n(&aggregate->count, count, __ATOMIC_RELEASE);
    __atomic_store_n(counter, in_bucket, __ATOMIC_RELEASE);
}

/*
 * Chunks bring anchors of the clock with them, sums do not. A reader of a killed
 * process then goes on from the last one: by no more than the time up to it.
 */
static __attribute__((noinline)) void renew_anchor(struct thread *thread)
{
    struct report *report = &thread->capture->report;
    uint64_t begin = thread_now(), age = begin - shim.first.ticks;
    uint64_t step = age < LEAST_ANCHOR_TICKS ? LEAST_ANCHOR_TICKS : age < MOST_ANCHOR_TICKS ? age : MOST_ANCHOR_TICKS;
    struct slow slow;

    thread->aggregates.renew_at = begin + step;
    slow_begin(&slow);
    slow_lock(&thread->capture->lock);
    if (begin - report->header->last.ticks >= step / 2)
        report_renew_anchor(report);
    slow_unlock(&thread->capture->lock);
    slow_end(&slow);
    thread_account(thread, begin);
}

/* What of the operation's time is inside of no other, and in no event. */
static uint64_t outer_of(struct thread *thread, uint32_t depth, uint64_t duration)
{
    uint64_t inside = thread->events_inside;

    if (shim_ways() & SHIM_FILTERED ? thread->n_selected != 0 : depth != 0)
        return 0;
    thread->events_inside = 0;
    return duration > inside ? duration - inside : 0;
}

int aggregates_put(OPERATION_PARAMETERS, enum swprof_lost *reason)
{
    uint64_t nowhere = 0; /* a counter for what the histogram has no room for */
    uint64_t self = duration - thread_end_children(thread, depth, duration);
    uint32_t bucket = swprof_bucket(duration);
    uint32_t octave = bucket / SWPROF_OCTAVE_COUNTERS;
    uint64_t *counter, outer;
    struct swprof_aggregate *aggregate;

    if (UNLIKELY(start > thread->aggregates.renew_at))
        renew_anchor(thread);
    if (UNLIKELY(flags & SWPROF_EVENT_HIDDEN)) {
        thread->report->n_hidden++;
        return 1;
    }
    /* Also of what is not added: the events inside of it are inside of no later one. */
    outer = outer_of(thread, depth, duration);
    aggregate = find(&thread->aggregates, key_of(frame->dispatch, frame->shapes));
    if (UNLIKELY(aggregate == NULL || aggregate->octaves[octave] == 0) &&
        (aggregate = see(thread, frame->dispatch, frame->shapes, octave, reason)) == NULL)
        return 0;
    if (UNLIKELY(aggregate->count == UINT64_MAX)) {
        __atomic_store_n(&aggregate->sums[1].flags, aggregate->sums[1].flags | SWPROF_SUMS_SATURATED, __ATOMIC_RELAXED);
        return 1;
    }
    counter = report_address(&thread->capture->report, aggregate->octaves[octave]);
    counter += bucket % SWPROF_OCTAVE_COUNTERS;
    if (UNLIKELY(aggregate->octaves[octave] == 0)) {
        counter = &nowhere;
        bucket = SWPROF_NO_BUCKET;
    }
    add(aggregate, counter, bucket, start, duration, self, outer, depth, flags);
    return 1;
}
