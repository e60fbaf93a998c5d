/*
 * A carrier class and operation classes from outside the library.
 */
#include "config.h"

#include "plugin.h"

#include <stdlib.h>
#include <string.h>

int plugin_destroyed;

static enum sw_status same(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)options;
    if (n_operands != 1 || operands[0].kind != SW_OPERAND_TENSOR)
        return sw_error_set(SW_TYPE_ERROR, "same takes one tensor");
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static void count_destroyed(struct sw_operation *operation)
{
    (void)operation;
    plugin_destroyed++;
}

static enum sw_status nested(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                             const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    struct sw_operation *inner;
    enum sw_status status = sw_carrier_dispatch(sw_tensor_carrier(operands[0].as.tensor), "same", &inner);

    (void)operation;
    (void)options;
    if (status != SW_OK)
        return status;
    status = sw_operation_forward_lowered(inner, operands, n_operands, NULL, ret_tensor);
    sw_operation_unref(inner);
    return status;
}

static enum sw_status fails(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                            const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)operands;
    (void)n_operands;
    (void)options;
    (void)ret_tensor;
    return sw_error_set(SW_RUNTIME_ERROR, "fails on purpose");
}

static enum sw_status nothing(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)operands;
    (void)n_operands;
    (void)options;
    (void)ret_tensor;
    return SW_OK;
}

static enum sw_status no_tensor(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operands;
    (void)n_operands;
    (void)options;
    /* An object of the library, but of another kind. */
    *ret_tensor = (struct sw_tensor *)(void *)operation;
    return SW_OK;
}

struct sw_operation_class plugin_same_class = {
    .head = SW_OPERATION_CLASS_HEAD("plugin", "Same"),
    .state_bytes = 24,
    .compute = same,
    .destroy = count_destroyed,
};
static struct sw_operation_class nested_class = {.head = SW_OPERATION_CLASS_HEAD("plugin", "Nested"), .compute = nested};
static struct sw_operation_class fails_class = {.head = SW_OPERATION_CLASS_HEAD("plugin", "Fails"), .compute = fails};
static struct sw_operation_class nothing_class = {.head = SW_OPERATION_CLASS_HEAD("plugin", "Nothing"),
                                                  .compute = nothing};
static struct sw_operation_class no_tensor_class = {.head = SW_OPERATION_CLASS_HEAD("plugin", "NoTensor"),
                                                    .compute = no_tensor};

static const struct {
    const char *name;
    struct sw_operation_class *operation_class;
} rows[] = {
    {"same", &plugin_same_class}, {"nested", &nested_class},       {"fails", &fails_class},
    {"nothing", &nothing_class},  {"no_tensor", &no_tensor_class},
};

static struct sw_operation *kept;

static enum sw_status dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    static int garbage[64];

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(rows[i].name, name) == 0)
            return sw_operation_new(rows[i].operation_class, ret_operation);
    if (strcmp(name, "used") == 0) {
        if (kept == NULL && sw_carrier_dispatch(carrier, "same", &kept) != SW_OK)
            return SW_MEMORY_ERROR;
        *ret_operation = sw_operation_ref(kept);
        return SW_OK;
    }
    if (strcmp(name, "garbage") == 0) {
        *ret_operation = (struct sw_operation *)(void *)garbage;
        return SW_OK;
    }
    return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "the plug-in has no '%s'", name);
}

static size_t size(const struct sw_carrier *carrier)
{
    return sw_carrier_is_released(carrier) ? 0 : 4;
}

static enum sw_dtype dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_FLOAT32;
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    (void)slot;
    ret_value->kind = SW_SCALAR_FLOATING;
    ret_value->as.floating = (double)*(float *)sw_carrier_payload(carrier);
    return SW_OK;
}

static enum sw_status allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype wanted, int uninitialized, struct sw_carrier **ret_carrier)
{
    (void)prototype;
    (void)n;
    (void)mutable_storage;
    (void)wanted;
    (void)uninitialized;
    return sw_carrier_new(&plugin_class, sizeof(float), ret_carrier);
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    (void)values;
    return allocate_like(prototype, n, mutable_storage, wanted, 0, ret_carrier);
}

struct sw_carrier_class plugin_class = {
    .head = SW_CARRIER_CLASS_HEAD("plugin", "Constant"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .dispatch = dispatch,
};

struct sw_tensor *plugin_tensor(void)
{
    struct sw_carrier *carrier = NULL;
    struct sw_layout *layout = NULL;
    struct sw_tensor *tensor = NULL;
    int64_t extents[] = {2, 2};

    if (sw_carrier_new(&plugin_class, sizeof(float), &carrier) != SW_OK ||
        sw_layout_column_major(extents, 2, &layout) != SW_OK || sw_tensor_new(carrier, 0, layout, &tensor) != SW_OK)
        abort();
    sw_carrier_unref(carrier);
    sw_layout_unref(layout);
    return tensor;
}
