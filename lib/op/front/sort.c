/*
 * Public functions of sorting: values and ordinals are two operations.
 */
#include "config.h"

#include <strideweave/sort.h>

#include "op/front/front.h"
#include "tensor/tensor.h"

static enum sw_status check_order(const char *name, enum sw_sort_order order)
{
    if (order == SW_SORT_ASCENDING || order == SW_SORT_DESCENDING)
        return SW_OK;
    return sw_error_set(SW_TYPE_ERROR, "%s: %d is no order", name, (int)order);
}

static enum sw_status call_both(const char *values_name, const char *indices_name, const struct sw_operand *operands,
                                size_t n_operands, struct sw_tensor **ret_values, struct sw_tensor **ret_indices)
{
    struct sw_tensor *values SW__OWNED_TENSOR = NULL;

    SW__TRY(sw__front_call(values_name, operands, n_operands, NULL, &values));
    SW__TRY(sw__front_call(indices_name, operands, n_operands, NULL, ret_indices));
    *ret_values = sw__take(values);
    return SW_OK;
}

enum sw_status sw_sort(const struct sw_tensor *in, int64_t axis, enum sw_sort_order order,
                       struct sw_tensor **ret_values, struct sw_tensor **ret_indices)
{
    SW__TRY(sw__front_axis("sort", in, axis, &axis));
    SW__TRY(check_order("sort", order));
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_integer(axis),
                                           sw_operand_boolean(order == SW_SORT_DESCENDING) };
    return call_both("_sort_values", "_sort_indices", operands, 3, ret_values, ret_indices);
}

enum sw_status sw_topk(const struct sw_tensor *in, int64_t k, int64_t axis, enum sw_sort_order order,
                       struct sw_tensor **ret_values, struct sw_tensor **ret_indices)
{
    SW__TRY(sw__front_axis("topk", in, axis, &axis));
    SW__TRY(check_order("topk", order));
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_integer(k), sw_operand_integer(axis),
                                           sw_operand_boolean(order == SW_SORT_DESCENDING) };
    return call_both("_topk_values", "_topk_indices", operands, 4, ret_values, ret_indices);
}
