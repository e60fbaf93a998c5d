/*
 * The capture of one process: its report and all that refers to it. The kernel
 * zeroes it in a forked child, lock included, so a child starts like a program
 * that has not recorded yet.
 */
#ifndef SHIM_CAPTURE_H
#define SHIM_CAPTURE_H

#include "shim/report.h"
#include "shim/scratch.h"
#include "shim/table.h"

struct thread;

/** What a library calls 0, 1, 2, ... and the report something else. */
struct library_ids {
    const struct sw_hook_library *library; /* published with release order, after ids */
    uint32_t *ids;                         /* DISPATCH_LIMIT entries; see dispatches.h */
};

#define CAPTURE_LIBRARIES 16

/** A run of blocks of one type to which records are appended. */
struct series {
    struct swprof_block *block; /* the current one, NULL before the first */
};

/** A chunk that can be used again; see ring.h. */
struct ring_chunk {
    struct swprof_block *block;
    struct swprof_thread *owner; /* whose events it holds */
    struct ring_chunk *newer;
    uint64_t period;             /* of the ring when it was begun or emptied */
};

/** Chunks of one thread, or of those that have ended. */
struct ring_list {
    struct ring_chunk *oldest; /* NULL: there are none */
    struct ring_chunk *newest;
    uint64_t n_pages;
};

struct ring {
    struct ring_chunk *chunks; /* room for all that the report can have; NULL before the first */
    uint32_t n_chunks;         /* in use */
    uint32_t n_refused;        /* times that a chunk was wanted since there was no space for one; 0: there was */
    uint64_t period;           /* which of the times between ends of rounds: what was begun in an earlier one stays */
    struct ring_list orphans;  /* of threads that have ended */
};

enum capture_state { CAPTURE_NONE = 0, CAPTURE_READY = 1, CAPTURE_FAILED = 2 };

/** A note that was appended open: where it stands, if it does still, and what it needs to be appended anew. */
struct notes_open {
    struct swprof_note *slot;   /* NULL: there is none */
    struct swprof_block *chunk; /* that it is in */
    uint64_t generation;        /* of the chunk */
    struct swprof_note note;
};

struct capture {
    uint32_t lock;   /* slow_lock() */
    uint32_t rounds_lock; /* of those who begin and end rounds; taken before `lock` */
    uint32_t schedule_lock; /* of those who follow a schedule; taken before `rounds_lock` */
    uint32_t state;  /* enum capture_state; atomic */
    uint32_t frozen; /* atomic */
    int32_t last_tid; /* the thread that froze */
    int32_t error;   /* errno of CAPTURE_FAILED */
    struct report report;
    struct series strings, dispatches, shapes, sessions, carriers;
    struct series thread_records, frames, aggregates, octaves, modules, stacks;
    struct ring ring;
    uint64_t made_up_bytes; /* of texts that the program made up */
    struct table string_table, class_table, shape_table, stack_table;
    uint32_t n_classes;
    uint32_t n_dispatches;
    uint32_t n_modules; /* of the process's that are in the report */
    uint8_t *hidden; /* bit per dispatch id; NULL without SWPROF_CARRIERS */
    struct library_ids libraries[CAPTURE_LIBRARIES];
    uint32_t n_libraries; /* atomic */
    struct thread *threads; /* all there ever were; atomic */
    struct thread *ended;   /* ring of those whose end was seen: the last one, whose next_ended is the first */
    struct thread *spare;   /* unused ones of the current slab */
    uint32_t n_spare;
    uint32_t n_threads;
    uint32_t has_cost; /* it was measured, or is being so: see cost.h; atomic */
    uint32_t no_more_threads; /* 1 + enum swprof_lost when a thread could not be given room; atomic */
    struct notes_open step; /* the program's, while it is noted */
    uint32_t step_has_begun; /* while something was recorded, whether it was noted or lost; atomic, relaxed */
    struct notes_open phase;
    uint32_t phase_is_noted; /* or found no room; written under the lock, read without it (atomic, relaxed) */
    struct swprof_session *session; /* of the open round */
    struct swprof_session *closing; /* of the last one, ended and not yet frozen */
    struct process process;
    struct scratch scratch;
};

/** The process's capture, which may be in state NONE; NULL when there is no memory. Threads: any. */
struct capture *capture_get(void);

/**
 * Make the report, if that has not been tried. For the holder of the lock.
 * Returns 1 when there is one.
 */
int capture_start(struct capture *capture);

/** At the regular end of the process: end the round, freeze the report. */
void capture_freeze(void);

/** Whether the calling thread may still record although the report is frozen; takes FROZEN back when so. */
int capture_thaw(struct capture *capture);

/** Count a boundary that no thread's counters hold. Threads: any. */
void capture_lose(struct capture *capture, enum swprof_lost reason);

#endif
