/*
 * Notes: what a thread's report has besides operations. They are appended to
 * chunks of their own, 4 KiB first and at most 64 KiB, so that a note costs a
 * store of 32 bytes and a chunk one slow path.
 *
 * Everything here is for a thread that is `busy` (thread.h), as for the hooks:
 * between notes_begin() and notes_end(), or inside of a hook.
 */
#ifndef SHIM_NOTES_H
#define SHIM_NOTES_H

#include <swprof/format.h>

#include "shim/capture.h"

struct thread;

/** Ranges of the program that may be open on a thread; deeper ones are lost. */
#define NOTES_MOST_OPEN 4096
/** A power of two. */
#define NOTES_NAMES 32

/** Of one thread. */
struct notes {
    struct swprof_note *cursor; /* where the next one goes */
    struct swprof_note *limit;
    struct swprof_block *chunk; /* NULL before the first */
    struct ring_list used;      /* of a ring: chunks that can be used again */
    struct notes_open *open;    /* the ranges of the program, outermost first: NOTES_MOST_OPEN; NULL before the first */
    uint64_t retry;             /* losses before room is asked for again */
    uint32_t n_open;
    uint32_t n_chunks;
    uint32_t is_heir;           /* `chunk` is of a thread that has ended, and does not have this one's mark yet */
    uint32_t refused;           /* 1 + enum swprof_lost while there is no room */
    uint32_t names_seen[NOTES_NAMES]; /* references of texts: guesses; 0: none */
};

/**
 * The calling thread's structure, made `busy`, when a note is to be recorded now:
 * a round is open, and the recorder is not at work on the thread. Else NULL,
 * and counted as lost where it is.
 *
 * @stack  __builtin_frame_address(0) of the hook.
 */
struct thread *notes_begin(uintptr_t stack);

/** The same for what is to be completed: also when no round is open, but only for a thread that is set up. */
struct thread *notes_resume(uintptr_t stack);

/** The hook leaves the thread, which was last stamped with @now. */
void notes_end(struct thread *thread, uint64_t now);

/** Room for one more note of the thread, to be filled and then put; NULL, and counted as lost, when there is none. */
struct swprof_note *notes_room(struct thread *thread);

/** The note in the room is whole. */
void notes_put(struct thread *thread, struct swprof_note *slot);

/** Count a note that is not in the report. */
void notes_lose(struct thread *thread);

/** Reference of a name that the program made up; 0, and counted as a lost note, when there is no room for one more. */
uint32_t notes_name(struct thread *thread, const char *text);

/** Append a note as an open one. It may be that it finds no place: it is appended when it is completed, then. */
void notes_put_open(struct thread *thread, struct notes_open *open);

/** Complete it at @end, with @flags of enum swprof_note_flags, where it stands or anew. */
void notes_complete(struct thread *thread, struct notes_open *open, uint64_t end, uint32_t flags);

/** The structure of a thread that has ended goes to another: it goes on in its chunk. */
void notes_inherit(struct notes *notes, const struct notes *former);

#endif
