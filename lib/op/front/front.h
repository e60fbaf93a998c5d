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
/** The same of a @name that the calling place keeps: sw__carrier_dispatch(). */
SW_NODISCARD enum sw_status sw__front_call_kept(const char *name, const char **kept, const struct sw_operand *operands,
                                                size_t n_operands, const struct sw_execution_options *options,
                                                struct sw_tensor **ret_tensor);
/** sw__front_call() of a literal, which is looked up at the first call from this place only. */
#define SW__FRONT_CALL(literal, operands, n_operands, options, ret_tensor)                           \
    ({                                                                                               \
        static const char *sw__kept;                                                                 \
        sw__front_call_kept("" literal, &sw__kept, operands, n_operands, options, ret_tensor);       \
    })
/** TypeError unless @tensor is one. */
SW_NODISCARD enum sw_status sw__front_check_tensor(const char *name, const struct sw_tensor *tensor);
/** TypeError unless all tensors among the operands are tensors of one exact carrier class. */
SW_NODISCARD enum sw_status sw__front_check_operands(const char *name, const struct sw_operand *operands,
                                                     size_t n_operands);
/** An axis in [-rank, rank-1] of a tensor as one in [0, rank-1]; TypeError for no tensor, ValueError out of range. */
SW_NODISCARD enum sw_status sw__front_axis(const char *name, const struct sw_tensor *tensor, int64_t axis,
                                           int64_t *ret_axis);
/** TypeError unless @tree is one; @what names the argument in the text. */
SW_NODISCARD enum sw_status sw__front_check_tree(const char *name, const char *what, const struct sw_tree *tree);

#endif
