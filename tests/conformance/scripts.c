/*
 * The sections carrier, dispatch and move: scripts of steps in words. A script
 * with a step that no table knows is skipped; this file runs the others, and
 * has what the functions of several tables need.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "script.h"

enum sw_status script_storage(struct script *script, const struct storage *storage, struct sw_carrier **ret_carrier)
{
    json_t *list = trial_json(script->trial, json_loads(storage->values, 0, NULL));

    return build_carrier(script->trial, storage->carrier_class(), storage->dtype, list, storage->immutable,
                         ret_carrier);
}

enum sw_status script_tensor(struct script *script, struct sw_carrier *carrier, int64_t offset, const char *layout,
                             struct sw_tensor **ret_tensor)
{
    struct sw_layout *parsed = NULL;
    struct sw_tensor *tensor = NULL;

    TRY(sw_layout_parse(layout, &parsed));
    trial_layout(script->trial, parsed);
    TRY(sw_tensor_new(carrier, offset, parsed, &tensor));
    *ret_tensor = trial_tensor(script->trial, tensor);
    return SW_OK;
}

enum sw_status script_slot(const struct sw_carrier *carrier, int64_t slot, json_t **ret_came)
{
    struct sw_scalar value;

    TRY(sw_carrier_get(carrier, slot, &value));
    *ret_came = show_field("value", show_scalar(&value));
    return SW_OK;
}

enum sw_status script_slots(struct script *script, const struct sw_carrier *carrier, json_t **ret_came)
{
    json_t *values = trial_json(script->trial, json_array());
    struct sw_scalar value;

    for (size_t i = 0; i < sw_carrier_size(carrier); i++) {
        TRY(sw_carrier_get(carrier, (int64_t)i, &value));
        json_array_append_new(values, show_scalar(&value));
    }
    *ret_came = show_field("value", json_incref(values));
    return SW_OK;
}

enum sw_status script_elements(const struct sw_tensor *tensor, json_t **ret_came)
{
    json_t *shown = show_tensor(tensor);

    if (shown == NULL)
        return SW_RUNTIME_ERROR;
    *ret_came = show_field("value", json_incref(json_object_get(shown, "values")));
    json_decref(shown);
    return SW_OK;
}

enum sw_status script_set(struct sw_carrier *carrier, const char *arguments)
{
    struct sw_scalar value = { SW_SCALAR_FLOATING, 0, { 0 } };
    long long slot = 0;
    double number = 0;

    if (sscanf(arguments, "(%lld, %lf)", &slot, &number) != 2)
        return sw_error_set(SW_VALUE_ERROR, "The step's arguments \"%s\" cannot be read.", arguments);
    value.as.floating = number;
    return sw_carrier_set(carrier, slot, &value);
}

static const struct step *find_step(const char *text)
{
    static const struct step_table *const tables[] = { &storage_steps, &evictable_steps, &file_steps,
                                                      &move_steps };
    const struct step *rows;

    for (size_t table = 0; text != NULL && table < N_ELEMENTS(tables); table++) {
        rows = tables[table]->rows;
        for (size_t i = 0; i < tables[table]->n; i++)
            if (strncmp(rows[i].text, text, strlen(rows[i].text)) == 0)
                return &rows[i];
    }
    return NULL;
}

static void judge_step(struct trial *trial, size_t number, const json_t *step, enum sw_status status, json_t *came)
{
    const json_t *expected = json_object_get(step, "expect");
    char what[160];

    if (trial->verdict != PASSED) {
        json_decref(came);
        return;
    }
    if (status != SW_OK)
        came = json_pack("{s:s,s:s}", "error", sw_status_name(status), "message", sw_error_message());
    else if (came == NULL)
        came = show_field("ok", json_true());
    if (!json_agrees(expected, came, NULL)) {
        snprintf(what, sizeof(what), "step %zu, %s: ", number, json_string_value(json_object_get(step, "do")));
        trial_differ(trial, what, expected, came);
    }
    json_decref(came);
}

static const char *step_text(const json_t *list, size_t i)
{
    return json_string_value(json_object_get(json_array_get(list, i), "do"));
}

static int knows_every_step(struct trial *trial, const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (find_step(step_text(list, i)) == NULL) {
            trial_skip(trial, "the driver does not understand the step \"%s\"",
                       step_text(list, i) != NULL ? step_text(list, i) : "");
            return 0;
        }
    }
    return 1;
}

void run_script(struct trial *trial)
{
    const json_t *list = json_object_get(trial->record, "steps");
    struct script script;
    json_t *came;
    enum sw_status status;

    if (!knows_every_step(trial, list))
        return;
    memset(&script, 0, sizeof(script));
    script.trial = trial;
    for (size_t i = 0; i < json_array_size(list) && trial->verdict == PASSED; i++) {
        script.step = find_step(step_text(list, i));
        came = NULL;
        if (script.step->run == NULL) {
            trial->n_passed_over++;
            continue;
        }
        status = script.step->run(&script, step_text(list, i), &came);
        judge_step(trial, i + 1, json_array_get(list, i), status, came);
    }
}
