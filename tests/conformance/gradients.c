/*
 * The section grad: an operation on operands that take part in differentiation,
 * and what a backward pass leaves at them. No boundary is crossed on the way back.
 */
#include "config.h"

#include <string.h>

#include "conformance.h"

#define MAX_OPERANDS 3
#define MAX_MODES 8

/** Operands of a case. */
struct graded {
    struct trial *trial;
    struct sw_operand operands[MAX_OPERANDS];
    size_t n;
};

typedef enum sw_status call_fn(const struct graded *with, struct sw_tensor **ret_tensor);

static const struct sw_tensor *in(const struct graded *with, size_t position)
{
    return with->operands[position].as.tensor;
}

static const json_t *argument(const struct graded *with, const char *key)
{
    return json_object_get(with->trial->args, key);
}

static int64_t integer(const struct graded *with, const char *key)
{
    return json_integer_value(argument(with, key));
}

static enum sw_status tree(const struct graded *with, const char *key, struct sw_tree **ret_tree)
{
    return build_tree(with->trial, argument(with, key), ret_tree);
}

/* ---- Operations whose arguments are no operands ----------------------------------------- */

static enum sw_status reduce_sum(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_reduce_sum(in(with, 0), json_string_value(argument(with, "command")), NULL, ret_tensor);
}

static enum sw_status reduce_prod(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_reduce_prod(in(with, 0), json_string_value(argument(with, "command")), ret_tensor);
}

static enum sw_status reduce_max(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_reduce_max(in(with, 0), json_string_value(argument(with, "command")), ret_tensor);
}

static enum sw_status reduce_min(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_reduce_min(in(with, 0), json_string_value(argument(with, "command")), ret_tensor);
}

static enum sw_status cumsum(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_cumsum(in(with, 0), integer(with, "dimension"), ret_tensor);
}

static enum sw_status gather(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_gather(in(with, 0), in(with, 1), integer(with, "axis"), ret_tensor);
}

static enum sw_status scatter(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_scatter(in(with, 0), in(with, 1), in(with, 2), integer(with, "axis"), ret_tensor);
}

static enum sw_status scatter_add(const struct graded *with, struct sw_tensor **ret_tensor)
{
    return sw_scatter_add(in(with, 0), in(with, 1), in(with, 2), integer(with, "axis"), ret_tensor);
}

static enum sw_status sort(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *indices = NULL;

    TRY(sw_sort(in(with, 0), -1, SW_SORT_ASCENDING, ret_tensor, &indices));
    trial_tensor(with->trial, indices);
    return SW_OK;
}

static enum sw_status topk(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *indices = NULL;

    TRY(sw_topk(in(with, 0), integer(with, "k"), -1, SW_SORT_DESCENDING, ret_tensor, &indices));
    trial_tensor(with->trial, indices);
    return SW_OK;
}

static enum sw_status conv_general(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
    int64_t strides[MAX_MODES];
    int64_t padding[MAX_MODES][2] = { { 0, 0 } };

    options.n_spatial = (uint32_t)build_integers(argument(with, "strides"), strides, MAX_MODES);
    options.strides = strides;
    for (size_t i = 0; i < options.n_spatial; i++)
        build_integers(json_array_get(argument(with, "padding"), i), padding[i], 2);
    options.padding = (const int64_t(*)[2])padding;
    return sw_conv_general(in(with, 0), in(with, 1), &options, ret_tensor);
}

static enum sw_status permute(const struct graded *with, struct sw_tensor **ret_tensor)
{
    int64_t order[MAX_MODES];
    const size_t n = build_integers(argument(with, "order"), order, MAX_MODES);

    return sw_permute(in(with, 0), order, n, ret_tensor);
}

static enum sw_status reshape(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tree *target;

    TRY(tree(with, "target", &target));
    return sw_reshape(in(with, 0), target, ret_tensor);
}

static enum sw_status broadcast_to(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tree *target;

    TRY(tree(with, "target", &target));
    return sw_broadcast_to(in(with, 0), target, ret_tensor);
}

static enum sw_status as_strided(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tree *shape;
    struct sw_tree *stride;

    TRY(tree(with, "shape", &shape));
    TRY(tree(with, "stride", &stride));
    return sw_as_strided(in(with, 0), shape, stride, ret_tensor);
}

static enum sw_status slice(const struct graded *with, struct sw_tensor **ret_tensor)
{
    json_t *full = trial_json(with->trial, build_full_key(argument(with, "key")));
    struct sw_tree *key;

    TRY(build_tree(with->trial, full, &key));
    return sw_slice(in(with, 0), key, ret_tensor);
}

static const struct {
    const char *op;
    call_fn *call;
} calls[] = {
    { "reduce_sum", reduce_sum },   { "reduce_prod", reduce_prod },   { "reduce_max", reduce_max },
    { "reduce_min", reduce_min },   { "cumsum", cumsum },             { "gather", gather },
    { "scatter", scatter },         { "scatter_add", scatter_add },   { "sort", sort },
    { "topk", topk },               { "conv_general", conv_general }, { "permute", permute },
    { "reshape", reshape },         { "broadcast_to", broadcast_to }, { "as_strided", as_strided },
    { "slice", slice },
};

/* The others are dispatched with their operands. */
static enum sw_status call(const struct graded *with, struct sw_tensor **ret_tensor)
{
    struct sw_tensor *result = NULL;

    for (size_t i = 0; i < N_ELEMENTS(calls); i++) {
        if (strcmp(calls[i].op, with->trial->op) != 0)
            continue;
        TRY(calls[i].call(with, &result));
        *ret_tensor = trial_tensor(with->trial, result);
        return SW_OK;
    }
    return forward(with->trial, with->trial->op, with->operands, with->n, NULL, ret_tensor);
}

/* ---- The case -------------------------------------------------------------------------------- */

static enum sw_status build_operands(struct graded *with)
{
    const json_t *list = argument(with, "operands");

    for (; with->n < json_array_size(list) && with->n < MAX_OPERANDS; with->n++) {
        struct sw_operand *operand = &with->operands[with->n];

        TRY(build_operand(with->trial, json_array_get(list, with->n), operand));
        if (operand->kind == SW_OPERAND_TENSOR && sw_tensor_is_differentiable(operand->as.tensor))
            TRY(sw_tensor_set_requires_grad((struct sw_tensor *)(uintptr_t)operand->as.tensor, 1));
    }
    return SW_OK;
}

/* In the layout that the case names, else in the result's. */
static enum sw_status build_cotangent(const struct graded *with, const struct sw_tensor *result,
                                      struct sw_tensor **ret_cotangent)
{
    const json_t *named = json_object_get(with->trial->record, "cotangent_layout");
    const json_t *values = argument(with, "cotangent");
    const struct sw_layout *layout = sw_tensor_layout(result);
    struct sw_layout *other = NULL;
    struct sw_carrier *carrier = NULL;
    struct sw_tensor *cotangent = NULL;
    struct sw_scalar value;

    if (named != NULL) {
        TRY(build_layout(with->trial, named, &other));
        layout = other;
    }
    TRY(sw_carrier_allocate_like(sw_tensor_carrier(result), sw_layout_cosize(layout), 1, SW_FLOAT32, 0, &carrier));
    carrier = trial_carrier(with->trial, carrier);
    TRY(sw_tensor_new(carrier, 0, layout, &cotangent));
    *ret_cotangent = cotangent = trial_tensor(with->trial, cotangent);
    for (size_t i = 0; i < json_array_size(values); i++) {
        value = build_scalar(SW_FLOAT32, json_array_get(values, i));
        TRY(sw_tensor_set_ordinal(cotangent, (int64_t)i, &value));
    }
    return SW_OK;
}

static void collect(const struct graded *with, json_t *grads)
{
    for (size_t i = 0; i < with->n; i++) {
        struct sw_tensor *gradient;

        if (with->operands[i].kind != SW_OPERAND_TENSOR || !sw_tensor_is_differentiable(in(with, i)))
            continue;
        gradient = sw_tensor_grad(in(with, i));
        json_array_append_new(grads, gradient != NULL ? show_tensor(gradient) : json_null());
        if (gradient != NULL && sw_tensor_carrier_class(gradient) != with->trial->carrier_class)
            trial_fail(with->trial, "a gradient is on another carrier class than its operand");
        sw_tensor_unref(gradient);
    }
}

static enum sw_status differentiate(struct graded *with, json_t **ret_came)
{
    struct sw_tensor *result = NULL;
    struct sw_tensor *cotangent = NULL;
    uint64_t n_boundaries;
    enum sw_status status;

    TRY(build_operands(with));
    TRY(call(with, &result));
    TRY(build_cotangent(with, result, &cotangent));
    n_boundaries = sw_boundary_count();
    status = sw_tensor_backward(result, cotangent, SW_GRAPH_FREE);
    if (sw_boundary_count() != n_boundaries)
        trial_fail(with->trial, "the backward pass crossed boundaries");
    TRY(status);
    *ret_came = show_field("grads", json_array());
    collect(with, json_object_get(*ret_came, "grads"));
    return SW_OK;
}

void run_gradient(struct trial *trial)
{
    struct graded with = { trial, { { 0, 0, { NULL } } }, 0 };
    json_t *came = NULL;
    enum sw_status status = differentiate(&with, &came);

    trial_judge(trial, status, came);
}
