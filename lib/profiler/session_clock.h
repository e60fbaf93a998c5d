/*
 * The clock of sessions, and the map from its stamps to CLOCK_MONOTONIC.
 */
#ifndef PROFILER_SESSION_CLOCK_H
#define PROFILER_SESSION_CLOCK_H

#include "record/clock.h"
#include "record/clock_map.h"

/** enum swprof_clock once a session has been made, 0 before. Written once, atomically, always the same value. */
extern uint32_t sw__session_clock __attribute__((visibility("hidden")));

/**
 * For tests: when not NULL, stamps are what it returns, in nanoseconds. To be
 * set before the first session of a process.
 */
extern uint64_t (*sw__session_injected_clock)(void) __attribute__((visibility("hidden")));

uint64_t sw__session_slow_now(void);

static inline uint64_t sw__session_now(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(__atomic_load_n(&sw__session_clock, __ATOMIC_RELAXED) == SWPROF_CLOCK_TSC, 1))
        return __builtin_ia32_rdtsc();
#endif
    return sw__session_slow_now();
}

/** The present moment on both clocks; chooses the clock at first use. */
void sw__session_anchor(struct swprof_anchor *anchor);

/** The map of stamps up to @end. */
void sw__session_map(const struct swprof_anchor *end, struct sw__clock_map *map);

#endif
