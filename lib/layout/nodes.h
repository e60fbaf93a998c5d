/*
 * A growing list of tree entries; small ones need no allocation. A failure is
 * remembered, so that whoever fills the list asks once, at the end.
 */
#ifndef LAYOUT_NODES_H
#define LAYOUT_NODES_H

#include <strideweave/status.h>

#include "base/cleanup.h"

#define SW__NODES_FIXED 24

struct sw__nodes {
    int64_t *at;
    size_t n;
    size_t capacity;
    enum sw_status status; /* of the first failure; the list takes nothing more after it */
    int64_t fixed[SW__NODES_FIXED];
};

static inline void sw__nodes_init(struct sw__nodes *nodes)
{
    nodes->at = nodes->fixed;
    nodes->n = 0;
    nodes->capacity = SW__NODES_FIXED;
    nodes->status = SW_OK;
}

/** Give back what an initialised list holds. */
void sw__nodes_clear(struct sw__nodes *nodes);
/** Room for @n_more entries; 0 when there is none (status says why). */
int sw__nodes_reserve(struct sw__nodes *nodes, size_t n_more);

static inline void sw__nodes_push(struct sw__nodes *nodes, int64_t node)
{
    if (nodes->n < nodes->capacity || sw__nodes_reserve(nodes, 1))
        nodes->at[nodes->n++] = node;
}

#endif
