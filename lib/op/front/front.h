/*
 * What the public functions of operations share: everything that happens
 * before the boundary. A front end works with any carrier class and never
 * looks inside a carrier.
 */
#ifndef OP_FRONT_FRONT_H
#define OP_FRONT_FRONT_H

#include <strideweave/operation.h>

/**
 * sw__front_call - dispatch on the first tensor operand and execute.
 *
 * TypeError, before any boundary, for a non-tensor where a tensor is wanted
 * and for tensors on different exact carrier classes.
 */
SW_NODISCARD enum sw_status sw__front_call(const char *name, const struct sw_operand *operands, size_t n_operands,
                                           const struct sw_execution_options *options, struct sw_tensor **ret_tensor);
/** TypeError unless @tensor is one. */
SW_NODISCARD enum sw_status sw__front_check_tensor(const char *name, const struct sw_tensor *tensor);
/** TypeError unless @tree is one; @what names the argument in the text. */
SW_NODISCARD enum sw_status sw__front_check_tree(const char *name, const char *what, const struct sw_tree *tree);

#endif
