/*
 * One typed array in host memory: what Generic and CPU carriers are made of.
 */
#include "config.h"

#include "carrier/dense.h"

#include <string.h>

#include "base/forbid.h"
#include "carrier/storage.h"
#include "dtype/value.h"

/* Storage up to this size lies in the carrier's own allocation: results of small operations need only one. */
#define INLINE_BYTES ((size_t)1024)
#define HEADER_BYTES ((sizeof(struct sw__dense) + SW__BLOCK_ALIGNMENT - 1) / SW__BLOCK_ALIGNMENT * SW__BLOCK_ALIGNMENT)

struct sw__dense *sw__dense_of(const struct sw_carrier *carrier)
{
    const struct sw_carrier_class *carrier_class = carrier != NULL ? carrier->carrier_class : NULL;

    if (carrier_class != &sw__generic_class && carrier_class != &sw__cpu_class)
        return NULL;
    return (struct sw__dense *)(void *)(uintptr_t)carrier->payload;
}

/* For carriers that are known to be of one of the two classes. */
static struct sw__dense *storage_of(const struct sw_carrier *carrier)
{
    return (struct sw__dense *)(void *)(uintptr_t)carrier->payload;
}

static enum sw_status storage_bytes(size_t n, enum sw_dtype dtype, size_t *ret_bytes)
{
    SW__TRY(sw__dtype_check_stored(dtype));
    if (n > INT64_MAX)
        return sw_error_set(SW_VALUE_ERROR, "a carrier has no %lld slots", (long long)n);
    if (__builtin_mul_overflow(n, sw_dtype_bytes(dtype), ret_bytes))
        return sw_error_set(SW_MEMORY_ERROR, "no memory for %zu slots of %s", n, sw_dtype_name(dtype));
    return SW_OK;
}

/* A carrier whose payload has room for @inline_bytes of storage, not connected to it yet. */
static enum sw_status make(struct sw_carrier_class *carrier_class, size_t n, int is_mutable, enum sw_dtype dtype,
                           size_t inline_bytes, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier;

    SW__TRY(sw__carrier_new_partly(carrier_class, HEADER_BYTES + inline_bytes, HEADER_BYTES, &carrier));
    struct sw__dense *dense = storage_of(carrier);
    dense->n = n;
    dense->dtype = dtype;
    dense->is_mutable = is_mutable;
    sw__memory_forbid(dense + 1, HEADER_BYTES - sizeof *dense);
    *ret_carrier = carrier;
    return SW_OK;
}

enum sw_status sw__dense_new(struct sw_carrier_class *carrier_class, size_t n, int is_mutable, enum sw_dtype dtype,
                             enum sw__fill fill, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    size_t bytes;

    SW__TRY(storage_bytes(n, dtype, &bytes));
    int is_inline = bytes <= INLINE_BYTES;
    SW__TRY(make(carrier_class, n, is_mutable, dtype, is_inline ? bytes : 0, &carrier));
    struct sw__dense *dense = storage_of(carrier);
    if (is_inline) {
        dense->data = carrier->payload + HEADER_BYTES;
        if (fill == SW__FILL_ZERO)
            memset(dense->data, 0, bytes);
    } else {
        dense->data = sw__block_new(bytes, fill, &dense->block);
        if (dense->data == NULL) {
            sw__storage_refused(carrier, bytes);
            return SW_MEMORY_ERROR;
        }
    }
    sw__storage_made(carrier, bytes);
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

enum sw_status sw__dense_wrap(struct sw_carrier_class *carrier_class, size_t n, int is_mutable, enum sw_dtype dtype,
                              void *pointer, struct sw_carrier **ret_carrier)
{
    size_t bytes;

    SW__TRY(storage_bytes(n, dtype, &bytes));
    if (pointer == NULL)
        return sw_error_set(SW_VALUE_ERROR, "external storage needs an address");
    if ((uintptr_t)pointer % sw_dtype_bytes(dtype) != 0)
        return sw_error_set(SW_VALUE_ERROR, "the external storage is not aligned for %s", sw_dtype_name(dtype));
    SW__TRY(make(carrier_class, n, is_mutable, dtype, 0, ret_carrier));
    storage_of(*ret_carrier)->data = pointer;
    storage_of(*ret_carrier)->is_external = 1;
    return SW_OK;
}

enum sw_status sw__dense_from_values(struct sw_carrier_class *carrier_class, const struct sw_scalar *values, size_t n,
                                     int is_mutable, enum sw_dtype dtype, enum sw__holes holes,
                                     struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    SW__TRY(sw__dense_new(carrier_class, n, is_mutable, dtype, SW__FILL_ZERO, &carrier));
    size_t bytes = sw_dtype_bytes(dtype);
    char *slot = storage_of(carrier)->data;
    for (size_t i = 0; i < n; i++, slot += bytes)
        if (values[i].kind != 0 || holes == SW__HOLES_REFUSED)
            SW__TRY(sw__value_store(dtype, &values[i], slot));
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

size_t sw__dense_size(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->n;
}

enum sw_dtype sw__dense_dtype(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->dtype;
}

int sw__dense_is_mutable(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->is_mutable;
}

int sw__dense_supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype)
{
    (void)carrier;
    return sw_dtype_bytes(dtype) != 0;
}

static void *slot_address(const struct sw__dense *dense, size_t slot)
{
    return (char *)dense->data + slot * sw_dtype_bytes(dense->dtype);
}

enum sw_status sw__dense_get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    const struct sw__dense *dense = storage_of(carrier);

    sw__value_load(dense->dtype, slot_address(dense, slot), ret_value);
    return SW_OK;
}

enum sw_status sw__dense_set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value)
{
    const struct sw__dense *dense = storage_of(carrier);

    return sw__value_store(dense->dtype, value, slot_address(dense, slot));
}

enum sw_status sw__dense_allocate(struct sw_carrier_class *carrier_class, size_t n, int mutable_storage,
                                  enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    return sw__dense_new(carrier_class, n, mutable_storage, dtype, uninitialized ? SW__FILL_NONE : SW__FILL_ZERO,
                         ret_carrier);
}

enum sw_status sw__dense_allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                       enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    return sw__dense_allocate(prototype->carrier_class, n, mutable_storage, dtype, uninitialized, ret_carrier);
}

/* Also at destruction, after a release or without one. */
void sw__dense_release(struct sw_carrier *carrier)
{
    struct sw__dense *dense = storage_of(carrier);
    size_t bytes = dense->n * sw_dtype_bytes(dense->dtype);

    if (dense->data != NULL && !dense->is_external)
        sw__storage_gone(carrier, bytes);
    if (dense->data != NULL && dense->block.memory == NULL && !dense->is_external)
        sw__memory_forbid(dense->data, bytes);
    sw__block_free(&dense->block);
    dense->data = NULL;
    dense->n = 0;
}
