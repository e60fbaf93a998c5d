/*
 * Nodes as objects: made before an execution, freed by a backward pass or with
 * the tensor that they computed.
 */
#include "config.h"

#include "autograd/node.h"

#include "base/alloc.h"
#include "base/refs.h"
#include "carrier/carrier.h"

/* ---- Giving back -------------------------------------------------------------------- */

/*
 * The last reference to a tensor may take a chain of any length with it. What
 * is left of those tensors waits in a list instead of on the stack.
 */
struct waiting {
    struct sw__grad *first;
};

static void add_waiting(struct waiting *waiting, struct sw__grad *grad)
{
    grad->waiting = waiting->first;
    waiting->first = grad;
}

static void put_tensor(struct waiting *waiting, const struct sw_tensor *tensor)
{
    struct sw_tensor *shared = (struct sw_tensor *)(uintptr_t)tensor;

    if (!sw__refs_put(&shared->head.n_refs))
        return;
    struct sw__grad *grad = sw__tensor_destroy(shared);
    if (grad != NULL)
        add_waiting(waiting, grad);
}

static void put_saved(struct waiting *waiting, struct sw__saved *saved)
{
    for (size_t i = 0; i < saved->n_operands; i++) {
        if (saved->operands[i].kind == SW_OPERAND_TENSOR)
            put_tensor(waiting, saved->operands[i].as.tensor);
        else if (saved->operands[i].kind == SW_OPERAND_TREE)
            sw_tree_unref(saved->operands[i].as.tree);
    }
    saved->n_operands = 0;
    sw_operation_unref(sw__take(saved->operation));
    sw__free(sw__take(saved->operands));
    sw__free(sw__take(saved->versions));
    sw__free(sw__take(saved->takes_part));
}

static void drain(struct waiting *waiting)
{
    while (waiting->first != NULL) {
        struct sw__grad *grad = waiting->first;

        waiting->first = grad->waiting;
        if (grad->gradient != NULL)
            put_tensor(waiting, grad->gradient);
        if (grad->node != NULL)
            put_saved(waiting, &grad->node->saved);
        sw__free(grad->node);
        sw__free(grad);
    }
}

void sw__grad_drop(struct sw__grad *grad)
{
    struct waiting waiting = { NULL };

    add_waiting(&waiting, grad);
    drain(&waiting);
}

void sw__node_free(struct sw__node *node)
{
    struct waiting waiting = { NULL };

    node->is_freed = 1;
    put_saved(&waiting, &node->saved);
    drain(&waiting);
}

/* ---- Making ----------------------------------------------------------------------------- */

struct sw__grad *sw__grad_of(struct sw_tensor *tensor)
{
    if (tensor->grad == NULL)
        tensor->grad = sw__alloc_zero(sizeof *tensor->grad);
    return tensor->grad;
}

static struct sw_operand keep(const struct sw_operand *operand)
{
    if (operand->kind == SW_OPERAND_TENSOR)
        return sw_operand_tensor(sw_tensor_ref(operand->as.tensor));
    if (operand->kind == SW_OPERAND_TREE)
        return sw_operand_tree(sw_tree_ref(operand->as.tree));
    return operand->kind == SW_OPERAND_STRING ? sw_operand_none() : *operand;
}

static enum sw_status save(struct sw__saved *saved, struct sw_operation *operation, const struct sw_operand *operands,
                           size_t n_operands, const struct sw_execution_options *options)
{
    saved->operands = sw__alloc(n_operands * sizeof *saved->operands);
    saved->versions = sw__alloc_zero(n_operands * sizeof *saved->versions);
    saved->takes_part = sw__alloc(n_operands * sizeof *saved->takes_part);
    if (saved->operands == NULL || saved->versions == NULL || saved->takes_part == NULL)
        return SW_MEMORY_ERROR;
    saved->operation = sw_operation_ref(operation);
    saved->accumulator = options != NULL ? (enum sw_dtype)options->accumulator : SW_DTYPE_NONE;
    for (; saved->n_operands < n_operands; saved->n_operands++) {
        const struct sw_operand *operand = &operands[saved->n_operands];

        saved->operands[saved->n_operands] = keep(operand);
        saved->takes_part[saved->n_operands] = sw__operand_taking_part(operand) != NULL;
        if (operand->kind == SW_OPERAND_TENSOR)
            saved->versions[saved->n_operands] = operand->as.tensor->carrier->version;
    }
    return SW_OK;
}

enum sw_status sw__grad_new_result(struct sw_operation *operation, const struct sw_operand *operands,
                                   size_t n_operands, const struct sw_execution_options *options,
                                   struct sw__grad **ret_grad)
{
    struct sw__grad *grad SW__OWNED_GRAD = sw__alloc_zero(sizeof *grad);

    if (grad == NULL)
        return SW_MEMORY_ERROR;
    grad->requires_grad = 1;
    grad->node = sw__alloc_zero(sizeof *grad->node);
    if (grad->node == NULL)
        return SW_MEMORY_ERROR;
    SW__TRY(save(&grad->node->saved, operation, operands, n_operands, options));
    *ret_grad = sw__take(grad);
    return SW_OK;
}
