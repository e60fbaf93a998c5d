/*
 * Life and verdict of one trial: what it holds, what was expected of it, and
 * the sentence for a trial that failed or was skipped.
 */
#include "config.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance.h"

static void drop_tensor(void *object)
{
    sw_tensor_unref(object);
}
static void drop_carrier(void *object)
{
    sw_carrier_unref(object);
}
static void drop_layout(void *object)
{
    sw_layout_unref(object);
}
static void drop_index_map(void *object)
{
    sw_index_map_unref(object);
}
static void drop_tree(void *object)
{
    sw_tree_unref(object);
}
static void drop_operation(void *object)
{
    sw_operation_unref(object);
}
static void drop_profiler(void *object)
{
    sw_profiler_free(object);
}
static void drop_json(void *object)
{
    json_decref(object);
}

static void *pooled(struct trial *trial, void *object, void (*drop)(void *))
{
    struct pooled *pool;

    if (object == NULL)
        return NULL;
    pool = realloc(trial->pool, (trial->n_pooled + 1) * sizeof(*pool));
    if (pool == NULL) {
        drop(object);
        return NULL;
    }
    trial->pool = pool;
    pool[trial->n_pooled].object = object;
    pool[trial->n_pooled].drop = drop;
    trial->n_pooled++;
    return object;
}

struct sw_tensor *trial_tensor(struct trial *trial, struct sw_tensor *tensor)
{
    return pooled(trial, tensor, drop_tensor);
}

struct sw_carrier *trial_carrier(struct trial *trial, struct sw_carrier *carrier)
{
    return pooled(trial, carrier, drop_carrier);
}

struct sw_layout *trial_layout(struct trial *trial, struct sw_layout *layout)
{
    return pooled(trial, layout, drop_layout);
}

struct sw_index_map *trial_index_map(struct trial *trial, struct sw_index_map *map)
{
    return pooled(trial, map, drop_index_map);
}

struct sw_tree *trial_tree(struct trial *trial, struct sw_tree *tree)
{
    return pooled(trial, tree, drop_tree);
}

struct sw_operation *trial_operation(struct trial *trial, struct sw_operation *operation)
{
    return pooled(trial, operation, drop_operation);
}

struct sw_profiler *trial_profiler(struct trial *trial, struct sw_profiler *profiler)
{
    return pooled(trial, profiler, drop_profiler);
}

json_t *trial_json(struct trial *trial, json_t *json)
{
    return pooled(trial, json, drop_json);
}

/*
 * "recommended" wins over "expect" field by field; where only one of them is an
 * error the other fields of "expect" say nothing any more.
 */
static json_t *merged_expectation(const json_t *record)
{
    const json_t *recommended = json_object_get(record, "recommended");
    json_t *merged = json_copy(json_object_get(record, "expect"));

    if (merged == NULL)
        merged = json_object();
    if (json_is_object(recommended)) {
        if ((json_object_get(recommended, "error") != NULL) != (json_object_get(merged, "error") != NULL))
            json_object_clear(merged);
        json_object_update(merged, (json_t *)(uintptr_t)recommended);
    }
    return merged;
}

void trial_begin(struct trial *trial, const json_t *record, const char *carrier_name)
{
    memset(trial, 0, sizeof(*trial));
    trial->record = record;
    trial->id = json_string_value(json_object_get(record, "id"));
    trial->op = json_string_value(json_object_get(record, "op"));
    trial->args = json_object_get(record, "args");
    trial->options = json_object_get(trial->args, "options");
    trial->compare = json_object_get(record, "compare");
    trial->expected = trial_json(trial, merged_expectation(record));
    trial->carrier_name = carrier_name;
    trial->carrier_class = build_carrier_class(carrier_name != NULL ? carrier_name : "Generic");
}

void trial_end(struct trial *trial)
{
    while (trial->n_pooled > 0) {
        trial->n_pooled--;
        trial->pool[trial->n_pooled].drop(trial->pool[trial->n_pooled].object);
    }
    free(trial->pool);
    free(trial->text);
}

SW_PRINTF(3, 0)
static void decide(struct trial *trial, enum verdict verdict, const char *format, va_list arguments)
{
    va_list again;
    int length;

    if (trial->verdict == FAILED)
        return;
    trial->verdict = verdict;
    va_copy(again, arguments);
    length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    free(trial->text);
    trial->text = length >= 0 ? malloc((size_t)length + 1) : NULL;
    if (trial->text != NULL)
        vsnprintf(trial->text, (size_t)length + 1, format, arguments);
}

void trial_skip(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    decide(trial, SKIPPED, format, arguments);
    va_end(arguments);
}

void trial_fail(struct trial *trial, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    decide(trial, FAILED, format, arguments);
    va_end(arguments);
}

void trial_differ(struct trial *trial, const char *what, const json_t *expected, const json_t *came)
{
    char *expected_text = json_dumps(expected, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    char *came_text = json_dumps(came, JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));

    trial_fail(trial, "%sexpected %s, came %s", what, expected_text != NULL ? expected_text : "?",
               came_text != NULL ? came_text : "?");
    free(expected_text);
    free(came_text);
}

void trial_judge(struct trial *trial, enum sw_status status, json_t *came)
{
    if (trial->verdict != PASSED || trial->missing) {
        if (trial->missing)
            trial_skip(trial, "the library does not dispatch %s yet", trial->op);
        json_decref(came);
        return;
    }
    if (status != SW_OK) {
        json_decref(came);
        came = json_pack("{s:s,s:s}", "error", sw_status_name(status), "message", sw_error_message());
    }
    if (!json_agrees(trial->expected, came, trial->compare))
        trial_differ(trial, "", trial->expected, came);
    json_decref(came);
}

void trial_run(struct trial *trial, const struct action *actions, size_t n_actions)
{
    json_t *came = NULL;
    enum sw_status status;

    for (size_t i = 0; i < n_actions; i++) {
        if (strcmp(actions[i].op, trial->op) != 0)
            continue;
        status = actions[i].run(trial, &came);
        trial_judge(trial, status, came);
        return;
    }
    trial_skip(trial, "the driver has no action for %s", trial->op);
}
