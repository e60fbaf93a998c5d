/*
 * Ticks to nanoseconds: one affine function through two anchors. It is exact at
 * both, monotone everywhere, and applied to stamps, never to durations, so that
 * sums of differences come out even.
 */
#ifndef RECORD_CLOCK_MAP_H
#define RECORD_CLOCK_MAP_H

#include <swprof/format.h>

struct sw__clock_map {
    struct swprof_anchor origin;
    /* Nanoseconds per tick: a whole number and a fraction of 2^64, cut off. No division on the way of a stamp. */
    uint64_t whole;
    uint64_t fraction;
    uint64_t cut; /* 1 when something was cut off */
};

/**
 * The map through two anchors in order of time. 0, and the map that counts
 * ticks from @first as nanoseconds, when the second does not lie after the
 * first on both clocks.
 */
static inline int sw__clock_map_init(struct sw__clock_map *map, const struct swprof_anchor *first,
                                     const struct swprof_anchor *last)
{
    int usable = last->ticks > first->ticks && last->monotonic_ns > first->monotonic_ns;
    uint64_t ticks = usable ? last->ticks - first->ticks : 1;
    uint64_t ns = usable ? (uint64_t)last->monotonic_ns - (uint64_t)first->monotonic_ns : 1;
    unsigned __int128 rest = (unsigned __int128)(ns % ticks) << 64;

    map->origin = *first;
    map->whole = ns / ticks;
    map->fraction = (uint64_t)(rest / ticks);
    map->cut = rest % ticks != 0;
    return usable;
}

/**
 * Rounded down; stamps before the first anchor and after the last lie on the
 * same line. Saturates. Forwards the fraction is rounded up instead of cut: that
 * makes the last anchor exact and changes a result only where it lies within
 * distance / 2^64 below a whole number.
 */
static inline int64_t sw__clock_map_ns(const struct sw__clock_map *map, uint64_t stamp)
{
    const __int128 limit = (__int128)INT64_MAX * 2;
    __int128 ns;

    if (stamp >= map->origin.ticks) {
        uint64_t distance = stamp - map->origin.ticks;
        unsigned __int128 part = (unsigned __int128)distance * (map->fraction + map->cut) >> 64;
        unsigned __int128 sum = (unsigned __int128)distance * map->whole + part;

        ns = sum > (unsigned __int128)limit ? limit : (__int128)sum;
    } else {
        uint64_t distance = map->origin.ticks - stamp;
        unsigned __int128 part = (((unsigned __int128)distance * map->fraction) + UINT64_MAX) >> 64;
        unsigned __int128 sum = (unsigned __int128)distance * map->whole + part;

        ns = sum > (unsigned __int128)limit ? -limit : -(__int128)sum;
    }
    ns += map->origin.monotonic_ns;
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

#endif
