/*
 * Moving a tensor: everything is checked, then an operation that nobody
 * dispatched copies the values and releases where they were.
 */
#include "config.h"

#include "hierarchy/move.h"

#include "carrier/carrier.h"
#include "dispatch/operation.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

/* ---- The operation: its one operand is the tensor ---------------------------------- */

/* State of an operation. */
struct moving {
    const struct sw_move_class *move_class;
    const struct sw_tensor *output; /* the same elements on the destination; borrowed until it ran */
};

/* Whole blocks are written past the entry points; a copy that failed may have written, too. */
static enum sw_status copy(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                           const struct sw_tensor *output)
{
    struct sw_carrier *destination = output->carrier;
    const uint64_t before = destination->version;
    enum sw_status status = move_class->copy(move_class, tensor, destination, output, (size_t)tensor->layout->cosize);

    if (destination->version == before)
        destination->version++;
    return status;
}

static enum sw_status compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct moving *moving = sw_operation_state(operation);
    const struct sw_tensor *tensor = operands[0].as.tensor;
    const struct sw_tensor *output = sw__take(moving->output);

    (void)n_operands;
    (void)options;
    SW__TRY(copy(moving->move_class, tensor, output));
    SW__TRY(sw_carrier_release(tensor->carrier));
    *ret_tensor = sw_tensor_ref(output);
    return SW_OK;
}

static struct sw_operation_class move_operation_class = {
    .head = SW_OPERATION_CLASS_HEAD("strideweave", "Move"),
    .state_bytes = sizeof(struct moving),
    .compute = compute,
};

int sw__operation_is_move(const struct sw_operation *operation)
{
    return operation->operation_class == &move_operation_class;
}

/* ---- Checks -------------------------------------------------------------------------- */

static enum sw_status check_source(const struct sw_tensor *tensor)
{
    SW__TRY(sw__tensor_check_live(tensor));
    return sw__carrier_check_accessible(tensor->carrier, "move from");
}

static enum sw_status check_destination(const struct sw_tensor *tensor, const struct sw_carrier *destination)
{
    SW__TRY(sw__carrier_check(destination, "the destination of a move"));
    if (destination == tensor->carrier)
        return sw_error_set(SW_VALUE_ERROR, "the destination of a move is the tensor's own carrier");
    SW__TRY(sw__carrier_check_writable(destination));
    if (sw_carrier_dtype(destination) != tensor->dtype)
        return sw_error_set(SW_TYPE_ERROR, "a tensor of %s cannot move to a carrier of %s",
                            sw_dtype_name(tensor->dtype), sw_dtype_name(sw_carrier_dtype(destination)));
    return SW_OK;
}

static enum sw_status make_room(const struct sw_tensor *tensor, struct sw_carrier *destination)
{
    size_t needed = (size_t)tensor->layout->cosize, room = sw_carrier_size(destination);

    if (room == 0 && destination->carrier_class->allocate_in_place != NULL)
        return destination->carrier_class->allocate_in_place(destination, needed);
    if (room < needed)
        return sw_error_set(SW_VALUE_ERROR, "the tensor needs %lld slots, the destination of its move has %zu",
                            (long long)tensor->layout->cosize, room);
    return SW_OK;
}

/* ---- Execution ------------------------------------------------------------------------ */

typedef enum sw_status forward_fn(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                  const struct sw_execution_options *options, struct sw_tensor **ret_tensor);

static enum sw_status move(const struct sw_tensor *tensor, struct sw_carrier *destination, forward_fn *forward,
                           struct sw_tensor **ret_tensor)
{
    struct sw_operation *operation SW__OWNED_OPERATION = NULL;
    struct sw_tensor *output SW__OWNED_TENSOR = NULL;
    const struct sw_move_class *move_class;

    SW__TRY(check_source(tensor));
    SW__TRY(check_destination(tensor, destination));
    SW__TRY(sw__move_resolve(tensor->carrier->carrier_class, destination->carrier_class, &move_class));
    SW__TRY(make_room(tensor, destination));
    SW__TRY(sw_tensor_new(destination, 0, tensor->layout, &output));
    SW__TRY(sw_operation_new(&move_operation_class, &operation));
    *(struct moving *)sw_operation_state(operation) = (struct moving){ move_class, output };
    const struct sw_operand operands[] = { sw_operand_tensor(tensor) };
    return forward(operation, operands, 1, NULL, ret_tensor);
}

enum sw_status sw_move(const struct sw_tensor *tensor, struct sw_carrier *destination, struct sw_tensor **ret_tensor)
{
    return move(tensor, destination, sw_operation_forward, ret_tensor);
}

enum sw_status sw__move_lowered(const struct sw_tensor *tensor, struct sw_carrier *destination,
                                struct sw_tensor **ret_tensor)
{
    return move(tensor, destination, sw_operation_forward_lowered, ret_tensor);
}
