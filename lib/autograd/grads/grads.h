/*
 * One backward step: what an execution's operand contributed to, told from the
 * cotangent of its result. Everything is computed on plain arrays in ordinal
 * order, so no operation is dispatched and no boundary crossed, and layouts and
 * carrier classes matter at the leaves only.
 */
#ifndef AUTOGRAD_GRADS_GRADS_H
#define AUTOGRAD_GRADS_GRADS_H

#include "autograd/node.h"
#include "op/op.h"
#include "op/source.h"

struct sw__step {
    const struct sw__gradient *gradient; /* of the operation */
    const struct sw__op *op;             /* its row; NULL for what is no row */
    const struct sw_operand *operands;
    size_t n_operands;
    enum sw_dtype accumulator;
    const struct sw_layout *result; /* of the result */
    const float *cotangent;         /* an element per element of the result */
};

/** How an operation is differentiated; rows of ops.def name them. */
struct sw__gradient {
    /** Fill @out, an element per element of operand @operand, which takes part. NULL: its result never does. */
    enum sw_status (*run)(const struct sw__step *step, size_t operand, float *out);
    const void *kernel; /* of the family's type */
};

/** How a move is differentiated. */
extern const struct sw__gradient sw__gradient_move;

/** NotImplementedError for an operation of a class that has no gradient. */
SW_NODISCARD enum sw_status sw__step_of(const struct sw__saved *saved, const struct sw_layout *result,
                                        const float *cotangent, struct sw__step *ret_step);
/** The contribution to an operand, owned by the caller. */
SW_NODISCARD enum sw_status sw__step_run(const struct sw__step *step, size_t operand, float **ret_cotangent);

/* ---- For the families ------------------------------------------------------------------ */

/** The layout of an operand, which is a tensor. */
static inline const struct sw_layout *sw__step_layout(const struct sw__step *step, size_t operand)
{
    return step->operands[operand].as.tensor->layout;
}

/** An operand's elements in host memory, behind whatever carriers: one reference. RuntimeError when they are gone. */
SW_NODISCARD enum sw_status sw__step_tensor(const struct sw__step *step, size_t operand,
                                            struct sw_tensor **ret_tensor);
/** All of an operand's elements as float32, in ordinal order, owned by the caller. */
SW_NODISCARD enum sw_status sw__step_values(const struct sw__step *step, size_t operand, float **ret_values);
/** Room for @n floats; MemoryError also when their bytes leave 64 bits. */
SW_NODISCARD enum sw_status sw__floats(int64_t n, float **ret_floats);

/** Elementwise: @n elements of one operand's contribution; @in are elements of the operands, or NULL if not read. */
typedef void sw__gradient_loop_fn(float *restrict out, const float *restrict g, const void *const *in, size_t n);

struct sw__elementwise_gradient {
    sw__gradient_loop_fn *loops[SW__PLAN_OPERANDS]; /* by operand; NULL where it is never Float32 */
    unsigned reads[SW__PLAN_OPERANDS];              /* by operand: bit k: the loop reads operand k */
};

enum sw_status sw__elementwise_gradient(const struct sw__step *step, size_t operand, float *out);

#endif
