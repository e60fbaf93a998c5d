/*
 * What happens before the boundary: the front ends of every family, with the
 * shipped classes and with one of a program's own.
 */
#include "config.h"

#include <string.h>

#include "op_test.h"

/* ---- A class of a program's own: one slot, and an operation that returns its first tensor ---- */

static const char *dispatched;

static enum sw_status first_tensor(struct sw_operation *operation, const struct sw_operand *operands, size_t n_operands,
                                   const struct sw_execution_options *options, struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)options;
    for (size_t i = 0; i < n_operands; i++)
        if (operands[i].kind == SW_OPERAND_TENSOR) {
            *ret_tensor = sw_tensor_ref(operands[i].as.tensor);
            return SW_OK;
        }
    return SW_OK;
}

static struct sw_operation_class own_operation = { .head = SW_OPERATION_CLASS_HEAD("test", "First"),
                                                   .compute = first_tensor };

static enum sw_status dispatch(struct sw_carrier *carrier, const char *name, struct sw_operation **ret_operation)
{
    (void)carrier;
    dispatched = name;
    return sw_operation_new(&own_operation, ret_operation);
}

static size_t size(const struct sw_carrier *carrier)
{
    (void)carrier;
    return 1;
}

static enum sw_dtype dtype(const struct sw_carrier *carrier)
{
    (void)carrier;
    return SW_FLOAT32;
}

static enum sw_status get(const struct sw_carrier *carrier, size_t slot, struct sw_scalar *ret_value)
{
    (void)carrier;
    (void)slot;
    *ret_value = (struct sw_scalar){ .kind = SW_SCALAR_FLOATING, .as.floating = 1 };
    return SW_OK;
}

static enum sw_status new_like(const struct sw_carrier *prototype, const struct sw_scalar *values, size_t n,
                               int mutable_storage, enum sw_dtype wanted, struct sw_carrier **ret_carrier)
{
    (void)values;
    (void)n;
    (void)mutable_storage;
    (void)wanted;
    return sw_carrier_new(sw_carrier_class_of(prototype), 0, ret_carrier);
}

static enum sw_status allocate_like(const struct sw_carrier *prototype, size_t n, int mutable_storage,
                                    enum sw_dtype wanted, int uninitialized, struct sw_carrier **ret_carrier)
{
    (void)uninitialized;
    return new_like(prototype, NULL, n, mutable_storage, wanted, ret_carrier);
}

static struct sw_carrier_class own_class = {
    .head = SW_CARRIER_CLASS_HEAD("test", "Own"),
    .size = size,
    .dtype = dtype,
    .get = get,
    .new_like = new_like,
    .allocate_like = allocate_like,
    .dispatch = dispatch,
};

static struct sw_tensor *own_tensor(void)
{
    struct sw_carrier *carrier;
    struct sw_layout *layout;
    struct sw_tensor *tensor;

    assert_ok(sw_carrier_new(&own_class, 0, &carrier));
    assert_ok(sw_layout_parse("(1,1):(1,1)", &layout));
    assert_ok(sw_tensor_new(carrier, 0, layout, &tensor));
    sw_layout_unref(layout);
    sw_carrier_unref(carrier);
    return tensor;
}

/* ---- Tests ---------------------------------------------------------------------------------------- */

typedef enum sw_status unary_fn(const struct sw_tensor *in, struct sw_tensor **ret_tensor);
typedef enum sw_status binary_fn(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor);

static const struct {
    const char *name;
    unary_fn *call;
} unary[] = {
    { "neg", sw_neg },
    { "abs", sw_abs },
    { "sign", sw_sign },
    { "recip", sw_recip },
    { "sqrt", sw_sqrt },
    { "rsqrt", sw_rsqrt },
    { "exp", sw_exp },
    { "exp2", sw_exp2 },
    { "log", sw_log },
    { "log2", sw_log2 },
    { "sin", sw_sin },
    { "cos", sw_cos },
    { "erf", sw_erf },
    { "floor", sw_floor },
    { "ceil", sw_ceil },
    { "round", sw_round },
    { "relu", sw_relu },
    { "sigmoid", sw_sigmoid },
    { "tanh", sw_tanh },
    { "gelu", sw_gelu },
    { "silu", sw_silu },
    { "elu", sw_elu },
    { "softplus", sw_softplus },
    { "leaky_relu", sw_leaky_relu },
    { "logical_not", sw_logical_not },
};

static const struct {
    const char *name;
    binary_fn *call;
} binary[] = {
    { "add", sw_add }, { "sub", sw_sub }, { "mul", sw_mul },         { "elementwise_mul", sw_elementwise_mul },
    { "div", sw_div }, { "pow", sw_pow }, { "maximum", sw_maximum }, { "minimum", sw_minimum },
    { "rem", sw_rem }, { "eq", sw_eq },   { "ne", sw_ne },           { "lt", sw_lt },
    { "le", sw_le },   { "lt", sw_gt },   { "le", sw_ge },
};

START_TEST(every_function_dispatches_its_name_on_any_class)
{
    struct sw_tensor *in = own_tensor(), *out;

    for (size_t i = 0; i < N_OF(unary); i++) {
        assert_ok(unary[i].call(in, &out));
        ck_assert_str_eq(dispatched, unary[i].name);
        sw_tensor_unref(out);
    }
    for (size_t i = 0; i < N_OF(binary); i++) {
        assert_ok(binary[i].call(in, in, &out));
        ck_assert_str_eq(dispatched, binary[i].name);
        sw_tensor_unref(out);
    }
    sw_tensor_unref(in);
}
END_TEST

START_TEST(a_non_tensor_is_refused_before_the_boundary)
{
    struct sw_tensor *in = F32(sw_cpu_class(), "(1):(1)", 1), *out = NULL;
    const struct sw_tensor *odd = (const struct sw_tensor *)(const void *)sw_tensor_carrier(in);
    uint64_t before = sw_boundary_count();

    for (size_t i = 0; i < N_OF(unary); i++) {
        assert_status(unary[i].call(NULL, &out), SW_TYPE_ERROR);
        assert_status(unary[i].call(odd, &out), SW_TYPE_ERROR);
    }
    for (size_t i = 0; i < N_OF(binary); i++) {
        assert_status(binary[i].call(in, NULL, &out), SW_TYPE_ERROR);
        assert_status(binary[i].call(odd, in, &out), SW_TYPE_ERROR);
    }
    assert_status(sw_mul_f64(NULL, 1, &out), SW_TYPE_ERROR);
    assert_status(sw_f64_pow(1, NULL, &out), SW_TYPE_ERROR);
    assert_status(sw_select(in, in, NULL, &out), SW_TYPE_ERROR);
    assert_status(sw_matmul(in, NULL, NULL, &out), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_boundary_count() - before, 0);
    ck_assert_ptr_null(out);
    sw_tensor_unref(in);
}
END_TEST

START_TEST(tensors_on_different_classes_are_refused_before_the_boundary)
{
    struct sw_tensor *cpu = F32(sw_cpu_class(), "(1,1):(1,1)", 1), *generic = F32(sw_generic_class(), "(1,1):(1,1)", 1);
    struct sw_tensor *own = own_tensor(), *out = NULL;
    uint64_t before = sw_boundary_count();

    for (size_t i = 0; i < N_OF(binary); i++) {
        assert_status(binary[i].call(cpu, generic, &out), SW_TYPE_ERROR);
        assert_status(binary[i].call(own, generic, &out), SW_TYPE_ERROR);
    }
    assert_status(sw_select(cpu, cpu, generic, &out), SW_TYPE_ERROR);
    assert_status(sw_matmul(generic, cpu, NULL, &out), SW_TYPE_ERROR);
    assert_status(sw_gather(cpu, generic, 0, &out), SW_TYPE_ERROR);
    assert_status(sw_scatter(cpu, generic, cpu, 0, &out), SW_TYPE_ERROR);
    assert_status(sw_scatter_add(cpu, cpu, generic, 0, &out), SW_TYPE_ERROR);
    assert_status(sw_clamp(cpu, sw_operand_integer(0), sw_operand_tensor(generic), &out), SW_TYPE_ERROR);
    assert_status(sw_conv_general(cpu, generic, NULL, &out), SW_TYPE_ERROR);
    assert_status(sw_einsum(cpu, generic, "a b, a b -> 1", &out), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_boundary_count() - before, 0);
    sw_tensor_unref(cpu);
    sw_tensor_unref(generic);
    sw_tensor_unref(own);
}
END_TEST

START_TEST(greater_than_is_less_than_with_the_operands_exchanged)
{
    FOR_BOTH(on) {
        struct sw_tensor *a = F32(on, "(3):(1)", 1, 2, 3), *b = F32(on, "(3):(1)", 2, 2, 2), *out;
        assert_ok(sw_gt(a, b, &out));
        assert_bool(out, "(3):(1)", 0, 0, 1);
        assert_ok(sw_ge(a, b, &out));
        assert_bool(out, "(3):(1)", 0, 1, 1);
        sw_tensor_unref(a);
        sw_tensor_unref(b);
    }
}
END_TEST

CHECK_MAIN("front ends", every_function_dispatches_its_name_on_any_class, a_non_tensor_is_refused_before_the_boundary,
           tensors_on_different_classes_are_refused_before_the_boundary,
           greater_than_is_less_than_with_the_operands_exchanged)
