/*
 * Scatter into host memory. The source is read as a whole before anything is
 * written: it may lie on the receiver itself, and reading it may fail.
 */
#include "config.h"

#include <strideweave/tensor.h>

#include "base/alloc.h"
#include "carrier/dense.h"
#include "carrier/walk.h"
#include "dtype/value.h"

static enum sw_status read_float32(const struct sw_tensor *source, void *values, size_t n)
{
    return sw_tensor_read_f32(source, values, n);
}

static enum sw_status read_int32(const struct sw_tensor *source, void *values, size_t n)
{
    return sw_tensor_read_i32(source, values, n);
}

static enum sw_status read_bool(const struct sw_tensor *source, void *values, size_t n)
{
    return sw_tensor_read_bool(source, values, n);
}

/* What may be scattered into what: the same dtype, or integers into reals. */
static const struct pair {
    enum sw_dtype source;
    enum sw_dtype destination;
    enum sw_status (*read)(const struct sw_tensor *source, void *values, size_t n);
} pairs[] = {
    { SW_FLOAT32, SW_FLOAT32, read_float32 },
    { SW_INT32, SW_INT32, read_int32 },
    { SW_INT32, SW_FLOAT32, read_int32 },
    { SW_BOOL, SW_BOOL, read_bool },
};

static const struct pair *find_pair(enum sw_dtype source, enum sw_dtype destination)
{
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i].source == source && pairs[i].destination == destination)
            return &pairs[i];
    return NULL;
}

static enum sw_status write_mapped(const struct pair *pair, const char *values, char *slots,
                                   const struct sw_layout *mapping)
{
    size_t source_bytes = sw_dtype_bytes(pair->source);
    int64_t slot_bytes = (int64_t)sw_dtype_bytes(pair->destination);
    struct sw__walk walk;
    struct sw_scalar value;

    sw__walk_begin(&walk, mapping);
    do {
        for (int64_t i = 0; i < walk.run; i++, values += source_bytes) {
            sw__value_load(pair->source, values, &value);
            SW__TRY(sw__value_store(pair->destination, &value, slots + (walk.index + i * walk.stride) * slot_bytes));
        }
    } while (sw__walk_next(&walk));
    return SW_OK;
}

enum sw_status sw__dense_scatter(struct sw_carrier *carrier, const struct sw_tensor *source,
                                 const struct sw_tensor *onto, const struct sw_layout *mapping, int64_t mapping_offset)
{
    const struct sw__dense *dense = sw__dense_of(carrier);
    const struct pair *pair = find_pair(sw_tensor_dtype(source), dense->dtype);

    if (pair == NULL)
        return sw_error_set(SW_TYPE_ERROR, "%s cannot be scattered into %s", sw_dtype_name(sw_tensor_dtype(source)),
                            sw_dtype_name(dense->dtype));
    size_t n = (size_t)sw_tensor_size(source);
    size_t bytes;
    if (__builtin_mul_overflow(n, sw_dtype_bytes(pair->source), &bytes))
        return sw_error_set(SW_MEMORY_ERROR, "no memory to read a source of %zu elements", n);
    void *values SW__OWNED = sw__alloc(bytes);
    if (values == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(pair->read(source, values, n));
    int64_t first = sw_tensor_offset(onto) + mapping_offset;
    return write_mapped(pair, values, (char *)dense->data + (size_t)first * sw_dtype_bytes(dense->dtype), mapping);
}
