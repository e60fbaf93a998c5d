/*
 * A source: the elements of a tensor (or of a part of it, or a scalar), in
 * ordinal order, materialised in the dtype that the plan asks for. Kernels see
 * contiguous elements only; where a tensor's slots already lie that way they
 * see the slots themselves.
 */
#ifndef OP_SOURCE_H
#define OP_SOURCE_H

#include "carrier/dense.h"
#include "dtype/policy.h"
#include "layout/layout.h"
#include "op/cursor.h"
#include "tensor/tensor.h"

/** Elements that a source materialises at once. */
#define SW__BLOCK 1024

/** Copies the elements @index, @index + @stride, ... of @base to @out, converted. */
typedef void sw__copy_run_fn(void *out, const void *base, int64_t index, int64_t stride, int64_t n);

struct sw__source {
    struct sw__cursor cursor;
    const void *base;      /* address of the element with index 0 */
    sw__copy_run_fn *copy;
    size_t stored_bytes;   /* of one slot */
    size_t bytes;          /* of one materialised element */
    int converts;          /* stored in another dtype than wanted */
    int is_direct;         /* the slots are what the kernel wants to see */
    size_t n_filled;       /* constant, and so many of it are in the buffer already */
    union {
        float f32;
        int32_t i32;
    } scalar;              /* what a scalar's base points to */
};

static inline void sw__source_clear(struct sw__source *source)
{
    sw__cursor_clear(&source->cursor);
}
#define SW__OWNED_SOURCE SW__CLEANUP(sw__source_clear)

/** All of a tensor on Generic or CPU storage, converted to @wanted. */
SW_NODISCARD enum sw_status sw__source_init(struct sw__source *source, const struct sw_tensor *tensor,
                                            enum sw_dtype wanted);
/** Leaves [@begin, @end) of its layout, the others at coordinate 0. */
SW_NODISCARD enum sw_status sw__source_init_leaves(struct sw__source *source, const struct sw_tensor *tensor,
                                                   enum sw_dtype wanted, size_t begin, size_t end);
/** @size repetitions of a scalar, rounded to @wanted once. OverflowError when it does not fit. */
SW_NODISCARD enum sw_status sw__source_init_scalar(struct sw__source *source, const struct sw_scalar *scalar,
                                                   enum sw_dtype wanted, int64_t size);
/** @n elements of memory, @stride apart. */
SW_NODISCARD enum sw_status sw__source_init_memory(struct sw__source *source, const void *base, enum sw_dtype dtype,
                                                   int64_t n, int64_t stride);
/** All elements of a tensor in ordinal order, converted to @wanted, to @out. MemoryError. */
SW_NODISCARD enum sw_status sw__source_copy(const struct sw_tensor *tensor, enum sw_dtype wanted, void *out);
/** The next @n elements: in @buffer, which is the same one at every read, or where they are stored. */
const void *sw__source_read(struct sw__source *source, size_t n, void *buffer);
/** How many elements may be read next: all where they are stored if they lie side by side, else a block of copies. */
size_t sw__source_reach(const struct sw__source *source);
/** The element that is read next. */
void sw__source_seek(struct sw__source *source, int64_t ordinal);
/** Let @inner (some leaves of a tensor) begin at element @ordinal of @outer (other leaves of it). */
void sw__source_aim(struct sw__source *inner, struct sw__source *outer, int64_t ordinal);

#endif
