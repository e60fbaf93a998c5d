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
    uint64_t ticks; /* between the anchors, above 0 */
    uint64_t ns;    /* between the anchors */
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

    map->origin = *first;
    map->ticks = usable ? last->ticks - first->ticks : 1;
    map->ns = usable ? (uint64_t)last->monotonic_ns - (uint64_t)first->monotonic_ns : 1;
    return usable;
}

/** Rounded down; stamps before the first anchor and after the last lie on the same line. Saturates. */
static inline int64_t sw__clock_map_ns(const struct sw__clock_map *map, uint64_t stamp)
{
    unsigned __int128 distance;
    __int128 ns;

    if (stamp >= map->origin.ticks) {
        distance = (unsigned __int128)(stamp - map->origin.ticks) * map->ns / map->ticks;
        ns = distance > (unsigned __int128)INT64_MAX * 2 ? (__int128)INT64_MAX * 2 : (__int128)distance;
    } else {
        distance = ((unsigned __int128)(map->origin.ticks - stamp) * map->ns + (map->ticks - 1)) / map->ticks;
        ns = distance > (unsigned __int128)INT64_MAX * 2 ? -(__int128)INT64_MAX * 2 : -(__int128)distance;
    }
    ns += map->origin.monotonic_ns;
    return ns > INT64_MAX ? INT64_MAX : ns < INT64_MIN ? INT64_MIN : (int64_t)ns;
}

#endif
