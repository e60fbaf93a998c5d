/*
 * Where differentiation joins an execution: around the boundary, and only in
 * processes that ever asked for it. lib/autograd defines both.
 */
#ifndef DISPATCH_RECORDING_H
#define DISPATCH_RECORDING_H

#include <strideweave/operation.h>

/**
 * Whether any tensor of this process was ever asked to take part. Written by whoever asks, 0 to 1 and never back, read
 * by every execution; relaxed, because who has such a tensor from another thread has this word with it.
 */
extern uint32_t sw__is_differentiating __attribute__((visibility("hidden")));

/** sw_operation_forward() where it is not 0. */
SW_NODISCARD enum sw_status sw__forward_recording(struct sw_operation *operation, const struct sw_operand *operands,
                                                  size_t n_operands, const struct sw_execution_options *options,
                                                  struct sw_tensor **ret_tensor);

#endif
