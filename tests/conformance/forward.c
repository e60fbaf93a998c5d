/*
 * Execution by dispatch name: how the driver reaches operations that have no
 * public function of their own, and finds out which ones the library has.
 */
#include "config.h"

#include "conformance.h"

static struct sw_carrier *first_carrier(const struct sw_operand *operands, size_t n_operands)
{
    for (size_t i = 0; i < n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR)
            return sw_tensor_carrier(operands[i].as.tensor);
    return NULL;
}

enum sw_status forward(struct trial *trial, const char *name, const struct sw_operand *operands, size_t n_operands,
                       const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw_carrier *carrier = first_carrier(operands, n_operands);
    struct sw_operation *operation = NULL;
    struct sw_tensor *result = NULL;
    enum sw_status status;

    if (carrier == NULL)
        return sw_error_set(SW_TYPE_ERROR, "No operand of %s is a tensor that could dispatch it.", name);
    status = sw_carrier_dispatch(carrier, name, &operation);
    if (status != SW_OK) {
        trial->missing |= status == SW_NOT_IMPLEMENTED_ERROR;
        return status;
    }
    operation = trial_operation(trial, operation);
    TRY(sw_operation_forward(operation, operands, n_operands, options, &result));
    *ret_tensor = trial_tensor(trial, result);
    return SW_OK;
}

const struct sw_execution_options *forward_options(const struct trial *trial, const char *name,
                                                   struct sw_execution_options *ret_options)
{
    const char *accumulator = json_string_value(json_object_get(trial->options, "accumulator_dtype"));

    if (accumulator == NULL)
        return NULL;
    *ret_options = (struct sw_execution_options)SW_EXECUTION_OPTIONS_INIT(name);
    ret_options->accumulator = (int32_t)build_dtype(accumulator);
    return ret_options;
}
