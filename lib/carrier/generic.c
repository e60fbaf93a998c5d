/*
 * Generic: host memory behind the reference kernels.
 */
#include "config.h"

#include "base/options.h"
#include "carrier/dense.h"

static enum sw_status generic_new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                                       int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    (void)prototype;
    return sw__dense_from_values(&sw__generic_class, values, n, mutable_storage, dtype, SW__HOLES_REFUSED, ret_carrier);
}

struct sw_carrier_class sw__generic_class = {
    .head = SW_CARRIER_CLASS_HEAD("strideweave", "Generic"),
    .size = sw__dense_size,
    .dtype = sw__dense_dtype,
    .get = sw__dense_get,
    .new_like = generic_new_like,
    .allocate_like = sw__dense_allocate_like,
    .set = sw__dense_set,
    .is_mutable = sw__dense_is_mutable,
    .scatter = sw__dense_scatter,
    .dispatch = sw__generic_dispatch,
    .supports_dtype = sw__dense_supports_dtype,
    .release = sw__dense_release,
    .destroy = sw__dense_release,
    .allocate = sw__dense_allocate,
};

struct sw_carrier_class *sw_generic_class(void)
{
    return &sw__generic_class;
}

enum sw_status sw_generic_new(const struct sw_scalar *values, size_t n, const struct sw_generic_options *options,
                              struct sw_carrier **ret_carrier)
{
    struct sw_generic_options known = SW_GENERIC_OPTIONS_INIT;

    SW__TRY(sw__options_read(options, &known, sizeof known));
    SW__TRY(sw__check_boolean("immutable", known.immutable));
    enum sw_dtype dtype = (enum sw_dtype)known.dtype;
    if (values == NULL)
        return sw__dense_new(&sw__generic_class, n, !known.immutable, dtype, SW__FILL_ZERO, ret_carrier);
    return sw__dense_from_values(&sw__generic_class, values, n, !known.immutable, dtype, SW__HOLES_REFUSED,
                                 ret_carrier);
}
