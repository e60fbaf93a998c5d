/*
 * What is refused before the boundary, and therefore leaves no event: option
 * records that do not fit, operands that are structurally impossible, and a
 * second execution of what is executed once.
 */
#include "config.h"

#include <string.h>

#include "dispatch/operation.h"
#include "dtype/policy.h"
#include "tensor/tensor.h"

enum sw_status sw__options_check(const struct sw_operation *operation, const struct sw_execution_options *options)
{
    if (options == NULL)
        return SW_OK;
    if (options->struct_bytes < sizeof *options)
        return sw_error_set(SW_TYPE_ERROR, "execution options of %u bytes, expected at least %zu: start from the "
                                           "initialiser", options->struct_bytes, sizeof *options);
    if (options->operation == NULL)
        return sw_error_set(SW_TYPE_ERROR, "execution options name no operation");
    SW__TRY(sw__policy_check_accumulator(options->operation, (enum sw_dtype)options->accumulator));
    if (operation->dispatch != NULL && strcmp(operation->dispatch->name, options->operation) != 0)
        return sw_error_set(SW_VALUE_ERROR, "execution options made for '%s' given to '%s'", options->operation,
                            operation->dispatch->name);
    return SW_OK;
}

enum sw_status sw__preflight(const struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands)
{
    int takes_multi = (operation->operation_class->flags & SW_OPERATION_MULTI_SUBTENSOR) != 0;

    if (n_operands > UINT32_MAX || (operands == NULL && n_operands != 0))
        return sw_error_set(SW_TYPE_ERROR, "%zu operands without an array that holds them", n_operands);
    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        if (!sw__is_tensor(operands[i].as.tensor))
            return sw_error_set(SW_TYPE_ERROR, "operand %zu is marked as a tensor but is none", i);
        if (!takes_multi && !sw__tensor_is_single(operands[i].as.tensor))
            return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "operand %zu has several subtensors; this operation takes one",
                                i);
    }
    return SW_OK;
}

enum sw_status sw__use(struct sw_operation *operation)
{
    if ((operation->operation_class->flags & SW_OPERATION_SINGLE_USE) == 0)
        return SW_OK;
    if (operation->was_executed)
        return sw_error_set(SW_RUNTIME_ERROR, "this operation of class %s was executed before; dispatch another",
                            operation->operation_class->head.qualified_name);
    operation->was_executed = 1;
    return SW_OK;
}
