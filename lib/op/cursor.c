/*
 * The cursor: leaves merged once, then runs along the innermost one with a
 * carry into the others.
 */
#include "config.h"

#include "op/cursor.h"

#include "base/alloc.h"

void sw__cursor_clear(struct sw__cursor *cursor)
{
    sw__free(cursor->heap);
}

static enum sw_status reserve(struct sw__cursor *cursor, size_t n_leaves)
{
    int64_t *memory = cursor->store;
    size_t n = SW__CURSOR_INLINE;

    cursor->heap = NULL;
    if (n_leaves > n) {
        n = n_leaves;
        memory = cursor->heap = sw__alloc(3 * n * sizeof *memory);
        if (memory == NULL)
            return SW_MEMORY_ERROR;
    }
    cursor->extents = memory;
    cursor->strides = memory + n;
    cursor->at = memory + 2 * n;
    return SW_OK;
}

/* Merges a leaf into the last one when it goes on where that one ends. */
static size_t append(struct sw__cursor *cursor, size_t n, int64_t extent, int64_t stride)
{
    if (extent == 1)
        return n;
    if (n > 0 && stride == cursor->extents[n - 1] * cursor->strides[n - 1]) {
        cursor->extents[n - 1] *= extent;
        return n;
    }
    cursor->extents[n] = extent;
    cursor->strides[n] = stride;
    return n + 1;
}

static void rewind_cursor(struct sw__cursor *cursor)
{
    cursor->index = 0;
    for (size_t i = 0; i < cursor->n_leaves; i++)
        cursor->at[i] = 0;
}

enum sw_status sw__cursor_init(struct sw__cursor *cursor, const int64_t *extents, const int64_t *strides,
                               size_t n_leaves)
{
    size_t n = 0;

    SW__TRY(reserve(cursor, n_leaves));
    cursor->size = 1;
    for (size_t i = 0; i < n_leaves; i++) {
        n = append(cursor, n, extents[i], strides[i]);
        cursor->size *= extents[i];
    }
    if (n == 0) {
        cursor->extents[0] = 1;
        cursor->strides[0] = 0;
        n = 1;
    }
    cursor->n_leaves = n;
    rewind_cursor(cursor);
    return SW_OK;
}

void sw__cursor_init_constant(struct sw__cursor *cursor, int64_t size)
{
    cursor->heap = NULL;
    cursor->extents = cursor->store;
    cursor->strides = cursor->store + SW__CURSOR_INLINE;
    cursor->at = cursor->store + 2 * SW__CURSOR_INLINE;
    cursor->size = cursor->extents[0] = size;
    cursor->strides[0] = 0;
    cursor->n_leaves = 1;
    rewind_cursor(cursor);
}

void sw__cursor_seek(struct sw__cursor *cursor, int64_t ordinal)
{
    const size_t last = cursor->n_leaves - 1;

    cursor->index = 0;
    for (size_t i = 0; i < last; i++) {
        cursor->at[i] = ordinal % cursor->extents[i];
        cursor->index += cursor->at[i] * cursor->strides[i];
        ordinal /= cursor->extents[i];
    }
    cursor->at[last] = ordinal;
    cursor->index += ordinal * cursor->strides[last];
}

/* The innermost leaf is at its end: back to its start, on in the next ones. */
static void carry(struct sw__cursor *cursor)
{
    for (size_t i = 0; i < cursor->n_leaves; i++) {
        if (cursor->at[i] < cursor->extents[i])
            return;
        cursor->index -= cursor->extents[i] * cursor->strides[i];
        cursor->at[i] = 0;
        if (i + 1 < cursor->n_leaves) {
            cursor->at[i + 1]++;
            cursor->index += cursor->strides[i + 1];
        }
    }
}

int64_t sw__cursor_run(struct sw__cursor *cursor, int64_t limit, int64_t *ret_index, int64_t *ret_stride)
{
    int64_t left = cursor->extents[0] - cursor->at[0];
    int64_t n = limit < left ? limit : left;

    *ret_index = cursor->index;
    *ret_stride = cursor->strides[0];
    cursor->at[0] += n;
    cursor->index += n * cursor->strides[0];
    if (n == left)
        carry(cursor);
    return n;
}
