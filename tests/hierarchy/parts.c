/*
 * Constructors, the vault and the moves that the tests of the hierarchy share.
 */
#include "config.h"

#include "parts.h"

#include <pthread.h>
#include <string.h>

/* ---- Carriers and tensors ----------------------------------------------------------- */

struct sw_carrier *parts_moved(struct sw_carrier *source, int64_t offset, const char *layout,
                               struct sw_carrier *destination)
{
    struct sw_tensor *tensor = parts_tensor(source, offset, layout), *at = NULL;

    OK(sw_move(tensor, destination, &at));
    ck_assert(sw_carrier_is_released(source));
    ck_assert_int_eq(sw_tensor_offset(at), 0);
    ck_assert_ptr_eq(sw_tensor_carrier(at), destination);
    sw_tensor_unref(at);
    sw_tensor_unref(tensor);
    sw_carrier_unref(source);
    return destination;
}

struct sw_scalar parts_number(double value)
{
    struct sw_scalar scalar = { SW_SCALAR_FLOATING, 0, { 0 } };

    scalar.as.floating = value;
    return scalar;
}

enum sw_status parts_set(struct sw_carrier *carrier, int64_t slot, double value)
{
    const struct sw_scalar scalar = parts_number(value);

    return sw_carrier_set(carrier, slot, &scalar);
}

struct sw_carrier *parts_generic(const float *values, size_t n, int immutable)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;
    struct sw_scalar scalars[16];

    ck_assert_uint_le(n, N_ELEMENTS(scalars));
    for (size_t i = 0; i < n; i++)
        scalars[i] = parts_number((double)values[i]);
    options.immutable = immutable;
    OK(sw_generic_new(scalars, n, &options, &carrier));
    return carrier;
}

struct sw_carrier *parts_cpu(const float *values, size_t n)
{
    struct sw_carrier *carrier = NULL;

    OK(sw_cpu_new(n, NULL, &carrier));
    memcpy(sw_cpu_pointer(carrier), values, n * sizeof *values);
    return carrier;
}

struct sw_carrier *parts_zeros(size_t n, enum sw_dtype dtype)
{
    struct sw_generic_options options = SW_GENERIC_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.dtype = (int32_t)dtype;
    OK(sw_generic_new(NULL, n, &options, &carrier));
    return carrier;
}

struct sw_carrier *parts_evictable(struct sw_carrier *primary, struct sw_carrier *secondary)
{
    struct sw_carrier *carrier = NULL;

    OK(sw_evictable_new(primary, secondary, &carrier));
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
    return carrier;
}

struct sw_tensor *parts_tensor(struct sw_carrier *carrier, int64_t offset, const char *text)
{
    struct sw_layout *layout = NULL;
    struct sw_tensor *tensor = NULL;

    OK(sw_layout_parse(text, &layout));
    OK(sw_tensor_new(carrier, offset, layout, &tensor));
    sw_layout_unref(layout);
    return tensor;
}

struct sw_tensor *parts_tensor_over(struct sw_carrier *carrier, const char *layout)
{
    struct sw_tensor *tensor = parts_tensor(carrier, 0, layout);

    sw_carrier_unref(carrier);
    return tensor;
}

double parts_slot(const struct sw_carrier *carrier, int64_t slot)
{
    struct sw_scalar value;

    OK(sw_carrier_get(carrier, slot, &value));
    return value.as.floating;
}

double parts_element(const struct sw_tensor *tensor, int64_t ordinal)
{
    struct sw_scalar value;

    OK(sw_tensor_get_ordinal(tensor, ordinal, &value));
    return value.as.floating;
}

void parts_expect(const struct sw_carrier *carrier, const float *values, size_t n)
{
    ck_assert_uint_eq(sw_carrier_size(carrier), n);
    for (size_t i = 0; i < n; i++)
        ck_assert_double_eq(parts_slot(carrier, (int64_t)i), (double)values[i]);
}

struct sw_carrier *parts_no_carrier(void)
{
    static struct sw_class_head other = { SW_KIND_OPERATION, 0, 0, NULL, NULL };

    return (struct sw_carrier *)(void *)&other;
}

/* ---- The vault ------------------------------------------------------------------------ */

struct vault {
    size_t n;
    int is_mutable;
    float values[16];
};

int vault_writes_left = -1;
int vault_allocations_left = -1;
int vault_count;

/* 0 when there is none left. */
static int take_one(int *left)
{
    if (*left == 0)
        return 0;
    *left -= *left > 0;
    return 1;
}

static size_t vault_size(const struct sw_carrier *carrier)
{
    return ((struct vault *)sw_carrier_payload(carrier))->n;
}

static enum sw_dtype vault_dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_FLOAT32;
}

static enum sw_status vault_get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    *ret_value = parts_number((double)((struct vault *)sw_carrier_payload(carrier))->values[slot]);
    return SW_OK;
}

static enum sw_status vault_set(struct sw_carrier *carrier, size_t slot, const struct sw_scalar *value)
{
    if (!take_one(&vault_writes_left))
        return sw_error_set(SW_OS_ERROR, "the vault does not open");
    ((struct vault *)sw_carrier_payload(carrier))->values[slot] = (float)value->as.floating;
    return SW_OK;
}

static int vault_is_mutable(const struct sw_carrier *carrier)
{
    return ((struct vault *)sw_carrier_payload(carrier))->is_mutable;
}

static enum sw_status vault_allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                          enum sw_dtype dtype, int uninitialized, struct sw_carrier **ret_carrier)
{
    struct sw_carrier *carrier = NULL;

    (void)prototype;
    (void)dtype;
    (void)uninitialized;
    if (n > 16 || !take_one(&vault_allocations_left))
        return sw_error_set(SW_MEMORY_ERROR, "no room for another vault");
    enum sw_status status = sw_carrier_new(&vault_class, sizeof(struct vault), &carrier);
    if (status != SW_OK)
        return status;
    ((struct vault *)sw_carrier_payload(carrier))->n = n;
    ((struct vault *)sw_carrier_payload(carrier))->is_mutable = mutable_storage;
    vault_count++;
    *ret_carrier = carrier;
    return SW_OK;
}

static enum sw_status vault_new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                                     int mutable_storage, enum sw_dtype dtype, struct sw_carrier **ret_carrier)
{
    enum sw_status status = vault_allocate_like(prototype, n, mutable_storage, dtype, 0, ret_carrier);

    for (size_t i = 0; status == SW_OK && i < n; i++)
        ((struct vault *)sw_carrier_payload(*ret_carrier))->values[i] = (float)values[i].as.floating;
    return status;
}

static void vault_destroy(struct sw_carrier *carrier)
{
    (void)carrier;
    vault_count--;
}

struct sw_carrier_class vault_class = {
    .head = SW_CARRIER_CLASS_HEAD("tests", "Vault"),
    .size = vault_size,
    .dtype = vault_dtype,
    .get = vault_get,
    .new_like = vault_new_like,
    .allocate_like = vault_allocate_like,
    .set = vault_set,
    .is_mutable = vault_is_mutable,
    .destroy = vault_destroy,
};

struct sw_carrier *parts_vault(const float *values, size_t n)
{
    struct sw_carrier *carrier = NULL;

    OK(vault_allocate_like(NULL, n, 1, SW_FLOAT32, 0, &carrier));
    memcpy(((struct vault *)sw_carrier_payload(carrier))->values, values, n * sizeof *values);
    return carrier;
}

/* ---- Moves of one's own ----------------------------------------------------------------- */

int n_counted_moves;
size_t n_counted_slots;

static enum sw_status copy_first(const struct sw_tensor *tensor, const struct sw_tensor *output, int64_t n)
{
    for (int64_t ordinal = 0; ordinal < n; ordinal++) {
        struct sw_scalar value = { 0 };
        enum sw_status status = sw_tensor_get_ordinal(tensor, ordinal, &value);

        if (status == SW_OK)
            status = sw_tensor_set_ordinal(output, ordinal, &value);
        if (status != SW_OK)
            return status;
    }
    return SW_OK;
}

static enum sw_status count(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                            struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    ck_assert_ptr_eq(move_class, &counted_move);
    ck_assert_ptr_eq(sw_tensor_carrier(output), destination);
    n_counted_moves++;
    n_counted_slots = n_slots;
    return copy_first(tensor, output, sw_tensor_size(tensor));
}

static enum sw_status fail_late(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                                struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    enum sw_status status = copy_first(tensor, output, 1);

    (void)move_class;
    (void)destination;
    (void)n_slots;
    return status != SW_OK ? status : sw_error_set(SW_OS_ERROR, "fails on purpose");
}

static enum sw_status cancel(const struct sw_move_class *move_class, const struct sw_tensor *tensor,
                             struct sw_carrier *destination, const struct sw_tensor *output, size_t n_slots)
{
    (void)move_class;
    (void)tensor;
    (void)destination;
    (void)output;
    (void)n_slots;
    pthread_cancel(pthread_self());
    pthread_testcancel();
    return SW_OK;
}

const struct sw_move_class counted_move = { .head = SW_MOVE_CLASS_HEAD("tests", "Counted"), .copy = count };
const struct sw_move_class failing_move = { .head = SW_MOVE_CLASS_HEAD("tests", "Failing"), .copy = fail_late };
const struct sw_move_class cancelled_move = { .head = SW_MOVE_CLASS_HEAD("tests", "Cancelled"), .copy = cancel };
