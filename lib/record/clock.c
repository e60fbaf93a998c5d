/*
 * Choosing the clock and pairing it with the system's clocks.
 */
#include "config.h"

#include "record/clock.h"

#include "record/at_load.h"
#include "record/sys.h"
#include "record/text.h"

#if defined(__x86_64__)
#include <cpuid.h>

#define CLOCKSOURCE "/sys/devices/system/clocksource/clocksource0/current_clocksource"

/* The kernel's clocksources that are the time stamp counter or computed from it. */
static const char *const tsc_sources[] = {"tsc\n", "kvm-clock\n", "hyperv_clocksource_tsc_page\n"};

static int tsc_is_invariant(void)
{
    unsigned a, b, c, d;

    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
}

/* A kernel that found the counters of its processors apart has left these sources. */
static int tsc_is_trusted(void)
{
    char source[64];

    if (sw__sys_read_text(CLOCKSOURCE, source, sizeof source) < 0)
        return 0;
    for (size_t i = 0; i < sizeof tsc_sources / sizeof *tsc_sources; i++)
        if (sw__text_is(source, tsc_sources[i]))
            return 1;
    return 0;
}

uint32_t sw__clock_choose(uint32_t forced)
{
    if (forced == SWPROF_CLOCK_MONOTONIC || !tsc_is_invariant() || !tsc_is_trusted())
        return SWPROF_CLOCK_MONOTONIC;
    return SWPROF_CLOCK_TSC;
}
#else
uint32_t sw__clock_choose(uint32_t forced)
{
    (void)forced;
    return SWPROF_CLOCK_MONOTONIC;
}
#endif

#define ANCHOR_TRIES 8

SW__AT_LOAD static int64_t now_ns(long clock_id)
{
    struct timespec now = {0, 0};

    /* Not clock_gettime(): a program that fakes its time must not bend the map. */
    syscall(SYS_clock_gettime, clock_id, &now);
    return (int64_t)now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

SW__AT_LOAD void sw__clock_anchor(uint32_t clock, struct swprof_anchor *anchor)
{
    uint64_t best = UINT64_MAX;

    if (clock != SWPROF_CLOCK_TSC) {
        anchor->ticks = sw__clock_ticks(clock);
        anchor->monotonic_ns = (int64_t)anchor->ticks;
        return;
    }
    for (int i = 0; i < ANCHOR_TRIES; i++) {
        uint64_t before = sw__clock_ticks(clock);
        int64_t between = now_ns(CLOCK_MONOTONIC);
        uint64_t width = sw__clock_ticks(clock) - before;

        if (width < best) {
            best = width;
            anchor->ticks = before + width / 2;
            anchor->monotonic_ns = between;
        } else if (width - best <= best / 8) {
            return; /* so tight twice: no other try is much tighter */
        }
    }
}

SW__AT_LOAD int64_t sw__clock_realtime_ns(void)
{
    return now_ns(CLOCK_REALTIME);
}
