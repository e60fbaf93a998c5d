/*
 * Every row of the operation table against central differences: the operation
 * is executed on operands of which one slot was moved a little up and down, and
 * what that does to a weighted sum of the result, computed in double, is the
 * gradient. Two step sizes are extrapolated, so that nothing but rounding is left.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "op/op.h"
#include "op/op_test.h"

#define MAX_OPERANDS 7
#define MAX_SLOTS 96
#define STEP (1.0 / 64)

/**
 * Operands in words: "F LAYOUT" is a Float32 tensor of values between low and
 * high, all of them apart; "I LAYOUT VALUES" and "B LAYOUT VALUES" tensors of
 * other dtypes; "i 1", "f 0.5", "b 1", "t (2,3)", "n" what is no tensor.
 */
struct row {
    const char *name;
    double low, high; /* of Float32 values; no kink of the operation is nearer to one than STEP */
    const char *operands[MAX_OPERANDS];
};

/* Between these no value comes near an integer or a half. */
#define ANY -2.1, 1.9
#define POSITIVE 0.4, 2.9

#define UNARY(name, domain)                          \
    { name, domain, { "F (2,3):(1,2)" } },           \
    { name, domain, { "F (2,(2,2)):(1,(4,2))" } },   \
    { name, domain, { "F (4,2):(0,1)" } }

/* Layouts that differ, that widen, and that repeat slots. */
#define BINARY(name, domain)                                  \
    { name, domain, { "F (2,3):(1,2)", "F (2,3):(3,1)" } },   \
    { name, domain, { "F (2,3):(1,2)", "F (2,1):(1,2)" } },   \
    { name, domain, { "F (1,3):(0,2)", "F (2,1):(1,0)" } },   \
    { name, domain, { "F (4,2):(0,1)", "F (4,2):(2,1)" } }

static const struct row rows[] = {
    BINARY("add", ANY),
    BINARY("sub", ANY),
    BINARY("mul", ANY),
    BINARY("elementwise_mul", ANY),
    BINARY("div", POSITIVE),
    BINARY("pow", POSITIVE),
    BINARY("maximum", ANY),
    BINARY("minimum", ANY),
    BINARY("rem", POSITIVE),
    { "add", ANY, { "F (2,3):(1,2)", "I (2,1):(1,2) 3 -4" } },
    { "mul", ANY, { "I (2,3):(1,2) 1 -2 3 4 5 6", "F (2,1):(1,2)" } },
    { "mul", ANY, { "F (2,3):(1,2)", "f -1.5" } },
    { "mul", ANY, { "F (2,3):(1,2)", "i 3" } },
    { "pow", ANY, { "F (2,3):(1,2)", "i 3" } },
    { "pow", POSITIVE, { "F (2,3):(1,2)", "f -0.5" } },
    { "pow", ANY, { "f 2.5", "F (2,3):(1,2)" } },
    UNARY("neg", ANY),
    UNARY("abs", ANY),
    UNARY("sign", ANY),
    UNARY("recip", POSITIVE),
    UNARY("sqrt", POSITIVE),
    UNARY("rsqrt", POSITIVE),
    UNARY("exp", ANY),
    UNARY("exp2", ANY),
    UNARY("log", POSITIVE),
    UNARY("log2", POSITIVE),
    UNARY("sin", ANY),
    UNARY("cos", ANY),
    UNARY("erf", ANY),
    UNARY("floor", ANY),
    UNARY("ceil", ANY),
    UNARY("round", ANY),
    UNARY("relu", ANY),
    UNARY("sigmoid", ANY),
    UNARY("tanh", ANY),
    UNARY("gelu", ANY),
    UNARY("silu", ANY),
    UNARY("softplus", ANY),
    UNARY("elu", ANY),
    UNARY("leaky_relu", ANY),
    { "select", ANY, { "B (2,3):(1,2) 1 0 0 1 1 0", "F (2,1):(1,2)", "F (1,3):(1,1)" } },
    { "select", ANY, { "B (1,3):(1,1) 1 0 1", "F (2,3):(3,1)", "F (2,3):(1,2)" } },
    { "clamp", ANY, { "F (2,3):(1,2)", "F (2,1):(1,2)", "F (1,3):(3,1)" } },
    { "clamp", ANY, { "F (2,3):(1,2)", "f -0.6", "F (1,1):(1,1)" } },
    { "clamp", ANY, { "F (2,3):(1,2)", "F (2,3):(3,1)", "f 0.75" } },
    { "reduce_sum", ANY, { "F (2,3):(3,1)" } },
    { "reduce_sum", ANY, { "F ((2,2),(3,2)):((1,6),(2,12))" } },
    { "reduce_prod", ANY, { "F (2,4):(4,1)" } },
    { "reduce_prod", ANY, { "F ((2,2),3):((1,6),2)" } },
    { "reduce_max", ANY, { "F (2,4):(4,1)" } },
    { "reduce_max", ANY, { "F ((2,2),3):((1,6),2)" } },
    { "reduce_min", ANY, { "F (2,4):(4,1)" } },
    { "reduce_min", ANY, { "F ((2,2),3):((1,6),2)" } },
    { "matmul", ANY, { "F (2,3):(1,2)", "F (4,3):(3,1)" } },
    { "matmul", ANY, { "F ((2,2),(3,2)):((1,12),(2,6))", "F (3,6):(0,1)" } },
    { "matmul", ANY, { "F (2,3):(1,2)", "I (2,3):(1,2) 1 -2 3 0 2 -1" } },
    { "conv_general", ANY, { "F (2,2,5):(10,5,1)", "F (3,2,2):(1,6,3)", "t (1)", "t ((0,0))", "t (1)", "t (1)",
                             "i 1" } },
    { "conv_general", ANY, { "F (2,4,3,3):(1,2,8,24)", "F (2,2,2,2):(1,2,4,8)", "t (2,1)", "t ((1,2),(0,1))", "t (2,1)",
                             "t (1,2)", "i 2" } },
    { "conv_general", ANY, { "F (1,(2,2),4):(0,(1,2),4)", "F (2,4,3):(1,2,0)", "t (2)", "t ((2,1))", "t (1)", "t (1)",
                             "i 1" } },
    { "cumsum", ANY, { "F (2,3):(1,2)", "i 0" } },
    { "cumsum", ANY, { "F (2,(2,3),2):(1,(2,4),12)", "i 1" } },
    { "gather", ANY, { "F (3):(1)", "I (4):(1) 2 0 2 2", "i 0" } },
    { "gather", ANY, { "F (2,(2,2),3):(12,(1,2),4)", "I (2,2):(1,2) 3 0 1 3", "i 1" } },
    { "scatter", ANY, { "F (3):(1)", "I (2):(1) 2 0", "F (2):(1)", "i 0" } },
    { "scatter", ANY, { "F (2,4,2):(1,2,8)", "I (2):(1) 3 1", "F (2,2,2):(4,1,2)", "i 1" } },
    { "scatter_add", ANY, { "F (3):(1)", "I (3):(1) 2 0 2", "F (3):(1)", "i 0" } },
    { "scatter_add", ANY, { "F (2,4,2):(1,2,8)", "I (2):(1) 1 1", "F (2,2,2):(4,1,2)", "i 1" } },
    { "_sort_values", ANY, { "F (7):(1)", "i 0", "b 0" } },
    { "_sort_values", ANY, { "F (2,(2,2),2):(1,(8,2),4)", "i 1", "b 1" } },
    { "_topk_values", ANY, { "F (7):(1)", "i 3", "i 0", "b 1" } },
    { "_topk_values", ANY, { "F (2,(2,2),2):(1,(8,2),4)", "i 3", "i 1", "b 0" } },
    { "as_strided", ANY, { "F (5,4):(4,1)", "t (2,2)", "t (1,2)" } },
    { "as_strided", ANY, { "F (2,3):(1,2)", "t (2)", "t (3)" } },
    { "broadcast_to", ANY, { "F (2,1,1):(1,0,3)", "t (2,3,2)" } },
    { "permute", ANY, { "F (2,3,2):(1,2,6)", "i 2", "i 0", "i 1" } },
    { "rearrange", ANY, { "F (2,3):(1,2)", "t ((1,0))", "n" } },
    { "reshape", ANY, { "F (2,6):(1,2)", "t (3,(2,2))" } },
    { "squeeze", ANY, { "F (2,1,3):(1,7,2)", "i 1" } },
    { "unsqueeze", ANY, { "F (2,3):(1,2)", "i -1" } },
    { "view", ANY, { "F (4,6):(1,4)", "t (2,(1,5,2))" } },
    { "view", ANY, { "F (4,3):(3,1)", "t ((1,3,1),(*,*,*))" } },
};

/* ---- Operands ------------------------------------------------------------------------------- */

struct trial {
    const struct row *row;
    struct sw_carrier_class *on; /* Generic, CPU, or Evictable over both */
    struct sw_operand operands[MAX_OPERANDS];
    size_t n;
    const struct sw_tensor *first; /* that dispatches */
};

/* Both tiers compute with different kernels, so the primary one is the one that is asked for. */
static struct sw_carrier *storage(struct sw_carrier_class *on, enum sw_dtype dtype, const double *values, size_t n)
{
    struct sw_carrier *primary, *secondary, *evictable;

    if (on != sw_evictable_class())
        return carrier_of(on, dtype, values, n);
    primary = carrier_of(sw_cpu_class(), dtype, values, n);
    secondary = carrier_of(sw_generic_class(), dtype, values, n);
    assert_ok(sw_evictable_new(primary, secondary, &evictable));
    sw_carrier_unref(primary);
    sw_carrier_unref(secondary);
    return evictable;
}

/* Apart from each other, in an order that is not that of the slots; tensors of one row do not share values. */
static void spread_values(const struct row *row, size_t operand, double *values, size_t n)
{
    const size_t stride = n % 5 != 0 ? 5 : n % 3 != 0 ? 3 : 7;
    const double width = (row->high - row->low) / (double)n;

    for (size_t i = 0; i < n; i++)
        values[i] = row->low + width * ((double)((i * stride + operand) % n) + 0.5 - 0.21 * (double)operand);
}

static struct sw_tensor *tensor_of_text(const struct trial *trial, size_t operand)
{
    const char *text = trial->row->operands[operand];
    const enum sw_dtype dtype = text[0] == 'F' ? SW_FLOAT32 : text[0] == 'I' ? SW_INT32 : SW_BOOL;
    double values[MAX_SLOTS] = { 0 };
    char layout_text[64];
    struct sw_layout *layout;
    struct sw_tensor *tensor;
    int at = 0, length = 0;

    ck_assert_int_eq(sscanf(text + 1, "%63s%n", layout_text, &at), 1);
    assert_ok(sw_layout_parse(layout_text, &layout));
    const size_t n = (size_t)sw_layout_cosize(layout);
    ck_assert_uint_le(n, MAX_SLOTS);
    spread_values(trial->row, operand, values, n);
    text += 1 + at;
    for (size_t i = 0; i < n && dtype != SW_FLOAT32; i++, text += length)
        ck_assert_int_eq(sscanf(text, "%lf%n", &values[i], &length), 1);
    struct sw_carrier *carrier = storage(trial->on, dtype, values, n);
    assert_ok(sw_tensor_new(carrier, 0, layout, &tensor));
    sw_carrier_unref(carrier);
    sw_layout_unref(layout);
    return tensor;
}

static struct sw_operand operand_of_text(struct trial *trial, size_t operand)
{
    const char *text = trial->row->operands[operand];
    struct sw_tensor *tensor;

    switch (text[0]) {
    case 'i':
        return sw_operand_integer(strtoll(text + 1, NULL, 10));
    case 'f':
        return sw_operand_floating(strtod(text + 1, NULL));
    case 'b':
        return sw_operand_boolean(text[2] == '1');
    case 't':
        return sw_operand_tree(tree_of(text + 2));
    case 'n':
        return sw_operand_none();
    default:
        tensor = tensor_of_text(trial, operand);
        trial->first = trial->first != NULL ? trial->first : tensor;
        return sw_operand_tensor(tensor);
    }
}

static struct sw_tensor *float_tensor(const struct trial *trial, size_t operand)
{
    const struct sw_operand *at = &trial->operands[operand];

    if (at->kind != SW_OPERAND_TENSOR || sw_tensor_dtype(at->as.tensor) != SW_FLOAT32)
        return NULL;
    return (struct sw_tensor *)(uintptr_t)at->as.tensor;
}

static void trial_begin(struct trial *trial, const struct row *row, struct sw_carrier_class *on)
{
    *trial = (struct trial){ .row = row, .on = on };
    for (; trial->n < MAX_OPERANDS && row->operands[trial->n] != NULL; trial->n++) {
        trial->operands[trial->n] = operand_of_text(trial, trial->n);
        struct sw_tensor *tensor = float_tensor(trial, trial->n);
        if (tensor != NULL)
            assert_ok(sw_tensor_set_requires_grad(tensor, 1));
    }
}

static void trial_end(struct trial *trial)
{
    for (size_t i = 0; i < trial->n; i++) {
        if (trial->operands[i].kind == SW_OPERAND_TENSOR)
            sw_tensor_unref(trial->operands[i].as.tensor);
        else if (trial->operands[i].kind == SW_OPERAND_TREE)
            sw_tree_unref(trial->operands[i].as.tree);
    }
}

/* ---- Both ways ------------------------------------------------------------------------------- */

static struct sw_tensor *run(const struct trial *trial)
{
    struct sw_tensor *result = NULL;

    enum sw_status status =
        forward(trial->row->name, sw_tensor_carrier(trial->first), trial->operands, trial->n, &result);
    ck_assert_msg(status == SW_OK, "%s: %s", trial->row->name, sw_error_message());
    return result;
}

static double weight(int64_t ordinal)
{
    return (double)((ordinal * 7 + 3) % 11 - 4) / 4;
}

static double weighted_sum(const struct trial *trial)
{
    double sum = 0;

    SW_WITHOUT_GRAD {
        struct sw_tensor *result = run(trial);
        for (int64_t i = 0; i < sw_tensor_size(result); i++)
            sum += weight(i) * value_at(result, i);
        sw_tensor_unref(result);
    }
    return sum;
}

static double moved_sum(const struct trial *trial, struct sw_tensor *tensor, int64_t ordinal, double by)
{
    struct sw_scalar moved = { .kind = SW_SCALAR_FLOATING }, before;

    assert_ok(sw_tensor_get_ordinal(tensor, ordinal, &before));
    moved.as.floating = before.as.floating + by;
    assert_ok(sw_tensor_set_ordinal(tensor, ordinal, &moved));
    double sum = weighted_sum(trial);
    assert_ok(sw_tensor_set_ordinal(tensor, ordinal, &before));
    return sum;
}

static double central(const struct trial *trial, struct sw_tensor *tensor, int64_t ordinal, double step)
{
    return (moved_sum(trial, tensor, ordinal, step) - moved_sum(trial, tensor, ordinal, -step)) / (2 * step);
}

static double difference(const struct trial *trial, struct sw_tensor *tensor, int64_t ordinal)
{
    return (4 * central(trial, tensor, ordinal, STEP / 2) - central(trial, tensor, ordinal, STEP)) / 3;
}

static void go_back(const struct trial *trial)
{
    struct sw_tensor *result = run(trial), *cotangent;
    struct sw_carrier *carrier;
    const struct sw_layout *layout = sw_tensor_layout(result);
    int injective;

    assert_ok(sw_layout_is_injective(layout, &injective));
    struct sw_layout *other = NULL;
    if (!injective) {
        assert_ok(sw_layout_canonical(sw_tensor_shape(result), &other));
        layout = other;
    }
    assert_ok(sw_carrier_allocate_like(sw_tensor_carrier(result), sw_layout_cosize(layout), 1, SW_FLOAT32, 0,
                                       &carrier));
    assert_ok(sw_tensor_new(carrier, 0, layout, &cotangent));
    for (int64_t i = 0; i < sw_tensor_size(result); i++) {
        struct sw_scalar scalar = { .kind = SW_SCALAR_FLOATING };
        scalar.as.floating = weight(i);
        assert_ok(sw_tensor_set_ordinal(cotangent, i, &scalar));
    }
    const uint64_t n_boundaries = sw_boundary_count();
    enum sw_status status = sw_tensor_backward(result, cotangent, SW_GRAPH_FREE);
    ck_assert_msg(status == SW_OK, "%s: %s", trial->row->name, sw_error_message());
    ck_assert_uint_eq(sw_boundary_count(), n_boundaries);
    sw_layout_unref(other);
    sw_carrier_unref(carrier);
    sw_tensor_unref(cotangent);
    sw_tensor_unref(result);
}

static void check_operand(const struct trial *trial, size_t operand)
{
    struct sw_tensor *tensor = float_tensor(trial, operand);

    if (tensor == NULL)
        return;
    struct sw_tensor *gradient = sw_tensor_grad(tensor);
    ck_assert_msg(gradient != NULL, "%s left no gradient at operand %zu", trial->row->name, operand);
    ck_assert_ptr_eq(sw_tensor_carrier_class(gradient), trial->on);
    for (int64_t i = 0; i < sw_tensor_size(tensor); i++) {
        const double expected = difference(trial, tensor, i), got = value_at(gradient, i);
        ck_assert_msg(fabs(got - expected) <= 3e-4 * (1 + fabs(expected)),
                      "%s, operand %zu (%s), element %lld: %.7g, expected %.7g", trial->row->name, operand,
                      trial->row->operands[operand], (long long)i, got, expected);
    }
    sw_tensor_unref(gradient);
}

static void check_all(struct sw_carrier_class *on)
{
    struct trial trial;

    for (size_t i = 0; i < N_OF(rows); i++) {
        trial_begin(&trial, &rows[i], on);
        go_back(&trial);
        for (size_t k = 0; k < trial.n; k++)
            check_operand(&trial, k);
        trial_end(&trial);
    }
}

START_TEST(every_gradient_is_what_central_differences_say_on_generic)
{
    check_all(sw_generic_class());
}
END_TEST

START_TEST(every_gradient_is_what_central_differences_say_on_cpu)
{
    check_all(sw_cpu_class());
}
END_TEST

START_TEST(every_gradient_is_what_central_differences_say_on_an_evictable)
{
    check_all(sw_evictable_class());
}
END_TEST

/* ---- Nothing is left out ------------------------------------------------------------------------ */

static int is_tried(const char *name)
{
    for (size_t i = 0; i < N_OF(rows); i++)
        if (strcmp(rows[i].name, name) == 0)
            return 1;
    return 0;
}

START_TEST(every_row_with_a_gradient_is_tried)
{
    static const struct {
        const char *name, *gradient;
    } table[] = {
#define SW__OP(name, family, generic, cpu, gradient, flags) { #name, #gradient },
#include "op/ops.def"
#undef SW__OP
    };

    for (size_t i = 0; i < N_OF(table); i++)
        ck_assert_msg((strcmp(table[i].gradient, "none") != 0) == is_tried(table[i].name), "%s", table[i].name);
}
END_TEST

CHECK_MAIN("grads", every_gradient_is_what_central_differences_say_on_generic,
           every_gradient_is_what_central_differences_say_on_cpu,
           every_gradient_is_what_central_differences_say_on_an_evictable, every_row_with_a_gradient_is_tried)
