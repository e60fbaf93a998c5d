/*
 * The public function of convolution: operands are permuted to the order of
 * roles, and the result from it.
 */
#include "config.h"

#include <strideweave/convolution.h>
#include <strideweave/view.h>

#include "base/alloc.h"
#include "base/options.h"
#include "layout/layout.h"
#include "op/front/front.h"
#include "tensor/tensor.h"

/* ---- Lists -------------------------------------------------------------------------- */

/* @n entries, or as many ones. */
static enum sw_status tree_of_list(const int64_t *list, size_t n, struct sw_tree **ret_tree)
{
    int64_t *ones SW__OWNED = NULL;

    if (list != NULL)
        return sw_tree_flat(list, n, ret_tree);
    ones = sw__alloc(n * sizeof *ones);
    if (ones == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        ones[i] = 1;
    return sw_tree_flat(ones, n, ret_tree);
}

static enum sw_status tree_of_pairs(const int64_t (*pairs)[2], size_t n, struct sw_tree **ret_tree)
{
    int64_t *nodes SW__OWNED = sw__alloc(3 * n * sizeof *nodes);

    if (nodes == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++) {
        nodes[3 * i] = SW_TREE_NESTED(2);
        for (size_t side = 0; side < 2; side++)
            nodes[3 * i + 1 + side] = pairs != NULL ? pairs[i][side] : 0;
    }
    return sw_tree_new(nodes, 3 * n, ret_tree);
}

/* Arguments of the operation that are no tensors. */
struct arguments {
    struct sw_tree *strides;
    struct sw_tree *padding;
    struct sw_tree *lhs_dilation;
    struct sw_tree *kernel_dilation;
};

static void arguments_clear(struct arguments *arguments)
{
    sw_tree_unref(arguments->strides);
    sw_tree_unref(arguments->padding);
    sw_tree_unref(arguments->lhs_dilation);
    sw_tree_unref(arguments->kernel_dilation);
}

static enum sw_status make_arguments(const struct sw_conv_options *options, struct arguments *arguments)
{
    SW__TRY(tree_of_list(options->strides, options->n_spatial, &arguments->strides));
    SW__TRY(tree_of_pairs(options->padding, options->n_spatial, &arguments->padding));
    SW__TRY(tree_of_list(options->lhs_dilation, options->n_spatial, &arguments->lhs_dilation));
    return tree_of_list(options->kernel_dilation, options->n_spatial, &arguments->kernel_dilation);
}

/* ---- Permutations ------------------------------------------------------------------- */

/* A copy of @dims, or the identity; ValueError unless it is a permutation of @rank modes. */
static enum sw_status copy_dims(const char *what, const int64_t *dims, size_t n_dims, size_t rank, int64_t **ret_dims)
{
    int64_t *copy SW__OWNED = sw__alloc((rank + 1) * sizeof *copy);
    char *is_named SW__OWNED = sw__alloc_zero(rank + 1);

    if (copy == NULL || is_named == NULL)
        return SW_MEMORY_ERROR;
    if (dims != NULL && n_dims != rank)
        return sw_error_set(SW_VALUE_ERROR, "conv_general: %zu %s for a tensor of %zu modes", n_dims, what, rank);
    for (size_t i = 0; i < rank; i++) {
        copy[i] = dims != NULL ? dims[i] : (int64_t)i;
        if (copy[i] < 0 || copy[i] >= (int64_t)rank || is_named[copy[i]])
            return sw_error_set(SW_VALUE_ERROR, "conv_general: the %s do not name every mode once", what);
        is_named[copy[i]] = 1;
    }
    *ret_dims = sw__take(copy);
    return SW_OK;
}

static int is_identity(const int64_t *dims, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (dims[i] != (int64_t)i)
            return 0;
    return 1;
}

/* ---- The function --------------------------------------------------------------------- */

/* Orders of modes, and how many there are. */
struct orders {
    size_t in_rank;
    size_t kernel_rank;
    int64_t *in;
    int64_t *kernel;
    int64_t *output;
};

static void orders_clear(struct orders *orders)
{
    sw__free(orders->in);
    sw__free(orders->kernel);
    sw__free(orders->output);
}

static enum sw_status make_orders(const struct sw_tensor *in, const struct sw_tensor *kernel,
                                  const struct sw_conv_options *options, struct orders *orders)
{
    const size_t n_dims = (size_t)options->n_spatial + 2;

    orders->in_rank = sw_layout_rank(sw_tensor_layout(in));
    orders->kernel_rank = sw_layout_rank(sw_tensor_layout(kernel));
    SW__TRY(copy_dims("lhs_dims", options->lhs_dims, n_dims, orders->in_rank, &orders->in));
    SW__TRY(copy_dims("kernel_dims", options->kernel_dims, n_dims, orders->kernel_rank, &orders->kernel));
    return copy_dims("output_dims", options->output_dims, n_dims, orders->in_rank, &orders->output);
}

static enum sw_status correlate(const struct sw_tensor *in, const struct sw_tensor *kernel,
                                const struct sw_conv_options *options, struct sw_tensor **ret_tensor)
{
    struct arguments with SW__CLEANUP(arguments_clear) = { NULL, NULL, NULL, NULL };

    SW__TRY(make_arguments(options, &with));
    const struct sw_operand operands[] = {
        sw_operand_tensor(in),
        sw_operand_tensor(kernel),
        sw_operand_tree(with.strides),
        sw_operand_tree(with.padding),
        sw_operand_tree(with.lhs_dilation),
        sw_operand_tree(with.kernel_dilation),
        sw_operand_integer(options->feature_groups),
    };
    return SW__FRONT_CALL("conv_general", operands, sizeof operands / sizeof operands[0], NULL, ret_tensor);
}

/* @with comes as the defaults. */
static enum sw_status read_options(const struct sw_conv_options *options, const struct sw_tensor *in,
                                   struct sw_conv_options *with)
{
    const size_t rank = sw_layout_rank(sw_tensor_layout(in));

    SW__TRY(sw__options_read(options, with, sizeof *with));
    if (with->n_spatial == 0 && rank > 2)
        with->n_spatial = (uint32_t)(rank - 2);
    return SW_OK;
}

enum sw_status sw_conv_general(const struct sw_tensor *in, const struct sw_tensor *kernel,
                               const struct sw_conv_options *options, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_tensor(kernel) };
    struct sw_conv_options with = SW_CONV_OPTIONS_INIT;
    struct orders orders SW__CLEANUP(orders_clear) = { .in = NULL };
    struct sw_tensor *permuted_in SW__OWNED_TENSOR = NULL;
    struct sw_tensor *permuted_kernel SW__OWNED_TENSOR = NULL;
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__front_check_operands("conv_general", operands, 2));
    SW__TRY(read_options(options, in, &with));
    SW__TRY(make_orders(in, kernel, &with, &orders));
    SW__TRY(sw_permute(in, orders.in, orders.in_rank, &permuted_in));
    SW__TRY(sw_permute(kernel, orders.kernel, orders.kernel_rank, &permuted_kernel));
    SW__TRY(correlate(permuted_in, permuted_kernel, &with, &result));
    if (!is_identity(orders.output, orders.in_rank))
        return sw_permute(result, orders.output, orders.in_rank, ret_tensor);
    *ret_tensor = sw__take(result);
    return SW_OK;
}
