/*
 * The end of a round on all threads: no operation that ended before it is
 * published after its session was frozen.
 */
#ifndef SHIM_SETTLE_H
#define SHIM_SETTLE_H

#include "shim/capture.h"

/** Once, when the shim is loaded. */
void settle_load(void);

/**
 * A moment, not before @end, that all stamps of threads lie before and none of
 * those to come, but for hooks that are at work now: see settle_wait(). For
 * the holder of the lock.
 */
uint64_t settle_mark(struct capture *capture, uint64_t end);

/**
 * Wait until the hooks that were at work on other threads are through: whatever
 * ended before the mark has been published then. Gives up after a while, as one
 * of them may have been left by a jump or be waiting for the caller. Not for the
 * holder of the lock.
 */
void settle_wait(const struct capture *capture);

#endif
