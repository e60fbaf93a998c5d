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

/** First event of a chunk. */
static inline struct swprof_event *events_of(struct swprof_block *chunk)
{
    return (struct swprof_event *)(void *)(chunk + 1);
}

/** The slots before @end are whole. */
static inline void events_publish(struct swprof_block *chunk, const struct swprof_event *end)
{
    __atomic_store_n(&chunk->published, (uint64_t)((const char *)end - (const char *)events_of(chunk)),
                     __ATOMIC_RELEASE);
}

#endif
