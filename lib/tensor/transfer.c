/*
 * Whole tensors out of and into plain arrays, in ordinal order. Host memory is
 * copied a run at a time, files are read and written a run of neighbours at a
 * time; every other class goes through its get and set.
 */
#include "config.h"

#include "tensor/transfer.h"

#include <string.h>

#include "base/alloc.h"
#include "carrier/dense.h"
#include "carrier/file_backed.h"
#include "carrier/walk.h"
#include "dtype/value.h"

/* ---- Host memory ------------------------------------------------------------- */

/* @bytes is a constant wherever these are called: each call becomes a loop of its own. */
static inline void gather_run(char *into, const char *from, int64_t n, int64_t stride, size_t bytes)
{
    if (stride == 1) {
        memcpy(into, from, (size_t)n * bytes);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(into + (size_t)i * bytes, from + i * stride * (int64_t)bytes, bytes);
}

static inline void scatter_run(char *into, const char *from, int64_t n, int64_t stride, size_t bytes)
{
    if (stride == 1) {
        memcpy(into, from, (size_t)n * bytes);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        memcpy(into + i * stride * (int64_t)bytes, from + (size_t)i * bytes, bytes);
}

static inline void gather(char *values, const char *slots, const struct sw_layout *layout, size_t bytes)
{
    struct sw__walk walk;

    sw__walk_begin(&walk, layout);
    do {
        gather_run(values, slots + walk.index * (int64_t)bytes, walk.run, walk.stride, bytes);
        values += (size_t)walk.run * bytes;
    } while (sw__walk_next(&walk));
}

static inline void scatter(char *slots, const char *values, const struct sw_layout *layout, size_t bytes)
{
    struct sw__walk walk;

    sw__walk_begin(&walk, layout);
    do {
        scatter_run(slots + walk.index * (int64_t)bytes, values, walk.run, walk.stride, bytes);
        values += (size_t)walk.run * bytes;
    } while (sw__walk_next(&walk));
}

static char *first_slot(const struct sw__dense *dense, int64_t slot)
{
    return (char *)dense->data + (size_t)slot * sw_dtype_bytes(dense->dtype);
}

static void read_dense(const struct sw_tensor *tensor, const struct sw__dense *dense, void *values)
{
    if (dense->dtype == SW_BOOL) {
        uint8_t *truths = values;

        gather(values, first_slot(dense, tensor->offset), tensor->layout, 1);
        /* Memory of the caller's may hold other bytes than 0 and 1. */
        for (int64_t i = 0; i < tensor->layout->size; i++)
            truths[i] = truths[i] != 0;
    } else {
        gather(values, first_slot(dense, tensor->offset), tensor->layout, 4);
    }
}

static void write_dense(const struct sw_tensor *tensor, const struct sw__dense *dense, const void *values)
{
    if (dense->dtype == SW_BOOL)
        scatter(first_slot(dense, tensor->offset), values, tensor->layout, 1);
    else
        scatter(first_slot(dense, tensor->offset), values, tensor->layout, 4);
}

/* ---- Files ---------------------------------------------------------------------- */

/* Whether a run of slots is one block of a file. */
static int is_block(const struct sw_carrier *carrier, int64_t n, int64_t stride)
{
    return carrier->carrier_class == &sw__file_backed_class && n > 1 && stride == 1;
}

/* As many public writes as there are slots; one that failed may have written some of them. */
static enum sw_status write_block(struct sw_carrier *carrier, int64_t first, const char *values, int64_t n)
{
    const enum sw_status status = sw__file_backed_write(carrier, (size_t)first, values, (size_t)n);

    carrier->version += status == SW_OK ? (uint64_t)n : 1;
    return status;
}

/* ---- Any other class ---------------------------------------------------------- */

static enum sw_status read_run(struct sw_carrier *carrier, int64_t first, char *values, int64_t n, int64_t stride)
{
    const enum sw_dtype dtype = sw_carrier_dtype(carrier);
    const size_t bytes = sw_dtype_bytes(dtype);
    struct sw_scalar value;

    if (is_block(carrier, n, stride))
        return sw__file_backed_read(carrier, (size_t)first, values, (size_t)n);
    for (int64_t i = 0; i < n; i++) {
        SW__TRY(sw_carrier_get(carrier, first + i * stride, &value));
        SW__TRY(sw__value_store(dtype, &value, values + (size_t)i * bytes));
    }
    return SW_OK;
}

static enum sw_status write_run(struct sw_carrier *carrier, int64_t first, const char *values, int64_t n,
                                int64_t stride)
{
    const enum sw_dtype dtype = sw_carrier_dtype(carrier);
    const size_t bytes = sw_dtype_bytes(dtype);
    struct sw_scalar value;

    if (is_block(carrier, n, stride))
        return write_block(carrier, first, values, n);
    for (int64_t i = 0; i < n; i++) {
        sw__value_load(dtype, values + (size_t)i * bytes, &value);
        SW__TRY(sw_carrier_set(carrier, first + i * stride, &value));
    }
    return SW_OK;
}

static enum sw_status read_slots(const struct sw_tensor *tensor, char *values)
{
    const size_t bytes = sw_dtype_bytes(tensor->dtype);
    struct sw__walk walk;

    sw__walk_begin(&walk, tensor->layout);
    do {
        SW__TRY(read_run(tensor->carrier, tensor->offset + walk.index, values, walk.run, walk.stride));
        values += (size_t)walk.run * bytes;
    } while (sw__walk_next(&walk));
    return SW_OK;
}

/* A class may fail at any slot: the caller's array is filled only when all were read. */
static enum sw_status read_foreign(const struct sw_tensor *tensor, void *values, size_t n)
{
    size_t bytes = n * sw_dtype_bytes(tensor->dtype);
    char *staged SW__OWNED = sw__alloc(bytes);

    if (staged == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(read_slots(tensor, staged));
    memcpy(values, staged, bytes);
    return SW_OK;
}

static enum sw_status write_foreign(const struct sw_tensor *tensor, const char *values)
{
    const size_t bytes = sw_dtype_bytes(tensor->dtype);
    struct sw__walk walk;

    sw__walk_begin(&walk, tensor->layout);
    do {
        SW__TRY(write_run(tensor->carrier, tensor->offset + walk.index, values, walk.run, walk.stride));
        values += (size_t)walk.run * bytes;
    } while (sw__walk_next(&walk));
    return SW_OK;
}

/* ---- Entry points --------------------------------------------------------------- */

static enum sw_status check_transfer(const struct sw_tensor *tensor, enum sw_dtype dtype, const void *values, size_t n)
{
    SW__TRY(sw__tensor_check_live(tensor));
    if (tensor->dtype != dtype)
        return sw_error_set(SW_TYPE_ERROR, "the tensor holds %s, not %s", sw_dtype_name(tensor->dtype),
                            sw_dtype_name(dtype));
    if (values == NULL)
        return sw_error_set(SW_TYPE_ERROR, "no array of values");
    if (n != (size_t)tensor->layout->size)
        return sw_error_set(SW_VALUE_ERROR, "an array of %zu values for a tensor of %lld elements", n,
                            (long long)tensor->layout->size);
    return SW_OK;
}

static enum sw_status read_all(const struct sw_tensor *tensor, enum sw_dtype dtype, void *values, size_t n)
{
    SW__TRY(check_transfer(tensor, dtype, values, n));
    const struct sw__dense *dense = sw__dense_of(tensor->carrier);
    if (dense == NULL)
        return read_foreign(tensor, values, n);
    read_dense(tensor, dense, values);
    return SW_OK;
}

static enum sw_status write_all(const struct sw_tensor *tensor, enum sw_dtype dtype, const void *values, size_t n)
{
    SW__TRY(check_transfer(tensor, dtype, values, n));
    SW__TRY(sw__carrier_check_writable(tensor->carrier));
    const struct sw__dense *dense = sw__dense_of(tensor->carrier);
    if (dense == NULL)
        return write_foreign(tensor, values);
    write_dense(tensor, dense, values);
    /* As many public writes as there are elements, whatever the class. */
    tensor->carrier->version += n;
    return SW_OK;
}

enum sw_status sw__check_booleans(const uint8_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (values[i] > 1)
            return sw_error_set(SW_TYPE_ERROR, "a boolean is 0 or 1, not %u", (unsigned)values[i]);
    return SW_OK;
}

enum sw_status sw_tensor_read_f32(const struct sw_tensor *tensor, float *values, size_t n)
{
    return read_all(tensor, SW_FLOAT32, values, n);
}

enum sw_status sw_tensor_read_i32(const struct sw_tensor *tensor, int32_t *values, size_t n)
{
    return read_all(tensor, SW_INT32, values, n);
}

enum sw_status sw_tensor_read_bool(const struct sw_tensor *tensor, uint8_t *values, size_t n)
{
    return read_all(tensor, SW_BOOL, values, n);
}

enum sw_status sw_tensor_write_f32(const struct sw_tensor *tensor, const float *values, size_t n)
{
    return write_all(tensor, SW_FLOAT32, values, n);
}

enum sw_status sw_tensor_write_i32(const struct sw_tensor *tensor, const int32_t *values, size_t n)
{
    return write_all(tensor, SW_INT32, values, n);
}

enum sw_status sw_tensor_write_bool(const struct sw_tensor *tensor, const uint8_t *values, size_t n)
{
    SW__TRY(check_transfer(tensor, SW_BOOL, values, n));
    SW__TRY(sw__carrier_check_writable(tensor->carrier));
    SW__TRY(sw__check_booleans(values, n));
    return write_all(tensor, SW_BOOL, values, n);
}

enum sw_status sw__carrier_initialize(struct sw_carrier *carrier, int64_t first, const void *values, size_t n)
{
    const struct sw__dense *dense = sw__dense_of(carrier);

    if (dense != NULL) {
        memcpy(first_slot(dense, first), values, n * sw_dtype_bytes(dense->dtype));
        return SW_OK;
    }
    SW__TRY(write_run(carrier, first, values, (int64_t)n, 1));
    carrier->version = 0;
    return SW_OK;
}
