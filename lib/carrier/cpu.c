/*
 * CPU: host memory, the library's own or the caller's, behind fast kernels.
 */
#include "config.h"

#include "base/options.h"
#include "carrier/dense.h"

static enum sw_status cpu_new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                                   int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    (void)prototype;
    return sw__dense_from_values(&sw__cpu_class, values, n, mutable_storage, dtype, SW__HOLES_ARE_ZERO, ret_carrier);
}

struct sw_carrier_class sw__cpu_class = {
    .head = SW_CARRIER_CLASS_HEAD("strideweave", "CPU"),
    .size = sw__dense_size,
    .dtype = sw__dense_dtype,
    .get = sw__dense_get,
    .new_like = cpu_new_like,
    .allocate_like = sw__dense_allocate_like,
    .set = sw__dense_set,
    .is_mutable = sw__dense_is_mutable,
    .scatter = sw__dense_scatter,
    .dispatch = sw__cpu_dispatch,
    .supports_dtype = sw__dense_supports_dtype,
    .release = sw__dense_release,
    .destroy = sw__dense_release,
    .allocate = sw__dense_allocate,
};

struct sw_carrier_class *sw_cpu_class(void)
{
    return &sw__cpu_class;
}

enum sw_status sw_cpu_new(size_t n, const struct sw_cpu_options *options, struct sw_carrier **ret_carrier)
{
    struct sw_cpu_options known = SW_CPU_OPTIONS_INIT;

    SW__TRY(sw__options_read(options, &known, sizeof known));
    SW__TRY(sw__check_boolean("immutable", known.immutable));
    SW__TRY(sw__check_boolean("uninitialized", known.uninitialized));
    SW__TRY(sw__check_boolean("external", known.external));
    enum sw_dtype dtype = (enum sw_dtype)known.dtype;
    if (known.external)
        return sw__dense_wrap(&sw__cpu_class, n, !known.immutable, dtype, known.pointer, ret_carrier);
    if (known.pointer != NULL)
        return sw_error_set(SW_VALUE_ERROR, "an address is given but external is 0");
    return sw__dense_new(&sw__cpu_class, n, !known.immutable, dtype,
                         known.uninitialized ? SW__FILL_NONE : SW__FILL_ZERO, ret_carrier);
}

void *sw_cpu_pointer(const struct sw_carrier *carrier)
{
    return sw_carrier_class_of(carrier) == &sw__cpu_class ? sw__dense_of(carrier)->data : NULL;
}
