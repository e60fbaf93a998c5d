/*
 * The section boundary: a table says what the calls of its cases are in C.
 */
#include "config.h"

#include <string.h>

#include "calls.h"

static enum sw_status add(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_add(with->tensors[0], with->tensors[1], &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status relu(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_relu(with->tensors[0], &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status neg(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_neg(with->tensors[0], &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status evict_and_promote(struct trial *trial, const struct prepared *with)
{
    struct sw_carrier *carrier = sw_tensor_carrier(with->tensors[0]);

    (void)trial;
    TRY(sw_evictable_evict(carrier));
    return sw_evictable_promote(carrier);
}

static enum sw_status relu_evicted(struct trial *trial, const struct prepared *with)
{
    TRY(sw_evictable_evict(sw_tensor_carrier(with->tensors[0])));
    return relu(trial, with);
}

static enum sw_status move(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *moved = NULL;

    TRY(sw_move(with->tensors[0], sw_tensor_carrier(with->tensors[1]), &moved));
    trial_tensor(trial, moved);
    return SW_OK;
}

static enum sw_status gt(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_gt(with->tensors[0], with->tensors[1], &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status select_one(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_select(with->tensors[0], with->tensors[1], with->tensors[2], &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status matmul(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_matmul(with->tensors[0], with->tensors[1], NULL, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status slice(struct trial *trial, const struct prepared *with)
{
    struct sw_tree *key = NULL;
    struct sw_tensor *result = NULL;

    TRY(sw_tree_parse("((*,*,*),0)", &key));
    key = trial_tree(trial, key);
    TRY(sw_slice(with->tensors[0], key, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status read_and_write(struct trial *trial, const struct prepared *with)
{
    struct sw_tree *coordinate = NULL;
    struct sw_scalar value;

    TRY(sw_tree_parse("(0,0)", &coordinate));
    coordinate = trial_tree(trial, coordinate);
    TRY(sw_tensor_get(with->tensors[0], coordinate, &value));
    value.as.floating = 1.0;
    return sw_tensor_set(with->tensors[0], coordinate, &value);
}

static enum sw_status sum_rows(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_reduce_sum(with->tensors[0], "a b -> a", NULL, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status sum_of_nothing(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_reduce_sum(with->tensors[0], "a -> a", NULL, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status sum_in_float64(struct trial *trial, const struct prepared *with)
{
    struct sw_execution_options options = SW_EXECUTION_OPTIONS_INIT("reduce_sum");
    struct sw_tensor *result = NULL;

    options.accumulator = SW_FLOAT64;
    TRY(sw_reduce_sum(with->tensors[0], "a b -> a", &options, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status broadcast_in_dim(struct trial *trial, const struct prepared *with)
{
    static const int64_t dims[] = { 1, 2 };
    struct sw_tree *shape = NULL;
    struct sw_tensor *result = NULL;

    TRY(sw_tree_parse("(4,2,3)", &shape));
    shape = trial_tree(trial, shape);
    TRY(sw_broadcast_in_dim(with->tensors[0], shape, dims, N_ELEMENTS(dims), &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status reshape_to_5(struct trial *trial, const struct prepared *with)
{
    struct sw_tree *shape = NULL;
    struct sw_tensor *result = NULL;

    TRY(sw_tree_parse("(5)", &shape));
    shape = trial_tree(trial, shape);
    TRY(sw_reshape(with->tensors[0], shape, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status gather_index_9(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;
    const int32_t nine = 9;

    TRY(sw_tensor_write_i32(with->tensors[1], &nine, 1));
    TRY(sw_gather(with->tensors[0], with->tensors[1], 0, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status compute_identity(struct sw_operation *operation, const struct sw_operand *operands,
                                       size_t n_operands, const struct sw_execution_options *options,
                                       struct sw_tensor **ret_tensor)
{
    (void)operation;
    (void)n_operands;
    (void)options;
    *ret_tensor = sw_tensor_ref(operands[0].as.tensor);
    return SW_OK;
}

static enum sw_status einsum_matmul(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_einsum(with->tensors[0], with->tensors[1], "a b, c b -> a c", &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status einsum_with_batch(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_einsum(with->tensors[0], with->tensors[1], "a b, a b -> a", &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status sort(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *values = NULL;
    struct sw_tensor *indices = NULL;

    TRY(sw_sort(with->tensors[0], -1, SW_SORT_ASCENDING, &values, &indices));
    trial_tensor(trial, values);
    trial_tensor(trial, indices);
    return SW_OK;
}

static enum sw_status conv_with_output_dims(struct trial *trial, const struct prepared *with)
{
    static const int64_t output_dims[] = { 1, 0, 2 };
    struct sw_conv_options options = SW_CONV_OPTIONS_INIT;
    struct sw_tensor *result = NULL;

    options.output_dims = output_dims;
    TRY(sw_conv_general(with->tensors[0], with->tensors[1], &options, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

static enum sw_status cumsum_axis_7(struct trial *trial, const struct prepared *with)
{
    struct sw_tensor *result = NULL;

    TRY(sw_cumsum(with->tensors[0], 7, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

/* Made from its class, not dispatched: it has no name and no carrier class. */
static enum sw_status forward_undispatched(struct trial *trial, const struct prepared *with)
{
    static struct sw_operation_class identity = { .head = SW_OPERATION_CLASS_HEAD("conformance", "Identity"),
                                                  .compute = compute_identity };
    struct sw_operand in = sw_operand_tensor(with->tensors[0]);
    struct sw_operation *operation = NULL;
    struct sw_tensor *result = NULL;

    TRY(sw_operation_new(&identity, &operation));
    operation = trial_operation(trial, operation);
    TRY(sw_operation_forward(operation, &in, 1, NULL, &result));
    trial_tensor(trial, result);
    return SW_OK;
}

/* Calls by how their words begin. */
static const struct traced calls[] = {
    { "add(Generic (2,3), Generic (2,1))", add, { "Generic Float32 (2,3)", "Generic Float32 (2,1)", NULL } },
    { "add(CPU (1,3), CPU (2,1))", add, { "CPU Float32 (1,3)", "CPU Float32 (2,1)", NULL } },
    { "add(Generic, CPU)", add, { "Generic Float32 (2,3)", "CPU Float32 (2,3)", NULL } },
    { "add((2,3),(1))", add, { "Generic Float32 (2,3)", "Generic Float32 (1)", NULL } },
    { "add(Bool (2), Float32 (3))", add, { "Generic Bool (2)", "Generic Float32 (3)", NULL } },
    { "add(Evictable(Generic), Evictable(CPU))", add,
      { "Evictable Float32 (2,3)", "Evictable(CPU) Float32 (2,3)", NULL } },
    { "add(Evictable (2,3), Evictable (1))", add, { "Evictable Float32 (2,3)", "Evictable Float32 (1)", NULL } },
    { "relu(Evictable)", relu, { "Evictable Float32 (2,3)", NULL, NULL } },
    { "relu(evicted)", relu_evicted, { "Evictable Float32 (2,3)", NULL, NULL } },
    { "neg(Evictable Int32)", neg, { "Evictable Int32 (1)", NULL, NULL } },
    { "evict, promote", evict_and_promote, { "Evictable Float32 (2,3)", NULL, NULL } },
    { "move", move, { "Generic Float32 (2,3)", "CPU Float32 (2,3)", NULL } },
    { "gt", gt, { "Generic Float32 (2,3)", "Generic Float32 (2,3)", NULL } },
    { "CPU (2,3)[:,0]", slice, { "CPU Float32 (2,3)", NULL, NULL } },
    { "Evictable (2,3)[:,0]", slice, { "Evictable Float32 (2,3)", NULL, NULL } },
    { "x[0,0]; x[0,0]=1", read_and_write, { "Generic Float32 (2,3)", NULL, NULL } },
    { "select((2,1),(1,3),(1,1)) Generic", select_one,
      { "Generic Bool (2,1)", "Generic Float32 (1,3)", "Generic Float32 (1,1)" } },
    { "select(Bool (1,1), (3,1), (1,2)) on Generic", select_one,
      { "Generic Bool (1,1)", "Generic Float32 (3,1)", "Generic Float32 (1,2)" } },
    { "the same on CPU", select_one, { "CPU Bool (1,1)", "CPU Float32 (3,1)", "CPU Float32 (1,2)" } },
    { "reduce_sum(\"a b -> a\")", sum_rows, { "Generic Float32 (2,3)", NULL, NULL } },
    { "reduce_sum(\"a -> a\")", sum_of_nothing, { "Generic Float32 (2)", NULL, NULL } },
    { "reduce_sum Int32 with Float64 accumulator", sum_in_float64, { "Generic Int32 (1,2)", NULL, NULL } },
    { "einsum(\"a b, c b -> a c\")", einsum_matmul, { "Generic Float32 (2,3)", "Generic Float32 (2,3)", NULL } },
    { "einsum(\"a b, a b -> a\")", einsum_with_batch, { "Generic Float32 (2,3)", "Generic Float32 (2,3)", NULL } },
    { "sort", sort, { "Generic Float32 (2,3)", NULL, NULL } },
    { "conv_general", conv_with_output_dims, { "Generic Float32 (1,1,5)", "Generic Float32 (1,1,3)", NULL } },
    { "cumsum axis 7", cumsum_axis_7, { "Generic Float32 (2,3)", NULL, NULL } },
    { "(2,3) -> (4,2,3)", broadcast_in_dim, { "Generic Float32 (2,3)", NULL, NULL } },
    { "matmul k mismatch", matmul, { "Generic Float32 (2,3)", "Generic Float32 (2,2)", NULL } },
    { "gather index 9", gather_index_9, { "Generic Float32 (2,3)", "Generic Int32 (1)", NULL } },
    { "reshape to 5", reshape_to_5, { "Generic Float32 (2,3)", NULL, NULL } },
    { "GenericReLU built directly", forward_undispatched, { "Generic Float32 (2,3)", NULL, NULL } },
};

const struct traced *find_call(const char *words)
{
    for (size_t i = 0; words != NULL && i < N_ELEMENTS(calls); i++)
        if (strncmp(calls[i].words, words, strlen(calls[i].words)) == 0)
            return &calls[i];
    return NULL;
}
