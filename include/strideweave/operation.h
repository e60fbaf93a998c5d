/*
 * Operations: fresh objects that a carrier dispatches, their execution through
 * the one computation boundary, and classes of one's own.
 */
#ifndef STRIDEWEAVE_OPERATION_H
#define STRIDEWEAVE_OPERATION_H

#include <strideweave/profiler.h>
#include <strideweave/tensor.h>

SW_BEGIN_DECLS

struct sw_operation;

/** Typed execution options: beside the operands, never among them. */
struct sw_execution_options {
    uint32_t struct_bytes;
    int32_t accumulator;   /* enum sw_dtype, or SW_DTYPE_NONE for the policy's own */
    const char *operation; /* the dispatch name that they are for: "reduce_sum" or "matmul" */
};
#define SW_EXECUTION_OPTIONS_INIT(operation_name) \
    { (uint32_t)sizeof(struct sw_execution_options), SW_DTYPE_NONE, operation_name }

/**
 * sw_operation_forward - execute: options validation, structural preflight, the
 * boundary with computation and result check. Around the boundary the execution
 * is recorded for differentiation when an operand takes part in it (autograd.h).
 */
SW_API SW_NODISCARD enum sw_status sw_operation_forward(struct sw_operation *operation,
                                                        const struct sw_operand *operands, size_t n_operands,
                                                        const struct sw_execution_options *options,
                                                        struct sw_tensor **ret_tensor);
/** Execute inside another operation: the same boundary, nothing recorded for differentiation. */
SW_API SW_NODISCARD enum sw_status sw_operation_forward_lowered(struct sw_operation *operation,
                                                                const struct sw_operand *operands, size_t n_operands,
                                                                const struct sw_execution_options *options,
                                                                struct sw_tensor **ret_tensor);
SW_API struct sw_operation *sw_operation_ref(const struct sw_operation *operation);
SW_API void sw_operation_unref(const struct sw_operation *operation);
/** Dispatch name; NULL for an operation that was not dispatched. */
SW_API const char *sw_operation_name(const struct sw_operation *operation);
/** Exact class of the carrier that dispatched it; NULL for an operation that was not dispatched. */
SW_API struct sw_carrier_class *sw_operation_carrier_class(const struct sw_operation *operation);
SW_API struct sw_operation_class *sw_operation_class_of(const struct sw_operation *operation);

/** Boundaries of dispatched operations that this thread has entered so far. */
SW_API uint64_t sw_boundary_count(void);

/* ---- Classes of one's own --------------------------------------------------------- */

/** Bits of sw_operation_class.flags. */
enum sw_operation_flags {
    /** Accepts tensors of several subtensors (the view operations do). */
    SW_OPERATION_MULTI_SUBTENSOR = 1u << 0,
    /** Is executed once: a RuntimeError, before the boundary, from then on. */
    SW_OPERATION_SINGLE_USE = 1u << 1
};

struct sw_operation_class {
    struct sw_class_head head;
    uint64_t flags;
    /** Bytes of zeroed state per operation. */
    size_t state_bytes;
    /**
     * The computation. Success with *ret_tensor NULL is a TypeError of the
     * boundary ("not a tensor"). May throw a C++ exception, be cancelled or
     * leave by longjmp: the boundary then ends as failed.
     */
    enum sw_status (*compute)(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                              const struct sw_execution_options *options, struct sw_tensor **ret_tensor);
    /** Give back what the state holds; NULL when nothing. */
    void (*destroy)(struct sw_operation *operation);
    const void *user; /* the class author's */
};

#define SW_OPERATION_CLASS_HEAD(module, qualified_name) \
    { SW_KIND_OPERATION_CLASS, (uint32_t)sizeof(struct sw_operation_class), 0, module, qualified_name }

/** A fresh operation without dispatch metadata: executed directly it crosses no recorded boundary. */
SW_API SW_NODISCARD enum sw_status sw_operation_new(struct sw_operation_class *operation_class,
                                                    struct sw_operation **ret_operation);
SW_API void *sw_operation_state(const struct sw_operation *operation);

/* ---- Operands ------------------------------------------------------------------------ */

static inline struct sw_operand sw__operand_zero(enum sw_operand_kind kind)
{
    struct sw_operand operand;

    operand.kind = (uint32_t)kind;
    operand.reserved = 0;
    operand.as.integer = 0;
    return operand;
}

static inline struct sw_operand sw_operand_none(void) { return sw__operand_zero(SW_OPERAND_NONE); }

static inline struct sw_operand sw_operand_tensor(const struct sw_tensor *tensor)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_TENSOR);

    operand.as.tensor = tensor;
    return operand;
}

static inline struct sw_operand sw_operand_integer(int64_t value)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_INTEGER);

    operand.as.integer = value;
    return operand;
}

static inline struct sw_operand sw_operand_floating(double value)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_FLOATING);

    operand.as.floating = value;
    return operand;
}

static inline struct sw_operand sw_operand_boolean(int value)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_BOOLEAN);

    operand.as.boolean = value;
    return operand;
}

static inline struct sw_operand sw_operand_tree(const struct sw_tree *tree)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_TREE);

    operand.as.tree = tree;
    return operand;
}

static inline struct sw_operand sw_operand_string(const char *string)
{
    struct sw_operand operand = sw__operand_zero(SW_OPERAND_STRING);

    operand.as.string = string;
    return operand;
}

SW_END_DECLS

#endif
