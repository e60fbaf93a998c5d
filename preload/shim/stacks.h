/*
 * Call stacks in the report, each stored once. That they are wanted
 * (SWPROF_STACK) takes every boundary off the usual way; who does not ask for
 * them pays nothing.
 */
#ifndef SHIM_STACKS_H
#define SHIM_STACKS_H

#include <swprof/format.h>

#include <stddef.h>
#include <stdint.h>

struct thread;

/** Most distinct stacks of a report. */
#define STACKS_MOST (UINT32_C(1) << 16)

/** What a thread needs for stacks; both NULL: there are none. */
struct thread_stacks {
    uint64_t *frames;     /* room for one stack */
    uint32_t *references; /* per depth: of the stack of the operation that is open there; 0: none */
};

/** Once, when the shim is loaded and if stacks are asked for: opens libunwind. */
void stacks_load(void);

/** enum swprof_stacks. */
uint32_t stacks_state(void);

/** Leave the library of a boundary out of stacks. */
void stacks_hide(const void *library);

/** Make room for a thread's stacks, where they are recorded. */
void stacks_start(struct thread_stacks *stacks);

/** Reference of the call stack of now, 0 when there is none or no room for it. Before the operation's frame is pushed. */
uint32_t stacks_of(struct thread *thread);

/** The operation that was entered at @depth has this stack. */
static inline void stacks_keep(struct thread_stacks *stacks, uint32_t depth, uint32_t reference)
{
    if (stacks->references != NULL)
        stacks->references[depth] = reference;
}

/** Reference of the stack of an operation that ends at @depth. */
static inline uint32_t stacks_at(const struct thread_stacks *stacks, const struct swprof_frame *frame, uint32_t depth)
{
    return stacks->references == NULL || frame->dispatch == SWPROF_DISPATCH_RECORDER ? 0 : stacks->references[depth];
}

/** What the flags of an event's extension say of it. */
static inline uint32_t stacks_flag(uint32_t reference)
{
    return reference != 0 ? SWPROF_EVENT_STACK : 0;
}

#endif
