/*
 * Operations that address elements by the values of an index tensor.
 */
#ifndef STRIDEWEAVE_INDEXING_H
#define STRIDEWEAVE_INDEXING_H

#include <strideweave/tensor.h>

SW_BEGIN_DECLS

/**
 * sw_gather - elements of a tensor at the places that an index tensor names.
 *
 * @in          Float32, any shape and layout. Borrowed for the call; never written.
 * @index       Int32, any shape and layout, on the same carrier class. Values
 *              in [0, size of the axis mode); a nested axis mode is addressed by
 *              ordinal. Negative values do not count from the end.
 * @axis        In [-rank, rank-1] of @in.
 * @ret_tensor  On success a new tensor, one reference, owned by the caller:
 *              fresh storage, canonical layout, Float32, with the shape of @in
 *              where the modes of @index stand in the place of the axis mode
 *              (an index of rank zero removes it). Untouched on failure.
 *
 * Hooks:   one computation boundary named "gather"; operands in, index, axis
 *          counted from 0.
 * Threads: may run beside other readers of the operands.
 *
 * Errors before the boundary: TypeError for a non-tensor or different carrier
 * classes; ValueError for an axis out of range. Inside: RuntimeError when a
 * carrier was released; TypeError or NotImplementedError (Bool) for a dtype;
 * IndexError for an index out of range, before anything is computed;
 * MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_gather(const struct sw_tensor *in, const struct sw_tensor *index, int64_t axis,
                                             struct sw_tensor **ret_tensor);

/**
 * sw_scatter - a copy of a tensor with elements replaced at the places that an
 * index tensor names.
 *
 * @base     Float32, any shape and layout. Borrowed for the call, as are the
 *           others; none is ever written.
 * @index    Int32: as for sw_gather(), every value at most once.
 * @updates  Float32, with the very shape of sw_gather(@base, @index, @axis).
 * @axis     In [-rank, rank-1] of @base.
 * @ret_tensor  On success a new tensor, one reference, owned by the caller:
 *           fresh storage, canonical layout, Float32, the shape of @base.
 *           Untouched on failure.
 *
 * Hooks, threads and errors: as for sw_gather() with a boundary named
 * "scatter". ValueError, after all indices were found in range, for one that
 * stands there twice, and then for another shape of the updates.
 */
SW_API SW_NODISCARD enum sw_status sw_scatter(const struct sw_tensor *base, const struct sw_tensor *index,
                                              const struct sw_tensor *updates, int64_t axis,
                                              struct sw_tensor **ret_tensor);
/**
 * sw_scatter_add - the same with addition: updates are added in the order of
 * their ordinals, each sum rounded, and an index may stand there repeatedly.
 * Its boundary is named "scatter_add".
 */
SW_API SW_NODISCARD enum sw_status sw_scatter_add(const struct sw_tensor *base, const struct sw_tensor *index,
                                                  const struct sw_tensor *updates, int64_t axis,
                                                  struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
