/*
 * The scan family: every element along one mode meets those before it. The
 * result is a copy of the operand that is then scanned where it lies.
 */
#include "config.h"

#include "base/range.h"
#include "op/axis.h"
#include "op/check.h"
#include "op/op.h"

static void run(const struct sw__scan_kernel *kernel, const struct sw__extents *extents, float *values)
{
    struct sw__range range __attribute__((cleanup(sw__range_end)));
    sw__range_begin(&range, SW_HOST_RANGE_BACKEND_SUBMIT);
    kernel->f32(values, extents->before, extents->along, extents->after);
}

enum sw_status sw__scan_compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw__op *op = sw__op_of(operation);
    const struct sw__scan_kernel *kernel = op->kernel;
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;
    size_t mode = 0;

    SW__TRY(sw__check_arity(op, operands, n_operands, 2, 1));
    SW__TRY(sw__check_classes(op, operands, n_operands));
    const struct sw_tensor *in = operands[0].as.tensor;
    SW__TRY(sw__check_live(in));
    SW__TRY(sw__axis_operand(op, &operands[1], in, &mode));
    SW__TRY(sw__check_plan(op, operands, 1, options, scalars, &plan));
    SW__TRY(sw__tensor_allocate(in, plan.output, in->layout->shape, &result));
    float *values = sw__dense_of(result->carrier)->data;
    SW__TRY(sw__source_copy(in, plan.output, values));
    const struct sw__extents extents = sw__axis_extents(in, mode);
    run(kernel, &extents, values);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
