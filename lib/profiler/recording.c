/*
 * Room for entries and dispatch entries of a recording.
 */
#include "config.h"

#include "profiler/recording.h"

#include "base/alloc.h"

int sw__recording_grow(struct sw__recording *recording)
{
    uint32_t bytes = recording->first == NULL ? SW__FIRST_CHUNK_BYTES : SW__CHUNK_BYTES;
    uint32_t room = (bytes - (uint32_t)sizeof(struct sw__chunk)) / (uint32_t)sizeof(struct sw__entry);

    /* The last index is SW__NO_ENTRY. */
    if (recording->n > SW__NO_ENTRY - room) {
        sw_error_set(SW_MEMORY_ERROR, "a Profiler holds at most %u events", SW__NO_ENTRY - room);
        return 0;
    }
    uint32_t *stacks SW__OWNED = NULL;
    if (recording->stacks.depth != 0 && (stacks = sw__alloc_large(room * sizeof *stacks)) == NULL)
        return 0;
    struct sw__chunk *chunk = sw__alloc_large(bytes);
    if (chunk == NULL)
        return 0;
    *chunk = (struct sw__chunk){.room = room, .stacks = sw__take(stacks)};
    if (recording->last != NULL)
        recording->last->next = chunk;
    else
        recording->first = chunk;
    recording->last = chunk;
    return 1;
}

int sw__recording_learn(struct sw__recording *recording, const struct sw_hook_dispatch *dispatch)
{
    if (dispatch->id >= recording->n_dispatches) {
        uint32_t n = dispatch->id + 64;
        const struct sw_hook_dispatch **grown = sw__realloc(recording->dispatches, n * sizeof *grown);

        if (grown == NULL)
            return 0;
        for (uint32_t i = recording->n_dispatches; i < n; i++)
            grown[i] = NULL;
        recording->dispatches = grown;
        recording->n_dispatches = n;
    }
    recording->dispatches[dispatch->id] = dispatch;
    return 1;
}

void sw__recording_clear(struct sw__recording *recording)
{
    for (struct sw__chunk *chunk = recording->first; chunk != NULL;) {
        struct sw__chunk *next = chunk->next;

        sw__free(chunk->stacks);
        sw__free(chunk);
        chunk = next;
    }
    sw__free(recording->dispatches);
    sw__shape_table_clear(&recording->shapes);
    sw__stack_table_clear(&recording->stacks);
    *recording = (struct sw__recording){0};
}
