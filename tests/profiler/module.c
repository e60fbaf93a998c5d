/*
 * A plug-in that can be closed: a carrier class and an operation class of its
 * own. Two copies are built, so that two classes have equal names.
 */
#include "config.h"

#include "module.h"

static struct sw_carrier_class module_class;

static enum sw_status keep(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static struct sw_operation_class keep_class = {.head = SW_OPERATION_CLASS_HEAD("module", "Keep"), .compute = keep};

static enum sw_status dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    (void)carrier;
    (void)name;
    return sw_operation_new(&keep_class, ret_operation);
}

static size_t size(const struct sw_carrier *carrier)
{
    (void)carrier;
    return 1;
}

static enum sw_dtype dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_FLOAT32;
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    (void)carrier;
    (void)slot;
    ret_value->kind = SW_SCALAR_FLOATING;
    ret_value->as.floating = 0;
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
    return sw_carrier_new(&module_class, 0, ret_carrier);
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    (void)values;
    return allocate_like(prototype, n, mutable_storage, wanted, 0, ret_carrier);
}

static struct sw_carrier_class module_class = {
    .head = SW_CARRIER_CLASS_HEAD("module", "Closable"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .dispatch = dispatch,
};

enum sw_status module_run(void)
{
    struct sw_carrier *carrier = NULL;
    struct sw_layout *layout = NULL;
    struct sw_tensor *in = NULL;
    struct sw_tensor *out = NULL;
    struct sw_operation *operation = NULL;
    enum sw_status status = sw_carrier_new(&module_class, 0, &carrier);

    if (status == SW_OK)
        status = sw_layout_parse("1:1", &layout);
    if (status == SW_OK)
        status = sw_tensor_new(carrier, 0, layout, &in);
    if (status == SW_OK)
        status = sw_carrier_dispatch(carrier, "keep", &operation);
    if (status == SW_OK) {
        struct sw_operand operand = sw_operand_tensor(in);

        status = sw_operation_forward(operation, &operand, 1, NULL, &out);
    }
    sw_operation_unref(operation);
    sw_tensor_unref(out);
    sw_tensor_unref(in);
    sw_layout_unref(layout);
    sw_carrier_unref(carrier);
    return status;
}
