/*
 * Checks that every family begins with, and the plan of an execution. All of
 * them run inside the boundary.
 */
#ifndef OP_CHECK_H
#define OP_CHECK_H

#include "op/op.h"

/** TypeError unless every tensor among the operands lies on the operation's own carrier class. */
SW_NODISCARD enum sw_status sw__check_classes(const struct sw__op *op, const struct sw_operand *operands,
                                              size_t n_operands);
/** TypeError unless there are @n operands and the first @n_tensors are tensors. */
SW_NODISCARD enum sw_status sw__check_arity(const struct sw__op *op, const struct sw_operand *operands,
                                            size_t n_operands, size_t n, size_t n_tensors);
/** RuntimeError when the tensor's storage was released. */
SW_NODISCARD enum sw_status sw__check_live(const struct sw_tensor *tensor);
/** Refuses another dtype as the policy would: NotImplementedError for Bool, else TypeError. */
SW_NODISCARD enum sw_status sw__check_dtype(const struct sw__op *op, const struct sw_tensor *tensor,
                                            enum sw_dtype wanted);
/** Both for each tensor among @n operands, operand by operand. */
SW_NODISCARD enum sw_status sw__check_tensors(const struct sw__op *op, const struct sw_operand *operands,
                                              const enum sw_dtype *wanted, size_t n);
/** ValueError unless the tensor has exactly two modes. */
SW_NODISCARD enum sw_status sw__check_two_modes(const struct sw__op *op, const struct sw_tensor *tensor);

/** A scalar operand as the policy sees it. TypeError when it is none. */
SW_NODISCARD enum sw_status sw__operand_scalar(const struct sw__op *op, const struct sw_operand *operand,
                                               struct sw_scalar *ret_scalar);
/** The plan; @scalars (one per operand) must live as long as it. */
SW_NODISCARD enum sw_status sw__check_plan(const struct sw__op *op, const struct sw_operand *operands,
                                           size_t n_operands, const struct sw_execution_options *options,
                                           struct sw_scalar *scalars, struct sw__plan *ret_plan);
/** The capability gate's refusal: a plan that the row's kernel does not execute. */
enum sw_status sw__no_kernel(const struct sw__op *op);
/** The refusal of a result that leaves int32. */
enum sw_status sw__left_int32(const char *name);

#endif
