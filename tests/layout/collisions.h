/*
 * Random sets of leaves, with the answer whether they collide found by a third
 * method: marking indices in a small array.
 */
#ifndef TESTS_LAYOUT_COLLISIONS_H
#define TESTS_LAYOUT_COLLISIONS_H

#include <string.h>

#include "layout/relation.h"

#define MAX_COLLISION_LEAVES 5

struct collision {
    struct sw__leaf leaves[MAX_COLLISION_LEAVES];
    size_t n;
    int collide;
};

/* A linear congruential generator: the same cases in every run. */
static inline uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static inline void mark_all(const struct sw__leaf *leaves, size_t n, int64_t index, unsigned char *counts)
{
    if (n == 0) {
        if (counts[index] < 2)
            counts[index]++;
        return;
    }
    for (int64_t i = 0; i < leaves[n - 1].extent; i++)
        mark_all(leaves, n - 1, index + i * leaves[n - 1].stride, counts);
}

static inline void random_collision(uint64_t *state, struct collision *ret_case)
{
    static unsigned char counts[4096];
    int64_t stride = 0;

    memset(counts, 0, sizeof counts);
    ret_case->n = 2 + next_random(state) % (MAX_COLLISION_LEAVES - 1);
    for (size_t i = 0; i < ret_case->n; i++) {
        stride += 1 + (int64_t)(next_random(state) % 12);
        ret_case->leaves[i] = (struct sw__leaf){ 2 + (int64_t)(next_random(state) % 4), stride };
    }
    mark_all(ret_case->leaves, ret_case->n, 0, counts);
    ret_case->collide = memchr(counts, 2, sizeof counts) != NULL;
}

#endif
