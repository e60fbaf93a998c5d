/*
 * Public functions of the reductions and products. A reduction is described by
 * a command: one rearrange to two modes, then the operation.
 */
#include "config.h"

#include <strideweave/reduce.h>

#include "dtype/policy.h"
#include "layout/layout.h"
#include "op/command.h"
#include "op/front/front.h"
#include "tensor/tensor.h"

/* An accumulator that can never be valid is refused before anything runs. */
static enum sw_status check_options(const char *name, const struct sw_execution_options *options)
{
    if (options == NULL || options->struct_bytes < sizeof *options)
        return SW_OK;
    return sw__policy_check_accumulator(name, (enum sw_dtype)options->accumulator);
}

static enum sw_status reduce(const char *name, const struct sw_tensor *in, const char *command,
                             const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    struct sw_tree *output SW__OWNED_TREE = NULL;
    struct sw_tensor *two_modes SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__command_reduce(command, &selection, &output));
    SW__TRY(check_options(name, options));
    const struct sw_operand arguments[] = { sw_operand_tensor(in), sw_operand_tree(output),
                                            sw_operand_tree(selection) };
    SW__TRY(sw__front_call("rearrange", arguments, 3, NULL, &two_modes));
    const struct sw_operand operands[] = { sw_operand_tensor(two_modes) };
    return sw__front_call(name, operands, 1, options, ret_tensor);
}

enum sw_status sw_reduce_sum(const struct sw_tensor *in, const char *command,
                             const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    return reduce("reduce_sum", in, command, options, ret_tensor);
}

#define REDUCTION(name)                                                                                     \
    enum sw_status sw_##name(const struct sw_tensor *in, const char *command, struct sw_tensor **ret_tensor) \
    {                                                                                                       \
        return reduce(#name, in, command, NULL, ret_tensor);                                                \
    }

REDUCTION(reduce_prod)
REDUCTION(reduce_max)
REDUCTION(reduce_min)
REDUCTION(argmax)
REDUCTION(argmin)

enum sw_status sw_matmul(const struct sw_tensor *a, const struct sw_tensor *b,
                         const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(a), sw_operand_tensor(b) };

    SW__TRY(check_options("matmul", options));
    return sw__front_call("matmul", operands, 2, options, ret_tensor);
}
