/*
 * The sections carrier and dispatch: scripts of steps in words. A table gives
 * each step that concerns the classes Generic and CPU its function; a script
 * with a step that the table does not know is skipped.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "conformance.h"

/** What the words of a script name. */
struct script {
    struct trial *trial;
    struct sw_carrier *carrier;   /* "c" or "d" */
    struct sw_carrier *immutable; /* "m" */
    struct sw_tensor *source;     /* "src" */
    struct sw_tensor *onto;
    struct sw_layout *mapping;
};

typedef enum sw_status step_fn(struct script *script, const char *text, json_t **ret_came);

static enum sw_status make(struct script *script, struct sw_carrier_class *carrier_class, const char *values,
                           int immutable, struct sw_carrier **ret_carrier)
{
    json_t *list = trial_json(script->trial, json_loads(values, 0, NULL));

    return build_carrier(script->trial, carrier_class, SW_FLOAT32, list, immutable, ret_carrier);
}

static enum sw_status value_of(const struct sw_carrier *carrier, int64_t slot, json_t **ret_came)
{
    struct sw_scalar value;

    TRY(sw_carrier_get(carrier, slot, &value));
    *ret_came = show_field("value", show_scalar(&value));
    return SW_OK;
}

static enum sw_status make_generic(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    TRY(make(script, sw_generic_class(), "[0.1, 2.0]", 0, &script->carrier));
    return value_of(script->carrier, 0, ret_came);
}

static enum sw_status make_cpu(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    TRY(sw_cpu_new(3, NULL, &script->carrier));
    script->carrier = trial_carrier(script->trial, script->carrier);
    return value_of(script->carrier, 1, ret_came);
}

static enum sw_status set_number(struct sw_carrier *carrier, const char *arguments)
{
    struct sw_scalar value = { SW_SCALAR_FLOATING, 0, { 0 } };
    long long slot = 0;
    double number = 0;

    if (sscanf(arguments, "(%lld, %lf)", &slot, &number) != 2)
        return sw_error_set(SW_VALUE_ERROR, "The step's arguments \"%s\" cannot be read.", arguments);
    value.as.floating = number;
    return sw_carrier_set(carrier, slot, &value);
}

static enum sw_status set(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return set_number(script->carrier, strchr(text, '('));
}

static enum sw_status make_immutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    TRY(make(script, sw_cpu_class(), "[1.0]", 1, &script->immutable));
    return set_number(script->immutable, "(0, 2.0)");
}

static enum sw_status set_immutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return set_number(script->immutable, strchr(text, '('));
}

static enum sw_status get(struct script *script, const char *text, json_t **ret_came)
{
    long long slot = 0;

    if (sscanf(text, "c.get(%lld)", &slot) != 1)
        return sw_error_set(SW_VALUE_ERROR, "The step \"%s\" cannot be read.", text);
    return value_of(script->carrier, slot, ret_came);
}

static enum sw_status version(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_integer((json_int_t)sw_carrier_version(script->carrier)));
    return SW_OK;
}

static enum sw_status is_mutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_boolean(sw_carrier_is_mutable(script->carrier)));
    return SW_OK;
}

static enum sw_status is_owned(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_boolean(sw_carrier_is_owned(script->carrier)));
    return SW_OK;
}

static enum sw_status is_released(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_boolean(sw_carrier_is_released(script->carrier)));
    return SW_OK;
}

static enum sw_status size(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_integer((json_int_t)sw_carrier_size(script->carrier)));
    return SW_OK;
}

static enum sw_status dtype(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_string(sw_dtype_name(sw_carrier_dtype(script->carrier))));
    return SW_OK;
}

static enum sw_status release(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_release(script->carrier);
}

static enum sw_status release_immutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_release(script->immutable);
}

static enum sw_status new_like(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_scalar seven = { SW_SCALAR_FLOATING, 0, { 0 } };
    struct sw_carrier *other = NULL;

    (void)text;
    seven.as.floating = 7.0;
    TRY(sw_carrier_new_like(script->carrier, &seven, 1, 1, SW_FLOAT32, &other));
    return value_of(trial_carrier(script->trial, other), 0, ret_came);
}

/* "none" in a list is a scalar without a kind. */
static enum sw_status new_like_with_hole(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_scalar values[] = { { SW_SCALAR_FLOATING, 0, { 0 } }, { 0, 0, { 0 } }, { SW_SCALAR_FLOATING, 0, { 0 } } };
    struct sw_carrier *other = NULL;

    (void)text;
    values[0].as.floating = 1.0;
    values[2].as.floating = 2.0;
    TRY(sw_carrier_new_like(script->carrier, values, N_ELEMENTS(values), 1, SW_FLOAT32, &other));
    return value_of(trial_carrier(script->trial, other), 1, ret_came);
}

static enum sw_status cpu_of_float64(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    (void)text;
    (void)ret_came;
    options.dtype = SW_FLOAT64;
    TRY(sw_cpu_new(1, &options, &carrier));
    trial_carrier(script->trial, carrier);
    return SW_OK;
}

static enum sw_status allocate_int32(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_carrier *other = NULL;

    (void)text;
    TRY(sw_carrier_allocate_like(script->carrier, 2, 1, SW_INT32, 0, &other));
    return value_of(trial_carrier(script->trial, other), 0, ret_came);
}

static enum sw_status allocate_negative(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_carrier *other = NULL;

    (void)text;
    (void)ret_came;
    TRY(sw_carrier_allocate_like(script->carrier, -1, 1, SW_FLOAT32, 0, &other));
    trial_carrier(script->trial, other);
    return SW_OK;
}

static enum sw_status supports(struct script *script, const char *text, json_t **ret_came)
{
    char name[16] = "";
    int supported = 0;

    if (sscanf(text, "c.supports_storage_dtype(%15[A-Za-z0-9])", name) != 1)
        return sw_error_set(SW_VALUE_ERROR, "The step \"%s\" cannot be read.", text);
    TRY(sw_carrier_supports_dtype(script->carrier, build_dtype(name), &supported));
    *ret_came = show_field("value", json_boolean(supported));
    return SW_OK;
}

static enum sw_status contents(struct script *script, const char *text, json_t **ret_came)
{
    json_t *values = trial_json(script->trial, json_array());
    struct sw_scalar value;

    (void)text;
    for (size_t i = 0; i < sw_carrier_size(script->carrier); i++) {
        TRY(sw_carrier_get(script->carrier, (int64_t)i, &value));
        json_array_append_new(values, show_scalar(&value));
    }
    *ret_came = show_field("value", json_incref(values));
    return SW_OK;
}

static enum sw_status parse_layout(struct script *script, const char *text, struct sw_layout **ret_layout)
{
    TRY(sw_layout_parse(text, ret_layout));
    *ret_layout = trial_layout(script->trial, *ret_layout);
    return SW_OK;
}

static enum sw_status tensor_on(struct script *script, struct sw_carrier *carrier, int64_t offset,
                                struct sw_tensor **ret_tensor)
{
    struct sw_layout *layout = NULL;

    TRY(parse_layout(script, "2:1", &layout));
    TRY(sw_tensor_new(carrier, offset, layout, ret_tensor));
    *ret_tensor = trial_tensor(script->trial, *ret_tensor);
    return SW_OK;
}

static enum sw_status scatter(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_carrier *values = NULL;

    TRY(make(script, sw_cpu_class(), "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", 0, &script->carrier));
    TRY(make(script, sw_cpu_class(), "[5.0, 6.0]", 0, &values));
    TRY(tensor_on(script, script->carrier, 1, &script->onto));
    TRY(tensor_on(script, values, 0, &script->source));
    TRY(parse_layout(script, "2:2", &script->mapping));
    TRY(sw_carrier_scatter(script->carrier, script->source, script->onto, script->mapping, 1));
    return contents(script, text, ret_came);
}

static enum sw_status scatter_other_shape(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_layout *mapping = NULL;

    (void)text;
    (void)ret_came;
    TRY(parse_layout(script, "3:1", &mapping));
    return sw_carrier_scatter(script->carrier, script->source, script->onto, mapping, 0);
}

static enum sw_status scatter_onto_another(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_scatter(script->carrier, script->source, script->source, script->mapping, 0);
}

static enum sw_status scatter_before(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_scatter(script->carrier, script->source, script->onto, script->mapping, -1);
}

static enum sw_status scatter_behind(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    return sw_carrier_scatter(script->carrier, script->source, script->onto, script->mapping, 3);
}

/*
 * Steps by how their text begins; the first row that fits is taken. A row
 * without a function is a step that cannot be written in C (a negative size_t,
 * a dtype that does not exist): it is passed over.
 */
static const struct step {
    const char *text;
    step_fn *run;
} steps[] = {
    { "c = Generic([0.1, 2.0], Float32); c.get(0)", make_generic },
    { "c = CPU(3); c.get(1)", make_cpu },
    { "c.version", version },
    { "d.version", version },
    { "c.get(", get },
    { "c.set(", set },
    { "c.is_mutable()", is_mutable },
    { "c.is_owned()", is_owned },
    { "c.is_released()", is_released },
    { "c.size()", size },
    { "c.dtype()", dtype },
    { "c.release()", release },
    { "c.new_like([7.0]).get(0)", new_like },
    { "c.new_like([1.0, none, 2.0]).get(1)", new_like_with_hole },
    { "CPU(-1)", NULL },
    { "CPU(1, Float64)", cpu_of_float64 },
    { "c.allocate_like(2, Int32).get(0)", allocate_int32 },
    { "c.allocate_like(-1)", allocate_negative },
    { "c.supports_storage_dtype(Floating)", NULL },
    { "c.supports_storage_dtype(", supports },
    { "m = immutable CPU [1.0]; m.set(0, 2.0)", make_immutable },
    { "m.set(", set_immutable },
    { "m.release()", release_immutable },
    { "d=CPU(6), onto=Tensor(d,1,2:1), src=[5,6]; d.scatter(src, onto, 2:2, 1); contents", scatter },
    { "mapping shape differs from source shape", scatter_other_shape },
    { "onto backed by another carrier", scatter_onto_another },
    { "negative mapping offset", scatter_before },
    { "mapping leaves the destination", scatter_behind },
    { "contents", contents },
};

static const struct step *find_step(const char *text)
{
    for (size_t i = 0; i < N_ELEMENTS(steps); i++)
        if (strncmp(steps[i].text, text, strlen(steps[i].text)) == 0)
            return &steps[i];
    return NULL;
}

static void judge_step(struct trial *trial, size_t number, const json_t *step, enum sw_status status, json_t *came)
{
    const json_t *expected = json_object_get(step, "expect");
    char what[160];

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

static int knows_every_step(struct trial *trial, const json_t *list)
{
    const char *text;

    for (size_t i = 0; i < json_array_size(list); i++) {
        text = json_string_value(json_object_get(json_array_get(list, i), "do"));
        if (text == NULL || find_step(text) == NULL) {
            trial_skip(trial, "the driver does not understand the step \"%s\"", text != NULL ? text : "");
            return 0;
        }
    }
    return 1;
}

void run_script(struct trial *trial)
{
    const json_t *list = json_object_get(trial->record, "steps");
    struct script script = { trial, NULL, NULL, NULL, NULL, NULL };
    const struct step *step;
    const char *text;
    json_t *came;
    enum sw_status status;

    if (!knows_every_step(trial, list))
        return;
    for (size_t i = 0; i < json_array_size(list) && trial->verdict == PASSED; i++) {
        text = json_string_value(json_object_get(json_array_get(list, i), "do"));
        step = find_step(text);
        came = NULL;
        if (step->run == NULL)
            continue;
        status = step->run(&script, text, &came);
        judge_step(trial, i + 1, json_array_get(list, i), status, came);
    }
}
