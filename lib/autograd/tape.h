/*
 * The part of a graph that one backward pass reaches: every tensor that takes
 * part, once, with the cotangent that has come together for it.
 */
#ifndef AUTOGRAD_TAPE_H
#define AUTOGRAD_TAPE_H

#include "autograd/node.h"

struct sw__entry {
    struct sw_tensor *tensor; /* one reference: freeing the graph on the way takes nothing from under the pass */
    float *cotangent;         /* owned: an element each, in ordinal order; NULL: nothing came */
    size_t n_pending;         /* executions that are still to contribute */
    size_t next_ready;        /* behind it in the list of those that wait for nothing */
    int is_kept;              /* the cotangent is wanted after the pass */
};

struct sw__tape {
    struct sw__entry *entries; /* the tensor that is differentiated first */
    size_t n;
    size_t capacity;
    size_t *slots; /* entry numbers plus 1 by the tensor's address; 0 is free */
    size_t n_slots; /* power of two, at least twice n */
};

void sw__tape_clear(struct sw__tape *tape);
/** An owning local; begins as { .n = 0 }. */
#define SW__OWNED_TAPE SW__CLEANUP(sw__tape_clear)

/**
 * All that @output was computed from. RuntimeError for a node that was freed or
 * an operand that was written since; MemoryError.
 */
SW_NODISCARD enum sw_status sw__tape_reach(struct sw__tape *tape, const struct sw_tensor *output);
/** The entry of a tensor; NULL when it was not reached. */
struct sw__entry *sw__tape_find(const struct sw__tape *tape, const struct sw_tensor *tensor);
/** Take @cotangent (owned by the tape from then on) to what has come for an entry. */
void sw__entry_add(struct sw__entry *entry, float *cotangent);
/** Run every node, from the output's on; its cotangent must be there. */
SW_NODISCARD enum sw_status sw__tape_run(struct sw__tape *tape);
/** Free every node that was reached. */
void sw__tape_free_graph(struct sw__tape *tape);

#endif
