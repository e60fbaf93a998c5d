/*
 * The calling thread's structure, for hooks that are not on the usual path.
 */
#ifndef SHIM_READY_H
#define SHIM_READY_H

#include <stdint.h>

struct thread;

/** The thread's structure when it is set up in this process, else NULL. */
struct thread *ready_thread(void);

/** Set it up, or NULL: counted where there is a report but no room in it. */
struct thread *ready_start(void);

/**
 * Whether a hook of this thread, which has `busy` set, is at work further up. 0
 * when something has jumped out of it.
 *
 * @stack  __builtin_frame_address(0) of the hook that asks.
 */
int ready_is_at_work(struct thread *thread, uintptr_t stack);

#endif
