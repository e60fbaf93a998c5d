/*
 * The clock of all recording: ticks of the processor's time stamp counter where
 * the kernel itself keeps time with it, else nanoseconds of CLOCK_MONOTONIC.
 * What ticks mean in nanoseconds is clock_map.h's business.
 */
#ifndef RECORD_CLOCK_H
#define RECORD_CLOCK_H

#include <swprof/format.h>

#include <time.h>

/**
 * sw__clock_choose - which clock this machine can record with.
 *
 * @forced  An enum swprof_clock to insist on; 0 to choose. The counter is
 *          refused where it is not invariant or the kernel distrusts it.
 *
 * Returns an enum swprof_clock. Threads: any; no memory is allocated.
 */
uint32_t sw__clock_choose(uint32_t forced);

/** What sw__clock_choose() most likely returns, without a look at the machine. */
static inline uint32_t sw__clock_presume(uint32_t forced)
{
#if defined(__x86_64__)
    return forced == SWPROF_CLOCK_MONOTONIC ? SWPROF_CLOCK_MONOTONIC : SWPROF_CLOCK_TSC;
#else
    (void)forced;
    return SWPROF_CLOCK_MONOTONIC;
#endif
}

/** A pair of the same moment on @clock and CLOCK_MONOTONIC: the tightest of a few tries. */
void sw__clock_anchor(uint32_t clock, struct swprof_anchor *anchor);

/** CLOCK_REALTIME in nanoseconds. */
int64_t sw__clock_realtime_ns(void);

static inline uint64_t sw__clock_monotonic_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/** The time now, in ticks of @clock. */
static inline uint64_t sw__clock_ticks(uint32_t clock)
{
#if defined(__x86_64__)
    if (__builtin_expect(clock == SWPROF_CLOCK_TSC, 1))
        return __builtin_ia32_rdtsc();
#else
    (void)clock;
#endif
    return sw__clock_monotonic_ns();
}

#endif
