/*
 * The way of every public operation to its boundary.
 */
#include "config.h"

#include "op/front/front.h"

#include <strideweave/layout.h>

#include "base/cleanup.h"
#include "base/range.h"
#include "carrier/carrier.h"
#include "tensor/tensor.h"

SW__DEFINE_CLEANUP(operation, struct sw_operation, sw_operation_unref)

enum sw_status sw__front_check_tensor(const char *name, const struct sw_tensor *tensor)
{
    if (sw__is_tensor(tensor))
        return SW_OK;
    return sw_error_set(SW_TYPE_ERROR, "%s takes a tensor and was given something else", name);
}

enum sw_status sw__front_check_tree(const char *name, const char *what, const struct sw_tree *tree)
{
    if (tree != NULL && tree->kind == SW_KIND_TREE)
        return SW_OK;
    return sw_error_set(SW_TYPE_ERROR, "%s: the %s must be a tree", name, what);
}

static enum sw_status adopt_tensor(const char *name, const struct sw_operand *operand)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BINDING_TENSOR_CONVERSION);
    return sw__front_check_tensor(name, operand->as.tensor);
}

/* The first tensor, after every operand that should be one was looked at. */
static enum sw_status check_tensors(const char *name, const struct sw_operand *operands, size_t n_operands,
                                    const struct sw_tensor **ret_first)
{
    const struct sw_tensor *first = NULL;

    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        SW__TRY(adopt_tensor(name, &operands[i]));
        if (first == NULL)
            first = operands[i].as.tensor;
    }
    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        const struct sw_carrier_class *own = first->carrier->carrier_class;
        const struct sw_carrier_class *other = operands[i].as.tensor->carrier->carrier_class;
        if (own != other)
            return sw_error_set(SW_TYPE_ERROR, "%s was given tensors on different carrier classes, %s and %s", name,
                                own->head.qualified_name, other->head.qualified_name);
    }
    *ret_first = first;
    return SW_OK;
}

enum sw_status sw__front_check_operands(const char *name, const struct sw_operand *operands, size_t n_operands)
{
    const struct sw_tensor *first;

    return check_tensors(name, operands, n_operands, &first);
}

enum sw_status sw__front_axis(const char *name, const struct sw_tensor *tensor, int64_t axis, int64_t *ret_axis)
{
    SW__TRY(sw__front_check_tensor(name, tensor));
    int64_t rank = (int64_t)sw_layout_rank(sw_tensor_layout(tensor));
    if (axis < -rank || axis >= rank)
        return sw_error_set(SW_VALUE_ERROR, "%s: axis %lld of a tensor with %lld modes", name, (long long)axis,
                            (long long)rank);
    *ret_axis = axis < 0 ? axis + rank : axis;
    return SW_OK;
}

static enum sw_status dispatch(const char *name, const char **kept, const struct sw_tensor *first,
                               const struct sw_operand *operands, size_t n_operands,
                               const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_DISPATCH_CALL);
    struct sw_operation *operation SW__CLEANUP(sw__cleanup_operation) = NULL;

    SW__TRY(sw__carrier_dispatch(first->carrier, name, kept, &operation));
    return sw_operation_forward(operation, operands, n_operands, options, ret_tensor);
}

enum sw_status sw__front_call_kept(const char *name, const char **kept, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw_tensor **ret_tensor)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BINDING_BODY);
    const struct sw_tensor *first = NULL;

    SW__TRY(check_tensors(name, operands, n_operands, &first));
    return dispatch(name, kept, first, operands, n_operands, options, ret_tensor);
}

enum sw_status sw__front_call(const char *name, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    return sw__front_call_kept(name, NULL, operands, n_operands, options, ret_tensor);
}
