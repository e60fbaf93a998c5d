/*
 * The inside of a tensor: single-subtensor representation.
 */
#ifndef TENSOR_TENSOR_H
#define TENSOR_TENSOR_H

#include <strideweave/tensor.h>

#include "base/cleanup.h"

struct sw__grad;

struct sw_tensor {
    struct sw_tensor_head head; /* what tools read; head.shape is borrowed from layout */
    struct sw_carrier *carrier; /* one reference */
    struct sw_layout *layout;   /* one reference */
    int64_t offset;
    enum sw_dtype dtype;
    struct sw__grad *grad; /* what differentiation knows of it, owned; NULL: nothing */
};

SW__DEFINE_CLEANUP(tensor, struct sw_tensor, sw_tensor_unref)
#define SW__OWNED_TENSOR SW__CLEANUP(sw__cleanup_tensor)

/** Whether a pointer given by a caller is a tensor. */
static inline int sw__is_tensor(const struct sw_tensor *tensor)
{
    return tensor != NULL && tensor->head.kind == SW_KIND_TENSOR;
}

/** Whether the tensor has exactly one subtensor: what structural preflight asks. */
static inline int sw__tensor_is_single(const struct sw_tensor *tensor)
{
    (void)tensor;
    return 1;
}

/** Take a tensor apart whose last reference was given back; returns its grad, which is then the caller's. */
struct sw__grad *sw__tensor_destroy(struct sw_tensor *tensor);
/** Give back what differentiation knows of a tensor that is gone; lib/autograd defines it. */
void sw__grad_drop(struct sw__grad *grad);

/** TypeError unless it is a tensor; RuntimeError when its carrier was released. */
SW_NODISCARD enum sw_status sw__tensor_check_live(const struct sw_tensor *tensor);
/** A tensor on fresh storage of @like's class with the canonical layout of @shape; slots unspecified. */
SW_NODISCARD enum sw_status sw__tensor_allocate(const struct sw_tensor *like, enum sw_dtype dtype,
                                                const struct sw_tree *shape, struct sw_tensor **ret_tensor);
/** The same by the shape of a layout, whose canonical layout is made once and shared from then on. */
SW_NODISCARD enum sw_status sw__tensor_allocate_by(const struct sw_tensor *like, enum sw_dtype dtype,
                                                   const struct sw_layout *shaped, struct sw_tensor **ret_tensor);
/** A view: the same carrier with another offset and layout. RuntimeError when it was released. */
SW_NODISCARD enum sw_status sw__tensor_view(const struct sw_tensor *base, int64_t offset,
                                            const struct sw_layout *layout, struct sw_tensor **ret_tensor);

#endif
