/*
 * Public functions of the elementwise operations.
 */
#include "config.h"

#include <strideweave/elementwise.h>

#include "base/cleanup.h"
#include "op/front/front.h"

#define BINARY(name)                                                                                          \
    enum sw_status sw_##name(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor) \
    {                                                                                                         \
        const struct sw_operand operands[] = { sw_operand_tensor(a), sw_operand_tensor(b) };                  \
        return SW__FRONT_CALL(#name, operands, 2, NULL, ret_tensor);                                          \
    }

#define UNARY(name)                                                                   \
    enum sw_status sw_##name(const struct sw_tensor *in, struct sw_tensor **ret_tensor) \
    {                                                                                 \
        const struct sw_operand operands[] = { sw_operand_tensor(in) };               \
        return SW__FRONT_CALL(#name, operands, 1, NULL, ret_tensor);                  \
    }

BINARY(add)
BINARY(sub)
BINARY(mul)
BINARY(elementwise_mul)
BINARY(div)
BINARY(pow)
BINARY(maximum)
BINARY(minimum)
BINARY(rem)
BINARY(eq)
BINARY(ne)
BINARY(lt)
BINARY(le)

UNARY(neg)
UNARY(abs)
UNARY(sign)
UNARY(recip)
UNARY(sqrt)
UNARY(rsqrt)
UNARY(exp)
UNARY(exp2)
UNARY(log)
UNARY(log2)
UNARY(sin)
UNARY(cos)
UNARY(erf)
UNARY(floor)
UNARY(ceil)
UNARY(round)
UNARY(relu)
UNARY(sigmoid)
UNARY(tanh)
UNARY(gelu)
UNARY(silu)
UNARY(softplus)
UNARY(elu)
UNARY(leaky_relu)
UNARY(logical_not)

enum sw_status sw_gt(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    return sw_lt(b, a, ret_tensor);
}

enum sw_status sw_ge(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor)
{
    return sw_le(b, a, ret_tensor);
}

static enum sw_status call_two(const char *name, struct sw_operand first, struct sw_operand second,
                               struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { first, second };

    return sw__front_call(name, operands, 2, NULL, ret_tensor);
}

enum sw_status sw_mul_f64(const struct sw_tensor *in, double scalar, struct sw_tensor **ret_tensor)
{
    return call_two("mul", sw_operand_tensor(in), sw_operand_floating(scalar), ret_tensor);
}

enum sw_status sw_mul_i64(const struct sw_tensor *in, int64_t scalar, struct sw_tensor **ret_tensor)
{
    return call_two("mul", sw_operand_tensor(in), sw_operand_integer(scalar), ret_tensor);
}

enum sw_status sw_pow_f64(const struct sw_tensor *in, double exponent, struct sw_tensor **ret_tensor)
{
    return call_two("pow", sw_operand_tensor(in), sw_operand_floating(exponent), ret_tensor);
}

enum sw_status sw_pow_i64(const struct sw_tensor *in, int64_t exponent, struct sw_tensor **ret_tensor)
{
    return call_two("pow", sw_operand_tensor(in), sw_operand_integer(exponent), ret_tensor);
}

enum sw_status sw_f64_pow(double base, const struct sw_tensor *exponent, struct sw_tensor **ret_tensor)
{
    return call_two("pow", sw_operand_floating(base), sw_operand_tensor(exponent), ret_tensor);
}

enum sw_status sw_i64_pow(int64_t base, const struct sw_tensor *exponent, struct sw_tensor **ret_tensor)
{
    return call_two("pow", sw_operand_integer(base), sw_operand_tensor(exponent), ret_tensor);
}

static enum sw_status check_bound(const struct sw_operand *bound)
{
    switch (bound->kind) {
    case SW_OPERAND_TENSOR:
    case SW_OPERAND_INTEGER:
    case SW_OPERAND_FLOATING:
    case SW_OPERAND_BOOLEAN:
        return SW_OK;
    default:
        return sw_error_set(SW_TYPE_ERROR, "clamp: a bound is neither a tensor nor a number");
    }
}

enum sw_status sw_clamp(const struct sw_tensor *in, struct sw_operand low, struct sw_operand high,
                        struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(in), low, high };

    SW__TRY(check_bound(&low));
    SW__TRY(check_bound(&high));
    return SW__FRONT_CALL("clamp", operands, 3, NULL, ret_tensor);
}

enum sw_status sw_clamp_f64(const struct sw_tensor *in, double low, double high, struct sw_tensor **ret_tensor)
{
    return sw_clamp(in, sw_operand_floating(low), sw_operand_floating(high), ret_tensor);
}

enum sw_status sw_select(const struct sw_tensor *condition, const struct sw_tensor *if_true,
                         const struct sw_tensor *if_false, struct sw_tensor **ret_tensor)
{
    const struct sw_operand operands[] = { sw_operand_tensor(condition), sw_operand_tensor(if_true),
                                           sw_operand_tensor(if_false) };

    return SW__FRONT_CALL("select", operands, 3, NULL, ret_tensor);
}
