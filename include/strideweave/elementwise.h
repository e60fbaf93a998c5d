/*
 * Elementwise operations: one element of the result from one element of each
 * operand.
 *
 * WHAT ALL OF THEM SHARE
 *
 * Operands   Borrowed for the call; never written. Any layout: nested, with
 *            stride 0, with gaps, with an offset. All tensor operands are on
 *            carriers of one exact class, shipped or user-defined.
 * Shapes     Operations of several tensors broadcast: their shapes must be
 *            nested alike, and leaf by leaf the extents are equal or one of
 *            them is 1. No mode is ever added, split or aligned.
 * Result     A new tensor, one reference, owned by the caller, given back with
 *            sw_tensor_unref(); fresh storage on the operands' class, offset 0,
 *            the canonical layout of the common shape (logical_not alone keeps
 *            an input layout that is injective). @ret_tensor is untouched on
 *            failure.
 * Numbers    Float32 steps are rounded to binary32 one by one and never fused.
 *            Int32 results are exact or an OverflowError, which discards the
 *            whole operation. Where Int32 meets Float32 it is rounded to
 *            Float32 first. exp, log, sin, cos, erf, tanh, pow and what is made
 *            of them are accurate to a few units in the last place.
 * Hooks      One computation boundary with the function's name; inside it one
 *            "broadcast_to" for each operand that is widened, in operand order.
 *            A "none" stands at the position of a scalar.
 * Threads    May run beside other readers of the operands.
 *
 * Errors     Before the boundary: TypeError for a non-tensor or for tensors on
 *            different carrier classes; NotImplementedError when the class has
 *            no such operation. Inside, in this order: RuntimeError when a
 *            carrier was released; ValueError when the shapes do not broadcast;
 *            TypeError or NotImplementedError (Bool where a number is wanted)
 *            for dtypes; MemoryError; OverflowError. sw_error_message() says
 *            what was refused.
 */
#ifndef STRIDEWEAVE_ELEMENTWISE_H
#define STRIDEWEAVE_ELEMENTWISE_H

#include <strideweave/operation.h>
#include <strideweave/tensor.h>

SW_BEGIN_DECLS

#define SW__BINARY(name)                                                                             \
    SW_API SW_NODISCARD enum sw_status sw_##name(const struct sw_tensor *a, const struct sw_tensor *b, \
                                                 struct sw_tensor **ret_tensor);
#define SW__UNARY(name) \
    SW_API SW_NODISCARD enum sw_status sw_##name(const struct sw_tensor *in, struct sw_tensor **ret_tensor);

/* ---- Two tensors, Float32 or Int32 in any mixture: sw_add(a, b, &result) --------------- */

/** a + b. Int32 with Int32 stays Int32. */
SW__BINARY(add)
/** a - b. Int32 with Int32 stays Int32. */
SW__BINARY(sub)
/** a * b. Int32 with Int32 stays Int32. */
SW__BINARY(mul)
/** The same values as mul, under a dispatch name of its own. */
SW__BINARY(elementwise_mul)
/** a / b, always Float32: x/0 is a signed infinity, 0/0 not a number; an integer zero counts as +0. */
SW__BINARY(div)
/** a to the power of b, always Float32: x^0 and 1^x are 1 for every x; negative^fraction is not a number. */
SW__BINARY(pow)

/* ---- Two Float32 tensors ------------------------------------------------------------------ */

/** The greater; not a number if either is; +0 if one zero is +0. */
SW__BINARY(maximum)
/** The lesser; not a number if either is; -0 if one zero is -0. */
SW__BINARY(minimum)
/** Remainder with the sign of @a, as fmod(). */
SW__BINARY(rem)

/* ---- Comparisons of two Float32 tensors; the result is Bool -------------------------------- */

/* With a not-a-number all are false but ne, which is true; +0 equals -0. */
SW__BINARY(eq)
SW__BINARY(ne)
SW__BINARY(lt)
SW__BINARY(le)
/** lt with the operands exchanged: its boundary is an "lt". */
SW__BINARY(gt)
/** le with the operands exchanged: its boundary is an "le". */
SW__BINARY(ge)

/* ---- One tensor, Float32 unless said: sw_neg(in, &result) ---------------------------------- */

/** Flips the sign bit. */
SW__UNARY(neg)
/** Clears the sign bit. */
SW__UNARY(abs)
/** -1, 0 or 1; +0 for either zero. */
SW__UNARY(sign)
/** 1/x. */
SW__UNARY(recip)
/** Not a number below zero; -0 at -0. */
SW__UNARY(sqrt)
/** 1/sqrt(x) in two rounded steps. */
SW__UNARY(rsqrt)
/** Int32 too, as Float32. */
SW__UNARY(exp)
SW__UNARY(exp2)
SW__UNARY(log)
SW__UNARY(log2)
SW__UNARY(sin)
SW__UNARY(cos)
/** The error function. */
SW__UNARY(erf)
SW__UNARY(floor)
SW__UNARY(ceil)
/** To the nearest integer, ties to even. */
SW__UNARY(round)
/** x if x > 0, else +0, also for not-a-number. Int32 stays Int32. */
SW__UNARY(relu)
/** 1/(1 + exp(-x)) without overflow. Int32 too, as Float32. */
SW__UNARY(sigmoid)
/** Int32 too, as Float32. */
SW__UNARY(tanh)
/** x/2 * (1 + erf(x/sqrt 2)). Int32 too, as Float32. */
SW__UNARY(gelu)
/** x * sigmoid(x). Int32 too, as Float32. */
SW__UNARY(silu)
/** log(1 + exp(x)) without overflow. Int32 too, as Float32. */
SW__UNARY(softplus)
/** x if x > 0, else exp(x) - 1. Int32 too, as Float32. */
SW__UNARY(elu)
/** x if x >= 0, else 0.01 x. Int32 too, as Float32. */
SW__UNARY(leaky_relu)
/** Bool: whether the element is a zero of either sign. */
SW__UNARY(logical_not)

#undef SW__BINARY
#undef SW__UNARY

/* ---- With a weak scalar, which never decides by its size ------------------------------------ */

/**
 * sw_mul_f64, sw_mul_i64 - a tensor times a number.
 *
 * @in      Float32 or Int32, any shape.
 * @scalar  Of floating kind it makes the result Float32 and is rounded to
 *          binary32 once; of integer kind it leaves an Int32 tensor Int32 and
 *          must then itself fit in int32 (OverflowError).
 */
SW_API SW_NODISCARD enum sw_status sw_mul_f64(const struct sw_tensor *in, double scalar,
                                              struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_mul_i64(const struct sw_tensor *in, int64_t scalar,
                                              struct sw_tensor **ret_tensor);
/**
 * sw_pow_f64, sw_pow_i64 - a tensor to the power of a number.
 *
 * @exponent  Of integer kind, in [0, 2^31-1] and with an Int32 tensor: exact,
 *            0^0 is 1, OverflowError when a power leaves int32. Every other
 *            exponent gives Float32.
 */
SW_API SW_NODISCARD enum sw_status sw_pow_f64(const struct sw_tensor *in, double exponent,
                                              struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_pow_i64(const struct sw_tensor *in, int64_t exponent,
                                              struct sw_tensor **ret_tensor);
/** sw_f64_pow, sw_i64_pow - a number to the power of a tensor; always Float32. The scalar is the first operand. */
SW_API SW_NODISCARD enum sw_status sw_f64_pow(double base, const struct sw_tensor *exponent,
                                              struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_i64_pow(int64_t base, const struct sw_tensor *exponent,
                                              struct sw_tensor **ret_tensor);

/* ---- Three tensors ------------------------------------------------------------------------------ */

/**
 * sw_select - the element of @if_true where @condition holds, else of @if_false.
 *
 * @condition           Bool.
 * @if_true, @if_false  Float32. Only the chosen one of two elements counts.
 *
 * All three broadcast to one shape. Inside the boundary released carriers and
 * dtypes are looked at operand by operand, and before the shapes.
 */
SW_API SW_NODISCARD enum sw_status sw_select(const struct sw_tensor *condition, const struct sw_tensor *if_true,
                                             const struct sw_tensor *if_false, struct sw_tensor **ret_tensor);

/**
 * sw_clamp, sw_clamp_f64 - the elements of @in brought between two bounds.
 *
 * @in         Float32.
 * @low, @high  Each a Float32 tensor or a number, which is rounded to binary32:
 *             sw_operand_tensor(), sw_operand_floating(), ... (operation.h).
 *
 * minimum(maximum(x, low), high), with their rules for zeros and not-a-numbers;
 * the bounds are not compared, so where @low is above @high the result is
 * @high. The tensors broadcast to one shape. TypeError, before the boundary,
 * for a bound of any other kind. Inside, the order of checks is that of select.
 */
SW_API SW_NODISCARD enum sw_status sw_clamp(const struct sw_tensor *in, struct sw_operand low,
                                            struct sw_operand high, struct sw_tensor **ret_tensor);
SW_API SW_NODISCARD enum sw_status sw_clamp_f64(const struct sw_tensor *in, double low, double high,
                                                struct sw_tensor **ret_tensor);

SW_END_DECLS

#endif
