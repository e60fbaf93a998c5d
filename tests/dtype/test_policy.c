/*
 * Plans and refusals of the operation dtype policy.
 */
#include "config.h"

#include <math.h>

#include "check_main.h"
#include "dtype/policy.h"

static const struct sw_scalar two = { .kind = SW_SCALAR_INTEGER, .as.integer = 2 };
static const struct sw_scalar minus_one = { .kind = SW_SCALAR_INTEGER, .as.integer = -1 };
static const struct sw_scalar half = { .kind = SW_SCALAR_FLOATING, .as.floating = 0.5 };
static const struct sw_scalar truth = { .kind = SW_SCALAR_BOOLEAN, .as.boolean = 1 };
static const struct sw_scalar largest = { .kind = SW_SCALAR_INTEGER, .as.integer = INT32_MAX };
static const struct sw_scalar too_large = { .kind = SW_SCALAR_INTEGER, .as.integer = INT64_C(2147483648) };
static const struct sw_scalar no_number = { .kind = 0 };

/* Operands in short: F, I, B are tensors, W(x) is a scalar. */
#define F { SW_FLOAT32, NULL }
#define I { SW_INT32, NULL }
#define B { SW_BOOL, NULL }
#define T(dtype) { dtype, NULL }
#define W(scalar) { SW_DTYPE_NONE, &scalar }
#define NOTHING { SW_DTYPE_NONE, NULL }

#define PLAN(plan, accumulator, name, ...)                                                     \
    sw__policy_plan(name, (const struct sw__policy_operand[]){ __VA_ARGS__ },                  \
                    sizeof((const struct sw__policy_operand[]){ __VA_ARGS__ }) /               \
                        sizeof(struct sw__policy_operand),                                     \
                    accumulator, plan)

/* The status of a refusal; the plan must stay as it was. */
#define REFUSED(name, ...)                                                   \
    ({                                                                       \
        struct sw__plan untouched = { .n_operands = 99 };                    \
        enum sw_status refusal = PLAN(&untouched, SW_DTYPE_NONE, name, __VA_ARGS__); \
        ck_assert_uint_eq(untouched.n_operands, 99);                         \
        refusal;                                                             \
    })

START_TEST(two_float32_operands_are_taken_as_they_are)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "add", F, F), SW_OK);
    ck_assert_uint_eq(plan.n_operands, 2);
    ck_assert_int_eq(plan.operands[1].dtype, SW_FLOAT32);
    ck_assert_int_eq(plan.convert_to[0], SW_FLOAT32);
    ck_assert_int_eq(plan.convert_to[1], SW_FLOAT32);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_BINARY32);
    ck_assert_int_eq(plan.accumulation, SW__ACCUMULATE_NONE);
    ck_assert_int_eq(plan.accumulator, SW_DTYPE_NONE);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
}
END_TEST

START_TEST(int32_beside_float32_becomes_float32)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "sub", I, F), SW_OK);
    ck_assert_int_eq(plan.operands[0].dtype, SW_INT32);
    ck_assert_int_eq(plan.convert_to[0], SW_FLOAT32);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
}
END_TEST

START_TEST(two_int32_operands_add_exactly_but_divide_as_reals)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "add", I, I), SW_OK);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_INT32_CHECKED);
    ck_assert_int_eq(plan.output, SW_INT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "div", I, I), SW_OK);
    ck_assert_int_eq(plan.convert_to[1], SW_FLOAT32);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
}
END_TEST

START_TEST(relu_of_int32_stays_int32)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "relu", I), SW_OK);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_INT32);
    ck_assert_int_eq(plan.output, SW_INT32);
}
END_TEST

START_TEST(a_weak_integer_keeps_int32_and_any_other_number_leaves_it)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "mul", I, W(minus_one)), SW_OK);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_INT32_CHECKED);
    ck_assert_int_eq(plan.convert_to[1], SW_INT32);
    ck_assert_ptr_eq(plan.operands[1].scalar, &minus_one);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "mul", I, W(half)), SW_OK);
    ck_assert_int_eq(plan.convert_to[0], SW_FLOAT32);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "mul", I, W(truth)), SW_OK);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "mul", F, W(two)), SW_OK);
    ck_assert_int_eq(plan.convert_to[1], SW_FLOAT32);
}
END_TEST

START_TEST(pow_is_exact_for_natural_exponents_of_32_bits_only)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "pow", I, W(largest)), SW_OK);
    ck_assert_int_eq(plan.output, SW_INT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "pow", I, W(minus_one)), SW_OK);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "pow", I, W(too_large)), SW_OK);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "pow", W(two), I), SW_OK);
    ck_assert_int_eq(plan.convert_to[1], SW_FLOAT32);
}
END_TEST

START_TEST(a_weak_integer_outside_int32_overflows_on_the_integer_plan)
{
    struct sw__plan plan;

    ck_assert_int_eq(REFUSED("mul", I, W(too_large)), SW_OVERFLOW_ERROR);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "mul", F, W(too_large)), SW_OK);
}
END_TEST

START_TEST(clamp_takes_tensors_and_numbers_as_bounds)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "clamp", F, F, F), SW_OK);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "clamp", F, W(two), F), SW_OK);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "clamp", F, F, W(half)), SW_OK);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "clamp", F, W(truth), W(half)), SW_OK);
    ck_assert_int_eq(plan.convert_to[2], SW_FLOAT32);
    ck_assert_int_eq(REFUSED("clamp", W(two), F, F), SW_TYPE_ERROR);
}
END_TEST

START_TEST(indices_stay_int32_and_conditions_bool)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "scatter_add", F, I, F), SW_OK);
    ck_assert_int_eq(plan.convert_to[1], SW_INT32);
    ck_assert_int_eq(plan.accumulation, SW__ACCUMULATE_SEQUENTIAL);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "select", B, F, F), SW_OK);
    ck_assert_int_eq(plan.convert_to[0], SW_BOOL);
}
END_TEST

START_TEST(results_of_comparisons_and_arg_reductions_have_dtypes_of_their_own)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "le", F, F), SW_OK);
    ck_assert_int_eq(plan.output, SW_BOOL);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "argmin", F), SW_OK);
    ck_assert_int_eq(plan.output, SW_INT32);
    ck_assert_int_eq(plan.accumulation, SW__ACCUMULATE_ARGMIN);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "_topk_indices", F), SW_OK);
    ck_assert_int_eq(plan.output, SW_INT32);
}
END_TEST

START_TEST(float32_sums_accumulate_in_float32_unless_float64_is_asked_for)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "reduce_sum", F), SW_OK);
    ck_assert_int_eq(plan.accumulation, SW__ACCUMULATE_FLOATING);
    ck_assert_int_eq(plan.accumulator, SW_FLOAT32);
    ck_assert_int_eq(PLAN(&plan, SW_FLOAT64, "matmul", F, I), SW_OK);
    ck_assert_int_eq(plan.accumulator, SW_FLOAT64);
    ck_assert_int_eq(plan.output, SW_FLOAT32);
}
END_TEST

START_TEST(int32_sums_are_exact_and_refuse_an_accumulator)
{
    struct sw__plan plan;

    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "matmul", I, I), SW_OK);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_INT32);
    ck_assert_int_eq(plan.accumulation, SW__ACCUMULATE_EXACT_INTEGER);
    ck_assert_int_eq(plan.accumulator, SW_DTYPE_NONE);
    ck_assert_int_eq(PLAN(&plan, SW_DTYPE_NONE, "reduce_sum", I), SW_OK);
    ck_assert_int_eq(plan.compute, SW__COMPUTE_INT32_CHECKED);
    ck_assert_int_eq(PLAN(&plan, SW_FLOAT64, "matmul", I, I), SW_TYPE_ERROR);
    ck_assert_int_eq(PLAN(&plan, SW_FLOAT32, "reduce_sum", I), SW_TYPE_ERROR);
}
END_TEST

START_TEST(accumulators_are_validated_without_operands)
{
    ck_assert_int_eq(sw__policy_check_accumulator("reduce_sum", SW_FLOAT64), SW_OK);
    ck_assert_int_eq(sw__policy_check_accumulator("matmul", SW_DTYPE_NONE), SW_OK);
    ck_assert_int_eq(sw__policy_check_accumulator("matmul", SW_INT32), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("matmul", SW_E4M3), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("matmul", (enum sw_dtype)99), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("matmul", SW_NVFP4), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("add", SW_FLOAT32), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("cumsum", SW_DTYPE_NONE), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator("no such", SW_FLOAT32), SW_TYPE_ERROR);
    ck_assert_int_eq(sw__policy_check_accumulator(NULL, SW_FLOAT32), SW_TYPE_ERROR);
}
END_TEST

START_TEST(an_unknown_operation_is_not_implemented)
{
    ck_assert_int_eq(REFUSED("view", F), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("no such", F, F), SW_NOT_IMPLEMENTED_ERROR);
}
END_TEST

START_TEST(a_wrong_number_or_arrangement_of_operands_is_a_type_error)
{
    ck_assert_int_eq(REFUSED("add", F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("add", F, F, F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("add", F, F, F, F, F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("add", F, W(two)), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("add", B, W(two)), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("mul", W(two), F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("pow", W(two), W(half)), SW_TYPE_ERROR);
}
END_TEST

START_TEST(what_is_neither_tensor_nor_number_is_a_type_error)
{
    ck_assert_int_eq(REFUSED("mul", F, NOTHING), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("mul", F, W(no_number)), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("neg", T((enum sw_dtype)55)), SW_TYPE_ERROR);
}
END_TEST

START_TEST(bool_where_it_is_not_called_for_is_not_implemented)
{
    ck_assert_int_eq(REFUSED("eq", F, B), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("logical_not", B), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("select", B, B, F), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("gather", F, B), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("maximum", I, B), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("pow", W(half), B), SW_NOT_IMPLEMENTED_ERROR);
}
END_TEST

START_TEST(a_dtype_that_nothing_computes_with_is_not_implemented)
{
    ck_assert_int_eq(REFUSED("neg", T(SW_FLOAT64)), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("add", F, T(SW_E4M3)), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_int_eq(REFUSED("add", T(SW_MXFP4), F), SW_NOT_IMPLEMENTED_ERROR);
}
END_TEST

START_TEST(int32_or_float32_in_the_wrong_place_is_a_type_error)
{
    ck_assert_int_eq(REFUSED("neg", I), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("lt", F, I), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("gather", F, F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("select", F, F, F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("select", B, I, F), SW_TYPE_ERROR);
    ck_assert_int_eq(REFUSED("clamp", I, W(two), W(two)), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("policy", two_float32_operands_are_taken_as_they_are, int32_beside_float32_becomes_float32,
           two_int32_operands_add_exactly_but_divide_as_reals, relu_of_int32_stays_int32,
           a_weak_integer_keeps_int32_and_any_other_number_leaves_it,
           pow_is_exact_for_natural_exponents_of_32_bits_only,
           a_weak_integer_outside_int32_overflows_on_the_integer_plan, clamp_takes_tensors_and_numbers_as_bounds,
           indices_stay_int32_and_conditions_bool, results_of_comparisons_and_arg_reductions_have_dtypes_of_their_own,
           float32_sums_accumulate_in_float32_unless_float64_is_asked_for,
           int32_sums_are_exact_and_refuse_an_accumulator, accumulators_are_validated_without_operands,
           an_unknown_operation_is_not_implemented, a_wrong_number_or_arrangement_of_operands_is_a_type_error,
           what_is_neither_tensor_nor_number_is_a_type_error, bool_where_it_is_not_called_for_is_not_implemented,
           a_dtype_that_nothing_computes_with_is_not_implemented,
           int32_or_float32_in_the_wrong_place_is_a_type_error)
