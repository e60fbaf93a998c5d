/*
 * Sorting along one mode.
 *
 * WHAT BOTH SHARE
 *
 * Operand    @in: Float32, any shape and layout. Borrowed for the call; never
 *            written. The axis mode may be nested: it is then run through, and
 *            counted, in ordinal order.
 * Order      By value. Equal elements, among them +0 and -0, stand in the order
 *            of their ordinals whichever the direction. Not-a-numbers are above
 *            everything: last when ascending, first when descending.
 * Results    Two new tensors, one reference each, owned by the caller: the
 *            values (Float32) and their ordinals along the axis of @in (Int32),
 *            on fresh storage with canonical layouts. Both outputs are
 *            untouched on failure.
 * Hooks      Two computation boundaries, one for the values and one for the
 *            ordinals: "_sort_values" and "_sort_indices", or "_topk_values"
 *            and "_topk_indices".
 * Threads    May run beside other readers of the operand.
 *
 * Errors     Before the boundaries: TypeError for a non-tensor or an order that
 *            is none; ValueError for an axis out of range. Inside: RuntimeError
 *            when the carrier was released; TypeError or NotImplementedError
 *            (Bool) for the dtype; ValueError for a count out of range;
 *            OverflowError for an axis of more than 2^31-1 elements;
 *            MemoryError.
 */
#ifndef STRIDEWEAVE_SORT_H
#define STRIDEWEAVE_SORT_H

#include <strideweave/tensor.h>

SW_BEGIN_DECLS

enum sw_sort_order { SW_SORT_ASCENDING = 0, SW_SORT_DESCENDING = 1 };

/**
 * sw_sort - the elements of every fibre along one mode in order.
 *
 * @axis  In [-rank, rank-1].
 *
 * Both results have the shape of @in.
 */
SW_API SW_NODISCARD enum sw_status sw_sort(const struct sw_tensor *in, int64_t axis, enum sw_sort_order order,
                                           struct sw_tensor **ret_values, struct sw_tensor **ret_indices);
/**
 * sw_topk - the first @k of them: the smallest when ascending, the largest when
 * descending.
 *
 * @k  From 1 to the size of the axis mode, whose place a leaf of extent @k takes
 *     in both results.
 */
SW_API SW_NODISCARD enum sw_status sw_topk(const struct sw_tensor *in, int64_t k, int64_t axis,
                                           enum sw_sort_order order, struct sw_tensor **ret_values,
                                           struct sw_tensor **ret_indices);

SW_END_DECLS

#endif
