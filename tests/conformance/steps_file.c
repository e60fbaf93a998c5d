/*
 * Steps about carriers of the class FileBacked.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "script.h"

static char path[4096]; /* of the newest carrier */

static enum sw_status make(struct script *script, enum sw_dtype dtype, const char *filename)
{
    struct sw_file_backed_options options = SW_FILE_BACKED_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.dtype = (int32_t)dtype;
    options.filename = filename;
    TRY(sw_file_backed_new(&options, &carrier));
    script->carrier = trial_carrier(script->trial, carrier);
    return SW_OK;
}

static enum sw_status size(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_integer((json_int_t)sw_carrier_size(script->carrier)));
    return SW_OK;
}

static enum sw_status make_empty(struct script *script, const char *text, json_t **ret_came)
{
    TRY(make(script, SW_FLOAT32, NULL));
    return size(script, text, ret_came);
}

static enum sw_status make_of_bool(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return make(script, SW_BOOL, NULL);
}

static enum sw_status make_in_folder(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return make(script, SW_FLOAT32, "a/b");
}

static enum sw_status new_like(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_scalar values[] = { { SW_SCALAR_FLOATING, 0, { 0 } }, { 0, 0, { 0 } }, { SW_SCALAR_FLOATING, 0, { 0 } } };
    struct sw_carrier *made = NULL;

    (void)text;
    values[0].as.floating = 0.1;
    values[2].as.floating = 3.0;
    TRY(sw_carrier_new_like(script->carrier, values, N_ELEMENTS(values), 1, SW_FLOAT32, &made));
    script->carrier = trial_carrier(script->trial, made);
    snprintf(path, sizeof(path), "%s", sw_file_backed_path(made));
    return script_slot(made, 0, ret_came);
}

static enum sw_status get_first(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    return script_slot(script->carrier, 0, ret_came);
}

static enum sw_status get_second(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    return script_slot(script->carrier, 1, ret_came);
}

static enum sw_status set(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return script_set(script->carrier, strchr(text, '('));
}

static enum sw_status version(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_integer((json_int_t)sw_carrier_version(script->carrier)));
    return SW_OK;
}

static enum sw_status dispatch(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_operation *operation = NULL;

    (void)text;
    (void)ret_came;
    TRY(sw_carrier_dispatch(script->carrier, script->step->with, &operation));
    trial_operation(script->trial, operation);
    return SW_OK;
}

static enum sw_status scatter(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    TRY(script_tensor(script, script->carrier, 0, "2:1", &script->onto));
    TRY(script_tensor(script, script->carrier, 0, "2:1", &script->source));
    return sw_carrier_scatter(script->carrier, script->source, script->onto, sw_tensor_layout(script->onto), 0);
}

static enum sw_status release(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_release(script->carrier);
}

static enum sw_status file_exists(struct script *script, const char *text, json_t **ret_came)
{
    (void)script;
    (void)text;
    *ret_came = show_field("value", json_boolean(access(path, F_OK) == 0));
    return SW_OK;
}

static const struct step rows[] = {
    STEP("f = FileBacked(Float32); f.size()", make_empty),
    STEP("FileBacked(Bool)", make_of_bool),
    STEP("FileBacked(filename \"a/b\")", make_in_folder),
    STEP("g = f.new_like([0.1, none, 3]); g.get(0)", new_like),
    STEP("g.get(0)", get_first),
    STEP("g.get(1)", get_second),
    STEP("g.set(", set),
    STEP("g.version", version),
    STEP_WITH("g.dispatch_op(\"add\")", dispatch, "add"),
    STEP_WITH("g.dispatch_op(\"view\")", dispatch, "view"),
    STEP("g.scatter(...)", scatter),
    STEP("g.release()", release),
    STEP("g.size()", size),
    STEP("file still exists", file_exists),
};

const struct step_table file_steps = { rows, N_ELEMENTS(rows) };
