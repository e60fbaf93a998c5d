/*
 * From a saved execution to the gradient of its operation, and what the
 * families share: operands behind their carriers, room for elements.
 */
#include "config.h"

#include "autograd/grads/grads.h"

#include <string.h>

#include "base/alloc.h"
#include "hierarchy/evictable.h"
#include "hierarchy/move.h"
#include "op/axis.h"

/* An adapter's gradient is that of the operation in it, on the operands outside of it. */
static const struct sw_operation *innermost(const struct sw_operation *operation)
{
    for (const struct sw_operation *nested = operation; nested != NULL; nested = sw__adapter_nested(operation))
        operation = nested;
    return operation;
}

enum sw_status sw__step_of(const struct sw__saved *saved, const struct sw_layout *result, const float *cotangent,
                           struct sw__step *ret_step)
{
    const struct sw_operation *operation = innermost(saved->operation);
    const struct sw__op *op = sw__op_find(operation);
    const struct sw__gradient *gradient = op != NULL                     ? op->gradient
                                          : sw__operation_is_move(operation) ? &sw__gradient_move
                                                                         : NULL;

    if (gradient == NULL || gradient->run == NULL)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "operation class %s has no gradient",
                            operation->operation_class->head.qualified_name);
    *ret_step = (struct sw__step){ gradient, op, saved->operands, saved->n_operands, saved->accumulator, result,
                                   cotangent };
    return SW_OK;
}

enum sw_status sw__floats(int64_t n, float **ret_floats)
{
    float *floats = sw__alloc_rows(n, 1, sizeof *floats);

    if (floats == NULL)
        return SW_MEMORY_ERROR;
    *ret_floats = floats;
    return SW_OK;
}

enum sw_status sw__step_run(const struct sw__step *step, size_t operand, float **ret_cotangent)
{
    float *out SW__OWNED = NULL;

    SW__TRY(sw__floats(sw__step_layout(step, operand)->size, &out));
    SW__TRY(step->gradient->run(step, operand, out));
    *ret_cotangent = sw__take(out);
    return SW_OK;
}

enum sw_status sw__step_tensor(const struct sw__step *step, size_t operand, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = sw_tensor_ref(step->operands[operand].as.tensor);

    SW__TRY(sw__tensor_check_live(tensor));
    while (sw__evictable_of(tensor->carrier) != NULL) {
        struct sw_tensor *lowered = NULL;

        SW__TRY(sw__evictable_check_promoted(tensor->carrier));
        SW__TRY(sw_tensor_new(sw_evictable_primary(tensor->carrier), tensor->offset, tensor->layout, &lowered));
        sw_tensor_unref(tensor);
        tensor = lowered;
    }
    *ret_tensor = sw__take(tensor);
    return SW_OK;
}

enum sw_status sw__step_values(const struct sw__step *step, size_t operand, float **ret_values)
{
    struct sw_tensor *tensor SW__OWNED_TENSOR = NULL;
    float *values SW__OWNED = NULL;

    SW__TRY(sw__step_tensor(step, operand, &tensor));
    SW__TRY(sw__floats(tensor->layout->size, &values));
    SW__TRY(sw__source_copy(tensor, SW_FLOAT32, values));
    *ret_values = sw__take(values);
    return SW_OK;
}

/* A move changes the place alone. */
static enum sw_status pass(const struct sw__step *step, size_t operand, float *out)
{
    (void)operand;
    memcpy(out, step->cotangent, (size_t)step->result->size * sizeof *out);
    return SW_OK;
}

const struct sw__gradient sw__gradient_move = { pass, NULL };
const struct sw__gradient sw__gradient_none = { NULL, NULL };
