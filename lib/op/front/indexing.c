/*
 * Public functions of the operations that address elements by index tensors.
 */
#include "config.h"

#include <strideweave/indexing.h>

#include "base/cleanup.h"
#include "op/front/front.h"

/* [-rank, rank-1] to [0, rank-1]. */
static enum sw_status normalise_axis(const char *name, const struct sw_tensor *tensor, int64_t axis, int64_t *ret_axis)
{
    int64_t rank = (int64_t)sw_layout_rank(sw_tensor_layout(tensor));

    if (axis < -rank || axis >= rank)
        return sw_error_set(SW_VALUE_ERROR, "%s: axis %lld of a tensor with %lld modes", name, (long long)axis,
                            (long long)rank);
    *ret_axis = axis < 0 ? axis + rank : axis;
    return SW_OK;
}

enum sw_status sw_gather(const struct sw_tensor *in, const struct sw_tensor *index, int64_t axis,
                         struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor("gather", in));
    SW__TRY(sw__front_check_tensor("gather", index));
    SW__TRY(normalise_axis("gather", in, axis, &axis));
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_tensor(index), sw_operand_integer(axis) };
    return sw__front_call("gather", operands, 3, NULL, ret_tensor);
}
