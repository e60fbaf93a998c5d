/*
 * The section dtype_policy: which dtype an operation gives for operands of
 * which dtypes, found out with real tensors of one element. Everything is
 * dispatched by name, so that scalars of every kind can stand everywhere.
 */
#include "config.h"

#include <string.h>

#include "conformance.h"

#define MAX_OPERANDS 9
#define MAX_REST 5

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

/* What the case leaves out: modes of extent 1 of each tensor, and operands that are no tensors. */
static const struct shape_of_call {
    const char *op; /* NULL: every other one */
    size_t rank;
    const char *rest; /* digits are integers, "f" is false, "1s" a list of ones, "0s" a list of a pair of zeros */
} calls[] = {
    { "cumsum", 2, "0" },
    { "gather", 2, "0" },
    { "scatter", 1, "0" },
    { "scatter_add", 1, "0" },
    { "_sort_values", 2, "0 f" },
    { "_sort_indices", 2, "0 f" },
    { "_topk_values", 2, "1 0 f" },
    { "_topk_indices", 2, "1 0 f" },
    { "conv_general", 3, "1s 0s 1s 1s 1" },
    { NULL, 2, "" },
};

static const struct shape_of_call *find_call(const char *op)
{
    const struct shape_of_call *call = calls;

    while (call->op != NULL && strcmp(call->op, op) != 0)
        call++;
    return call;
}

static enum sw_status build_named(struct trial *trial, const char *name, size_t rank, struct sw_operand *ret_operand)
{
    static const int64_t ones[] = { 1, 1, 1 };
    struct sw_tree *shape;
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
    TRY(sw_tree_flat(ones, rank, &shape));
    TRY(sw_tensor_zeros(trial->carrier_class, build_dtype(name), trial_tree(trial, shape), &tensor));
    *ret_operand = sw_operand_tensor(trial_tensor(trial, tensor));
    return SW_OK;
}

static enum sw_status append_rest(struct trial *trial, const char *rest, struct sw_operand *operands, size_t *n)
{
    for (; *rest != '\0'; rest++) {
        const int is_list = rest[0] != ' ' && rest[1] == 's';
        struct sw_tree *list = NULL;

        if (is_list) {
            TRY(sw_tree_parse(rest[0] == '1' ? "(1)" : "((0,0))", &list));
            operands[(*n)++] = sw_operand_tree(trial_tree(trial, list));
            rest++;
        } else if (rest[0] != ' ') {
            operands[(*n)++] = rest[0] == 'f' ? sw_operand_boolean(0) : sw_operand_integer(rest[0] - '0');
        }
    }
    return SW_OK;
}

static enum sw_status resolve(struct trial *trial, json_t **ret_came)
{
    const json_t *names = json_object_get(trial->args, "operand_dtypes");
    const struct shape_of_call *call = find_call(trial->op);
    struct sw_operand operands[MAX_OPERANDS];
    struct sw_execution_options options;
    struct sw_tensor *result = NULL;
    size_t n = 0;

    while (n < json_array_size(names) && n + MAX_REST < MAX_OPERANDS) {
        TRY(build_named(trial, json_string_value(json_array_get(names, n)), call->rank, &operands[n]));
        n++;
    }
    TRY(append_rest(trial, call->rest, operands, &n));
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
