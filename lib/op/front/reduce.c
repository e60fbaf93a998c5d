/*
 * Public functions of the reductions, of scans and of matmul. A reduction is
 * described by a command: one rearrange to two modes, then the operation.
 */
#include "config.h"

#include <strideweave/elementwise.h>
#include <strideweave/reduce.h>

#include "base/alloc.h"
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

/* The trees bring what is reduced into the second of two modes. */
static enum sw_status reduce_rearranged(const char *name, const struct sw_tensor *in, const struct sw_tree *selection,
                                        const struct sw_tree *output, const struct sw_execution_options *options,
                                        struct sw_tensor **ret_tensor)
{
    const struct sw_operand arguments[] = { sw_operand_tensor(in), sw_operand_tree(output),
                                            sw_operand_tree(selection) };
    struct sw_tensor *two_modes SW__OWNED_TENSOR = NULL;

    SW__TRY(SW__FRONT_CALL("rearrange", arguments, 3, NULL, &two_modes));
    const struct sw_operand operands[] = { sw_operand_tensor(two_modes) };
    return sw__front_call(name, operands, 1, options, ret_tensor);
}

static enum sw_status reduce(const char *name, const struct sw_tensor *in, const char *command,
                             const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    struct sw_tree *output SW__OWNED_TREE = NULL;

    SW__TRY(sw__command_reduce(command, &selection, &output));
    SW__TRY(check_options(name, options));
    return reduce_rearranged(name, in, selection, output, options, ret_tensor);
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

/* What "a b c ... -> 1" compiles to, for as many modes as there are. */
static enum sw_status command_for_all(size_t rank, struct sw_tree **ret_selection, struct sw_tree **ret_output)
{
    int64_t *nodes SW__OWNED = sw__alloc((rank + 2) * sizeof *nodes);
    struct sw_tree *selection SW__OWNED_TREE = NULL;

    if (nodes == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < rank; i++)
        nodes[i] = SW_TREE_ANY;
    SW__TRY(sw_tree_new(nodes, rank, &selection));
    nodes[0] = SW_TREE_ANY;
    nodes[1] = rank > 0 ? SW_TREE_NESTED(rank) : SW_TREE_ANY;
    for (size_t i = 0; i < rank; i++)
        nodes[2 + i] = (int64_t)i;
    SW__TRY(sw_tree_new(nodes, rank + 2, ret_output));
    *ret_selection = sw__take(selection);
    return SW_OK;
}

enum sw_status sw_sum(const struct sw_tensor *in, struct sw_tensor **ret_tensor)
{
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    struct sw_tree *output SW__OWNED_TREE = NULL;

    SW__TRY(sw__front_check_tensor("sum", in));
    SW__TRY(command_for_all(sw_layout_rank(sw_tensor_layout(in)), &selection, &output));
    return reduce_rearranged("reduce_sum", in, selection, output, NULL, ret_tensor);
}

enum sw_status sw_mean(const struct sw_tensor *in, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *sum SW__OWNED_TENSOR = NULL;

    SW__TRY(sw_sum(in, &sum));
    return sw_mul_f64(sum, 1.0 / (double)sw_tensor_size(in), ret_tensor);
}

enum sw_status sw_cumsum(const struct sw_tensor *in, int64_t axis, struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_axis("cumsum", in, axis, &axis));
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_integer(axis) };
    return SW__FRONT_CALL("cumsum", operands, 2, NULL, ret_tensor);
}

enum sw_status sw_matmul(const struct sw_tensor *a, const struct sw_tensor *b,
                         const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(a), sw_operand_tensor(b) };

    SW__TRY(check_options("matmul", options));
    return SW__FRONT_CALL("matmul", operands, 2, options, ret_tensor);
}
