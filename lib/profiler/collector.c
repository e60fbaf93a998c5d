/*
 * Collecting host ranges: beginning, ending, and what a passage does to the
 * thread's collector. The clock is read last on the way in and first on the way
 * out, so that the collector's own work lies outside of the range.
 */
#include "config.h"

#include "profiler/collector.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/range.h"
#include "record/clock.h"

/* Room from the start; more is made when it is needed. */
#define FIRST_FRAMES 16
#define FIRST_SAMPLES 256

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t end_of_thread;
static int key_usable;

/* ---- Life ------------------------------------------------------------------------------ */

void sw__collector_free(struct sw__collector *collector)
{
    if (collector == NULL)
        return;
    for (size_t i = 0; i < SW_N_HOST_RANGES; i++)
        sw__free(collector->ranges[i].at);
    sw__free(collector->frames);
    sw__free(collector);
}

static void thread_ends(void *collector)
{
    sw__thread.collector = NULL;
    sw__collector_free(collector);
}

static void prepare_process(void)
{
    key_usable = pthread_key_create(&end_of_thread, thread_ends) == 0;
}

static enum sw_status collector_new(struct sw__collector **ret_collector)
{
    struct sw__collector *collector SW__OWNED_COLLECTOR = sw__alloc_zero(sizeof *collector);

    if (collector == NULL)
        return SW_MEMORY_ERROR;
    collector->frame_room = FIRST_FRAMES;
    collector->frames = sw__alloc(FIRST_FRAMES * sizeof *collector->frames);
    if (collector->frames == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < SW_N_HOST_RANGES; i++) {
        struct sw__range_samples *samples = &collector->ranges[i];
        samples->room = FIRST_SAMPLES;
        samples->at = sw__alloc(FIRST_SAMPLES * sizeof *samples->at);
        if (samples->at == NULL)
            return SW_MEMORY_ERROR;
    }
    *ret_collector = sw__take(collector);
    return SW_OK;
}

enum sw_status sw_host_ranges_start(void)
{
    struct sw__collector *collector SW__OWNED_COLLECTOR = NULL;

    if (sw__thread.collector != NULL)
        return sw_error_set(SW_RUNTIME_ERROR, "host range profiler is already active");
    if (sw__thread.n_collections == UINT32_MAX)
        return sw_error_set(SW_OVERFLOW_ERROR, "host range profiler session IDs are exhausted");
    SW__TRY(collector_new(&collector));
    pthread_once(&once, prepare_process);
    if (!key_usable || pthread_setspecific(end_of_thread, collector) != 0)
        return sw_error_set(SW_MEMORY_ERROR, "no thread-specific storage for a host range profiler");
    collector->session = ++sw__thread.n_collections;
    sw__thread.collector = sw__take(collector);
    return SW_OK;
}

enum sw_status sw_host_ranges_stop(struct sw_host_range_row **ret_rows, size_t *ret_n_rows)
{
    struct sw__collector *collector SW__OWNED_COLLECTOR = sw__thread.collector;

    if (collector == NULL)
        return sw_error_set(SW_RUNTIME_ERROR, "host range profiler is not active");
    sw__thread.collector = NULL;
    pthread_setspecific(end_of_thread, NULL);
    if (collector->n_frames != 0)
        return sw_error_set(SW_RUNTIME_ERROR, "host range profiler has unclosed ranges");
    if (collector->failed)
        return sw_error_set(SW_RUNTIME_ERROR, "host range profiler failed to record a sample");
    return sw__collector_rows(collector, ret_rows, ret_n_rows);
}

uint64_t sw_host_ranges_session(void)
{
    return sw__thread.collector != NULL ? sw__thread.collector->session : 0;
}

/* ---- Passages ---------------------------------------------------------------------------- */

/* Room for one more of *@array; 0 when there is no memory. */
static int make_room(void *array, size_t n, size_t *room, size_t bytes)
{
    void **at = array;

    if (__builtin_expect(n < *room, 1))
        return 1;
    void *grown = sw__realloc(*at, 2 * *room * bytes);
    if (grown == NULL)
        return 0;
    *at = grown;
    *room *= 2;
    return 1;
}

static struct sw__range_frame *push(struct sw__collector *collector, uint32_t which)
{
    if (!make_room(&collector->frames, collector->n_frames, &collector->frame_room, sizeof *collector->frames)) {
        collector->failed = 1;
        return NULL;
    }
    struct sw__range_frame *frame = &collector->frames[collector->n_frames++];
    frame->which = which;
    frame->children_ns = 0;
    return frame;
}

void sw__collector_enter(struct sw_hook_range *hook)
{
    struct sw__range *range = (struct sw__range *)(void *)hook;
    struct sw__collector *collector = sw__thread.collector;

    if ((hook->flags & SW_HOOK_RANGE_HOST) == 0 || collector == NULL || collector->busy)
        return;
    collector->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    struct sw__range_frame *frame = push(collector, range->which);
    if (frame != NULL) {
        range->owner = &sw__thread;
        range->session = collector->session;
        range->depth = collector->n_frames;
        frame->start_ns = sw__clock_monotonic_ns();
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    collector->busy = 0;
}

static int64_t at_least_zero(int64_t ns)
{
    return ns > 0 ? ns : 0;
}

/* Whether the innermost open range is the one that is left. */
static int is_innermost(const struct sw__collector *collector, const struct sw__range *range)
{
    return collector->n_frames != 0 && collector->n_frames == range->depth &&
           collector->frames[collector->n_frames - 1].which == range->which;
}

static void pop(struct sw__collector *collector, uint64_t now_ns)
{
    const struct sw__range_frame *frame = &collector->frames[--collector->n_frames];
    struct sw__range_samples *samples = &collector->ranges[frame->which];
    const int64_t inclusive_ns = at_least_zero((int64_t)(now_ns - frame->start_ns));

    if (collector->n_frames != 0) {
        int64_t *children_ns = &collector->frames[collector->n_frames - 1].children_ns;
        if (__builtin_add_overflow(*children_ns, inclusive_ns, children_ns))
            *children_ns = INT64_MAX;
    }
    if (!make_room(&samples->at, samples->n, &samples->room, sizeof *samples->at)) {
        collector->failed = 1;
        return;
    }
    samples->at[samples->n++] =
        (struct sw__range_sample){ inclusive_ns, at_least_zero(inclusive_ns - frame->children_ns) };
}

void sw__collector_exit(struct sw_hook_range *hook)
{
    const uint64_t now_ns = sw__clock_monotonic_ns();
    struct sw__range *range = (struct sw__range *)(void *)hook;
    struct sw__collector *collector = sw__thread.collector;

    if ((hook->flags & SW_HOOK_RANGE_HOST) == 0 || collector == NULL || range->owner != &sw__thread ||
        range->session != collector->session || collector->busy)
        return;
    collector->busy = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (is_innermost(collector, range))
        pop(collector, now_ns);
    else
        collector->failed = 1;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    collector->busy = 0;
}

/* ---- Passages of a program's own ------------------------------------------------------------ */

_Static_assert(sizeof(struct sw__range) <= sizeof(struct sw_host_range_scope), "a scope has room for a range");

static struct sw__range *range_of(struct sw_host_range_scope *scope)
{
    return (struct sw__range *)(void *)scope->words;
}

enum sw_status sw_host_range_begin(struct sw_host_range_scope *scope, enum sw_host_range range)
{
    range_of(scope)->is_entered = 0;
    if (sw_host_range_name(range) == NULL)
        return sw_error_set(SW_VALUE_ERROR, "invalid host range layer");
    sw__range_begin(range_of(scope), range);
    return SW_OK;
}

void sw_host_range_end(struct sw_host_range_scope *scope)
{
    sw__range_end(range_of(scope));
}
