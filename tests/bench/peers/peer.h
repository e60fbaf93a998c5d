/*
 * What the comparisons with other tools share: the shortest of many blocks of
 * about a millisecond, as for a boundary.
 */
#ifndef TESTS_BENCH_PEERS_PEER_H
#define TESTS_BENCH_PEERS_PEER_H

#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define PEER_BLOCKS 200
#define PEER_CALLS 4000

static int64_t peer_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Print the nanoseconds of one call of @body. */
static void peer_measure(void (*body)(uint64_t i), const char *name)
{
    int64_t least = INT64_MAX;

    for (int block = 0; block < PEER_BLOCKS; block++) {
        int64_t begin = peer_now_ns();

        for (uint64_t i = 0; i < PEER_CALLS; i++)
            body(i);
        begin = peer_now_ns() - begin;
        least = begin < least ? begin : least;
    }
    printf("%s %.4g ns\n", name, (double)least / PEER_CALLS);
}

#endif
