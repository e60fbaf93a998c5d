/*
 * The section dtype_policy: which dtype an operation gives for operands of
 * which dtypes, found out with real tensors of one element. Everything is
 * dispatched by name, so that scalars of every kind can stand everywhere.
 */
#include "config.h"

#include <string.h>

#include "conformance.h"

#define MAX_OPERANDS 8

enum scalar { TENSOR = 0, INTEGER, FLOATING, BOOLEAN, STRING };

static const struct {
    const char *name;
    enum scalar kind;
    int64_t integer;
} scalars[] = {
    { "integer scalar", INTEGER, 2 },
    { "negative integer scalar", INTEGER, -1 },
    { "float scalar", FLOATING, 0 },
    { "boolean scalar", BOOLEAN, 0 },
    { "string", STRING, 0 },
};

/* Operands that are no tensors and that the case leaves out. */
static const struct {
    const char *op;
    size_t n_zeros; /* integers 0 */
    size_t n_false; /* then booleans */
} rests[] = {
    { "cumsum", 1, 0 }, { "gather", 1, 0 }, { "_sort_values", 1, 1 },
};

static enum sw_status build_named(struct trial *trial, const char *name, struct sw_operand *ret_operand)
{
    struct sw_tree *shape;
    json_t *extents = trial_json(trial, json_pack("[i,i]", 1, 1));
    struct sw_tensor *tensor = NULL;

    for (size_t i = 0; i < N_ELEMENTS(scalars); i++) {
        if (strcmp(scalars[i].name, name) != 0)
            continue;
        if (scalars[i].kind == INTEGER)
            *ret_operand = sw_operand_integer(scalars[i].integer);
        else if (scalars[i].kind == FLOATING)
            *ret_operand = sw_operand_floating(2.5);
        else if (scalars[i].kind == BOOLEAN)
            *ret_operand = sw_operand_boolean(1);
        else
            *ret_operand = sw_operand_string("two");
        return SW_OK;
    }
    TRY(build_tree(trial, extents, &shape));
    TRY(sw_tensor_zeros(trial->carrier_class, build_dtype(name), shape, &tensor));
    *ret_operand = sw_operand_tensor(trial_tensor(trial, tensor));
    return SW_OK;
}

static size_t append_rest(const char *op, struct sw_operand *operands, size_t n)
{
    for (size_t i = 0; i < N_ELEMENTS(rests); i++) {
        if (strcmp(rests[i].op, op) != 0)
            continue;
        for (size_t k = 0; k < rests[i].n_zeros; k++)
            operands[n++] = sw_operand_integer(0);
        for (size_t k = 0; k < rests[i].n_false; k++)
            operands[n++] = sw_operand_boolean(0);
    }
    return n;
}

static enum sw_status resolve(struct trial *trial, json_t **ret_came)
{
    const json_t *names = json_object_get(trial->args, "operand_dtypes");
    struct sw_operand operands[MAX_OPERANDS];
    struct sw_execution_options options;
    struct sw_tensor *result = NULL;
    size_t n = 0;

    while (n < json_array_size(names) && n + 2 < MAX_OPERANDS) {
        TRY(build_named(trial, json_string_value(json_array_get(names, n)), &operands[n]));
        n++;
    }
    n = append_rest(trial->op, operands, n);
    TRY(forward(trial, trial->op, operands, n, forward_options(trial, trial->op, &options), &result));
    *ret_came = show_field("output", json_string(sw_dtype_name(sw_tensor_dtype(result))));
    return SW_OK;
}

void run_dtype_policy(struct trial *trial)
{
    json_t *came = NULL;
    enum sw_status status = resolve(trial, &came);

    trial_judge(trial, status, came);
}
