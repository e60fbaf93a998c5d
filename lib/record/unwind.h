/*
 * Native call stacks of the calling thread, for the Profiler and for the shim:
 * fast enough for every boundary, and safe in a signal handler or inside of the
 * program's own allocator.
 *
 * How a frame is left (where its caller's stack pointer, base pointer and return
 * address are) is a matter of its code address alone. libunwind says so once per
 * address, by a step that it takes on made-up registers; from then on a frame is
 * a look-up and two loads. libunwind's own backtrace would do as much, but it
 * allocates for each thread, opens descriptors in the program, waits for locks
 * that a forked child may find taken, and does not notice that a library was
 * replaced by another at its place.
 *
 * Looking up takes no lock, makes no system call and allocates nothing. The
 * first sight of an address takes a lock, with signals blocked.
 */
#ifndef RECORD_UNWIND_H
#define RECORD_UNWIND_H

#include <stddef.h>
#include <stdint.h>

#include "record/stack.h"

/** Most frames of a stack, and most modules of a process. */
#define SW__UNWIND_MOST_FRAMES UINT32_C(1024)
#define SW__UNWIND_MOST_MODULES UINT32_C(4096)

/**
 * A frame as one word: number of its module, and the address of the call within
 * that (as in its file: what is added when it is loaded is taken off). The
 * address lies inside of the calling instruction, or is where a signal came.
 */
#define SW__UNWIND_OFFSET_BITS 48

static inline uint32_t sw__unwind_module_of(uint64_t frame)
{
    return (uint32_t)(frame >> SW__UNWIND_OFFSET_BITS);
}

static inline uint64_t sw__unwind_offset_of(uint64_t frame)
{
    return frame & ((UINT64_C(1) << SW__UNWIND_OFFSET_BITS) - 1);
}

#define SW__UNWIND_BUILD_ID_BYTES 32
#define SW__UNWIND_PATH_BYTES 1024

/** A file that was mapped when a frame in it was first seen. Never changes, and its number is never given to another. */
struct sw__unwind_module {
    uintptr_t low;           /* extent in memory */
    uintptr_t high;
    uintptr_t bias;          /* address in memory less address in the file */
    uint32_t build_id_bytes; /* 0: it has none */
    uint8_t build_id[SW__UNWIND_BUILD_ID_BYTES];
    char path[SW__UNWIND_PATH_BYTES]; /* absolute where that can be told */
};

/** Whether there are stacks in this process, and why not. */
enum sw__unwind_state {
    SW__UNWIND_OFF = 0,        /* nobody asked */
    SW__UNWIND_READY = 1,
    SW__UNWIND_NO_LIBRARY = 2, /* libunwind is not there, or lacks what is needed */
    SW__UNWIND_NO_SUPPORT = 3  /* this build, processor or C library has no way to do it */
};

/** How a stack is incomplete; 0: it is not. */
enum sw__unwind_flags {
    SW__UNWIND_CUT = 1, /* deeper than there was room for */
    SW__UNWIND_LOST = 2, /* a frame without unwind information, or one that makes no sense: there is more behind it */
    SW__UNWIND_LEARNED = 4 /* nothing is missing; the slow path was taken */
};

/** Zeroed memory that counts when it is touched and is kept in forked children; NULL when there is none. */
typedef void *sw__unwind_reserve(uint64_t n_bytes);

/**
 * Open libunwind and make room. Allocates; for a moment at which that is
 * harmless, such as a constructor. Once per process; later calls return what
 * the first one found.
 */
enum sw__unwind_state sw__unwind_load(sw__unwind_reserve *reserve);

/**
 * Leave frames of the module that holds @address out where they are the
 * innermost ones; unless that is the program itself. Slow path.
 */
void sw__unwind_hide(const void *address);

/**
 * sw__unwind_trace - the calls that lead to the caller, the innermost first.
 *
 * @own        The calling thread's stack; learned when it is needed.
 * @frames     Room for @room frames (at most SW__UNWIND_MOST_FRAMES).
 * @ret_flags  enum sw__unwind_flags.
 *
 * Returns the number of frames; 0 also when there are no stacks at all.
 */
uint32_t sw__unwind_trace(struct sw__stack *own, uint64_t *frames, uint32_t room, uint32_t *ret_flags);

/** Modules so far. Threads: any. */
uint32_t sw__unwind_n_modules(void);
/** The module of a number below that. */
const struct sw__unwind_module *sw__unwind_module(uint32_t number);

#endif
