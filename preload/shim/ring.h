/*
 * SWPROF_FULL=ring: events over the oldest ones. When the cap is reached a
 * thread empties the oldest chunk of its own, or one of whoever has far more,
 * and goes on in it. Every event tells how long its children lasted, because
 * they may be gone before it.
 *
 * Only chunks that were begun in the round that is open are used again: a round
 * that has ended keeps what it holds, and one for which nothing is left loses
 * its events for want of room.
 */
#ifndef SHIM_RING_H
#define SHIM_RING_H

#include "shim/operation.h"

struct capture;
struct ring_list;

/** Let a thread record so. Without memory for it a thread records as with SWPROF_FULL=stop. */
void ring_start(struct thread *thread);

/** An operation has ended. */
void ring_put(OPERATION_PARAMETERS);

/** The thread has ended: its chunks are nobody's. For the holder of the lock. */
void ring_leave(struct capture *capture, struct ring_list *list);

/** Add a chunk of other records to a list of those that can be used again; without memory it stays what it is. */
void ring_add(struct capture *capture, struct ring_list *list, struct swprof_block *block, struct swprof_thread *owner);
/** The oldest of the list, now its newest; NULL where ended rounds keep all. The caller empties it. Both: under the lock. */
struct swprof_block *ring_take(struct capture *capture, struct ring_list *list);

/**
 * A round has ended, or is about to be frozen: what chunks hold now they keep.
 * In between operations of the round may still arrive. For the holder of the lock.
 */
void ring_hold(struct capture *capture);

#endif
