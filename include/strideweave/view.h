/*
 * Views: operations that return a new tensor on the same carrier, copying
 * nothing.
 *
 * WHAT ALL OF THEM SHARE
 *
 * Operands   @in: any dtype, shape and layout, on any carrier class. Borrowed
 *            for the call, as are trees and arrays.
 * Result     A new tensor, one reference, owned by the caller, given back with
 *            sw_tensor_unref(); the same carrier object and dtype, so writes
 *            through either are seen by both. The offset is that of @in, except
 *            for slices. @ret_tensor is untouched on failure.
 * Hooks      One computation boundary; its name is the function's (a slice is
 *            "view", both rearrangements are "rearrange"). Arguments that are no
 *            tensors stand as "none" among its operands.
 * Threads    May run beside any use of the same tensor.
 *
 * Errors     Before the boundary: TypeError for a non-tensor, or for a tree,
 *            array or command that is missing or no such thing. Inside:
 *            RuntimeError when the carrier was released; ValueError when the
 *            argument does not fit the layout; OverflowError when a size leaves
 *            64 bits; MemoryError.
 */
#ifndef STRIDEWEAVE_VIEW_H
#define STRIDEWEAVE_VIEW_H

#include <strideweave/tensor.h>

SW_BEGIN_DECLS

/** @shape: nested like the shape of @in; leaf by leaf the same extent, or any where @in has 1 (stride 0 then). */
SW_API SW_NODISCARD enum sw_status sw_broadcast_to(const struct sw_tensor *in, const struct sw_tree *shape,
                                                   struct sw_tensor **ret_tensor);
/** Mode i of the result is mode @order[i] of @in; all @n modes exactly once, none negative. */
SW_API SW_NODISCARD enum sw_status sw_permute(const struct sw_tensor *in, const int64_t *order, size_t n,
                                              struct sw_tensor **ret_tensor);
/**
 * @shape: any shape of the same size. ValueError unless the elements of @in lie evenly apart, in ordinal order; a
 * copy of it, such as its product with 1, can always be reshaped.
 */
SW_API SW_NODISCARD enum sw_status sw_reshape(const struct sw_tensor *in, const struct sw_tree *shape,
                                              struct sw_tensor **ret_tensor);
/**
 * sw_rearrange - put modes in another order and nesting.
 *
 * @output     Leaves are numbers of extracted layouts, or SW_TREE_ANY for a
 *             new mode 1:0. What is left out must have size 1.
 * @selection  What is extracted, numbered left to right: leaves SW_TREE_ANY,
 *             nested as the shape of @in from the top as far as it goes. NULL:
 *             every leaf.
 */
SW_API SW_NODISCARD enum sw_status sw_rearrange(const struct sw_tensor *in, const struct sw_tree *output,
                                                const struct sw_tree *selection, struct sw_tensor **ret_tensor);
/**
 * sw_rearrange_command - the same by a command, "a (b c) -> a (c b)".
 *
 * Symbols left of the arrow name modes of @in, parentheses descend into nested
 * ones, a 1 names nothing; right of it symbols place those modes, parentheses
 * build nested ones, a 1 inserts a mode of extent 1. ValueError, before the
 * boundary and with the position, for anything else.
 */
SW_API SW_NODISCARD enum sw_status sw_rearrange_command(const struct sw_tensor *in, const char *command,
                                                        struct sw_tensor **ret_tensor);
/** Removes mode @dim, in [-rank, rank-1], which must be a leaf of extent 1. */
SW_API SW_NODISCARD enum sw_status sw_squeeze(const struct sw_tensor *in, int64_t dim, struct sw_tensor **ret_tensor);
/** Inserts a mode 1:0 before mode @dim, in [-(rank+1), rank]. */
SW_API SW_NODISCARD enum sw_status sw_unsqueeze(const struct sw_tensor *in, int64_t dim, struct sw_tensor **ret_tensor);
/**
 * sw_as_strided - the elements that a selector layout @shape:@stride picks.
 * Its indices are ordinals of @in, not places in memory. ValueError when the
 * trees differ, when it or the result aliases, when it picks beyond the size
 * of @in, or when the result is no layout.
 */
SW_API SW_NODISCARD enum sw_status sw_as_strided(const struct sw_tensor *in, const struct sw_tree *shape,
                                                 const struct sw_tree *stride, struct sw_tensor **ret_tensor);
/**
 * sw_slice - a part of a tensor; the offset grows by where it begins.
 *
 * @key  One entry per top-level mode: an integer leaf k in [0, size of the
 *       mode) removes the mode; a nested (start,stop,step) keeps a range, where
 *       "*" (SW_TREE_ANY) omits one of the three, negative starts and stops
 *       count from the end, and step, at least 1, must divide the range. A
 *       nested mode is kept whole by "(*,*,*)". Example: "(2,(1,9,2))".
 */
SW_API SW_NODISCARD enum sw_status sw_slice(const struct sw_tensor *in, const struct sw_tree *key,
                                            struct sw_tensor **ret_tensor);
/**
 * sw_broadcast_in_dim - broadcast after inserting modes.
 *
 * @shape  The target.
 * @dims   For each of the @n_dims modes of @in the target mode that it becomes;
 *         strictly increasing.
 *
 * Hooks:  an "unsqueeze" for each target mode that @dims omits, left to right,
 *         then a "broadcast_to". ValueError for @dims, before all of them.
 */
SW_API SW_NODISCARD enum sw_status sw_broadcast_in_dim(const struct sw_tensor *in, const struct sw_tree *shape,
                                                       const int64_t *dims, size_t n_dims,
                                                       struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
