/*
 * Steps about carriers of the classes Generic and CPU.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "script.h"

static enum sw_status make_generic(struct script *script, const char *text, json_t **ret_came)
{
    static const struct storage two = { sw_generic_class, SW_FLOAT32, "[0.1, 2.0]", 0 };

    (void)text;
    TRY(script_storage(script, &two, &script->carrier));
    return script_slot(script->carrier, 0, ret_came);
}

static enum sw_status make_cpu(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    TRY(sw_cpu_new(3, NULL, &script->carrier));
    script->carrier = trial_carrier(script->trial, script->carrier);
    return script_slot(script->carrier, 1, ret_came);
}

static enum sw_status set(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return script_set(script->carrier, strchr(text, '('));
}

static enum sw_status make_immutable(struct script *script, const char *text, json_t **ret_came)
{
    static const struct storage one = { sw_cpu_class, SW_FLOAT32, "[1.0]", 1 };

    (void)text;
    (void)ret_came;
    TRY(script_storage(script, &one, &script->immutable));
    return script_set(script->immutable, "(0, 2.0)");
}

static enum sw_status set_immutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return script_set(script->immutable, strchr(text, '('));
}

static enum sw_status get(struct script *script, const char *text, json_t **ret_came)
{
    long long slot = 0;

    if (sscanf(text, "c.get(%lld)", &slot) != 1)
        return sw_error_set(SW_VALUE_ERROR, "The step \"%s\" cannot be read.", text);
    return script_slot(script->carrier, slot, ret_came);
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
    return script_slot(trial_carrier(script->trial, other), 0, ret_came);
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
    return script_slot(trial_carrier(script->trial, other), 1, ret_came);
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
    return script_slot(trial_carrier(script->trial, other), 0, ret_came);
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
    (void)text;
    return script_slots(script, script->carrier, ret_came);
}

static enum sw_status build_mapping(struct script *script, const char *text, struct sw_layout **ret_layout)
{
    struct sw_layout *layout = NULL;

    TRY(sw_layout_parse(text, &layout));
    *ret_layout = trial_layout(script->trial, layout);
    return SW_OK;
}

static enum sw_status scatter(struct script *script, const char *text, json_t **ret_came)
{
    static const struct storage six = { sw_cpu_class, SW_FLOAT32, "[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]", 0 };
    static const struct storage two = { sw_cpu_class, SW_FLOAT32, "[5.0, 6.0]", 0 };
    struct sw_carrier *values = NULL;

    TRY(script_storage(script, &six, &script->carrier));
    TRY(script_storage(script, &two, &values));
    TRY(script_tensor(script, script->carrier, 1, "2:1", &script->onto));
    TRY(script_tensor(script, values, 0, "2:1", &script->source));
    TRY(build_mapping(script, "2:2", &script->mapping));
    TRY(sw_carrier_scatter(script->carrier, script->source, script->onto, script->mapping, 1));
    return contents(script, text, ret_came);
}

static enum sw_status scatter_other_shape(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_layout *mapping = NULL;

    (void)text;
    (void)ret_came;
    TRY(build_mapping(script, "3:1", &mapping));
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

static const struct step rows[] = {
    STEP("c = Generic([0.1, 2.0], Float32); c.get(0)", make_generic),
    STEP("c = CPU(3); c.get(1)", make_cpu),
    STEP("c.version", version),
    STEP("d.version", version),
    STEP("c.get(", get),
    STEP("c.set(", set),
    STEP("c.is_mutable()", is_mutable),
    STEP("c.is_owned()", is_owned),
    STEP("c.is_released()", is_released),
    STEP("c.size()", size),
    STEP("c.dtype()", dtype),
    STEP("c.release()", release),
    STEP("c.new_like([7.0]).get(0)", new_like),
    STEP("c.new_like([1.0, none, 2.0]).get(1)", new_like_with_hole),
    STEP("CPU(-1)", NULL),
    STEP("CPU(1, Float64)", cpu_of_float64),
    STEP("c.allocate_like(2, Int32).get(0)", allocate_int32),
    STEP("c.allocate_like(-1)", allocate_negative),
    STEP("c.supports_storage_dtype(Floating)", NULL),
    STEP("c.supports_storage_dtype(", supports),
    STEP("m = immutable CPU [1.0]; m.set(0, 2.0)", make_immutable),
    STEP("m.set(", set_immutable),
    STEP("m.release()", release_immutable),
    STEP("d=CPU(6), onto=Tensor(d,1,2:1), src=[5,6]; d.scatter(src, onto, 2:2, 1); contents", scatter),
    STEP("mapping shape differs from source shape", scatter_other_shape),
    STEP("onto backed by another carrier", scatter_onto_another),
    STEP("negative mapping offset", scatter_before),
    STEP("mapping leaves the destination", scatter_behind),
    STEP("contents", contents),
};

const struct step_table storage_steps = { rows, N_ELEMENTS(rows) };
