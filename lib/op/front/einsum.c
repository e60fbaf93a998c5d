/*
 * The public function of contractions: up to five operations one after
 * another, none of them inside another.
 */
#include "config.h"

#include <strideweave/reduce.h>

#include "base/alloc.h"
#include "layout/layout.h"
#include "op/contraction.h"
#include "op/front/front.h"
#include "op/shapes.h"
#include "tensor/tensor.h"

static enum sw_status leaf_sizes(const struct sw_tensor *tensor, const struct sw_tree *selection, int64_t **ret_sizes)
{
    int64_t *sizes SW__OWNED = sw__alloc((selection->n_leaves + 1) * sizeof *sizes);

    if (sizes == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(sw__shape_selected_sizes(sw_tensor_shape(tensor), selection, sizes));
    *ret_sizes = sw__take(sizes);
    return SW_OK;
}

static enum sw_status check_sizes(const struct sw__contraction *contraction, const struct sw_tensor *a,
                                  const struct sw_tensor *b)
{
    int64_t *sizes_a SW__OWNED = NULL, *sizes_b SW__OWNED = NULL;

    SW__TRY(leaf_sizes(a, contraction->selection[0], &sizes_a));
    SW__TRY(leaf_sizes(b, contraction->selection[1], &sizes_b));
    for (size_t i = 0; i < contraction->n_shared; i++) {
        const int64_t of_a = sizes_a[contraction->shared[i].leaves[0]];
        const int64_t of_b = sizes_b[contraction->shared[i].leaves[1]];
        if (of_a != of_b)
            return sw_error_set(SW_VALUE_ERROR, "einsum: a shared symbol has the sizes %lld and %lld",
                                (long long)of_a, (long long)of_b);
    }
    return SW_OK;
}

static enum sw_status rearrange(const struct sw_tensor *in, const struct sw_tree *selection,
                                const struct sw_tree *output, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_tree(output),
                                           sw_operand_tree(selection) };

    return SW__FRONT_CALL("rearrange", operands, 3, NULL, ret_tensor);
}

static enum sw_status multiply(const struct sw__contraction *contraction, const struct sw_tensor *a,
                               const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *lhs SW__OWNED_TENSOR = NULL;
    struct sw_tensor *rhs SW__OWNED_TENSOR = NULL;

    SW__TRY(rearrange(a, contraction->selection[0], contraction->output[0], &lhs));
    SW__TRY(rearrange(b, contraction->selection[1], contraction->output[1], &rhs));
    const struct sw_operand operands[] = { sw_operand_tensor(lhs), sw_operand_tensor(rhs) };
    return sw__front_call(contraction->is_elementwise ? "elementwise_mul" : "matmul", operands, 2, NULL, ret_tensor);
}

enum sw_status sw_einsum(const struct sw_tensor *a, const struct sw_tensor *b, const char *command,
                         struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(a), sw_operand_tensor(b) };
    struct sw__contraction contraction SW__OWNED_CONTRACTION = { .shared = NULL };
    struct sw_tensor *product SW__OWNED_TENSOR = NULL;
    struct sw_tensor *result SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__contraction_compile(command, &contraction));
    SW__TRY(sw__front_check_operands("einsum", operands, 2));
    SW__TRY(check_sizes(&contraction, a, b));
    SW__TRY(multiply(&contraction, a, b, &product));
    SW__TRY(rearrange(product, contraction.result_selection, contraction.result_output, &result));
    if (contraction.is_summed) {
        const struct sw_operand two_modes[] = { sw_operand_tensor(result) };
        return SW__FRONT_CALL("reduce_sum", two_modes, 1, NULL, ret_tensor);
    }
    *ret_tensor = sw__take(result);
    return SW_OK;
}
