/*
 * Recording: the switch of each thread, and executions around which a node is
 * made. The node is ready before the boundary and put to the result behind it,
 * so that no event contains any of it and nothing can fail after the result.
 */
#include "config.h"

#include <strideweave/autograd.h>

#include "autograd/node.h"
#include "dispatch/recording.h"

uint32_t sw__is_differentiating;

static __thread int is_off; /* its own thread's alone */

int sw_grad_set_enabled(int enabled)
{
    int was_enabled = !is_off;

    is_off = !enabled;
    return was_enabled;
}

int sw_grad_is_enabled(void)
{
    return !is_off;
}

static int any_takes_part(const struct sw_operand *operands, size_t n_operands)
{
    for (size_t i = 0; operands != NULL && i < n_operands; i++)
        if (sw__operand_taking_part(&operands[i]) != NULL)
            return 1;
    return 0;
}

/* A result that was there before (an operand, say) keeps what it has. */
static int is_fresh(const struct sw_tensor *result, const struct sw_operand *operands, size_t n_operands)
{
    for (size_t i = 0; i < n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR && operands[i].as.tensor == result)
            return 0;
    return result->grad == NULL;
}

enum sw_status sw__forward_recording(struct sw_operation *operation, const struct sw_operand *operands,
                                     size_t n_operands, const struct sw_execution_options *options,
                                     struct sw_tensor **ret_tensor)
{
    struct sw__grad *grad SW__OWNED_GRAD = NULL;
    struct sw_tensor *result = NULL;

    if (is_off || !any_takes_part(operands, n_operands))
        return sw_operation_forward_lowered(operation, operands, n_operands, options, ret_tensor);
    SW__TRY(sw__operation_check(operation));
    SW__TRY(sw__options_check(operation, options));
    SW__TRY(sw__preflight(operation, operands, n_operands));
    SW__TRY(sw__grad_new_result(operation, operands, n_operands, options, &grad));
    SW__TRY(sw_operation_forward_lowered(operation, operands, n_operands, options, &result));
    if (sw_tensor_is_differentiable(result) && is_fresh(result, operands, n_operands))
        result->grad = sw__take(grad);
    *ret_tensor = result;
    return SW_OK;
}
