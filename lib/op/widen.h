/*
 * Implicit broadcasting: operands whose shape is not the common one are
 * widened by a nested, dispatched broadcast_to.
 */
#ifndef OP_WIDEN_H
#define OP_WIDEN_H

#include "op/op.h"

/** Tensors that replace operands; an owning local begins as { { NULL } }. */
struct sw__widened {
    struct sw_tensor *tensors[SW__PLAN_OPERANDS];
};

void sw__widened_clear(struct sw__widened *widened);
#define SW__OWNED_WIDENED SW__CLEANUP(sw__widened_clear)

/**
 * sw__widen - bring the tensors among @n_operands operands to one shape, in
 * operand order; @operands then names the widened tensors, which @widened owns.
 * ValueError for shapes that do not broadcast.
 */
SW_NODISCARD enum sw_status sw__widen(struct sw_operand *operands, size_t n_operands, struct sw__widened *widened);

#endif
