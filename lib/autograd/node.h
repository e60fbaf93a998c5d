/*
 * What differentiation knows of a tensor, and the graph: a tensor that a
 * recorded operation computed owns a node, a node refers to its operands, and
 * those own theirs. There are no references the other way, so no cycles.
 */
#ifndef AUTOGRAD_NODE_H
#define AUTOGRAD_NODE_H

#include "dispatch/operation.h"
#include "layout/layout.h"
#include "tensor/tensor.h"

/** What a node keeps of an execution, until it is freed. */
struct sw__saved {
    struct sw_operation *operation; /* one reference */
    enum sw_dtype accumulator;      /* of the execution options */
    size_t n_operands;
    struct sw_operand *operands; /* tensors and trees with a reference each; texts are not kept */
    uint64_t *versions;          /* of the tensors' carriers before the execution */
    uint8_t *takes_part;         /* per operand: whether it did so then */
};

struct sw__node {
    int is_freed; /* a backward pass gave back what was saved */
    struct sw__saved saved;
};

struct sw__grad {
    int requires_grad;
    int retains_grad;
    struct sw_tensor *gradient; /* accumulated, or NULL; under the lock of accumulate.c */
    struct sw__node *node;      /* owned; NULL for a leaf */
    struct sw__grad *waiting;   /* once its tensor is gone: the next one to be given back */
};

/** Its gradient record when a tensor takes part, else NULL. */
static inline struct sw__grad *sw__taking_part(const struct sw_tensor *tensor)
{
    return tensor->grad != NULL && tensor->grad->requires_grad ? tensor->grad : NULL;
}

/** The same for an operand of whatever kind. */
static inline struct sw__grad *sw__operand_taking_part(const struct sw_operand *operand)
{
    return operand->kind == SW_OPERAND_TENSOR && sw__is_tensor(operand->as.tensor) ? sw__taking_part(operand->as.tensor)
                                                                                  : NULL;
}

SW__DEFINE_CLEANUP(grad, struct sw__grad, sw__grad_drop)
#define SW__OWNED_GRAD SW__CLEANUP(sw__cleanup_grad)

/** The record of a tensor, made when it has none yet. NULL: MemoryError. */
struct sw__grad *sw__grad_of(struct sw_tensor *tensor);
/** The record of a result that is about to be computed from these operands, which preflight has accepted. */
SW_NODISCARD enum sw_status sw__grad_new_result(struct sw_operation *operation, const struct sw_operand *operands,
                                                size_t n_operands, const struct sw_execution_options *options,
                                                struct sw__grad **ret_grad);
/** Give back what a node saved; the tensors among it are gone in any depth without recursion. */
void sw__node_free(struct sw__node *node);

#endif
