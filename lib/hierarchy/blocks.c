/*
 * The moves between host memory and files: the whole span that the layout
 * reaches is copied as bytes, holes included.
 */
#include "config.h"

#include "carrier/dense.h"
#include "carrier/file_backed.h"
#include "hierarchy/move.h"
#include "tensor/tensor.h"

static char *slot_of(const struct sw_tensor *tensor)
{
    return (char *)sw__dense_of(tensor->carrier)->data + (size_t)tensor->offset * sw_dtype_bytes(tensor->dtype);
}

static enum sw_status copy_to_file(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                                   struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    (void)move_class;
    (void)output;
    return sw__file_backed_write(destination, 0, slot_of(tensor), n_slots);
}

static enum sw_status copy_to_memory(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                                     struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    (void)move_class;
    (void)destination;
    return sw__file_backed_read(tensor->carrier, (size_t)tensor->offset, slot_of(output), n_slots);
}

const struct sw_move_class sw__move_to_file = {
    .head = SW_MOVE_CLASS_HEAD("strideweave", "Move.to_file"),
    .source_class = &sw__cpu_class,
    .destination_class = &sw__file_backed_class,
    .copy = copy_to_file,
};

const struct sw_move_class sw__move_to_memory = {
    .head = SW_MOVE_CLASS_HEAD("strideweave", "Move.to_memory"),
    .source_class = &sw__file_backed_class,
    .destination_class = &sw__cpu_class,
    .copy = copy_to_memory,
};
