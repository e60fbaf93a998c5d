/*
 * Estimates of floating point operations: what PyTorch's profiler does with
 * with_flops, for every operation that has a formula.
 */
#ifndef STRIDEWEAVE_FLOPS_H
#define STRIDEWEAVE_FLOPS_H

#include <strideweave/convolution.h>
#include <strideweave/profiler.h>

SW_BEGIN_DECLS

/** "No estimate", which is not 0: a view has 0. */
#define SW_FLOPS_NONE INT64_C(-1)

/**
 * sw_flops_estimate - floating point operations of one successful execution.
 *
 * @name       Dispatch name, such as "matmul". Estimates go by names: an operation
 *             of one's own that has such a name is taken to compute the same.
 * @inputs     Shapes at the operation's boundary, as a Profiler's event has them;
 *             borrowed for the call.
 * @conv       For "conv_general", whose result its shapes do not tell: the options
 *             it was called with, or NULL when they are not known, and then there is
 *             no estimate. The lists of dims are not looked at: at the boundary modes
 *             stand in the order batch, features, spatial. Other names ignore it.
 * @ret_flops  The estimate, or SW_FLOPS_NONE: a name or shapes without a formula, an
 *             estimate beyond 63 bits. Untouched on failure.
 *
 *     matmul                            2 M N K, of (M, K) and (N, K)
 *     conv_general                      2 products per element of the result: batch, its features, its
 *                                       positions, times taps and features of a group
 *     + - * / rem, extrema,             1 per element of the result
 *     comparisons, select, clamp, relu, leaky_relu, neg, abs, sign, recip, rounding
 *     reductions, argmax, argmin        1 per element that is folded into another
 *     cumsum                            1 per element
 *     scatter_add                       1 per element of the updates
 *     views, gather, scatter            0
 *     exp, tanh, sqrt, pow, gelu ...    none: how many one takes is the processor's and the algorithm's matter
 *     sorting                           none
 *
 * An operation that only passes on to the one nested in it, as those of Evictable
 * carriers do, has none in profiles: the nested one has it.
 *
 * Sources: matmul, conv_general, add and mul as in PyTorch 1.13 (computeFlops of
 * torch/csrc/profiler/util.cpp; of add and mul it counts the first tensor even where
 * that is the one that is widened); the others as XLA's HloCostAnalysis.
 *
 * Hooks:   none.
 * Threads: any.
 *
 * Returns SW_OK; SW_TYPE_ERROR for NULL instead of a name or inputs, and for
 * options that are too small; SW_MEMORY_ERROR.
 */
SW_API SW_NODISCARD enum sw_status sw_flops_estimate(const char *name, const struct sw_input_shapes *inputs,
                                                     const struct sw_conv_options *conv, int64_t *ret_flops);

SW_END_DECLS

#endif
