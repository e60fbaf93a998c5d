/*
 * The stack of open operations of one thread. One engine for the Profiler and
 * for the shim: the owner supplies the room for frames and a sink that hears of
 * frames which were left without their exit. A frame is identified by `token`,
 * which is the address of the boundary's structure, unique among open ones.
 *
 * HEALING. longjmp runs no exit. A frame counts as left when a later boundary
 * shows it: the same structure is entered again; or the order of stack addresses
 * is violated and both lie in the thread's own stack; or it was on the alternate
 * signal stack and that is no longer in use. An exit of an outer operation ends
 * the inner ones. Everything else that does not nest (coroutines, begin and end
 * called by hand and crossed) is counted as an anomaly.
 *
 * The owner guards against signal handlers: none of this is re-entrant.
 */
#ifndef RECORD_FRAMES_H
#define RECORD_FRAMES_H

#include <swprof/format.h>

#include <stddef.h>

#include "record/stack.h"

/** The depth of an event has 16 bits. */
#define SW__FRAMES_MAX UINT32_C(65535)
/** Boundaries closer than this on a stack that grows downwards surely nest. */
#define SW__FRAMES_NEAR UINT64_C(8192)

struct sw__frames;

struct sw__frames_sink {
    /** A frame was left without its exit; it had @depth enclosing operations and is no longer on the stack. */
    void (*left)(struct sw__frames *frames, const struct swprof_frame *frame, uint32_t depth);
    /** Enter and exit did not match. */
    void (*anomaly)(struct sw__frames *frames);
};

struct sw__frames {
    struct swprof_frame *outer; /* the outermost n_outer frames */
    struct swprof_frame *deep;  /* the n_deep behind them; NULL with n_deep 0 */
    uint32_t n_outer;
    uint32_t n_deep;
    uint32_t depth;             /* operations open */
    const struct sw__frames_sink *sink;
    struct sw__stack stack;     /* of the thread */
};

/* The parts that are not on the hot path. */
void sw__frames_heal(struct sw__frames *frames, uintptr_t stack, uint64_t token);
struct swprof_frame *sw__frames_leave_crossed(struct sw__frames *frames, uintptr_t stack, uint64_t token);

/** The frame with @index enclosing ones. */
static inline struct swprof_frame *sw__frames_at(const struct sw__frames *frames, uint32_t index)
{
    return index < frames->n_outer ? &frames->outer[index] : &frames->deep[index - frames->n_outer];
}

/**
 * sw__frames_enter - put a frame on the stack.
 *
 * @stack  __builtin_frame_address(0) of the function that was called at the boundary.
 * @token  Identifies the passage; see above.
 *
 * Returns the frame, with stack and token filled in, or NULL when the room is
 * used up: give more and call again.
 */
static inline struct swprof_frame *sw__frames_enter(struct sw__frames *frames, uintptr_t stack, uint64_t token)
{
    struct swprof_frame *frame;

    if (frames->depth != 0) {
        const struct swprof_frame *top = sw__frames_at(frames, frames->depth - 1);

        /* One comparison for "below" and "near": a difference below zero is a huge one. */
        if (__builtin_expect(top->stack - stack - 1 >= SW__FRAMES_NEAR, 0))
            sw__frames_heal(frames, stack, token);
    }
    if (__builtin_expect(frames->depth >= frames->n_outer + frames->n_deep, 0))
        return NULL;
    frame = sw__frames_at(frames, frames->depth++);
    frame->stack = stack;
    frame->token = token;
    return frame;
}

/** Take the innermost frame from the stack when it is that of @token; else NULL, and nothing has changed. */
static inline struct swprof_frame *sw__frames_leave_top(struct sw__frames *frames, uint64_t token)
{
    struct swprof_frame *top;

    if (__builtin_expect(frames->depth == 0, 0))
        return NULL;
    top = sw__frames_at(frames, frames->depth - 1);
    if (__builtin_expect(top->token != token, 0))
        return NULL;
    frames->depth--;
    return top;
}

/**
 * sw__frames_leave - take the frame of @token from the stack.
 *
 * Returns it (valid until the next enter; its depth is frames->depth), or NULL
 * when no such operation is open, which is an anomaly.
 */
static inline struct swprof_frame *sw__frames_leave(struct sw__frames *frames, uintptr_t stack, uint64_t token)
{
    struct swprof_frame *top = sw__frames_leave_top(frames, token);

    return __builtin_expect(top != NULL, 1) ? top : sw__frames_leave_crossed(frames, stack, token);
}

#endif
