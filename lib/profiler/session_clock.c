/*
 * The clock is chosen once per process. The map's origin is the first anchor of
 * the process, so that also a short session gets a long base line.
 */
#include "config.h"

#include "profiler/session_clock.h"

#include <pthread.h>

uint32_t sw__session_clock;
uint64_t (*sw__session_injected_clock)(void);

static struct swprof_anchor origin;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void choose(void)
{
    uint32_t clock = sw__clock_choose(sw__session_injected_clock != NULL ? SWPROF_CLOCK_MONOTONIC : 0);

    sw__clock_anchor(clock, &origin);
    __atomic_store_n(&sw__session_clock, clock, __ATOMIC_RELAXED);
}

uint64_t sw__session_slow_now(void)
{
    if (sw__session_injected_clock != NULL)
        return sw__session_injected_clock();
    return sw__clock_monotonic_ns();
}

void sw__session_anchor(struct swprof_anchor *anchor)
{
    pthread_once(&once, choose);
    if (sw__session_clock == SWPROF_CLOCK_TSC) {
        sw__clock_anchor(sw__session_clock, anchor);
        return;
    }
    anchor->ticks = sw__session_slow_now();
    anchor->monotonic_ns = (int64_t)anchor->ticks;
}

void sw__session_map(const struct swprof_anchor *end, struct sw__clock_map *map)
{
    static const struct swprof_anchor zero;
    static const struct swprof_anchor one = {1, 1};

    /* Nanoseconds are nanoseconds, whatever was injected. */
    if (sw__session_clock == SWPROF_CLOCK_TSC)
        sw__clock_map_init(map, &origin, end);
    else
        sw__clock_map_init(map, &zero, &one);
}
