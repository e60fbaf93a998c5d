/*
 * The side of recording that is not in thread.h's inlines: chunks, losses, and
 * frames that were left without an exit.
 */
#ifndef SHIM_EVENTS_H
#define SHIM_EVENTS_H

#include "record/frames.h"
#include "shim/thread.h"

extern const struct sw__frames_sink thread_sink;

/** Slots that have to be left of a chunk for another thread to go on in it. */
#define EVENTS_LEAST_REST 4

/** The thread goes on in the chunk of one that has ended. For the holder of the lock, when its record is published. */
void events_go_on(struct thread *thread);

/** End of the last whole slot of a chunk's first @n_bytes. */
struct swprof_event *events_end(struct swprof_block *chunk, uint64_t n_bytes);

#endif
