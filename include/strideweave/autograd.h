/*
 * Reverse-mode differentiation: gradients of what was computed with respect to
 * the tensors that it was computed from.
 *
 *     sw_tensor_set_requires_grad(weights, 1);
 *     sw_matmul(in, weights, NULL, &scores);
 *     ... loss, a Float32 tensor of shape (1) ...
 *     sw_tensor_backward(loss, NULL, SW_GRAPH_FREE);
 *     gradient = sw_tensor_grad(weights);
 *
 * RECORDING. A tensor takes part in differentiation when
 * sw_tensor_set_requires_grad() asked for it, or when it is the Float32 result
 * of an operation with an operand that takes part. Such a result remembers the
 * operation and its operands, which therefore live as long as the result does
 * or until a backward pass frees the graph. Nothing is remembered of other
 * operations, of those inside other operations (sw_operation_forward_lowered()),
 * and on a thread that has switched recording off. A tensor that takes part and
 * has no such memory is a leaf.
 *
 * An operand whose storage is written between the operation and the backward
 * pass makes that pass a RuntimeError: its carrier's version tells. Values are
 * read from the operands, so one that was released or evicted is a RuntimeError
 * too where a gradient needs its values.
 *
 * GRADIENTS have the dtype Float32, fresh mutable storage of their tensor's
 * carrier class, and its layout. Where a layout repeats slots by strides of 0,
 * the gradient has the canonical layout of the shape and every element holds
 * the sum over all that share its slot; a layout that repeats slots in another
 * way is a ValueError. Gradients take no part in differentiation: there are
 * derivatives of first order only. An operation class of one's own has none
 * (NotImplementedError in the backward pass).
 *
 * HOOKS. A backward pass crosses no boundary: there are no events, and
 * sw_boundary_count() stays.
 *
 * THREADS. Recording is switched per thread. A graph may be built on one thread
 * and differentiated on another. Backward passes may run at once on graphs that
 * have leaves in common: their contributions add up. On graphs that have results
 * of operations in common they are the caller's race, as is changing whether a
 * tensor takes part while another thread uses it. A fork waits for passes that
 * put gradients in place, so a child finds all of a pass's gradients or none.
 * They are put in place under a lock, and the functions of a carrier class that
 * make, read and write its carriers run under it: those must not ask for
 * gradients, set or clear them, or run backward passes, which would wait for
 * ever.
 *
 * FAILURES. A pass that fails has changed no gradient and freed nothing, so it
 * may be tried again.
 */
#ifndef STRIDEWEAVE_AUTOGRAD_H
#define STRIDEWEAVE_AUTOGRAD_H

#include <strideweave/operation.h>

SW_BEGIN_DECLS

/* ---- Recording ------------------------------------------------------------------- */

/**
 * sw_grad_set_enabled - switch recording on (not 0) or off (0) for the calling
 * thread; it begins switched on.
 *
 * Returns whether it was on: 0 or 1.
 */
SW_API int sw_grad_set_enabled(int enabled);
/** sw_grad_is_enabled - whether the calling thread records: 0 or 1. */
SW_API int sw_grad_is_enabled(void);

static inline void sw__grad_restore(const int *was_enabled)
{
    (void)sw_grad_set_enabled(*was_enabled);
}

/**
 * SW_WITHOUT_GRAD { ... } - the body runs once with recording off; what was
 * before is restored on every way out: at the end, by break, continue or
 * return, by goto, by a C++ exception. break and continue leave the body, not a
 * loop around it.
 */
#define SW_WITHOUT_GRAD                                                                           \
    for (int sw__was_enabled __attribute__((cleanup(sw__grad_restore))) = sw_grad_set_enabled(0), \
             sw__once = sw__was_enabled >= 0;                                                     \
         sw__once != 0; sw__once = 0)

/* ---- Tensors that take part ------------------------------------------------------- */

/**
 * sw_tensor_set_requires_grad - let a tensor take part in differentiation (not
 * 0), or no longer (0).
 *
 * @tensor  Float32. Operations that ran before are not recorded by this, and
 *          none that was recorded is forgotten: what was computed from a tensor
 *          while it took part goes on giving it gradients. It concerns this
 *          handle: another tensor over the same slots is another leaf. A
 *          gradient that it has stays.
 *
 * Returns TypeError for what is no tensor and for another dtype; RuntimeError
 * when a recorded operation computed it and it shall no longer take part
 * (sw_tensor_detach() gives one that does not); MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_set_requires_grad(struct sw_tensor *tensor, int requires_grad);
/** sw_tensor_requires_grad - whether it takes part: 0 or 1. */
SW_API int sw_tensor_requires_grad(const struct sw_tensor *tensor);
/** sw_tensor_is_leaf - whether no recorded operation computed it, so that backward passes end there: 0 or 1. */
SW_API int sw_tensor_is_leaf(const struct sw_tensor *tensor);
/**
 * sw_tensor_set_retains_grad - let backward passes leave a gradient at a tensor
 * that is no leaf (not 0), or not (0). Leaves always get one.
 *
 * Returns TypeError for what is no tensor; RuntimeError when it takes no part.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_set_retains_grad(struct sw_tensor *tensor, int retains_grad);
/**
 * sw_tensor_detach - the same elements in a tensor that takes no part.
 *
 * @ret_tensor  One reference; on the same carrier with the same offset and
 *              layout. Untouched on failure.
 *
 * Returns TypeError for what is no tensor; RuntimeError when its carrier was
 * released; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_detach(const struct sw_tensor *tensor, struct sw_tensor **ret_tensor);

/* ---- The gradient that a tensor keeps ------------------------------------------------ */

/**
 * sw_tensor_grad - the gradient that backward passes have accumulated.
 *
 * Returns one reference, given back with sw_tensor_unref(); NULL when there is
 * none. A later pass makes a new sum, it does not write into this one.
 */
SW_API struct sw_tensor *sw_tensor_grad(const struct sw_tensor *tensor);
/**
 * sw_tensor_set_grad - put a gradient in place of what was accumulated.
 *
 * @tensor    Float32; need not take part.
 * @gradient  Float32, of the same shape and carrier class. Its elements are
 *            shared, not copied. NULL: from now on there is none.
 *
 * Returns TypeError for what is no tensor, another dtype or carrier class;
 * ValueError for another shape; RuntimeError when the gradient's carrier was
 * released; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_set_grad(struct sw_tensor *tensor, const struct sw_tensor *gradient);
/** sw_tensor_clear_grad - from now on there is no gradient; what is no tensor is left alone. */
SW_API void sw_tensor_clear_grad(struct sw_tensor *tensor);

/* ---- Backward passes -------------------------------------------------------------------- */

/** What becomes of a graph after a pass has succeeded. */
enum sw_graph {
    /** It is freed: operands are given back, and a pass that reaches it again is a RuntimeError. */
    SW_GRAPH_FREE = 0,
    /** It stays for another pass. */
    SW_GRAPH_RETAIN = 1
};

/**
 * sw_tensor_backward - add to the gradient of every leaf that @tensor was
 * computed from, and of every other tensor that retains one.
 *
 * @tensor    What is differentiated. Must take part.
 * @gradient  The cotangent: how much each element of @tensor counts. Float32 on
 *            the same carrier class, with the layout of @tensor; where that
 *            repeats slots by strides of 0, an injective layout of its shape.
 *            NULL: one, for a @tensor whose shape is the single leaf (1).
 * @graph     Whether the graph is kept.
 *
 * Returns TypeError for what is no tensor, and for a cotangent of another dtype
 * or class; RuntimeError when @tensor takes no part; ValueError for the
 * cotangent's layout, and without one for another shape than (1); RuntimeError
 * for a graph that was freed, an operand that was written, and values that are
 * needed and gone; ValueError for a layout that no gradient can have;
 * NotImplementedError for an operation without a gradient; MemoryError.
 */
SW_API SW_NODISCARD enum sw_status sw_tensor_backward(const struct sw_tensor *tensor,
                                                      const struct sw_tensor *gradient, enum sw_graph graph);

/**
 * sw_grad - the gradients of one tensor with respect to others, without adding
 * to any that a tensor keeps.
 *
 * @output     As @tensor of sw_tensor_backward().
 * @inputs     @n_inputs tensors, leaves or not.
 * @cotangent  As @gradient of sw_tensor_backward(), or NULL.
 * @graph      Whether the graph is kept.
 * @ret_grads  Room for @n_inputs. On success one reference each; NULL for an
 *             input that @output does not depend on. Untouched on failure.
 *
 * Returns what sw_tensor_backward() does; TypeError also for an input that is
 * no tensor and for arrays that are NULL.
 */
SW_API SW_NODISCARD enum sw_status sw_grad(const struct sw_tensor *output, const struct sw_tensor *const *inputs,
                                           size_t n_inputs, const struct sw_tensor *cotangent, enum sw_graph graph,
                                           struct sw_tensor **ret_grads);

SW_END_DECLS

#ifdef __cplusplus
/** C++: what SW_WITHOUT_GRAD does, for the rest of a scope. */
class sw_without_grad_guard {
public:
    sw_without_grad_guard() : was_enabled_(sw_grad_set_enabled(0)) {}
    ~sw_without_grad_guard() { (void)sw_grad_set_enabled(was_enabled_); }
    sw_without_grad_guard(const sw_without_grad_guard &) = delete;
    sw_without_grad_guard &operator=(const sw_without_grad_guard &) = delete;

private:
    int was_enabled_;
};
#endif

#endif
