/*
 * Fresh tensors from a carrier class: zeros, one value, ascending values, the
 * caller's values.
 */
#include "config.h"

#include "carrier/carrier.h"
#include "dtype/value.h"
#include "layout/layout.h"
#include "tensor/transfer.h"

/* Elements that are prepared at a time. */
#define CHUNK 256

/* A carrier with the canonical layout of @shape, which nobody else has seen yet. */
struct fresh {
    struct sw_carrier *carrier;
    struct sw_layout *layout;
};

static void drop(struct fresh *fresh)
{
    sw_carrier_unref(fresh->carrier);
    sw_layout_unref(fresh->layout);
}

#define OWNED_FRESH SW__CLEANUP(drop)

static enum sw_status allocate(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, const struct sw_tree *shape,
                               int uninitialized, struct fresh *fresh)
{
    SW__TRY(sw__carrier_class_check(carrier_class));
    SW__TRY(sw_layout_canonical(shape, &fresh->layout));
    return sw__carrier_allocate(carrier_class, (size_t)fresh->layout->size, dtype, uninitialized, &fresh->carrier);
}

static enum sw_status finish(const struct fresh *fresh, struct sw_tensor **ret_tensor)
{
    return sw_tensor_new(fresh->carrier, 0, fresh->layout, ret_tensor);
}

enum sw_status sw_tensor_zeros(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, const struct sw_tree *shape,
                               struct sw_tensor **ret_tensor)
{
    struct fresh fresh OWNED_FRESH = { NULL, NULL };

    SW__TRY(allocate(carrier_class, dtype, shape, 0, &fresh));
    return finish(&fresh, ret_tensor);
}

/* Puts the values of the ordinals from @first on into a chunk. */
typedef enum sw_status prepare_fn(enum sw_dtype dtype, const struct sw_scalar *value, int64_t first, size_t n,
                                  char *chunk);

static enum sw_status repeat(enum sw_dtype dtype, const struct sw_scalar *value, int64_t first, size_t n, char *chunk)
{
    size_t bytes = sw_dtype_bytes(dtype);

    (void)first;
    for (size_t i = 0; i < n; i++)
        SW__TRY(sw__value_store(dtype, value, chunk + i * bytes));
    return SW_OK;
}

static enum sw_status count(enum sw_dtype dtype, const struct sw_scalar *value, int64_t first, size_t n, char *chunk)
{
    struct sw_scalar next = *value;
    size_t bytes = sw_dtype_bytes(dtype);

    for (size_t i = 0; i < n; i++) {
        next.as.integer = first + (int64_t)i;
        SW__TRY(sw__value_store(dtype, &next, chunk + i * bytes));
    }
    return SW_OK;
}

static enum sw_status fill(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, const struct sw_tree *shape,
                           prepare_fn *prepare, const struct sw_scalar *value, struct sw_tensor **ret_tensor)
{
    struct fresh fresh OWNED_FRESH = { NULL, NULL };
    char chunk[CHUNK * sizeof(double)];

    SW__TRY(allocate(carrier_class, dtype, shape, 1, &fresh));
    for (int64_t first = 0; first < fresh.layout->size; first += CHUNK) {
        int64_t left = fresh.layout->size - first;
        size_t n = left < CHUNK ? (size_t)left : CHUNK;

        SW__TRY(prepare(dtype, value, first, n, chunk));
        SW__TRY(sw__carrier_initialize(fresh.carrier, first, chunk, n));
    }
    return finish(&fresh, ret_tensor);
}

enum sw_status sw_tensor_full(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, const struct sw_tree *shape,
                              const struct sw_scalar *value, struct sw_tensor **ret_tensor)
{
    return fill(carrier_class, dtype, shape, repeat, value, ret_tensor);
}

enum sw_status sw_tensor_arange(struct sw_carrier_class *carrier_class, enum sw_dtype dtype,
                                const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    const struct sw_scalar start = { .kind = SW_SCALAR_INTEGER };

    return fill(carrier_class, dtype, shape, count, &start, ret_tensor);
}

static enum sw_status from_array(struct sw_carrier_class *carrier_class, enum sw_dtype dtype, const void *values,
                                 const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    struct fresh fresh OWNED_FRESH = { NULL, NULL };

    if (values == NULL)
        return sw_error_set(SW_TYPE_ERROR, "no array of values");
    SW__TRY(allocate(carrier_class, dtype, shape, 1, &fresh));
    if (dtype == SW_BOOL)
        SW__TRY(sw__check_booleans(values, (size_t)fresh.layout->size));
    SW__TRY(sw__carrier_initialize(fresh.carrier, 0, values, (size_t)fresh.layout->size));
    return finish(&fresh, ret_tensor);
}

enum sw_status sw_tensor_from_f32(struct sw_carrier_class *carrier_class, const float *values,
                                  const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    return from_array(carrier_class, SW_FLOAT32, values, shape, ret_tensor);
}

enum sw_status sw_tensor_from_i32(struct sw_carrier_class *carrier_class, const int32_t *values,
                                  const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    return from_array(carrier_class, SW_INT32, values, shape, ret_tensor);
}

enum sw_status sw_tensor_from_bool(struct sw_carrier_class *carrier_class, const uint8_t *values,
                                   const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    return from_array(carrier_class, SW_BOOL, values, shape, ret_tensor);
}
