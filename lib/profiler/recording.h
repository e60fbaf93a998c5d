/*
 * What a session holds while it records: one entry per boundary, in the order
 * of starts, in chunks that are never moved.
 */
#ifndef PROFILER_RECORDING_H
#define PROFILER_RECORDING_H

#include <strideweave/hooks.h>

#include "profiler/shape_table.h"
#include "profiler/stack_table.h"
#include "record/clock_map.h"

#define SW__NO_ENTRY UINT32_MAX

enum sw__entry_flags {
    SW__ENTRY_SUCCEEDED = 1,
    SW__ENTRY_HIDDEN = 2, /* not selected: only accounts for its parent's time */
    SW__ENTRY_HEALED = 4, /* left by longjmp: ended when that was noticed */
    SW__ENTRY_PARENT_HIDDEN = 8
};

/** One boundary: 32 bytes. */
struct sw__entry {
    uint64_t start; /* ticks */
    uint64_t end;
    uint32_t dispatch; /* id */
    uint32_t parent;   /* index of the enclosing entry, or SW__NO_ENTRY */
    uint32_t shapes;   /* index, or SW__NO_ENTRY */
    uint32_t flags;    /* enum sw__entry_flags */
};

/* A chunk's bytes: small to begin with, then what fills large pages. */
#define SW__FIRST_CHUNK_BYTES (UINT32_C(64) << 10)
#define SW__CHUNK_BYTES (UINT32_C(2) << 20)

struct sw__chunk {
    struct sw__chunk *next;
    uint32_t *stacks; /* one index per entry, or SW__NO_ENTRY; NULL when the recording has none */
    uint32_t n;
    uint32_t room;
    struct sw__entry entries[];
};

struct sw__recording {
    struct sw__chunk *first;
    struct sw__chunk *last;
    uint32_t n;        /* entries in all chunks */
    uint32_t n_hidden;
    const struct sw_hook_dispatch **dispatches; /* by id; NULL for those not seen */
    uint32_t n_dispatches;
    struct sw__shape_table shapes;
    struct sw__stack_table stacks;
};

/** Make a chunk current; 0 when there is no memory. */
int sw__recording_grow(struct sw__recording *recording);
/** Remember the dispatch entry of an id; 0 when there is no memory. */
int sw__recording_learn(struct sw__recording *recording, const struct sw_hook_dispatch *dispatch);
void sw__recording_clear(struct sw__recording *recording);

/** The next entry, not filled in, or NULL when there is no memory. */
static inline struct sw__entry *sw__recording_append(struct sw__recording *recording,
                                                     const struct sw_hook_dispatch *dispatch)
{
    uint32_t id = dispatch->id;

    if (__builtin_expect(id >= recording->n_dispatches || recording->dispatches[id] == NULL, 0) &&
        !sw__recording_learn(recording, dispatch))
        return NULL;
    if (__builtin_expect(recording->last == NULL || recording->last->n == recording->last->room, 0) &&
        !sw__recording_grow(recording))
        return NULL;
    recording->n++;
    return &recording->last->entries[recording->last->n++];
}

struct sw__frozen;

/** Turn a recording into events and empty it. On failure it is left as it was. */
SW_NODISCARD enum sw_status sw__recording_freeze(struct sw__recording *recording, const struct sw__clock_map *map,
                                                 struct sw__frozen **ret_frozen);

#endif
