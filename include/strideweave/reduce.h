/*
 * Reductions and products: operations that fold modes away.
 *
 * COMMANDS. A reduction is described by what it keeps: "a b c -> a c" folds b.
 * Left of the arrow stand all modes: a symbol, or a 1 that names nothing, is
 * one whole mode; parentheses descend into a nested one. Right of it stands
 * what is kept, in any order and nesting; a 1 inserts a mode of extent 1, so
 * "a b -> 1" folds everything. Terms are taken in the order of the left side,
 * the first mode fastest.
 *
 * WHAT ALL OF THEM SHARE. Operands are borrowed, of any layout, and never
 * written. The result is a new tensor, one reference, owned by the caller,
 * given back with sw_tensor_unref(): fresh storage on the operands' class,
 * offset 0, canonical layout. @ret_tensor is untouched on failure. May run
 * beside other readers of the operands.
 *
 * Hooks, for a reduction: two boundaries one after another, "rearrange" to
 * ((kept), (folded)) and then the reduction, whose operand has two modes.
 *
 * Errors before any boundary: TypeError for a non-tensor, for a command that
 * is NULL, for an accumulator that is no dtype; ValueError for a command that
 * does not follow the grammar or folds nothing; NotImplementedError for an
 * accumulator that nothing computes in. Inside: ValueError when the tensor has
 * not the nesting of the left side; RuntimeError when the carrier was
 * released; TypeError or NotImplementedError (Bool) for the dtype; MemoryError.
 */
#ifndef STRIDEWEAVE_REDUCE_H
#define STRIDEWEAVE_REDUCE_H

#include <strideweave/operation.h>

SW_BEGIN_DECLS

/**
 * sw_reduce_sum - the sum of what is folded, starting from +0.
 *
 * @in       Float32 or Int32.
 * @command  See above.
 * @options  For operation "reduce_sum": with Float32 the dtype in which terms
 *           are added, in ascending order: Float32 (also with NULL) or Float64,
 *           rounded once at the end. TypeError, inside, with Int32.
 *
 * On CPU carriers a reduction to fewer than 4 elements, each of 4096 terms or
 * more, with the Float32 accumulator adds terms in groups, the same ones
 * whatever the layout and the number of threads are.
 * Int32 sums are exact; OverflowError only when the final one leaves int32.
 */
SW_API SW_NODISCARD enum sw_status sw_reduce_sum(const struct sw_tensor *in, const char *command,
                                                 const struct sw_execution_options *options,
                                                 struct sw_tensor **ret_tensor);
/** sw_reduce_prod - the product of Float32 elements: from 1, ascending, rounded at each step. */
SW_API SW_NODISCARD enum sw_status sw_reduce_prod(const struct sw_tensor *in, const char *command,
                                                  struct sw_tensor **ret_tensor);
/** sw_reduce_max - the greatest Float32 element; the first not-a-number if there is one; +0 above -0. */
SW_API SW_NODISCARD enum sw_status sw_reduce_max(const struct sw_tensor *in, const char *command,
                                                 struct sw_tensor **ret_tensor);
/** sw_reduce_min - the least Float32 element; the first not-a-number if there is one; -0 below +0. */
SW_API SW_NODISCARD enum sw_status sw_reduce_min(const struct sw_tensor *in, const char *command,
                                                 struct sw_tensor **ret_tensor);
/**
 * sw_argmax - Int32: the ordinal, within what is folded, of the first greatest
 * Float32 element. A not-a-number wins, the first one; the zeros are equal.
 * OverflowError when more than 2^31-1 elements are folded into one.
 */
SW_API SW_NODISCARD enum sw_status sw_argmax(const struct sw_tensor *in, const char *command,
                                             struct sw_tensor **ret_tensor);
/** sw_argmin - the same for the first least element. */
SW_API SW_NODISCARD enum sw_status sw_argmin(const struct sw_tensor *in, const char *command,
                                             struct sw_tensor **ret_tensor);

/** sw_sum - all elements into one: reduce_sum with "a b ... -> 1" and its own accumulator; the shape is (1). */
SW_API SW_NODISCARD enum sw_status sw_sum(const struct sw_tensor *in, struct sw_tensor **ret_tensor);
/** sw_mean - that sum times 1/size, rounded once: a "mul" boundary after those of the sum. Always Float32. */
SW_API SW_NODISCARD enum sw_status sw_mean(const struct sw_tensor *in, struct sw_tensor **ret_tensor);

/**
 * sw_cumsum - sums of the elements up to each one along a mode.
 *
 * @in    Float32.
 * @axis  In [-rank, rank-1]; a nested mode is run through in ordinal order.
 *
 * From +0, ascending, rounded at each step; the shape is that of @in. One
 * boundary named "cumsum". ValueError, before it, for an axis out of range.
 */
SW_API SW_NODISCARD enum sw_status sw_cumsum(const struct sw_tensor *in, int64_t axis, struct sw_tensor **ret_tensor);

/**
 * sw_matmul - C(i,j) = sum over k of A(i,k)*B(j,k): both second modes are
 * contracted, so @b is not transposed by the caller.
 *
 * @a, @b    Exactly two modes each, Float32 or Int32 in any mixture. The second
 *           modes are of equal size and pair by ordinal; first modes may be
 *           nested and keep their trees: the shape of C is (mode 0 of A, mode 0
 *           of B).
 * @options  For operation "matmul": the accumulator, as in sw_reduce_sum().
 *
 * Float32: each product is rounded, products are added in ascending order. On
 * CPU carriers a product of more than 32^3 multiply-adds with the Float32
 * accumulator may be added in another order and fused; it then differs by at
 * most k*eps*sum|a||b|. Int32 with Int32 is exact, OverflowError when a final
 * value leaves int32.
 *
 * Hooks:   one computation boundary named "matmul".
 *
 * Errors inside, in this order: RuntimeError when a carrier was released;
 * ValueError when an operand has not two modes, or the contracted sizes
 * differ; TypeError or NotImplementedError for dtypes; MemoryError;
 * OverflowError.
 */
SW_API SW_NODISCARD enum sw_status sw_matmul(const struct sw_tensor *a, const struct sw_tensor *b,
                                             const struct sw_execution_options *options, struct sw_tensor **ret_tensor);

/**
 * sw_einsum - contract two tensors as a command says, "a b, c b -> a c".
 *
 * @command  The modes of @a, a comma, those of @b, an arrow, those of the
 *           result. A symbol of both is shared: it is contracted when the
 *           result lacks it and a batch symbol when it has it. At least one
 *           symbol is shared, and the result has every symbol of one operand
 *           alone. A 1 on the left names a mode of size 1 that is dropped.
 *
 * Without a batch symbol this is a matmul of the operands as (own symbols,
 * shared symbols), and the result a view of its result; modes of a shared
 * symbol pair by ordinal and need not be nested alike. With one it is an
 * elementwise_mul over all symbols, where modes that meet are nested alike, and
 * a reduce_sum of what is contracted. Dtypes and numbers are those of these
 * operations with their own accumulators.
 *
 * Hooks:   "rearrange" twice, "matmul", "rearrange"; or "rearrange" twice,
 *          "elementwise_mul", "rearrange", and "reduce_sum" if any is contracted.
 *
 * Errors before any boundary: TypeError for a command that is NULL, a
 * non-tensor or different carrier classes; ValueError for what is no such
 * command, an operand that has not its nesting, or sizes of a shared symbol
 * that differ. Inside: those of the operations.
 */
SW_API SW_NODISCARD enum sw_status sw_einsum(const struct sw_tensor *a, const struct sw_tensor *b, const char *command,
                                             struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
