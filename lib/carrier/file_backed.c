/*
 * FileBacked: slots in a private file. It keeps values and computes nothing.
 */
#include "config.h"

#include "carrier/file_backed.h"

#include <limits.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/options.h"
#include "carrier/file.h"
#include "carrier/storage.h"
#include "dtype/value.h"

struct storage {
    char *path; /* NULL after release */
    size_t n;
    enum sw_dtype dtype;
    int is_mutable;
    pid_t owner; /* the process whose file it is: after fork() the child may only read it */
};

/* For carriers that are known to be of this class. */
static struct storage *storage_of(const struct sw_carrier *carrier)
{
    return (struct storage *)(void *)(uintptr_t)carrier->payload;
}

static int is_storable(enum sw_dtype dtype)
{
    return dtype == SW_FLOAT32 || dtype == SW_INT32;
}

static enum sw_status check_dtype(enum sw_dtype dtype)
{
    SW__TRY(sw__dtype_check_stored(dtype));
    if (!is_storable(dtype))
        return sw_error_set(SW_VALUE_ERROR, "carriers of class FileBacked do not store %s", sw_dtype_name(dtype));
    return SW_OK;
}

static enum sw_status make(const char *name, int is_mutable, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    SW__TRY(check_dtype(dtype));
    SW__TRY(sw__carrier_new_partly(&sw__file_backed_class, sizeof(struct storage), sizeof(struct storage), &carrier));
    struct storage *storage = storage_of(carrier);
    storage->dtype = dtype;
    storage->is_mutable = is_mutable;
    storage->owner = getpid();
    SW__TRY(sw__file_create(name, &storage->path));
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

/* ---- Members --------------------------------------------------------------------- */

static size_t size(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->n;
}

static enum sw_dtype dtype_of(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->dtype;
}

static int is_mutable(const struct sw_carrier *carrier)
{
    return storage_of(carrier)->is_mutable && storage_of(carrier)->owner == getpid();
}

static int supports_dtype(const struct sw_carrier *carrier, enum sw_dtype dtype)
{
    (void)carrier;
    return is_storable(dtype);
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    unsigned char bytes[sizeof(int64_t)];

    SW__TRY(sw__file_backed_read(carrier, slot, bytes, 1));
    sw__value_load(storage_of(carrier)->dtype, bytes, ret_value);
    return SW_OK;
}

static enum sw_status set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value)
{
    unsigned char bytes[sizeof(int64_t)];

    SW__TRY(sw__value_store(storage_of(carrier)->dtype, value, bytes));
    return sw__file_backed_write(carrier, slot, bytes, 1);
}

static enum sw_status allocate_in_place(struct sw_carrier *carrier, size_t n)
{
    struct storage *storage = storage_of(carrier);
    size_t n_bytes;

    if (n > INT64_MAX || __builtin_mul_overflow(n, sw_dtype_bytes(storage->dtype), &n_bytes))
        return sw_error_set(SW_VALUE_ERROR, "a carrier has no %zu slots", n);
    enum sw_status status = sw__file_reserve(storage->path, n_bytes);
    if (status != SW_OK) {
        sw__storage_refused(carrier, n_bytes);
        return status;
    }
    sw__storage_made(carrier, n_bytes);
    storage->n = n;
    return SW_OK;
}

static enum sw_status allocate(struct sw_carrier_class *carrier_class, size_t n, int mutable_storage,
                               enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;

    (void)carrier_class;
    (void)uninitialized;
    SW__TRY(make(NULL, mutable_storage, dtype, &carrier));
    SW__TRY(allocate_in_place(carrier, n));
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

static enum sw_status allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    return allocate(prototype->carrier_class, n, mutable_storage, dtype, uninitialized, ret_carrier);
}

/* A value of kind 0 is a hole, which holds the dtype's zero. */
static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier SW__OWNED_CARRIER = NULL;
    size_t bytes = sw_dtype_bytes(dtype);
    unsigned char *slots SW__OWNED = NULL;

    SW__TRY(allocate_like(prototype, n, mutable_storage, dtype, 0, &carrier));
    slots = sw__alloc_zero(n * bytes);
    if (slots == NULL)
        return SW_MEMORY_ERROR;
    for (size_t i = 0; i < n; i++)
        if (values[i].kind != 0)
            SW__TRY(sw__value_store(dtype, &values[i], slots + i * bytes));
    SW__TRY(sw__file_backed_write(carrier, 0, slots, n));
    *ret_carrier = sw__take(carrier);
    return SW_OK;
}

/* Also at destruction, after a release or without one. */
static void release(struct sw_carrier *carrier)
{
    struct storage *storage = storage_of(carrier);

    sw__storage_gone(carrier, storage->n * sw_dtype_bytes(storage->dtype));
    if (storage->path != NULL && storage->owner == getpid())
        unlink(storage->path);
    sw__free(sw__take(storage->path));
    storage->n = 0;
}

struct sw_carrier_class sw__file_backed_class = {
    .head = SW_CARRIER_CLASS_HEAD("strideweave", "FileBacked"),
    .size = size,
    .dtype = dtype_of,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .set = set,
    .is_mutable = is_mutable,
    .supports_dtype = supports_dtype,
    .release = release,
    .destroy = release,
    .allocate = allocate,
    .allocate_in_place = allocate_in_place,
};

/* ---- Interface --------------------------------------------------------------------- */

enum sw_status sw__file_backed_read(const struct sw_carrier *carrier, size_t first, void *slots, size_t n)
{
    const struct storage *storage = storage_of(carrier);
    size_t bytes = sw_dtype_bytes(storage->dtype);

    return sw__file_read(storage->path, first * bytes, slots, n * bytes);
}

enum sw_status sw__file_backed_write(struct sw_carrier *carrier, size_t first, const void *slots, size_t n)
{
    const struct storage *storage = storage_of(carrier);
    size_t bytes = sw_dtype_bytes(storage->dtype);

    return sw__file_write(storage->path, first * bytes, slots, n * bytes);
}

struct sw_carrier_class *sw_file_backed_class(void)
{
    return &sw__file_backed_class;
}

enum sw_status sw_file_backed_new(const struct sw_file_backed_options *options, struct sw_carrier **ret_carrier)
{
    struct sw_file_backed_options known = SW_FILE_BACKED_OPTIONS_INIT;

    SW__TRY(sw__options_read(options, &known, sizeof known));
    SW__TRY(sw__check_boolean("immutable", known.immutable));
    return make(known.filename, !known.immutable, (enum sw_dtype)known.dtype, ret_carrier);
}

const char *sw_file_backed_path(const struct sw_carrier *carrier)
{
    return sw_carrier_class_of(carrier) == &sw__file_backed_class ? storage_of(carrier)->path : NULL;
}
