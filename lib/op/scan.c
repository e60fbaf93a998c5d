/*
 * The scan family: every element along one mode meets those before it. The
 * result is a copy of the operand that is then scanned where it lies.
 */
#include "config.h"

#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"

enum sw_status sw__scan_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__scan_kernel *kernel = op->kernel;
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;
    size_t mode = 0;
    int64_t n_before = 1;

    SW__TRY(sw__check_arity(op, operands, n_operands, 2, 1));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    const struct sw_tensor *in = operands[0].as.tensor;
    SW__TRY(sw__check_live(in));
    SW__TRY(sw__axis_operand(op, &operands[1], in, &mode));
    SW__TRY(sw__check_plan(op, operands, 1, options, scalars, &plan));
    SW__TRY(sw__tensor_allocate(in, plan.output, in->layout->shape, &result));
    float *values = sw__dense_of(result->carrier)->data;
    SW__TRY(sw__source_copy(in, plan.output, values));
    for (size_t i = 0; i < mode; i++)
        n_before *= sw__axis_extent(in, i);
    const int64_t n_along = sw__axis_extent(in, mode);
    kernel->f32(values, (size_t)n_before, (size_t)n_along, (size_t)(in->layout->size / n_before / n_along));
    *ret_tensor = sw__take(result);
    return SW_OK;
}
