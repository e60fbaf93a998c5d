/*
 * The in-process Profiler: what it adds to a boundary, what an event costs in
 * memory, and how long ten million of them take to freeze and to aggregate.
 */
#include "config.h"

#include "bench.h"

#include <stdio.h>
#include <unistd.h>

#include "pair.h"
#include "subject.h"

#define N_ROUNDS 2000
/* As many as the first chunk of a recording holds. */
#define N_CALLS 2000
#define N_EVENTS 10000000

static double resident_bytes(void)
{
    FILE *statm = fopen("/proc/self/statm", "r");
    long total = 0;
    long resident = 0;

    if (statm == NULL || fscanf(statm, "%ld %ld", &total, &resident) != 2)
        bench_fail("/proc/self/statm could not be read");
    fclose(statm);
    return (double)resident * (double)sysconf(_SC_PAGESIZE);
}

static struct sw_profiler *enter(void)
{
    struct sw_profiler *profiler;

    if (sw_profiler_new(NULL, &profiler) != SW_OK || sw_profiler_enter(profiler) != SW_OK)
        bench_fail("a Profiler could not be entered");
    return profiler;
}

struct profiled {
    struct bench_pair pair; /* first: the body's context */
    struct sw_profiler *profiler;
};

static void begin_profile(void *context)
{
    ((struct profiled *)context)->profiler = enter();
}

/* What is freed here is used again by the next: memory that is present. */
static void end_profile(void *context)
{
    struct sw_profiler *profiler = ((struct profiled *)context)->profiler;

    if (sw_profiler_exit(profiler) != SW_OK)
        bench_fail("a Profiler could not be left");
    sw_profiler_free(profiler);
}

static void compare_boundaries(void)
{
    struct profiled profiled;

    bench_pair_make(&profiled.pair);
    profiled.pair.flags = SW_HOOK_DEFAULT_WANTED;
    struct bench_case cases[] = {
        {.body = bench_pair_pass,
         .context = &profiled,
         .n = N_CALLS,
         .before = begin_profile,
         .after = end_profile},
        {.body = bench_read_clock_twice, .n = N_CALLS},
    };
    bench_alternate(cases, 2, N_ROUNDS);
    bench_figure("profiler_boundary_ns", cases[0].min_ns, "ns");
    bench_figure("profiler_over_two_reads", cases[0].min_ns / cases[1].min_ns, "ratio");
    bench_pair_drop(&profiled.pair);
}

static int64_t sum_durations(const struct sw_profiler_event *events, size_t n)
{
    int64_t sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += events[i].duration_ns;
    return sum;
}

/* The shorter of two attempts at each, one after the other. */
static void compare_averages(struct sw_profiler *profiler)
{
    const struct sw_profiler_event *events;
    struct sw_profiler_aggregate *rows;
    size_t n;
    size_t n_rows;
    int64_t sum_ns = INT64_MAX;
    int64_t averages_ns = INT64_MAX;

    if (sw_profiler_events(profiler, &events, &n) != SW_OK)
        bench_fail("no events");
    for (int i = 0; i < 3; i++) {
        int64_t begin = bench_now_ns();
        volatile int64_t sum = sum_durations(events, n);
        int64_t middle = bench_now_ns();

        (void)sum;
        if (sw_profiler_key_averages(profiler, NULL, &rows, &n_rows) != SW_OK)
            bench_fail("no averages");
        int64_t end = bench_now_ns();
        sw_free(rows);
        if (middle - begin < sum_ns)
            sum_ns = middle - begin;
        if (end - middle < averages_ns)
            averages_ns = end - middle;
    }
    bench_figure("profiler_10m_averages_ms", (double)averages_ns / 1e6, "ms");
    bench_figure("profiler_10m_averages_over_sum", (double)averages_ns / (double)sum_ns, "ratio");
}

void bench_profiler(char **arguments)
{
    struct bench_subject subject;

    (void)arguments;
    bench_subject_make(&subject);
    compare_boundaries();
    double before = resident_bytes();
    struct sw_profiler *profiler = enter();
    bench_subject_execute(&subject, N_EVENTS);
    bench_figure("profiler_bytes_per_event", (resident_bytes() - before) / N_EVENTS, "bytes");
    int64_t begin = bench_now_ns();
    if (sw_profiler_exit(profiler) != SW_OK)
        bench_fail("a Profiler could not be left");
    bench_figure("profiler_10m_exit_ms", (double)(bench_now_ns() - begin) / 1e6, "ms");
    compare_averages(profiler);
    sw_profiler_free(profiler);
    bench_subject_drop(&subject);
}
