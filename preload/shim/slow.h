/*
 * Around everything that is not the hot path: no signal but SIGSYS is delivered,
 * so that no handler finds the recorder half-way, and errno is the program's
 * again at the end.
 */
#ifndef SHIM_SLOW_H
#define SHIM_SLOW_H

#include <stdint.h>

struct slow {
    uint64_t signals; /* the mask to go back to */
    int saved_errno;
};

void slow_begin(struct slow *slow);
void slow_end(const struct slow *slow);

/** A lock for slow paths; zero is unlocked. Signals have to be blocked. */
void slow_lock(uint32_t *lock);
void slow_unlock(uint32_t *lock);

#endif
