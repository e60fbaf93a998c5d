/*
 * The report's file as mapped memory: its creation, and the handing out of
 * blocks within the cap. All functions are for the holder of the capture's
 * lock unless they say otherwise.
 *
 * The file has its full size from the start and is sparse; the descriptor is
 * closed at once, so that nothing the program does with descriptors, its root or
 * its rights matters later. Pages are made present before they are written, by
 * ways that fail with an error where a plain store would raise SIGBUS.
 */
#ifndef SHIM_REPORT_H
#define SHIM_REPORT_H

#include <swprof/format.h>

#include "shim/limits.h"
#include "shim/process.h"
#include "shim/settings.h"

#define REPORT_POPULATE_BYTES UINT64_C(65536)

/*
 * Compiler and processor keep the order in which a reader, or a kill, may find
 * the stores before and behind. The thread sanitizer follows no fences, and sees
 * no reader either: that is another process.
 */
#ifdef __SANITIZE_THREAD__
#define report_store_fence() __atomic_signal_fence(__ATOMIC_RELEASE)
#else
#define report_store_fence() __atomic_thread_fence(__ATOMIC_RELEASE)
#endif

struct report {
    struct swprof_header *header; /* the beginning of the mapping; NULL: there is no report */
    uint64_t looked_at;           /* used_bytes when the limits were last looked at */
    uint64_t reserve_bytes;       /* part of the cap that events, shapes, notes and call stacks do not get */
    uint64_t notes_reserve_bytes; /* part that events of a ring leave to notes, while these have less */
    uint64_t note_bytes;          /* of the chunks of notes */
    uint64_t device;              /* identity of the file */
    uint64_t inode;
    struct limits limits;
    uint32_t clock;
    char path[SETTINGS_OUTPUT_BYTES];
};

/** What the header says that is known before. */
struct report_facts {
    const struct settings *settings;
    const struct process *process;
    uint32_t clock;
    uint32_t stacks; /* enum swprof_stacks */
    struct swprof_anchor first;
    int64_t realtime_ns;
};

/** Make the file and its header. 0, or an errno; then path says which name failed. */
int report_create(struct report *report, const struct report_facts *facts, struct scratch *scratch);

/**
 * report_block - hand out a block.
 *
 * @form    type, pages, thread and first_id of the block. Its first
 *          REPORT_POPULATE_BYTES are made present.
 * @reason  On failure why.
 *
 * Returns the block, published with an empty payload; NULL on failure.
 */
struct swprof_block *report_block(struct report *report, const struct swprof_block *form, struct scratch *scratch,
                                  enum swprof_lost *reason);

/** Take back a report that was just made: nothing of it stays. */
void report_discard(struct report *report);

/** Make a range of the mapping present. 0 when the file system refuses. Threads: any. */
int report_populate(void *memory, uint64_t n_bytes);

/** Renew the header's second anchor. */
void report_renew_anchor(struct report *report);

/** Say that the report is complete, and cut the file to what is used. */
void report_freeze(struct report *report);

/** Take FROZEN back: an operation ran after the end. */
void report_thaw(struct report *report);

/** Reference of an address within the mapping. */
static inline uint32_t report_reference(const struct report *report, const void *address)
{
    return (uint32_t)((uint64_t)((const char *)address - (const char *)report->header) / 8);
}

/** Address of a reference. */
static inline void *report_address(const struct report *report, uint32_t reference)
{
    return (char *)report->header + (uint64_t)reference * 8;
}

static inline uint64_t report_block_bytes(const struct swprof_block *block)
{
    return (uint64_t)block->pages * SWPROF_BLOCK_ALIGN;
}

#endif
