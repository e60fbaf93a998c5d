/*
 * An operation that does nothing.
 */
#include "config.h"

#include "subject.h"

#include "bench.h"

static enum sw_status give_back(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static struct sw_operation_class nop_class = {.head = SW_OPERATION_CLASS_HEAD("bench", "Nop"), .compute = give_back};
static struct sw_carrier_class bench_class;

static enum sw_status dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    (void)carrier;
    (void)name;
    return sw_operation_new(&nop_class, ret_operation);
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
    return sw_carrier_new(&bench_class, 0, ret_carrier);
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    (void)values;
    return allocate_like(prototype, n, mutable_storage, wanted, 0, ret_carrier);
}

static struct sw_carrier_class bench_class = {
    .head = SW_CARRIER_CLASS_HEAD("bench", "Nowhere"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .dispatch = dispatch,
};

void bench_subject_make(struct bench_subject *subject)
{
    struct sw_carrier *carrier;
    struct sw_layout *layout;
    int64_t extent = 1;

    if (sw_carrier_new(&bench_class, 0, &carrier) != SW_OK || sw_layout_column_major(&extent, 1, &layout) != SW_OK ||
        sw_tensor_new(carrier, 0, layout, &subject->tensor) != SW_OK ||
        sw_carrier_dispatch(carrier, "nop", &subject->operation) != SW_OK)
        bench_fail("the operation could not be made");
    sw_carrier_unref(carrier);
    sw_layout_unref(layout);
}

void bench_subject_drop(struct bench_subject *subject)
{
    sw_operation_unref(subject->operation);
    sw_tensor_unref(subject->tensor);
}

void bench_subject_execute(void *context, size_t n)
{
    struct bench_subject *subject = context;
    struct sw_operand operand = sw_operand_tensor(subject->tensor);

    for (size_t i = 0; i < n; i++) {
        struct sw_tensor *out;
        if (sw_operation_forward(subject->operation, &operand, 1, NULL, &out) != SW_OK)
            bench_fail("the operation failed");
        sw_tensor_unref(out);
    }
}
