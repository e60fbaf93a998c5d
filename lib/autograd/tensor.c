/*
 * Which tensors take part in differentiation.
 */
#include "config.h"

#include <strideweave/autograd.h>

#include "autograd/node.h"
#include "dispatch/recording.h"

static enum sw_status check_tensor(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) ? SW_OK : sw_error_set(SW_TYPE_ERROR, "not a tensor");
}

enum sw_status sw_tensor_set_requires_grad(struct sw_tensor *tensor, int requires_grad)
{
    SW__TRY(check_tensor(tensor));
    if (!sw_tensor_is_differentiable(tensor))
        return sw_error_set(SW_TYPE_ERROR, "a tensor of %s cannot take part in differentiation, only Float32 can",
                            sw_dtype_name(tensor->dtype));
    if (!requires_grad && !sw_tensor_is_leaf(tensor))
        return sw_error_set(SW_RUNTIME_ERROR, "a recorded operation computed this tensor; detach it instead");
    if (!requires_grad && tensor->grad == NULL)
        return SW_OK;
    if (sw__grad_of(tensor) == NULL)
        return SW_MEMORY_ERROR;
    tensor->grad->requires_grad = requires_grad != 0;
    __atomic_store_n(&sw__is_differentiating, 1, __ATOMIC_RELAXED);
    return SW_OK;
}

int sw_tensor_requires_grad(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) && sw__taking_part(tensor) != NULL;
}

int sw_tensor_is_leaf(const struct sw_tensor *tensor)
{
    return sw__is_tensor(tensor) && (tensor->grad == NULL || tensor->grad->node == NULL);
}

enum sw_status sw_tensor_set_retains_grad(struct sw_tensor *tensor, int retains_grad)
{
    SW__TRY(check_tensor(tensor));
    if (sw__taking_part(tensor) == NULL)
        return sw_error_set(SW_RUNTIME_ERROR, "this tensor takes no part in differentiation");
    tensor->grad->retains_grad = retains_grad != 0;
    return SW_OK;
}

enum sw_status sw_tensor_detach(const struct sw_tensor *tensor, struct sw_tensor **ret_tensor)
{
    SW__TRY(check_tensor(tensor));
    return sw__tensor_view(tensor, tensor->offset, tensor->layout, ret_tensor);
}
