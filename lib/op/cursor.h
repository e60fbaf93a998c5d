/*
 * A cursor over the elements of a layout in ordinal order, one run along the
 * innermost leaf at a time: what every kernel that takes any layout loops over.
 */
#ifndef OP_CURSOR_H
#define OP_CURSOR_H

#include <strideweave/status.h>

#include "base/cleanup.h"

/** Leaves that need no memory of their own; what is left after coalescing is rarely more. */
#define SW__CURSOR_INLINE 6

/** At least one leaf: a size of 1 is the leaf 1:0. Not to be copied: it points into itself. */
struct sw__cursor {
    size_t n_leaves;
    int64_t size;
    int64_t index;    /* of the element that comes next */
    int64_t *extents; /* leaves that follow each other are merged, extent 1 is dropped */
    int64_t *strides;
    int64_t *at;      /* coordinate of the element that comes next */
    int64_t *heap;    /* owned; NULL when the leaves fit in store */
    int64_t store[3 * SW__CURSOR_INLINE];
};

void sw__cursor_clear(struct sw__cursor *cursor);
/** An owning local; begins as { 0 }. */
#define SW__OWNED_CURSOR SW__CLEANUP(sw__cursor_clear)

/** Over @n_leaves leaves, first fastest. MemoryError. */
SW_NODISCARD enum sw_status sw__cursor_init(struct sw__cursor *cursor, const int64_t *extents, const int64_t *strides,
                                          size_t n_leaves);
/** Over @size repetitions of one element. */
void sw__cursor_init_constant(struct sw__cursor *cursor, int64_t size);
/** Go to an ordinal in [0, size). */
void sw__cursor_seek(struct sw__cursor *cursor, int64_t ordinal);

/** Whether all elements have indices 0, 1, 2, ... */
static inline int sw__cursor_is_dense(const struct sw__cursor *cursor)
{
    return cursor->size == 1 || (cursor->n_leaves == 1 && cursor->strides[0] == 1);
}

/** Whether every element has the same index. */
static inline int sw__cursor_is_constant(const struct sw__cursor *cursor)
{
    return cursor->n_leaves == 1 && cursor->strides[0] == 0;
}

/** The next run of at most @limit elements; moves behind it, wrapping at the end. */
int64_t sw__cursor_run(struct sw__cursor *cursor, int64_t limit, int64_t *ret_index, int64_t *ret_stride);

/** The index of the next element; moves behind it. */
static inline int64_t sw__cursor_next(struct sw__cursor *cursor)
{
    int64_t index = cursor->index, stride;

    if (cursor->at[0] + 1 < cursor->extents[0]) {
        cursor->at[0]++;
        cursor->index += cursor->strides[0];
        return index;
    }
    sw__cursor_run(cursor, 1, &index, &stride);
    return index;
}

#endif
