/*
 * Public functions of the views. Whether an argument is of the right kind is
 * decided here, whether it fits the tensor inside the boundary.
 */
#include "config.h"

#include <strideweave/view.h>

#include "base/alloc.h"
#include "layout/layout.h"
#include "op/command.h"
#include "op/front/front.h"
#include "tensor/tensor.h"

static enum sw_status call_with_tree(const char *name, const char *what, const struct sw_tensor *in,
                                     const struct sw_tree *tree, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_tree(tree) };

    SW__TRY(sw__front_check_tensor(name, in));
    SW__TRY(sw__front_check_tree(name, what, tree));
    return sw__front_call(name, operands, 2, NULL, ret_tensor);
}

static enum sw_status call_with_trees(const char *name, const struct sw_tensor *in, struct sw_operand first,
                                      struct sw_operand second, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), first, second };

    return sw__front_call(name, operands, 3, NULL, ret_tensor);
}

static enum sw_status call_with_dim(const char *name, const struct sw_tensor *in, int64_t dim,
                                    struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_integer(dim) };

    return sw__front_call(name, operands, 2, NULL, ret_tensor);
}

enum sw_status sw_broadcast_to(const struct sw_tensor *in, const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    return call_with_tree("broadcast_to", "shape", in, shape, ret_tensor);
}

enum sw_status sw_reshape(const struct sw_tensor *in, const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    return call_with_tree("reshape", "shape", in, shape, ret_tensor);
}

enum sw_status sw_slice(const struct sw_tensor *in, const struct sw_tree *key, struct sw_tensor **ret_tensor)
{
    return call_with_tree("view", "key", in, key, ret_tensor);
}

enum sw_status sw_squeeze(const struct sw_tensor *in, int64_t dim, struct sw_tensor **ret_tensor)
{
    return call_with_dim("squeeze", in, dim, ret_tensor);
}

enum sw_status sw_unsqueeze(const struct sw_tensor *in, int64_t dim, struct sw_tensor **ret_tensor)
{
    return call_with_dim("unsqueeze", in, dim, ret_tensor);
}

enum sw_status sw_permute(const struct sw_tensor *in, const int64_t *order, size_t n, struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor("permute", in));
    if (order == NULL && n > 0)
        return sw_error_set(SW_TYPE_ERROR, "permute: the order must be an array of integers");
    if (n >= SW_TREE_MAX_NODES)
        return sw_error_set(SW_VALUE_ERROR, "permute: no tensor has %zu modes", n);
    struct sw_operand *operands SW__OWNED = sw__alloc((n + 1) * sizeof *operands);
    if (operands == NULL)
        return SW_MEMORY_ERROR;
    operands[0] = sw_operand_tensor(in);
    for (size_t i = 0; i < n; i++)
        operands[i + 1] = sw_operand_integer(order[i]);
    return SW__FRONT_CALL("permute", operands, n + 1, NULL, ret_tensor);
}

enum sw_status sw_rearrange(const struct sw_tensor *in, const struct sw_tree *output, const struct sw_tree *selection,
                            struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor("rearrange", in));
    SW__TRY(sw__front_check_tree("rearrange", "output", output));
    if (selection == NULL)
        return call_with_trees("rearrange", in, sw_operand_tree(output), sw_operand_none(), ret_tensor);
    SW__TRY(sw__front_check_tree("rearrange", "selection", selection));
    return call_with_trees("rearrange", in, sw_operand_tree(output), sw_operand_tree(selection), ret_tensor);
}

enum sw_status sw_rearrange_command(const struct sw_tensor *in, const char *command, struct sw_tensor **ret_tensor)
{
    struct sw_tree *selection SW__OWNED_TREE = NULL;
    struct sw_tree *output SW__OWNED_TREE = NULL;

    SW__TRY(sw__command_rearrange(command, &selection, &output));
    return call_with_trees("rearrange", in, sw_operand_tree(output), sw_operand_tree(selection), ret_tensor);
}

enum sw_status sw_as_strided(const struct sw_tensor *in, const struct sw_tree *shape, const struct sw_tree *stride,
                             struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor("as_strided", in));
    SW__TRY(sw__front_check_tree("as_strided", "shape", shape));
    SW__TRY(sw__front_check_tree("as_strided", "stride", stride));
    return call_with_trees("as_strided", in, sw_operand_tree(shape), sw_operand_tree(stride), ret_tensor);
}

static enum sw_status check_dims(const struct sw_tensor *in, const struct sw_tree *shape, const int64_t *dims,
                                 size_t n_dims)
{
    int64_t rank = (int64_t)sw_layout_rank(sw_tensor_layout(in)), previous = -1;

    if (dims == NULL && n_dims > 0)
        return sw_error_set(SW_TYPE_ERROR, "broadcast_in_dim: the dims must be an array of integers");
    if ((int64_t)n_dims != rank)
        return sw_error_set(SW_VALUE_ERROR, "broadcast_in_dim: %zu dims for a tensor of %lld modes", n_dims,
                            (long long)rank);
    for (size_t i = 0; i < n_dims; i++) {
        if (dims[i] <= previous || dims[i] >= (int64_t)sw_tree_n_modes(shape))
            return sw_error_set(SW_VALUE_ERROR,
                                "broadcast_in_dim: dims must increase and name modes of the target; dim %zu is %lld",
                                i, (long long)dims[i]);
        previous = dims[i];
    }
    return SW_OK;
}

enum sw_status sw_broadcast_in_dim(const struct sw_tensor *in, const struct sw_tree *shape, const int64_t *dims,
                                   size_t n_dims, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *aligned SW__OWNED_TENSOR = NULL;
    size_t next = 0;

    SW__TRY(sw__front_check_tensor("broadcast_in_dim", in));
    SW__TRY(sw__front_check_tree("broadcast_in_dim", "shape", shape));
    SW__TRY(check_dims(in, shape, dims, n_dims));
    aligned = sw_tensor_ref(in);
    for (size_t mode = 0; mode < sw_tree_n_modes(shape); mode++) {
        struct sw_tensor *wider SW__OWNED_TENSOR = NULL;
        if (next < n_dims && dims[next] == (int64_t)mode) {
            next++;
            continue;
        }
        SW__TRY(sw_unsqueeze(aligned, (int64_t)mode, &wider));
        sw_tensor_unref(aligned);
        aligned = sw__take(wider);
    }
    return sw_broadcast_to(aligned, shape, ret_tensor);
}
