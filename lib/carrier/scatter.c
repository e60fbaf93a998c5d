/*
 * The scatter primitive: writing a tensor's elements into slots of a carrier
 * that a mapping names. Everything is checked before the class writes anything.
 */
#include "config.h"

#include <strideweave/tensor.h>

#include "base/checked.h"
#include "carrier/carrier.h"
#include "layout/layout.h"

static int is_tensor(const struct sw_tensor *tensor)
{
    return tensor != NULL && ((const struct sw_tensor_head *)tensor)->kind == SW_KIND_TENSOR;
}

static enum sw_status check_kinds(const struct sw_tensor *source, const struct sw_tensor *onto,
                                  const struct sw_layout *mapping)
{
    if (!is_tensor(source))
        return sw_error_set(SW_TYPE_ERROR, "the source of a scatter is not a tensor");
    if (!is_tensor(onto))
        return sw_error_set(SW_TYPE_ERROR, "what a scatter writes onto is not a tensor");
    if (mapping == NULL || mapping->kind != SW_KIND_LAYOUT)
        return sw_error_set(SW_TYPE_ERROR, "the mapping of a scatter is not a layout");
    return SW_OK;
}

/* Strides are never negative, so the last slot written is the one of the largest index. */
static enum sw_status check_destination(const struct sw_carrier *carrier, int64_t offset,
                                        const struct sw_layout *mapping, int64_t mapping_offset)
{
    int64_t end;

    if (mapping_offset < 0)
        return sw_error_set(SW_VALUE_ERROR, "a mapping offset of %lld", (long long)mapping_offset);
    if (!sw__add_fits(offset, mapping_offset, &end) || !sw__add_fits(end, mapping->cosize, &end) ||
        (uint64_t)end > sw_carrier_size(carrier))
        return sw_error_set(SW_VALUE_ERROR, "the mapping leaves the carrier of %zu slots", sw_carrier_size(carrier));
    return SW_OK;
}

enum sw_status sw_carrier_scatter(struct sw_carrier *carrier, const struct sw_tensor *source,
                                  const struct sw_tensor *onto, const struct sw_layout *mapping, int64_t mapping_offset)
{
    SW__TRY(sw__carrier_check(carrier, "the receiver of a scatter"));
    SW__TRY(sw__carrier_check_writable(carrier));
    if (carrier->carrier_class->scatter == NULL)
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "carriers of class %s do not scatter",
                            carrier->carrier_class->head.qualified_name);
    SW__TRY(check_kinds(source, onto, mapping));
    if (sw_tensor_carrier(onto) != carrier)
        return sw_error_set(SW_VALUE_ERROR, "what a scatter writes onto is on another carrier");
    if (!sw_tree_equal(mapping->shape, sw_tensor_shape(source)))
        return sw_error_set(SW_VALUE_ERROR, "the mapping has not the shape of the source");
    SW__TRY(check_destination(carrier, sw_tensor_offset(onto), mapping, mapping_offset));
    SW__TRY(sw__carrier_check_live(sw_tensor_carrier(source)));
    uint64_t before = carrier->version;
    SW__TRY(carrier->carrier_class->scatter(carrier, source, onto, mapping, mapping_offset));
    if (carrier->version == before)
        carrier->version++;
    return SW_OK;
}
