/*
 * Implicit broadcasting. A nested operation is dispatched as any other, so
 * that it crosses a boundary of its own.
 */
#include "config.h"

#include "op/widen.h"

#include "carrier/carrier.h"

SW__DEFINE_CLEANUP(operation, struct sw_operation, sw_operation_unref)

void sw__widened_clear(struct sw__widened *widened)
{
    for (size_t i = 0; i < SW__PLAN_OPERANDS; i++)
        sw_tensor_unref(widened->tensors[i]);
}

static enum sw_status broadcast(const struct sw_tensor *tensor, const struct sw_tree *shape,
                                struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(tensor), sw_operand_tree(shape) };
    struct sw_operation *operation SW__CLEANUP(sw__cleanup_operation) = NULL;
    static const char *kept;

    SW__TRY(sw__carrier_dispatch(tensor->carrier, "broadcast_to", &kept, &operation));
    return sw_operation_forward_lowered(operation, operands, 2, NULL, ret_tensor);
}

enum sw_status sw__widen(struct sw_operand *operands, size_t n_operands, struct sw__widened *widened)
{
    const struct sw_tree *shapes[SW__PLAN_OPERANDS];
    struct sw_tree *common SW__OWNED_TREE = NULL;
    size_t n_shapes = 0;
    int differ = 0;

    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        shapes[n_shapes] = operands[i].as.tensor->layout->shape;
        differ |= !sw_tree_equal(shapes[n_shapes], shapes[0]);
        n_shapes++;
    }
    if (!differ)
        return SW_OK;
    SW__TRY(sw__shape_broadcast(shapes, n_shapes, &common));
    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR || sw_tree_equal(operands[i].as.tensor->layout->shape, common))
            continue;
        SW__TRY(broadcast(operands[i].as.tensor, common, &widened->tensors[i]));
        operands[i].as.tensor = widened->tensors[i];
    }
    return SW_OK;
}
