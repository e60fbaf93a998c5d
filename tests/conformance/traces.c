/*
 * The section boundary: which boundaries a public call crosses. The calls are
 * given in words; a table says what they are in C.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

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
