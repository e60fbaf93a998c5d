/*
 * Operations on an Evictable: an adapter around a fresh operation of the
 * primary tier. It crosses a boundary of its own, and the nested operation
 * another one inside of it.
 */
#include "config.h"

#include "base/alloc.h"
#include "carrier/carrier.h"
#include "dispatch/operation.h"
#include "dtype/policy_table.h"
#include "hierarchy/evictable.h"
#include "op/check.h"
#include "tensor/tensor.h"

/* State of an operation. */
struct adapter {
    struct sw_operation *nested; /* one reference */
};

/* ---- What is refused before the nested operation runs ----------------------------------- */

static enum sw_status check_operand(const struct sw_operand *operand, size_t position)
{
    struct sw_carrier *carrier = operand->as.tensor->carrier;

    if (sw__evictable_of(carrier) == NULL)
        return sw_error_set(SW_TYPE_ERROR, "an operation of Evictable carriers was given a tensor on a %s carrier "
                                           "(operand %zu)", carrier->carrier_class->head.qualified_name, position);
    return sw__evictable_check_promoted(carrier);
}

static enum sw_status check_same_tiers(const struct sw__evictable *first, const struct sw__evictable *other)
{
    for (int level = 0; level < SW__N_LEVELS; level++) {
        const struct sw_carrier_class *wanted = first->tiers[level].carrier->carrier_class;
        const struct sw_carrier_class *given = other->tiers[level].carrier->carrier_class;

        if (wanted != given)
            return sw_error_set(SW_TYPE_ERROR, "the operands lie on different hierarchies: a %s tier is %s and %s",
                                level == SW__PRIMARY ? "primary" : "secondary", wanted->head.qualified_name,
                                given->head.qualified_name);
    }
    return SW_OK;
}

/* @ret_outer: the carrier of the first tensor. */
static enum sw_status check_operands(const struct sw_operand *operands, size_t n_operands,
                                     struct sw_carrier **ret_outer)
{
    struct sw_carrier *outer = NULL;

    for (size_t i = 0; i < n_operands; i++) {
        if (operands[i].kind != SW_OPERAND_TENSOR)
            continue;
        SW__TRY(check_operand(&operands[i], i));
        if (outer == NULL)
            outer = operands[i].as.tensor->carrier;
        SW__TRY(check_same_tiers(sw__evictable_of(outer), sw__evictable_of(operands[i].as.tensor->carrier)));
    }
    if (outer == NULL)
        return sw_error_set(SW_TYPE_ERROR, "an operation of Evictable carriers needs a tensor among its operands");
    *ret_outer = outer;
    return SW_OK;
}

/* What has no dtype policy (a view, an operation of somebody's own) needs no capability. */
static enum sw_status check_capability(const char *name, const struct sw__evictable *outer,
                                       const struct sw_operand *operands, size_t n_operands,
                                       const struct sw_execution_options *options)
{
    const struct sw__policy_rows rows = sw__policy_find(name);
    const struct sw__op op = { .name = name };
    struct sw_scalar scalars[SW__PLAN_OPERANDS];
    struct sw__plan plan;

    if (rows.n == 0)
        return SW_OK;
    /* Operands that follow those of the policy are counts, axes and flags. */
    size_t n_planned = rows.first->n_operands;
    SW__TRY(sw__check_plan(&op, operands, n_operands < n_planned ? n_operands : n_planned, options, scalars, &plan));
    if (!sw__evictable_stores(outer, plan.output))
        return sw_error_set(SW_NOT_IMPLEMENTED_ERROR, "a result of %s is %s, which not both tiers can store", name,
                            sw_dtype_name(plan.output));
    return SW_OK;
}

/* ---- Execution ------------------------------------------------------------------------------ */

/* Operands with every tensor replaced by one on the primary tier. */
struct lowered {
    struct sw_operand *operands;
    size_t n; /* how many are replaced already */
};

static void lowered_clear(struct lowered *lowered)
{
    for (size_t i = 0; i < lowered->n; i++)
        if (lowered->operands[i].kind == SW_OPERAND_TENSOR)
            sw_tensor_unref(lowered->operands[i].as.tensor);
    sw__free(lowered->operands);
}

static enum sw_status lower(struct lowered *lowered, const struct sw_operand *operands, size_t n_operands)
{
    lowered->operands = sw__alloc(n_operands * sizeof *operands);
    if (lowered->operands == NULL)
        return SW_MEMORY_ERROR;
    for (; lowered->n < n_operands; lowered->n++) {
        struct sw_operand *operand = &lowered->operands[lowered->n];
        struct sw_tensor *on_primary;

        *operand = operands[lowered->n];
        if (operand->kind != SW_OPERAND_TENSOR)
            continue;
        const struct sw_tensor *tensor = operand->as.tensor;
        SW__TRY(sw_tensor_new(sw_evictable_primary(tensor->carrier), tensor->offset, tensor->layout, &on_primary));
        operand->as.tensor = on_primary;
    }
    return SW_OK;
}

/* A view lies on the Evictable that it views; every other result gets one of its own. */
static enum sw_status wrap(struct sw_carrier *outer, const struct sw_tensor *inner, struct sw_tensor **ret_tensor)
{
    struct sw_carrier *made SW__OWNED_CARRIER = NULL;

    if (inner->carrier == sw_evictable_primary(outer))
        return sw_tensor_new(outer, inner->offset, inner->layout, ret_tensor);
    SW__TRY(sw__evictable_over(sw__evictable_of(outer), inner->carrier, &made));
    return sw_tensor_new(made, inner->offset, inner->layout, ret_tensor);
}

static enum sw_status compute(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    const struct adapter *adapter = sw_operation_state(operation);
    const char *name = sw_operation_name(adapter->nested);
    struct lowered lowered SW__CLEANUP(lowered_clear) = { NULL, 0 };
    struct sw_tensor *inner SW__OWNED_TENSOR = NULL;
    struct sw_carrier *outer = NULL;

    SW__TRY(check_operands(operands, n_operands, &outer));
    SW__TRY(check_capability(name, sw__evictable_of(outer), operands, n_operands, options));
    SW__TRY(lower(&lowered, operands, n_operands));
    SW__TRY(sw_operation_forward_lowered(adapter->nested, lowered.operands, n_operands, options, &inner));
    return wrap(outer, inner, ret_tensor);
}

static void destroy(struct sw_operation *operation)
{
    sw_operation_unref(((struct adapter *)sw_operation_state(operation))->nested);
}

/* ---- Dispatch ------------------------------------------------------------------------------- */

#define ADAPTER_CLASS(qualified_name, operation_flags)                        \
    {                                                                         \
        .head = SW_OPERATION_CLASS_HEAD("strideweave", qualified_name),       \
        .flags = SW_OPERATION_SINGLE_USE | operation_flags,                   \
        .state_bytes = sizeof(struct adapter),                                \
        .compute = compute,                                                   \
        .destroy = destroy,                                                   \
    }

/* An adapter takes what the nested operation takes. */
static struct sw_operation_class adapter_class = ADAPTER_CLASS("Evictable.adapter", 0);
static struct sw_operation_class view_adapter_class =
    ADAPTER_CLASS("Evictable.view_adapter", SW_OPERATION_MULTI_SUBTENSOR);

const struct sw_operation *sw__adapter_nested(const struct sw_operation *operation)
{
    const struct sw_operation_class *own = operation->operation_class;

    if (own != &adapter_class && own != &view_adapter_class)
        return NULL;
    return ((const struct adapter *)sw_operation_state(operation))->nested;
}

static struct sw_operation_class *adapter_class_for(const struct sw_operation *nested)
{
    return nested->operation_class->flags & SW_OPERATION_MULTI_SUBTENSOR ? &view_adapter_class : &adapter_class;
}

enum sw_status sw__evictable_dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    struct sw_operation *nested SW__OWNED_OPERATION = NULL;
    struct sw_operation *operation;

    SW__TRY(sw__evictable_check_promoted(carrier));
    SW__TRY(sw_carrier_dispatch(sw_evictable_primary(carrier), name, &nested));
    SW__TRY(sw_operation_new(adapter_class_for(nested), &operation));
    ((struct adapter *)sw_operation_state(operation))->nested = sw__take(nested);
    *ret_operation = operation;
    return SW_OK;
}
