/*
 * What is known of an operation that has ended, as parameters. It is passed on
 * in registers: a copy in memory, of fields of several sizes, would cost more
 * than all the rest of a boundary.
 */
#ifndef SHIM_OPERATION_H
#define SHIM_OPERATION_H

#include <swprof/format.h>

struct thread;

/** @frame has its dispatch and shapes, @depth counts what encloses it, @flags are of enum swprof_event_flags. */
#define OPERATION_PARAMETERS                                                                                    \
    struct thread *thread, const struct swprof_frame *frame, uint64_t start, uint64_t duration, uint32_t depth, \
        uint32_t flags

/** Pass them on. */
#define OPERATION thread, frame, start, duration, depth, flags

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

/** Write it as an event; SWPROF_EVENT_WIDE_DURATION: the extension is the caller's. */
static inline void operation_write(struct swprof_event *slot, const struct swprof_frame *frame, uint64_t start,
                                   uint64_t duration, uint32_t depth, uint32_t flags)
{
    slot->start = start;
    slot->word = (uint64_t)frame->dispatch << SWPROF_EVENT_DURATION_BITS | duration;
    slot->shapes = frame->shapes;
    slot->depth = (uint16_t)depth;
    slot->flags = (uint8_t)flags;
}

#endif
