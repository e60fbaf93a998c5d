/*
 * Access to single elements, by coordinate or by ordinal. No operation, no
 * boundary: the carrier's own entry points do the work.
 */
#include "config.h"

#include <math.h>

#include "carrier/carrier.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

/* The layout lies inside the carrier, so the sum cannot leave 64 bits. */
static enum sw_status slot_of_coordinate(const struct sw_tensor *tensor, const struct sw_tree *coordinate,
                                         int64_t *ret_slot)
{
    int64_t index = 0;

    SW__TRY(sw__tensor_check_live(tensor));
    SW__TRY(sw_layout_index(tensor->layout, coordinate, &index));
    *ret_slot = tensor->offset + index;
    return SW_OK;
}

static enum sw_status slot_of_ordinal(const struct sw_tensor *tensor, int64_t ordinal, int64_t *ret_slot)
{
    int64_t index = 0;

    SW__TRY(sw__tensor_check_live(tensor));
    SW__TRY(sw_layout_index_ordinal(tensor->layout, ordinal, &index));
    *ret_slot = tensor->offset + index;
    return SW_OK;
}

enum sw_status sw_tensor_get(const struct sw_tensor *tensor, const struct sw_tree *coordinate,
                             struct sw_scalar *ret_value)
{
    int64_t slot = 0;

    SW__TRY(slot_of_coordinate(tensor, coordinate, &slot));
    return sw_carrier_get(tensor->carrier, slot, ret_value);
}

enum sw_status sw_tensor_set(const struct sw_tensor *tensor, const struct sw_tree *coordinate,
                             const struct sw_scalar *value)
{
    int64_t slot = 0;

    SW__TRY(slot_of_coordinate(tensor, coordinate, &slot));
    return sw_carrier_set(tensor->carrier, slot, value);
}

enum sw_status sw_tensor_get_ordinal(const struct sw_tensor *tensor, int64_t ordinal, struct sw_scalar *ret_value)
{
    int64_t slot = 0;

    SW__TRY(slot_of_ordinal(tensor, ordinal, &slot));
    return sw_carrier_get(tensor->carrier, slot, ret_value);
}

enum sw_status sw_tensor_set_ordinal(const struct sw_tensor *tensor, int64_t ordinal, const struct sw_scalar *value)
{
    int64_t slot = 0;

    SW__TRY(slot_of_ordinal(tensor, ordinal, &slot));
    return sw_carrier_set(tensor->carrier, slot, value);
}

static double as_double(const struct sw_scalar *value)
{
    switch (value->kind) {
    case SW_SCALAR_INTEGER:
        return (double)value->as.integer;
    case SW_SCALAR_BOOLEAN:
        return value->as.boolean;
    case SW_SCALAR_FLOATING:
        return value->as.floating;
    }
    return NAN;
}

enum sw_status sw_tensor_item(const struct sw_tensor *tensor, double *ret_value)
{
    struct sw_scalar value = { 0 };

    SW__TRY(sw__tensor_check_live(tensor));
    if (tensor->layout->size != 1)
        return sw_error_set(SW_VALUE_ERROR, "a tensor of %lld elements is not one value",
                            (long long)tensor->layout->size);
    /* The only index of a layout of size 1 is 0. */
    SW__TRY(sw_carrier_get(tensor->carrier, tensor->offset, &value));
    *ret_value = as_double(&value);
    return SW_OK;
}
