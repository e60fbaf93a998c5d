/*
 * Steps about Evictable: construction, its tiers, and operations on it.
 */
#include "config.h"

#include <string.h>

#include "script.h"

/* ---- Construction -------------------------------------------------------------------- */

/* Tiers by how their words begin; the first row that fits is taken. */
static const struct tier {
    const char *words;
    struct storage storage;
    int released;
} tiers[] = {
    { "Generic[1.0] Float32", { sw_generic_class, SW_FLOAT32, "[1.0]", 0 }, 0 },
    { "Generic[1] Int32", { sw_generic_class, SW_INT32, "[1]", 0 }, 0 },
    { "immutable secondary", { sw_generic_class, SW_FLOAT32, "[1.0]", 1 }, 0 },
    { "immutable [1]", { sw_generic_class, SW_FLOAT32, "[1.0]", 1 }, 0 },
    { "empty primary", { sw_generic_class, SW_FLOAT32, "[]", 0 }, 0 },
    { "released ", { sw_generic_class, SW_FLOAT32, "[1.0]", 0 }, 1 },
    { "[1,2]", { sw_generic_class, SW_FLOAT32, "[1.0, 2.0]", 0 }, 0 },
    { "sec=[7,8,9]", { sw_generic_class, SW_FLOAT32, "[7.0, 8.0, 9.0]", 0 }, 0 },
    { "[]", { sw_generic_class, SW_FLOAT32, "[]", 0 }, 0 },
    { "g", { sw_generic_class, SW_FLOAT32, "[1.0]", 0 }, 0 },
    { "p", { sw_generic_class, SW_FLOAT32, "[1.0]", 0 }, 0 },
    { "s", { sw_generic_class, SW_FLOAT32, "[1.0]", 0 }, 0 },
};

static const struct tier *find_tier(const char *words)
{
    for (size_t i = 0; i < N_ELEMENTS(tiers); i++)
        if (strncmp(tiers[i].words, words, strlen(tiers[i].words)) == 0)
            return &tiers[i];
    return NULL;
}

static enum sw_status make_tier(struct script *script, const struct tier *tier, struct sw_carrier **ret_carrier)
{
    TRY(script_storage(script, &tier->storage, ret_carrier));
    return tier->released ? sw_carrier_release(*ret_carrier) : SW_OK;
}

/* A construction that fails leaves both tiers to whoever had them. */
static enum sw_status own(struct script *script, struct sw_carrier *primary, struct sw_carrier *secondary)
{
    struct sw_carrier *carrier = NULL;
    enum sw_status status = sw_evictable_new(primary, secondary, &carrier);

    if (status == SW_OK)
        script->carrier = trial_carrier(script->trial, carrier);
    else if (sw_carrier_is_owned(primary) || sw_carrier_is_owned(secondary))
        trial_fail(script->trial, "a construction that failed keeps a tier");
    return status;
}

/* "Evictable(PRIMARY, SECONDARY)"; the same words twice are one carrier. */
static enum sw_status construct(struct script *script, const char *text, json_t **ret_came)
{
    const char *words = strchr(text, '(') + 1;
    const char *comma = strstr(words, ", ");
    const struct tier *primary = find_tier(words);
    const struct tier *secondary = comma != NULL ? find_tier(comma + 2) : NULL;
    struct sw_carrier *first = NULL;
    struct sw_carrier *second = NULL;

    (void)ret_came;
    if (primary == NULL || secondary == NULL)
        return sw_error_set(SW_VALUE_ERROR, "The tiers of \"%s\" cannot be read.", text);
    TRY(make_tier(script, primary, &first));
    if (secondary == primary)
        return own(script, first, first);
    TRY(make_tier(script, secondary, &second));
    script->secondary = second;
    return own(script, first, second);
}

static enum sw_status evict_to_what_there_is(struct script *script, const char *text, json_t **ret_came)
{
    TRY(construct(script, text, ret_came));
    TRY(sw_evictable_evict(script->carrier));
    *ret_came = show_field("value", json_boolean(sw_evictable_secondary(script->carrier) == script->secondary));
    return SW_OK;
}

static enum sw_status secondary_slots(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    return script_slots(script, script->secondary, ret_came);
}

static enum sw_status is_mutable(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_boolean(sw_carrier_is_mutable(script->carrier)));
    return SW_OK;
}

static enum sw_status construct_immutable(struct script *script, const char *text, json_t **ret_came)
{
    TRY(construct(script, text, ret_came));
    return is_mutable(script, text, ret_came);
}

static enum sw_status there_and_back(struct script *script, const char *text, json_t **ret_came)
{
    TRY(sw_evictable_evict(script->carrier));
    TRY(sw_evictable_promote(script->carrier));
    return is_mutable(script, text, ret_came);
}

static enum sw_status set(struct script *script, const char *text, json_t **ret_came)
{
    (void)ret_came;
    return script_set(script->carrier, strchr(text, '('));
}

static enum sw_status new_like_evicted(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_scalar values[] = { { SW_SCALAR_FLOATING, 0, { 0 } }, { SW_SCALAR_FLOATING, 0, { 0 } } };
    struct sw_carrier *other = NULL;

    (void)text;
    values[0].as.floating = 3.0;
    values[1].as.floating = 4.0;
    TRY(construct(script, "([1,2], [])", ret_came));
    TRY(sw_evictable_evict(script->carrier));
    TRY(sw_carrier_new_like(script->carrier, values, N_ELEMENTS(values), 1, SW_FLOAT32, &other));
    script->carrier = trial_carrier(script->trial, other);
    *ret_came = show_field("value", json_boolean(sw_evictable_is_evicted(script->carrier)));
    return SW_OK;
}

static enum sw_status slot_1(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    return script_slot(script->carrier, 1, ret_came);
}

static json_t *size_of_secondary(const struct sw_carrier *carrier)
{
    return show_field("value", json_integer((json_int_t)sw_carrier_size(sw_evictable_secondary(carrier))));
}

static enum sw_status secondary_size(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = size_of_secondary(script->carrier);
    return SW_OK;
}

/* ---- Operations ---------------------------------------------------------------------- */

static enum sw_status make_operand(struct script *script, struct sw_carrier_class *(*primary)(void),
                                   struct sw_carrier_class *(*secondary)(void), const char *values,
                                   struct sw_tensor **ret_tensor)
{
    const struct storage full = { primary, SW_FLOAT32, values, 0 };
    const struct storage empty = { secondary, SW_FLOAT32, "[]", 0 };
    struct sw_carrier *first = NULL;
    struct sw_carrier *second = NULL;

    TRY(script_storage(script, &full, &first));
    TRY(script_storage(script, &empty, &second));
    TRY(own(script, first, second));
    return script_tensor(script, script->carrier, 0, "2:1", ret_tensor);
}

static enum sw_status add(struct script *script, const struct sw_tensor *a, const struct sw_tensor *b)
{
    struct sw_tensor *result = NULL;

    TRY(sw_add(a, b, &result));
    script->result = trial_tensor(script->trial, result);
    return SW_OK;
}

static enum sw_status add_x_and_y(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    TRY(make_operand(script, sw_generic_class, sw_generic_class, "[-1.0, 2.0]", &script->x));
    TRY(make_operand(script, sw_generic_class, sw_generic_class, "[3.0, 4.0]", &script->y));
    TRY(add(script, script->x, script->y));
    return script_elements(script->result, ret_came);
}

static json_t *class_name(struct sw_carrier_class *carrier_class)
{
    return json_string(carrier_class->head.qualified_name);
}

static enum sw_status result_class(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", class_name(sw_tensor_carrier_class(script->result)));
    return SW_OK;
}

static const struct sw_carrier *result_primary(const struct script *script)
{
    return sw_evictable_primary(sw_tensor_carrier(script->result));
}

static enum sw_status result_primary_class(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", class_name(sw_carrier_class_of(result_primary(script))));
    return SW_OK;
}

static enum sw_status result_primary_is_owned(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = show_field("value", json_boolean(sw_carrier_is_owned(result_primary(script))));
    return SW_OK;
}

static enum sw_status result_secondary_size(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    *ret_came = size_of_secondary(sw_tensor_carrier(script->result));
    return SW_OK;
}

static enum sw_status slice_of_x(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tree *key = NULL;
    struct sw_tensor *slice = NULL;

    (void)text;
    TRY(sw_tree_parse("((0,1,*))", &key));
    trial_tree(script->trial, key);
    TRY(sw_slice(script->x, key, &slice));
    trial_tensor(script->trial, slice);
    *ret_came = show_field("value", json_boolean(sw_tensor_carrier(slice) == sw_tensor_carrier(script->x)));
    return SW_OK;
}

static enum sw_status make_generic(struct script *script, struct sw_tensor **ret_tensor)
{
    static const struct storage two = { sw_generic_class, SW_FLOAT32, "[3.0, 4.0]", 0 };
    struct sw_carrier *carrier = NULL;

    TRY(script_storage(script, &two, &carrier));
    return script_tensor(script, carrier, 0, "2:1", ret_tensor);
}

static enum sw_status add_generic(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *other = NULL;

    (void)text;
    (void)ret_came;
    TRY(make_generic(script, &other));
    return add(script, script->x, other);
}

static enum sw_status forward_generic(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_operand operands[] = { sw_operand_tensor(script->x), sw_operand_none() };
    struct sw_tensor *other = NULL;
    struct sw_tensor *result = NULL;

    (void)text;
    (void)ret_came;
    TRY(make_generic(script, &other));
    operands[1] = sw_operand_tensor(other);
    return forward(script->trial, "add", operands, N_ELEMENTS(operands), NULL, &result);
}

static enum sw_status add_cpu_over_generic(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *other = NULL;

    (void)text;
    (void)ret_came;
    TRY(make_operand(script, sw_cpu_class, sw_generic_class, "[3.0, 4.0]", &other));
    return add(script, script->x, other);
}

static enum sw_status add_generic_over_cpu(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *other = NULL;

    (void)text;
    (void)ret_came;
    TRY(make_operand(script, sw_generic_class, sw_cpu_class, "[3.0, 4.0]", &other));
    return add(script, script->x, other);
}

static enum sw_status forward_operation(struct script *script, const char *text, json_t **ret_came)
{
    const struct sw_operand operand = sw_operand_tensor(script->x);
    struct sw_tensor *result = NULL;

    (void)text;
    TRY(sw_operation_forward(script->operation, &operand, 1, NULL, &result));
    trial_tensor(script->trial, result);
    return script_elements(result, ret_came);
}

static enum sw_status dispatch_relu(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_operation *operation = NULL;

    TRY(sw_carrier_dispatch(sw_tensor_carrier(script->x), "relu", &operation));
    script->operation = trial_operation(script->trial, operation);
    return forward_operation(script, text, ret_came);
}

/* What an adapter is about is shown by its execution only: the class of the boundary nested in it. */
static enum sw_status describe_operation(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_operation *fresh = NULL;
    const struct sw_operand operand = sw_operand_tensor(script->x);
    struct sw_profiler *profiler = NULL;
    struct sw_tensor *result = NULL;
    json_t *events = NULL;
    json_t *nested;

    (void)text;
    TRY(sw_carrier_dispatch(sw_tensor_carrier(script->x), "relu", &fresh));
    trial_operation(script->trial, fresh);
    TRY(recording_begin(script->trial, &profiler));
    TRY(sw_operation_forward(fresh, &operand, 1, NULL, &result));
    trial_tensor(script->trial, result);
    TRY(recording_end(script->trial, profiler, &events));
    nested = json_object_get(json_array_get(events, 1), "carrier");
    *ret_came = show_field("value", json_pack("[s,o,O?]", sw_operation_name(script->operation),
                                              class_name(sw_operation_carrier_class(script->operation)), nested));
    return SW_OK;
}

static enum sw_status add_evicted(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    (void)ret_came;
    TRY(sw_evictable_evict(sw_tensor_carrier(script->y)));
    return add(script, script->x, script->y);
}

static enum sw_status relu_evicted(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *result = NULL;

    (void)text;
    (void)ret_came;
    TRY(sw_relu(script->y, &result));
    trial_tensor(script->trial, result);
    return SW_OK;
}

static const struct step rows[] = {
    STEP("Evictable(", construct),
    STEP("x = Evictable([1,2], sec=[7,8,9]); x.evict(); x.secondary is sec", evict_to_what_there_is),
    STEP("sec contents", secondary_slots),
    STEP("y = Evictable(immutable [1], []); y.is_mutable()", construct_immutable),
    STEP("y.evict(); y.promote(); y.is_mutable()", there_and_back),
    STEP("y.set(", set),
    STEP("z evicted; n = z.new_like([3,4]); n.is_evicted()", new_like_evicted),
    STEP("n.get(1)", slot_1),
    STEP("n.secondary.size()", secondary_size),
    STEP("x=[-1,2], y=[3,4] on Evictable(Generic,Generic); r = add(x,y); values", add_x_and_y),
    STEP("class of r.carrier.primary", result_primary_class),
    STEP("class of r.carrier", result_class),
    STEP("r.carrier.secondary.size()", result_secondary_size),
    STEP("r.carrier.primary.is_owned()", result_primary_is_owned),
    STEP("x[0:1].carrier is x.carrier", slice_of_x),
    STEP("add(x, Generic tensor)", add_generic),
    STEP("dispatch add on x.carrier with a Generic tensor", forward_generic),
    STEP("add(x, tensor on Evictable(CPU,Generic))", add_cpu_over_generic),
    STEP("add(x, tensor on Evictable(Generic,CPU))", add_generic_over_cpu),
    STEP("o = x.carrier.dispatch_op(\"relu\"); o.forward(x) values", dispatch_relu),
    STEP("o.forward(x) again", forward_operation),
    STEP("o.operation_name / carrier class / nested carrier class", describe_operation),
    STEP("y.carrier.evict(); add(x, y)", add_evicted),
    STEP("relu(y)", relu_evicted),
};

const struct step_table evictable_steps = { rows, N_ELEMENTS(rows) };
