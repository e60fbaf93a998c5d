/*
 * One mode of a tensor, and what lies before and after it: what operations
 * along an axis loop over. The axis may be nested and is run through in
 * ordinal order.
 */
#ifndef OP_AXIS_H
#define OP_AXIS_H

#include "op/op.h"
#include "op/source.h"

/** The leaves of a tensor's layout before, of, and after the axis mode. Begins as { 0 }. */
struct sw__axis {
    struct sw__source before;
    struct sw__source along;
    struct sw__source after;
};

void sw__axis_clear(struct sw__axis *axis);
#define SW__OWNED_AXIS SW__CLEANUP(sw__axis_clear)

/** Mode @mode of a tensor. MemoryError. */
SW_NODISCARD enum sw_status sw__axis_init(struct sw__axis *axis, const struct sw_tensor *in, size_t mode);

/** An operand that names a mode of @in, counted from 0. TypeError when it is no integer, ValueError out of range. */
SW_NODISCARD enum sw_status sw__axis_operand(const struct sw__op *op, const struct sw_operand *operand,
                                             const struct sw_tensor *in, size_t *ret_mode);

/** Elements of mode @mode. */
int64_t sw__axis_extent(const struct sw_tensor *in, size_t mode);

/** Elements before, of and after a mode. */
struct sw__extents {
    size_t before;
    size_t along;
    size_t after;
};
struct sw__extents sw__axis_extents(const struct sw_tensor *in, size_t mode);

/**
 * The elements of an Int32 tensor in ordinal order, all in [0, @extent): IndexError otherwise. The array is the
 * caller's, given back with sw__free(). MemoryError.
 */
SW_NODISCARD enum sw_status sw__axis_indices(const struct sw__op *op, const struct sw_tensor *index, int64_t extent,
                                             int64_t **ret_indices);

/** The shape of @in with mode @mode replaced by the modes of @replacement. */
SW_NODISCARD enum sw_status sw__axis_replace(const struct sw_tensor *in, size_t mode,
                                             const struct sw_tree *replacement, struct sw_tree **ret_shape);

#endif
