/*
 * From cotangents to gradients as tensors, and those that tensors keep.
 */
#ifndef AUTOGRAD_GRADIENT_H
#define AUTOGRAD_GRADIENT_H

#include "autograd/tape.h"

enum sw__aliasing {
    SW__ALIASING_NONE,   /* the layout is injective */
    SW__ALIASING_REPEATS /* it is but for strides of 0 */
};

/** How a layout uses slots more than once; ValueError when neither holds. */
SW_NODISCARD enum sw_status sw__aliasing_of(const struct sw_layout *layout, enum sw__aliasing *ret_aliasing);

/**
 * A gradient of @tensor in fresh storage. @cotangent has an element per element of it, and is worked on in place.
 *
 * @earlier  What is added to it, of the same shape; or NULL.
 */
SW_NODISCARD enum sw_status sw__gradient_form(const struct sw_tensor *tensor, float *cotangent,
                                              const struct sw_tensor *earlier, struct sw_tensor **ret_gradient);

/** Add what came to leaves, and to tensors that retain it, to what they have. All or nothing. */
SW_NODISCARD enum sw_status sw__gradients_accumulate(struct sw__tape *tape);

#endif
