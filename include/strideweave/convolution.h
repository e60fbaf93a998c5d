/*
 * Convolution over any number of spatial dimensions.
 */
#ifndef STRIDEWEAVE_CONVOLUTION_H
#define STRIDEWEAVE_CONVOLUTION_H

#include <strideweave/tensor.h>

SW_BEGIN_DECLS

/**
 * How the kernel moves. Begins as SW_CONV_OPTIONS_INIT; lists that are NULL
 * then mean: steps of 1, no padding, nothing dilated, modes in the order batch
 * (of the kernel: features of the result), features, spatial modes.
 */
struct sw_conv_options {
    uint32_t struct_bytes;
    uint32_t n_spatial;             /* entries of the next four lists; 0: as many as @in has spatial modes */
    const int64_t *strides;         /* positions that the kernel moves on, each at least 1 */
    const int64_t (*padding)[2];    /* zeros before and behind, each at least 0 */
    const int64_t *lhs_dilation;    /* distance of the operand's elements, each at least 1; zeros stand between them */
    const int64_t *kernel_dilation; /* distance of the kernel's elements, each at least 1 */
    int64_t feature_groups;         /* at least 1; features are connected within their group only */
    const int64_t *lhs_dims;        /* n_spatial + 2 entries: mode i, as named above, is mode lhs_dims[i] of @in */
    const int64_t *kernel_dims;     /* the same of @kernel */
    const int64_t *output_dims;     /* mode i of what is given out is mode output_dims[i], as named above */
};
#define SW_CONV_OPTIONS_INIT \
    { (uint32_t)sizeof(struct sw_conv_options), 0, NULL, NULL, NULL, NULL, 1, NULL, NULL, NULL }

/**
 * sw_conv_general - cross-correlation: the kernel is not flipped.
 *
 * @in       Float32: batch, features, spatial modes. Borrowed for the call, as
 *           is @kernel; never written. Any layout; batch and features may be
 *           nested, spatial modes are leaves.
 * @kernel   Float32: features of the result, features of @in divided by the
 *           groups, spatial modes. On carriers of the same class.
 * @options  See above; NULL for the defaults.
 * @ret_tensor  On success a new tensor, one reference, owned by the caller:
 *           batch, features, spatial modes; fresh storage, canonical unless
 *           output_dims permutes it. Untouched on failure.
 *
 * Along a spatial mode, output position o and kernel position p meet the
 * element at (o*stride + p*kernel_dilation - padding before) / lhs_dilation, or
 * a zero where that is no element: a zero is multiplied like any other. The
 * extent is (what the kernel's width leaves of the padded and dilated extent)
 * / stride + 1 and must be positive.
 *
 * Products are rounded and added to +0 one by one, features fastest, then
 * kernel positions. On CPU carriers, where that makes more than 32^3
 * multiply-adds of a block, they may be added in another order and fused; a
 * result then differs by at most k*eps*sum|a||b| for k products.
 *
 * Without groups a kernel whose features lie side by side in storage, tap after
 * tap, is multiplied where it is; any other is brought into that order by every
 * call. The product of a view with 1 is a copy in the view's order.
 *
 * Hooks:   "permute" of each operand, "conv_general" with @in, @kernel and five
 *          that are no tensors, and a "permute" when output_dims is given and
 *          not the identity.
 * Threads: may run beside other readers of the operands.
 *
 * Errors before any boundary: TypeError for a non-tensor, different carrier
 * classes or options that were not begun as SW_CONV_OPTIONS_INIT; ValueError
 * for lists of dims that are no permutation. Inside: RuntimeError when a
 * carrier was released; TypeError or NotImplementedError (Bool) for a dtype;
 * ValueError for ranks, a nested spatial mode, counts, values out of range,
 * features that do not fit the groups or the kernel, an extent below 1;
 * OverflowError; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_conv_general(const struct sw_tensor *in, const struct sw_tensor *kernel,
                                                   const struct sw_conv_options *options,
                                                   struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
