/*
 * A carrier class as a user of the library writes one: storage of its own
 * (boxed scalars), through public headers only. It can be told to fail at a slot.
 */
#ifndef TESTS_CARRIER_FOREIGN_H
#define TESTS_CARRIER_FOREIGN_H

#include <stdlib.h>

#include <strideweave/carrier.h>

struct foreign {
    struct sw_scalar *boxes;
    size_t n;
    enum sw_dtype dtype;
    int is_mutable;
    long fails_at;    /* slot that can neither be read nor written; -1: none */
    int bumps_itself; /* set advances the version on its own */
};

static int foreign_n_alive; /* boxes allocated and not yet freed */
static int foreign_n_destroyed;

static inline struct foreign *foreign_of(const struct sw_carrier *carrier)
{
    return sw_carrier_payload(carrier);
}

static inline size_t foreign_size(const struct sw_carrier *carrier)
{
    return foreign_of(carrier)->n;
}

static inline enum sw_dtype foreign_dtype(const struct sw_carrier *carrier)
{
    return foreign_of(carrier)->dtype;
}

static inline int foreign_is_mutable(const struct sw_carrier *carrier)
{
    return foreign_of(carrier)->is_mutable;
}

static inline enum sw_status foreign_get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    if ((long)slot == foreign_of(carrier)->fails_at)
        return sw_error_set(SW_OS_ERROR, "box %zu is stuck", slot);
    *ret_value = foreign_of(carrier)->boxes[slot];
    return SW_OK;
}

static inline enum sw_status foreign_set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value)
{
    static const uint32_t kinds[] = { [SW_FLOAT32] = SW_SCALAR_FLOATING, [SW_INT32] = SW_SCALAR_INTEGER,
                                      [SW_BOOL] = SW_SCALAR_BOOLEAN };

    if ((long)slot == foreign_of(carrier)->fails_at)
        return sw_error_set(SW_OS_ERROR, "box %zu is stuck", slot);
    if (value->kind != kinds[foreign_of(carrier)->dtype])
        return sw_error_set(SW_TYPE_ERROR, "box %zu does not take that", slot);
    foreign_of(carrier)->boxes[slot] = *value;
    return foreign_of(carrier)->bumps_itself ? sw_carrier_bump_version(carrier) : SW_OK;
}

static inline int foreign_supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype)
{
    (void)carrier;
    return dtype == SW_FLOAT32 || dtype == SW_INT32 || dtype == SW_BOOL;
}

static inline void foreign_release(struct sw_carrier *carrier)
{
    struct foreign *foreign = foreign_of(carrier);

    if (foreign->boxes != NULL)
        foreign_n_alive--;
    free(foreign->boxes);
    foreign->boxes = NULL;
}

static inline void foreign_destroy(struct sw_carrier *carrier)
{
    foreign_release(carrier);
    foreign_n_destroyed++;
}

static inline enum sw_status foreign_allocate(struct sw_carrier_class *carrier_class, size_t n, int mutable_storage,
                                              enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    static const struct sw_scalar zeros[] = { [SW_FLOAT32] = { .kind = SW_SCALAR_FLOATING },
                                              [SW_INT32] = { .kind = SW_SCALAR_INTEGER },
                                              [SW_BOOL] = { .kind = SW_SCALAR_BOOLEAN } };
    enum sw_status status = sw_carrier_new(carrier_class, sizeof(struct foreign), ret_carrier);

    (void)uninitialized;
    if (status != SW_OK)
        return status;
    struct foreign *foreign = foreign_of(*ret_carrier);
    foreign->boxes = calloc(n + 1, sizeof *foreign->boxes);
    foreign_n_alive++;
    foreign->n = n;
    foreign->dtype = dtype;
    foreign->is_mutable = mutable_storage;
    foreign->fails_at = -1;
    for (size_t i = 0; i < n; i++)
        foreign->boxes[i] = zeros[dtype];
    return SW_OK;
}

static inline enum sw_status foreign_allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                                   enum sw_dtype dtype, int uninitialized,
                                                   struct sw_carrier **ret_carrier)
{
    return foreign_allocate(sw_carrier_class_of(prototype), n, mutable_storage, dtype, uninitialized, ret_carrier);
}

static inline enum sw_status foreign_new_like(const struct sw_carrier *prototype, const struct sw_scalar *values,
                                              size_t n, int mutable_storage, enum sw_dtype dtype,
                                              struct sw_carrier **ret_carrier)
{
    enum sw_status status = foreign_allocate_like(prototype, n, mutable_storage, dtype, 0, ret_carrier);

    for (size_t i = 0; status == SW_OK && i < n; i++)
        foreign_of(*ret_carrier)->boxes[i] = values[i];
    return status;
}

/** Everything that the class supplies; tests copy it and take members away. */
#define FOREIGN_CLASS_INIT                                                                              \
    {                                                                                                   \
        .head = SW_CARRIER_CLASS_HEAD("tests", "Foreign"), .size = foreign_size, .dtype = foreign_dtype, \
        .get = foreign_get, .new_like = foreign_new_like, .allocate_like = foreign_allocate_like,       \
        .set = foreign_set, .is_mutable = foreign_is_mutable, .supports_dtype = foreign_supports_dtype, \
        .release = foreign_release, .destroy = foreign_destroy, .allocate = foreign_allocate,           \
    }

static struct sw_carrier_class foreign_class = FOREIGN_CLASS_INIT;

/** A mutable instance of @dtype; NULL only without memory. */
static inline struct sw_carrier *foreign_new(size_t n, enum sw_dtype dtype)
{
    struct sw_carrier *carrier = NULL;

    return foreign_allocate(&foreign_class, n, 1, dtype, 0, &carrier) == SW_OK ? carrier : NULL;
}

#endif
