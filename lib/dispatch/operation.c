/*
 * Operation objects: made by a class, stamped at most once, given back by
 * reference count.
 */
#include "config.h"

#include "dispatch/operation.h"

#include "base/alloc.h"
#include "base/refs.h"

enum sw_status sw__operation_check(const struct sw_operation *operation)
{
    if (operation == NULL || operation->kind != SW_KIND_OPERATION)
        return sw_error_set(SW_TYPE_ERROR, "expected an operation, got something else");
    return SW_OK;
}

static enum sw_status check_class(const struct sw_operation_class *operation_class)
{
    if (operation_class == NULL || operation_class->head.kind != SW_KIND_OPERATION_CLASS)
        return sw_error_set(SW_TYPE_ERROR, "expected an operation class, got something else");
    if (operation_class->head.struct_bytes < sizeof *operation_class)
        return sw_error_set(SW_TYPE_ERROR, "operation class of %u bytes, expected at least %zu",
                            operation_class->head.struct_bytes, sizeof *operation_class);
    if (operation_class->head.module == NULL || operation_class->head.qualified_name == NULL)
        return sw_error_set(SW_VALUE_ERROR, "an operation class needs a module and a qualified name");
    if (operation_class->compute == NULL)
        return sw_error_set(SW_VALUE_ERROR, "operation class %s has no computation",
                            operation_class->head.qualified_name);
    return SW_OK;
}

enum sw_status sw_operation_new(struct sw_operation_class *operation_class, struct sw_operation **ret_operation)
{
    struct sw_operation *operation;

    SW__TRY(check_class(operation_class));
    if (operation_class->state_bytes > PTRDIFF_MAX - sizeof *operation)
        return sw_error_set(SW_OVERFLOW_ERROR, "operation class %s asks for too large a state",
                            operation_class->head.qualified_name);
    operation = sw__alloc_zero(sizeof *operation + operation_class->state_bytes);
    if (operation == NULL)
        return SW_MEMORY_ERROR;
    operation->kind = SW_KIND_OPERATION;
    operation->n_refs = 1;
    operation->operation_class = operation_class;
    *ret_operation = operation;
    return SW_OK;
}

struct sw_operation *sw_operation_ref(const struct sw_operation *operation)
{
    struct sw_operation *shared = (struct sw_operation *)(uintptr_t)operation;

    if (shared != NULL)
        sw__refs_get(&shared->n_refs);
    return shared;
}

void sw_operation_unref(const struct sw_operation *operation)
{
    struct sw_operation *shared = (struct sw_operation *)(uintptr_t)operation;

    if (shared == NULL || !sw__refs_put(&shared->n_refs))
        return;
    if (shared->operation_class->destroy != NULL)
        shared->operation_class->destroy(shared);
    shared->kind = 0;
    sw__free(shared);
}

void *sw_operation_state(const struct sw_operation *operation)
{
    return ((struct sw_operation *)(uintptr_t)operation)->state;
}

const char *sw_operation_name(const struct sw_operation *operation)
{
    return operation->dispatch != NULL ? operation->dispatch->name : NULL;
}

struct sw_carrier_class *sw_operation_carrier_class(const struct sw_operation *operation)
{
    return operation->carrier_class;
}

struct sw_operation_class *sw_operation_class_of(const struct sw_operation *operation)
{
    return operation->operation_class;
}
