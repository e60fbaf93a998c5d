/*
 * The operation dtype policy: (operation, operand dtypes, weak scalars,
 * accumulator) -> plan, or a refusal. Independent of carriers; reads dtypes and
 * scalar values, never elements. The table is policy.def.
 */
#ifndef DTYPE_POLICY_H
#define DTYPE_POLICY_H

#include <strideweave/dtype.h>

#define SW__PLAN_OPERANDS 4

enum sw__compute {
    SW__COMPUTE_BINARY32,      /* every single step rounded to binary32 */
    SW__COMPUTE_INT32_CHECKED, /* exact, OverflowError when the result leaves int32 */
    SW__COMPUTE_INT32          /* exact, cannot leave int32 */
};

enum sw__accumulation {
    SW__ACCUMULATE_NONE,
    SW__ACCUMULATE_FLOATING,           /* in the accumulator dtype */
    SW__ACCUMULATE_SEQUENTIAL,         /* ascending, each addition rounded to binary32 */
    SW__ACCUMULATE_SEQUENTIAL_PRODUCT,
    SW__ACCUMULATE_EXACT_INTEGER,      /* only the final value is checked */
    SW__ACCUMULATE_MAXIMUM,
    SW__ACCUMULATE_MINIMUM,
    SW__ACCUMULATE_ARGMAX,
    SW__ACCUMULATE_ARGMIN
};

/**
 * One operand as the policy sees it: a tensor's dtype, or a weak scalar. With
 * neither (NONE and NULL) it is something that no operation computes with.
 */
struct sw__policy_operand {
    enum sw_dtype dtype;            /* SW_DTYPE_NONE for a scalar */
    const struct sw_scalar *scalar; /* NULL for a tensor */
};

struct sw__plan {
    size_t n_operands;
    struct sw__policy_operand operands[SW__PLAN_OPERANDS];
    enum sw_dtype convert_to[SW__PLAN_OPERANDS]; /* the dtype each is materialised in */
    enum sw__compute compute;
    enum sw__accumulation accumulation;
    enum sw_dtype accumulator; /* FLOAT32 or FLOAT64 with floating accumulation, else NONE */
    enum sw_dtype output;
};

/**
 * sw__policy_plan - the plan of one execution.
 *
 * @operation    Dispatch name, interned or not.
 * @operands     The tensor and scalar operands that the policy looks at, in
 *               order; scalars are borrowed by @ret_plan. A scalar becomes its
 *               operand by sw__value_store() in the dtype of convert_to.
 * @accumulator  Of the execution options, or SW_DTYPE_NONE.
 *
 * Returns, in the order of the checks, NotImplementedError for a name without a
 * row; what sw__policy_check_accumulator() says; TypeError for a count or an
 * arrangement of tensors and scalars that no row has; for the operands from the
 * left TypeError (no dtype, no number) or NotImplementedError (nothing computes
 * with the dtype, or Bool where the operation does not call for it); TypeError
 * for any other dtype that is not accepted; OverflowError for an integer scalar
 * outside Int32 on an integer plan; TypeError for an accumulator beside a plan
 * that does not accumulate in floating point.
 * Threads: any.
 */
SW_NODISCARD enum sw_status sw__policy_plan(const char *operation, const struct sw__policy_operand *operands,
                                            size_t n_operands, enum sw_dtype accumulator, struct sw__plan *ret_plan);

/** The rows of one operation: neighbours in the table. */
struct sw__policy_rows {
    const struct sw__policy_row *first;
    size_t n;
};

/** The same for whoever keeps the operation's rows, of which there are some (sw__policy_find()). */
SW_NODISCARD enum sw_status sw__policy_plan_by(struct sw__policy_rows rows, const struct sw__policy_operand *operands,
                                               size_t n_operands, enum sw_dtype accumulator,
                                               struct sw__plan *ret_plan);

/** The rows of @operation; no rows when there is no such operation. Threads: any. */
struct sw__policy_rows sw__policy_find(const char *operation);

/**
 * Validates an accumulator that execution options ask for (tensor-independent part).
 *
 * TypeError when @operation (NULL included) has no plan with an accumulator or
 * @accumulator is not a simple dtype; NotImplementedError when it is neither
 * Float32 nor Float64. SW_DTYPE_NONE asks for none.
 */
SW_NODISCARD enum sw_status sw__policy_check_accumulator(const char *operation, enum sw_dtype accumulator);

#endif
