/*
 * How far the recorder's clock is from CLOCK_MONOTONIC in between the two
 * anchors that a report is converted with, and whether the counters of two
 * processors are ever seen to run backwards.
 */
#define _GNU_SOURCE 1 /* CPU_SET() */
#include "config.h"

#include "bench.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "record/clock.h"
#include "record/clock_map.h"

#define SAMPLES_PER_SECOND 10
#define N_HANDOVERS 200000

/* ---- Against CLOCK_MONOTONIC ---------------------------------------------------------------- */

static size_t sample(uint32_t clock, struct swprof_anchor *anchors, size_t n)
{
    const struct timespec pause = {0, 1000000000 / SAMPLES_PER_SECOND};

    for (size_t i = 0; i < n; i++) {
        sw__clock_anchor(clock, &anchors[i]);
        nanosleep(&pause, NULL);
    }
    return n;
}

/* The largest distance of a sample from the line through the first and the last. */
static int64_t worst_distance(const struct swprof_anchor *anchors, size_t n)
{
    struct sw__clock_map map;
    int64_t worst = 0;

    sw__clock_map_init(&map, &anchors[0], &anchors[n - 1]);
    for (size_t i = 0; i < n; i++) {
        int64_t distance = sw__clock_map_ns(&map, anchors[i].ticks) - anchors[i].monotonic_ns;

        distance = distance < 0 ? -distance : distance;
        worst = distance > worst ? distance : worst;
    }
    return worst;
}

static double ticks_per_ns(const struct swprof_anchor *first, const struct swprof_anchor *last)
{
    return (double)(last->ticks - first->ticks) / (double)(last->monotonic_ns - first->monotonic_ns);
}

/* ---- Across processors ---------------------------------------------------------------------- */

/* One word goes to and fro: whoever holds it reads the clock and compares with what the other read. */
struct relay {
    uint32_t clock;
    uint32_t turn;
    uint64_t last;
    uint64_t backwards; /* most ticks that a reading lay before one that surely was earlier */
};

struct runner {
    struct relay *relay;
    uint32_t number;
    size_t processor;
};

static void stay_on(size_t processor)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    CPU_SET(processor, &set);
    if (pthread_setaffinity_np(pthread_self(), sizeof set, &set) != 0)
        bench_fail("a processor is not to be had");
}

/* A reading may run ahead of the loads before it, and would then not surely be the later one. */
static uint64_t read_after(const struct relay *relay)
{
#if defined(__x86_64__)
    __builtin_ia32_lfence();
#endif
    return sw__clock_ticks(relay->clock);
}

static void *hand_over(void *argument)
{
    const struct runner *runner = argument;
    struct relay *relay = runner->relay;

    stay_on(runner->processor);
    for (uint32_t i = 0; i < N_HANDOVERS; i++) {
        uint64_t now;

        while (__atomic_load_n(&relay->turn, __ATOMIC_ACQUIRE) != 2 * i + runner->number)
            sched_yield();
        now = read_after(relay);
        if (now < relay->last && relay->last - now > relay->backwards)
            relay->backwards = relay->last - now;
        relay->last = now;
        __atomic_store_n(&relay->turn, 2 * i + runner->number + 1, __ATOMIC_RELEASE);
    }
    return NULL;
}

static uint64_t most_backwards(uint32_t clock, size_t first, size_t second)
{
    struct relay relay = {.clock = clock};
    struct runner runners[] = {{&relay, 0, first}, {&relay, 1, second}};
    pthread_t threads[2];

    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, hand_over, &runners[i]) != 0)
            bench_fail("no threads");
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return relay.backwards;
}

/* Each allowed processor with the one before it. */
static uint64_t most_backwards_of_all(uint32_t clock)
{
    cpu_set_t allowed;
    uint64_t most = 0;
    size_t before = CPU_SETSIZE; /* none */

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        bench_fail("the processors are not known");
    for (size_t processor = 0; processor < CPU_SETSIZE; processor++) {
        if (!CPU_ISSET(processor, &allowed))
            continue;
        if (before != CPU_SETSIZE) {
            uint64_t backwards = most_backwards(clock, before, processor);

            most = backwards > most ? backwards : most;
        }
        before = processor;
    }
    return most;
}

void bench_clock(char **arguments)
{
    size_t n = strtoul(arguments[0], NULL, 10) * SAMPLES_PER_SECOND;
    uint32_t clock = sw__clock_choose(0);
    struct swprof_anchor *anchors;

    if (clock != SWPROF_CLOCK_TSC)
        bench_fail("this machine records with CLOCK_MONOTONIC itself");
    if (n < 3)
        bench_fail("too short");
    anchors = bench_allocate(n * sizeof *anchors);
    sample(clock, anchors, n);
    bench_figure("clock_ticks_per_ns", ticks_per_ns(&anchors[0], &anchors[n - 1]), "ticks");
    bench_figure("clock_worst_distance_ns", (double)worst_distance(anchors, n), "ns");
    bench_figure("clock_most_backwards_ticks", (double)most_backwards_of_all(clock), "ticks");
    free(anchors);
}
