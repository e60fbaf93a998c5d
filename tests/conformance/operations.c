/*
 * The sections op, reduce, matmul, conv and indexing: operations that compute
 * a fresh tensor. Each goes through its public function where there is one and
 * is dispatched by name otherwise.
 */
#include "config.h"

#include <string.h>

#include "conformance.h"

#define MAX_OPERANDS 8

struct row;

/** A call in the making: operands in order, and the row that says how it is made. */
struct call {
    struct trial *trial;
    const struct row *row;
    struct sw_operand operands[MAX_OPERANDS];
    size_t n_operands;
};

typedef enum sw_status call_fn(struct call *call, struct sw_tensor **ret_tensor);
typedef enum sw_status unary_fn(const struct sw_tensor *in, struct sw_tensor **ret_tensor);
typedef enum sw_status binary_fn(const struct sw_tensor *a, const struct sw_tensor *b, struct sw_tensor **ret_tensor);
typedef enum sw_status command_fn(const struct sw_tensor *in, const char *command, struct sw_tensor **ret_tensor);

typedef enum sw_status scatter_fn(const struct sw_tensor *base, const struct sw_tensor *index,
                                  const struct sw_tensor *updates, int64_t axis, struct sw_tensor **ret_tensor);

/** One operation of the case file. */
struct row {
    const char *op;
    const char *dispatched; /* what is dispatched for it */
    call_fn *call;
    unary_fn *unary;
    binary_fn *binary;
    command_fn *command;
    scatter_fn *scatter;
};

static const struct sw_tensor *operand(const struct call *call, size_t position)
{
    return call->operands[position].as.tensor;
}

static int is_tensor(const struct call *call, size_t position)
{
    return position < call->n_operands && call->operands[position].kind == SW_OPERAND_TENSOR;
}

static int64_t option(const struct call *call, const char *key, int64_t otherwise)
{
    const json_t *value = json_object_get(call->trial->options, key);

    if (json_is_boolean(value))
        return json_is_true(value);
    return value != NULL ? json_integer_value(value) : otherwise;
}

static enum sw_status call_forward(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_execution_options options;

    return forward(call->trial, call->row->dispatched, call->operands, call->n_operands,
                   forward_options(call->trial, call->row->dispatched, &options), ret_tensor);
}

static enum sw_status call_unary(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    TRY(call->row->unary(operand(call, 0), &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_binary(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    if (!is_tensor(call, 0) || !is_tensor(call, 1))
        return call_forward(call, ret_tensor);
    TRY(call->row->binary(operand(call, 0), operand(call, 1), &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_mul(struct call *call, struct sw_tensor **ret_tensor)
{
    const struct sw_operand *scalar = &call->operands[1];
    struct sw_tensor *result = NULL;

    if (scalar->kind == SW_OPERAND_INTEGER)
        TRY(sw_mul_i64(operand(call, 0), scalar->as.integer, &result));
    else if (scalar->kind == SW_OPERAND_FLOATING)
        TRY(sw_mul_f64(operand(call, 0), scalar->as.floating, &result));
    else
        return call_binary(call, ret_tensor);
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_pow(struct call *call, struct sw_tensor **ret_tensor)
{
    const struct sw_operand *base = &call->operands[0];
    const struct sw_operand *exponent = &call->operands[1];
    struct sw_tensor *result = NULL;

    if (exponent->kind == SW_OPERAND_INTEGER)
        TRY(sw_pow_i64(operand(call, 0), exponent->as.integer, &result));
    else if (exponent->kind == SW_OPERAND_FLOATING)
        TRY(sw_pow_f64(operand(call, 0), exponent->as.floating, &result));
    else if (base->kind == SW_OPERAND_INTEGER)
        TRY(sw_i64_pow(base->as.integer, operand(call, 1), &result));
    else if (base->kind == SW_OPERAND_FLOATING)
        TRY(sw_f64_pow(base->as.floating, operand(call, 1), &result));
    else
        return call_binary(call, ret_tensor);
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_select(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    TRY(sw_select(operand(call, 0), operand(call, 1), operand(call, 2), &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_matmul(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_execution_options options;
    struct sw_tensor *result = NULL;

    TRY(sw_matmul(operand(call, 0), operand(call, 1), forward_options(call->trial, "matmul", &options), &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_gather(struct call *call, struct sw_tensor **ret_tensor)
{
    int64_t axis = call->n_operands > 2 ? call->operands[2].as.integer : option(call, "axis", 0);
    struct sw_tensor *result = NULL;

    TRY(sw_gather(operand(call, 0), operand(call, 1), axis, &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_clamp(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    TRY(sw_clamp(operand(call, 0), call->operands[1], call->operands[2], &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_cumsum(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    TRY(sw_cumsum(operand(call, 0), call->operands[1].as.integer, &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_scatter(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    TRY(call->row->scatter(operand(call, 0), operand(call, 1), operand(call, 2), call->operands[3].as.integer,
                           &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

/* Cases name one of the two results. */
static enum sw_status keep_one(struct call *call, struct sw_tensor *values, struct sw_tensor *indices,
                               struct sw_tensor **ret_tensor)
{
    trial_tensor(call->trial, values);
    trial_tensor(call->trial, indices);
    *ret_tensor = strstr(call->row->op, ".values") != NULL ? values : indices;
    return SW_OK;
}

static enum sw_sort_order order(int is_descending)
{
    return is_descending ? SW_SORT_DESCENDING : SW_SORT_ASCENDING;
}

static enum sw_status call_sort(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *values = NULL;
    struct sw_tensor *indices = NULL;

    TRY(sw_sort(operand(call, 0), option(call, "axis", -1), order((int)option(call, "descending", 0)), &values,
                &indices));
    return keep_one(call, values, indices, ret_tensor);
}

static enum sw_status call_topk(struct call *call, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *values = NULL;
    struct sw_tensor *indices = NULL;

    TRY(sw_topk(operand(call, 0), option(call, "k", 0), option(call, "axis", -1), order((int)option(call, "largest", 1)),
                &values, &indices));
    return keep_one(call, values, indices, ret_tensor);
}

static enum sw_status call_einsum(struct call *call, struct sw_tensor **ret_tensor)
{
    const char *command = json_string_value(json_object_get(call->trial->options, "command"));
    struct sw_tensor *result = NULL;

    TRY(sw_einsum(operand(call, 0), operand(call, 1), command, &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

#define MAX_SPATIAL 4

/* A list of a case as an option; NULL where the case has none. The counts of all lists are one in C. */
static const int64_t *spatial_list(const struct call *call, const char *key, int64_t *integers, uint32_t *n_spatial)
{
    const json_t *list = json_object_get(call->trial->options, key);
    uint32_t n = (uint32_t)build_integers(list, integers, MAX_SPATIAL);

    *n_spatial = n > *n_spatial ? n : *n_spatial;
    return list != NULL ? integers : NULL;
}

static enum sw_status call_conv_general(struct call *call, struct sw_tensor **ret_tensor)
{
    const json_t *pairs = json_object_get(call->trial->options, "padding");
    int64_t strides[MAX_SPATIAL];
    int64_t lhs_dilation[MAX_SPATIAL];
    int64_t kernel_dilation[MAX_SPATIAL];
    int64_t padding[MAX_SPATIAL][2] = { { 0, 0 } };
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
    struct sw_tensor *result = NULL;

    options.strides = spatial_list(call, "strides", strides, &options.n_spatial);
    options.lhs_dilation = spatial_list(call, "lhs_dilation", lhs_dilation, &options.n_spatial);
    options.kernel_dilation = spatial_list(call, "kernel_dilation", kernel_dilation, &options.n_spatial);
    for (size_t i = 0; i < json_array_size(pairs) && i < MAX_SPATIAL; i++)
        build_integers(json_array_get(pairs, i), padding[i], 2);
    options.padding = (const int64_t(*)[2])padding;
    options.feature_groups = option(call, "feature_groups", 1);
    TRY(sw_conv_general(operand(call, 0), operand(call, 1), &options, &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_reduce(struct call *call, struct sw_tensor **ret_tensor)
{
    const char *command = json_string_value(json_object_get(call->trial->options, "command"));
    struct sw_tensor *result = NULL;

    TRY(call->row->command(operand(call, 0), command, &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

static enum sw_status call_reduce_sum(struct call *call, struct sw_tensor **ret_tensor)
{
    const char *command = json_string_value(json_object_get(call->trial->options, "command"));
    struct sw_execution_options options;
    struct sw_tensor *result = NULL;

    TRY(sw_reduce_sum(operand(call, 0), command, forward_options(call->trial, "reduce_sum", &options), &result));
    *ret_tensor = trial_tensor(call->trial, result);
    return SW_OK;
}

#define UNARY(name) { #name, #name, call_unary, sw_##name, NULL, NULL, NULL }
#define BINARY(name) { #name, #name, call_binary, NULL, sw_##name, NULL, NULL }
#define REDUCTION(name) { #name, #name, call_reduce, NULL, NULL, sw_##name, NULL }
#define SCATTER(name) { #name, #name, call_scatter, NULL, NULL, NULL, sw_##name }
#define SPECIAL(op, dispatched, call) { op, dispatched, call, NULL, NULL, NULL, NULL }

static const struct row rows[] = {
    BINARY(add),
    BINARY(sub),
    BINARY(elementwise_mul),
    BINARY(div),
    BINARY(maximum),
    BINARY(minimum),
    BINARY(eq),
    BINARY(ne),
    BINARY(lt),
    BINARY(le),
    { "gt", "lt", call_binary, NULL, sw_gt, NULL, NULL },
    { "ge", "le", call_binary, NULL, sw_ge, NULL, NULL },
    { "mul", "mul", call_mul, NULL, sw_mul, NULL, NULL },
    { "pow", "pow", call_pow, NULL, sw_pow, NULL, NULL },
    BINARY(rem),
    UNARY(neg),
    UNARY(abs),
    UNARY(exp),
    UNARY(log),
    UNARY(sqrt),
    UNARY(rsqrt),
    UNARY(recip),
    UNARY(relu),
    UNARY(sigmoid),
    UNARY(tanh),
    UNARY(logical_not),
    UNARY(sign),
    UNARY(exp2),
    UNARY(log2),
    UNARY(sin),
    UNARY(cos),
    UNARY(erf),
    UNARY(floor),
    UNARY(ceil),
    UNARY(round),
    UNARY(gelu),
    UNARY(silu),
    UNARY(softplus),
    UNARY(elu),
    UNARY(leaky_relu),
    SPECIAL("select", "select", call_select),
    SPECIAL("clamp", "clamp", call_clamp),
    SPECIAL("reduce_sum", "reduce_sum", call_reduce_sum),
    REDUCTION(reduce_max),
    REDUCTION(argmax),
    REDUCTION(reduce_prod),
    REDUCTION(reduce_min),
    REDUCTION(argmin),
    SPECIAL("dispatch:reduce_sum", "reduce_sum", call_forward),
    SPECIAL("cumsum", "cumsum", call_cumsum),
    SPECIAL("matmul", "matmul", call_matmul),
    SPECIAL("gather", "gather", call_gather),
    SCATTER(scatter),
    SCATTER(scatter_add),
    SPECIAL("sort.values", "_sort_values", call_sort),
    SPECIAL("sort.indices", "_sort_indices", call_sort),
    SPECIAL("topk.values", "_topk_values", call_topk),
    SPECIAL("topk.indices", "_topk_indices", call_topk),
    SPECIAL("einsum", "matmul", call_einsum),
    SPECIAL("conv_general", "conv_general", call_conv_general),
};

static const struct row *find_row(const char *op)
{
    for (size_t i = 0; i < N_ELEMENTS(rows); i++)
        if (strcmp(rows[i].op, op) == 0)
            return &rows[i];
    return NULL;
}

static enum sw_status build_operands(struct call *call)
{
    const json_t *list = json_object_get(call->trial->args, "operands");

    while (call->n_operands < json_array_size(list) && call->n_operands < MAX_OPERANDS) {
        TRY(build_operand(call->trial, json_array_get(list, call->n_operands), &call->operands[call->n_operands]));
        call->n_operands++;
    }
    return SW_OK;
}

/* A case for an operation that is not dispatched yet is skipped, whatever it expects. */
static enum sw_status find_out_whether_dispatched(const struct call *call)
{
    struct sw_operation *probe = NULL;
    size_t position = is_tensor(call, 0) ? 0 : 1;
    enum sw_status status =
        sw_carrier_dispatch(sw_tensor_carrier(operand(call, position)), call->row->dispatched, &probe);

    sw_operation_unref(probe);
    if (status == SW_NOT_IMPLEMENTED_ERROR)
        call->trial->missing = 1;
    return status;
}

/* A computed result lies in storage of its own, on the operands' class. */
static void check_storage(struct call *call, const struct sw_tensor *result)
{
    if (sw_tensor_carrier_class(result) != call->trial->carrier_class)
        trial_fail(call->trial, "the result is on another carrier class than the operands");
    if (sw_tensor_offset(result) != 0)
        trial_fail(call->trial, "expected offset 0, came %lld", (long long)sw_tensor_offset(result));
    for (size_t i = 0; i < call->n_operands; i++)
        if (is_tensor(call, i) && sw_tensor_carrier(operand(call, i)) == sw_tensor_carrier(result))
            trial_fail(call->trial, "the result shares its carrier with operand %zu", i);
}

static enum sw_status compute(struct call *call, json_t **ret_came)
{
    struct sw_tensor *result = NULL;

    TRY(build_operands(call));
    TRY(find_out_whether_dispatched(call));
    TRY(call->row->call(call, &result));
    if (result == NULL)
        return SW_OK;
    check_storage(call, result);
    *ret_came = show_tensor(result);
    return SW_OK;
}

void run_operation(struct trial *trial)
{
    struct call call = { trial, find_row(trial->op), { { 0, 0, { NULL } } }, 0 };
    json_t *came = NULL;
    enum sw_status status;

    if (call.row == NULL) {
        trial_skip(trial, "the public interface has no %s", trial->op);
        return;
    }
    status = compute(&call, &came);
    trial_judge(trial, status, came);
}
