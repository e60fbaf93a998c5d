/*
 * The section boundary: which boundaries a public call crosses. The calls are
 * given in words; a table says what they are in C.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

/** Prepared operands of a call; what prepares them is not part of the trace. */
struct prepared {
    struct sw_tensor *tensors[3];
    size_t n;
};

typedef enum sw_status traced_fn(struct trial *trial, const struct prepared *with);

/* The same elements on an Evictable whose primary tier is the tensor's carrier. */
static enum sw_status prepare_evictable(struct trial *trial, struct sw_tensor **tensor)
{
    struct sw_carrier *primary = sw_tensor_carrier(*tensor);
    struct sw_carrier *secondary = NULL;
    struct sw_carrier *carrier = NULL;
    struct sw_tensor *evictable = NULL;

    TRY(sw_carrier_allocate_like(primary, 0, 1, sw_tensor_dtype(*tensor), 0, &secondary));
    trial_carrier(trial, secondary);
    TRY(sw_evictable_new(primary, secondary, &carrier));
    trial_carrier(trial, carrier);
    TRY(sw_tensor_new(carrier, 0, sw_tensor_layout(*tensor), &evictable));
    *tensor = trial_tensor(trial, evictable);
    return SW_OK;
}

/* Where an operand can be: the class that its values are on, and whether below an Evictable. */
static const struct {
    const char *words;
    struct sw_carrier_class *(*carrier_class)(void);
    int below_evictable;
} places[] = {
    { "Generic", sw_generic_class, 0 },
    { "CPU", sw_cpu_class, 0 },
    { "Evictable", sw_generic_class, 1 },
    { "Evictable(CPU)", sw_cpu_class, 1 },
};

static enum sw_status prepare_at(struct trial *trial, const char *place, enum sw_dtype dtype,
                                 const struct sw_tree *shape, struct sw_tensor **ret_tensor)
{
    for (size_t i = 0; i < N_ELEMENTS(places); i++) {
        if (strcmp(places[i].words, place) != 0)
            continue;
        TRY(sw_tensor_zeros(places[i].carrier_class(), dtype, shape, ret_tensor));
        trial_tensor(trial, *ret_tensor);
        return places[i].below_evictable ? prepare_evictable(trial, ret_tensor) : SW_OK;
    }
    return sw_error_set(SW_VALUE_ERROR, "The place \"%s\" is not known.", place);
}

/* "CPU Float32 (2,3)": a tensor of zeros. */
static enum sw_status prepare(struct trial *trial, const char *words, struct prepared *with)
{
    char place[16] = "";
    char dtype[16] = "";
    char shape_text[32] = "";
    struct sw_tree *shape = NULL;
    struct sw_tensor *tensor = NULL;

    if (sscanf(words, "%15s %15s %31s", place, dtype, shape_text) != 3)
        return sw_error_set(SW_VALUE_ERROR, "The operand \"%s\" cannot be read.", words);
    TRY(sw_tree_parse(shape_text, &shape));
    shape = trial_tree(trial, shape);
    TRY(prepare_at(trial, place, build_dtype(dtype), shape, &tensor));
    with->tensors[with->n++] = tensor;
    return SW_OK;
}

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
static const struct traced {
    const char *words;
    traced_fn *call;
    const char *operands[3];
} calls[] = {
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
    { "(2,3) -> (4,2,3)", broadcast_in_dim, { "Generic Float32 (2,3)", NULL, NULL } },
    { "matmul k mismatch", matmul, { "Generic Float32 (2,3)", "Generic Float32 (2,2)", NULL } },
    { "gather index 9", gather_index_9, { "Generic Float32 (2,3)", "Generic Int32 (1)", NULL } },
    { "reshape to 5", reshape_to_5, { "Generic Float32 (2,3)", NULL, NULL } },
    { "GenericReLU built directly", forward_undispatched, { "Generic Float32 (2,3)", NULL, NULL } },
};

static const struct traced *find_call(const char *words)
{
    for (size_t i = 0; words != NULL && i < N_ELEMENTS(calls); i++)
        if (strncmp(calls[i].words, words, strlen(calls[i].words)) == 0)
            return &calls[i];
    return NULL;
}

static int same_boundary(const json_t *a, const json_t *b)
{
    return json_equal(json_object_get(a, "parent"), json_object_get(b, "parent")) &&
           json_equal(json_object_get(a, "name"), json_object_get(b, "name")) &&
           json_equal(json_object_get(a, "shapes"), json_object_get(b, "shapes"));
}

/*
 * A case recommends in words that no operand be widened twice: then every
 * boundary that repeats an earlier one is taken from the expected trace.
 */
static json_t *expected_events(struct trial *trial)
{
    json_t *list = trial_json(trial, json_copy(json_object_get(trial->record, "events")));
    int repeated;

    if (!json_is_string(json_object_get(json_object_get(trial->record, "recommended"), "events")))
        return list;
    for (size_t i = json_array_size(list); i-- > 0;) {
        repeated = 0;
        for (size_t k = 0; k < i; k++)
            repeated |= same_boundary(json_array_get(list, i), json_array_get(list, k));
        if (repeated)
            json_array_remove(list, i);
    }
    return list;
}

static void judge_events(struct trial *trial, const json_t *came, uint64_t n_counted)
{
    const json_t *expected = expected_events(trial);

    if (!json_agrees(expected, came, NULL))
        trial_differ(trial, "events ", expected, came);
    if (n_counted != json_array_size(came))
        trial_fail(trial, "sw_boundary_count() grew by %llu for %zu events", (unsigned long long)n_counted,
                   json_array_size(came));
}

static void judge_status(struct trial *trial, enum sw_status status)
{
    const char *error = json_string_value(json_object_get(trial->expected, "error"));
    const char *expected = error != NULL ? error : sw_status_name(SW_OK);

    if (strcmp(expected, sw_status_name(status)) != 0)
        trial_fail(trial, "expected %s, came %s: %s", expected, sw_status_name(status),
                   status != SW_OK ? sw_error_message() : "");
}

/* One line per event; numbers go on from call to call, as they do in a report about the whole process. */
static void print_events(const json_t *events)
{
    static json_int_t n_printed = 0;
    const json_t *event;
    const json_t *parent;
    char *line;

    for (size_t i = 0; i < json_array_size(events); i++) {
        event = json_array_get(events, i);
        parent = json_object_get(event, "parent");
        line = json_dumps(json_object_get(event, "shapes"), JSON_COMPACT);
        printf("EVENT %lld ", (long long)(n_printed + (json_int_t)i));
        if (json_is_integer(parent))
            printf("%lld", (long long)(n_printed + json_integer_value(parent)));
        printf(" %s %s %s %s\n", json_is_true(json_object_get(event, "ok")) ? "ok" : "failed",
               json_string_value(json_object_get(event, "name")), json_string_value(json_object_get(event, "carrier")),
               line != NULL ? line : "?");
        free(line);
    }
    n_printed += (json_int_t)json_array_size(events);
}

static int prepare_all(struct trial *trial, const struct traced *traced, struct prepared *with)
{
    for (size_t i = 0; i < N_ELEMENTS(traced->operands) && traced->operands[i] != NULL; i++)
        if (prepare(trial, traced->operands[i], with) != SW_OK) {
            trial_fail(trial, "operand %zu could not be made: %s", i, sw_error_message());
            return 0;
        }
    return 1;
}

void run_trace(struct trial *trial)
{
    const struct traced *traced = find_call(json_string_value(json_object_get(trial->args, "call")));
    struct prepared with = { { NULL, NULL, NULL }, 0 };
    struct sw_profiler *profiler = NULL;
    json_t *events = NULL;
    uint64_t n_crossed = 0;
    enum sw_status status;

    if (traced == NULL) {
        trial_skip(trial, "the driver has no call for these words");
        return;
    }
    if (!prepare_all(trial, traced, &with))
        return;
    status = recording_begin(trial, &profiler);
    if (status == SW_OK) {
        n_crossed = sw_boundary_count();
        status = traced->call(trial, &with);
        n_crossed = sw_boundary_count() - n_crossed;
        judge_status(trial, status);
        status = recording_end(trial, profiler, &events);
    }
    if (trial->verdict == SKIPPED)
        return;
    if (status != SW_OK) {
        trial_fail(trial, "the Profiler failed: %s", sw_error_message());
        return;
    }
    judge_events(trial, events, n_crossed);
    if (trial->shows_events)
        print_events(events);
}
