/*
 * The move between classes that know nothing of each other: every element is
 * read from the one and written to the other. Host memory at both ends skips
 * the calls, not the rules: each element counts as one write.
 */
#include "config.h"

#include <string.h>

#include "carrier/dense.h"
#include "carrier/walk.h"
#include "hierarchy/move.h"
#include "tensor/tensor.h"

/* ---- Host memory ----------------------------------------------------------------- */

static char *first_slot(const struct sw__dense *dense, const struct sw_tensor *tensor, size_t bytes)
{
    return (char *)dense->data + (size_t)tensor->offset * bytes;
}

/* Memory of the caller's may be wrapped twice, so runs may overlap. */
static void copy_run(char *to, const char *from, int64_t n, int64_t stride, size_t bytes)
{
    if (stride == 1) {
        memmove(to, from, (size_t)n * bytes);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memmove(to + i * stride * (int64_t)bytes, from + i * stride * (int64_t)bytes, bytes);
}

static void copy_dense(const struct sw_tensor *tensor, const struct sw__dense *source, const struct sw_tensor *output,
                       const struct sw__dense *destination)
{
    size_t bytes = sw_dtype_bytes(tensor->dtype);
    const char *from = first_slot(source, tensor, bytes);
    char *to = first_slot(destination, output, bytes);
    struct sw__walk walk;

    sw__walk_begin(&walk, tensor->layout);
    do {
        int64_t skip = walk.index * (int64_t)bytes;
        copy_run(to + skip, from + skip, walk.run, walk.stride, bytes);
    } while (sw__walk_next(&walk));
    output->carrier->version += (uint64_t)tensor->layout->size;
}

/* ---- Any class -------------------------------------------------------------------- */

static enum sw_status copy_element(const struct sw_tensor *tensor, const struct sw_tensor *output, int64_t index)
{
    struct sw_scalar value;

    SW__TRY(sw_carrier_get(tensor->carrier, tensor->offset + index, &value));
    return sw_carrier_set(output->carrier, output->offset + index, &value);
}

static enum sw_status copy_each(const struct sw_tensor *tensor, const struct sw_tensor *output)
{
    struct sw__walk walk;

    sw__walk_begin(&walk, tensor->layout);
    do {
        for (int64_t i = 0; i < walk.run; i++)
            SW__TRY(copy_element(tensor, output, walk.index + i * walk.stride));
    } while (sw__walk_next(&walk));
    return SW_OK;
}

static enum sw_status copy(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                           struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    const struct sw__dense *from = sw__dense_of(tensor->carrier);
    const struct sw__dense *to = sw__dense_of(destination);

    (void)move_class;
    (void)n_slots;
    if (from == NULL || to == NULL)
        return copy_each(tensor, output);
    copy_dense(tensor, from, output, to);
    return SW_OK;
}

const struct sw_move_class sw__move_elements = {
    .head = SW_MOVE_CLASS_HEAD("strideweave", "Move.elements"),
    .copy = copy,
};
