/*
 * The checks that the families share.
 */
#include "config.h"

#include "op/check.h"

enum sw_status sw__check_classes(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands)
{
    struct sw_carrier_class *own = op->carrier_class();

    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        if (!sw__is_tensor(operands[i].as.tensor))
            return sw_error_set(SW_TYPE_ERROR, "%s: operand %zu is said to be a tensor and is not", op->name, i);
        struct sw_carrier_class *other = operands[i].as.tensor->carrier->carrier_class;
        if (other != own)
            return sw_error_set(SW_TYPE_ERROR, "%s of %s carriers was given a tensor on a %s carrier (operand %zu)",
                                op->name, own->head.qualified_name, other->head.qualified_name, i);
    }
    return SW_OK;
}

enum sw_status sw__check_arity(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands, size_t n,
                               size_t n_tensors)
{
    if (n_operands != n)
        return sw_error_set(SW_TYPE_ERROR, "%s takes %zu operands, not %zu", op->name, n, n_operands);
    for (size_t i = 0; i < n_tensors; i++)
        if (operands[i].kind != SW_OPERAND_TENSOR)
            return sw_error_set(SW_TYPE_ERROR, "%s: operand %zu must be a tensor", op->name, i);
    return SW_OK;
}

enum sw_status sw__check_live(const struct sw_tensor *tensor)
{
    return sw__carrier_check_live(tensor->carrier);
}

enum sw_status sw__check_dtype(const struct sw__op *op, const struct sw_tensor *tensor, enum sw_dtype wanted)
{
    if (tensor->dtype == wanted)
        return SW_OK;
    return sw_error_set(tensor->dtype == SW_BOOL ? SW_NOT_IMPLEMENTED_ERROR : SW_TYPE_ERROR,
                        "%s takes %s at this position, not %s", op->name, sw_dtype_name(wanted),
                        sw_dtype_name(tensor->dtype));
}

enum sw_status sw__check_tensors(const struct sw__op *op, const struct sw_operand *operands,
                                 const enum sw_dtype *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        SW__TRY(sw__check_live(operands[i].as.tensor));
        SW__TRY(sw__check_dtype(op, operands[i].as.tensor, wanted[i]));
    }
    return SW_OK;
}

enum sw_status sw__check_two_modes(const struct sw__op *op, const struct sw_tensor *tensor)
{
    if (tensor->layout->shape->n_modes == 2)
        return SW_OK;
    return sw_error_set(SW_VALUE_ERROR, "%s takes tensors of exactly two modes, not of %u", op->name,
                        tensor->layout->shape->n_modes);
}

enum sw_status sw__operand_scalar(const struct sw__op *op, const struct sw_operand *operand,
                                  struct sw_scalar *ret_scalar)
{
    struct sw_scalar scalar = { 0 };

    switch (operand->kind) {
    case SW_OPERAND_INTEGER:
        scalar.kind = SW_SCALAR_INTEGER;
        scalar.as.integer = operand->as.integer;
        break;
    case SW_OPERAND_FLOATING:
        scalar.kind = SW_SCALAR_FLOATING;
        scalar.as.floating = operand->as.floating;
        break;
    case SW_OPERAND_BOOLEAN:
        scalar.kind = SW_SCALAR_BOOLEAN;
        scalar.as.boolean = operand->as.boolean;
        break;
    default:
        return sw_error_set(SW_TYPE_ERROR, "%s takes tensors and numbers only", op->name);
    }
    *ret_scalar = scalar;
    return SW_OK;
}

enum sw_status sw__check_plan(const struct sw__op *op, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_scalar *scalars,
                              struct sw__plan *ret_plan)
{
    struct sw__policy_operand views[SW__PLAN_OPERANDS] = { { SW_DTYPE_NONE, NULL } };

    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind == SW_OPERAND_TENSOR) {
            views[i].dtype = operands[i].as.tensor->dtype;
            continue;
        }
        SW__TRY(sw__operand_scalar(op, &operands[i], &scalars[i]));
        views[i].scalar = &scalars[i];
    }
    enum sw_dtype accumulator = options != NULL ? (enum sw_dtype)options->accumulator : SW_DTYPE_NONE;
    if (op->policy == NULL || op->policy->n == 0)
        return sw__policy_plan(op->name, views, n_operands, accumulator, ret_plan);
    return sw__policy_plan_by(*op->policy, views, n_operands, accumulator, ret_plan);
}

enum sw_status sw__no_kernel(const struct sw__op *op)
{
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "%s carriers do not execute this plan of %s",
                        op->carrier_class()->head.qualified_name, op->name);
}

enum sw_status sw__left_int32(const char *name)
{
    return sw_error_set(SW_OVERFLOW_ERROR, "a result of %s leaves the range of int32", name);
}
