/*
 * Public functions of the operations that address elements by index tensors.
 */
#include "config.h"

#include <strideweave/indexing.h>

#include "base/cleanup.h"
#include "op/front/front.h"

enum sw_status sw_gather(const struct sw_tensor *in, const struct sw_tensor *index, int64_t axis,
                         struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor("gather", index));
    SW__TRY(sw__front_axis("gather", in, axis, &axis));
    const struct sw_operand operands[] = { sw_operand_tensor(in), sw_operand_tensor(index), sw_operand_integer(axis) };
    return SW__FRONT_CALL("gather", operands, 3, NULL, ret_tensor);
}

static enum sw_status scatter(const char *name, const struct sw_tensor *base, const struct sw_tensor *index,
                              const struct sw_tensor *updates, int64_t axis, struct sw_tensor **ret_tensor)
{
    SW__TRY(sw__front_check_tensor(name, index));
    SW__TRY(sw__front_check_tensor(name, updates));
    SW__TRY(sw__front_axis(name, base, axis, &axis));
    const struct sw_operand operands[] = { sw_operand_tensor(base), sw_operand_tensor(index),
                                           sw_operand_tensor(updates), sw_operand_integer(axis) };
    return sw__front_call(name, operands, 4, NULL, ret_tensor);
}

enum sw_status sw_scatter(const struct sw_tensor *base, const struct sw_tensor *index, const struct sw_tensor *updates,
                          int64_t axis, struct sw_tensor **ret_tensor)
{
    return scatter("scatter", base, index, updates, axis, ret_tensor);
}

enum sw_status sw_scatter_add(const struct sw_tensor *base, const struct sw_tensor *index,
                              const struct sw_tensor *updates, int64_t axis, struct sw_tensor **ret_tensor)
{
    return scatter("scatter_add", base, index, updates, axis, ret_tensor);
}
