/*
 * Steps about moving a tensor's values to another carrier.
 */
#include "config.h"

#include "script.h"

/** A move and what it starts from. */
struct move {
    struct storage source;
    int source_released;
    int64_t offset;
    const char *layout;
    struct storage destination;
    int destination_released;
};

#define GENERIC(values) { sw_generic_class, SW_FLOAT32, values, 0 }
#define CPU(values) { sw_cpu_class, SW_FLOAT32, values, 0 }
#define FILE_BACKED(values) { sw_file_backed_class, SW_FLOAT32, values, 0 }
#define INTEGERS(values) { sw_cpu_class, SW_INT32, values, 0 }
#define IMMUTABLE(values) { sw_cpu_class, SW_FLOAT32, values, 1 }

static const struct move generic_to_cpu = { GENERIC("[1.0, 2.0]"), 0, 0, "2:1", CPU("[0.0, 0.0]"), 0 };
static const struct move from_offset = { CPU("[1.0, 2.0, 3.0]"), 0, 1, "2:1", CPU("[0.0, 0.0]"), 0 };
static const struct move broadcast = { CPU("[1.0, 2.0]"), 0, 0, "(2,3):(1,0)", CPU("[0.0, 0.0]"), 0 };
static const struct move to_too_small = { CPU("[1.0, 2.0]"), 0, 0, "2:1", CPU("[0.0]"), 0 };
static const struct move to_empty = { CPU("[1.0, 2.0]"), 0, 0, "2:1", CPU("[]"), 0 };
static const struct move to_int32 = { CPU("[1.0, 2.0]"), 0, 0, "2:1", INTEGERS("[0, 0]"), 0 };
static const struct move to_immutable = { CPU("[1.0, 2.0]"), 0, 0, "2:1", IMMUTABLE("[0.0, 0.0]"), 0 };
static const struct move to_released = { CPU("[1.0, 2.0]"), 0, 0, "2:1", CPU("[0.0, 0.0]"), 1 };
static const struct move from_released = { CPU("[1.0, 2.0]"), 1, 0, "2:1", CPU("[0.0, 0.0]"), 0 };
static const struct move gapped = { GENERIC("[1.0, 5.0, 2.0]"), 0, 0, "2:2", CPU("[9.0, 9.0, 9.0]"), 0 };
static const struct move to_file = { CPU("[1.0, 2.0]"), 0, 0, "2:1", FILE_BACKED("[]"), 0 };
static const struct move from_file = { FILE_BACKED("[1.0, 2.0, 3.0]"), 0, 1, "2:1", CPU("[0.0, 0.0]"), 0 };
static const struct move from_immutable = { IMMUTABLE("[1.0]"), 0, 0, "1:1", CPU("[0.0]"), 0 };

/* Leaves the tensor in "source" and the destination in "carrier", also when the move fails. */
static enum sw_status carry_out(struct script *script, struct sw_tensor **ret_moved)
{
    const struct move *move = script->step->with;
    struct sw_carrier *source = NULL;
    struct sw_tensor *moved = NULL;

    TRY(script_storage(script, &move->source, &source));
    TRY(script_tensor(script, source, move->offset, move->layout, &script->source));
    TRY(script_storage(script, &move->destination, &script->carrier));
    if (move->source_released)
        TRY(sw_carrier_release(source));
    if (move->destination_released)
        TRY(sw_carrier_release(script->carrier));
    TRY(sw_move(script->source, script->carrier, &moved));
    *ret_moved = trial_tensor(script->trial, moved);
    return SW_OK;
}

static enum sw_status move_and_show(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *moved = NULL;
    json_t *shown;

    (void)text;
    TRY(carry_out(script, &moved));
    shown = show_tensor(moved);
    if (shown == NULL)
        return SW_RUNTIME_ERROR;
    json_object_set_new(shown, "source_released",
                        json_boolean(sw_carrier_is_released(sw_tensor_carrier(script->source))));
    json_object_set_new(shown, "same_destination", json_boolean(sw_tensor_carrier(moved) == script->carrier));
    *ret_came = show_field("value", shown);
    return SW_OK;
}

static enum sw_status move_and_show_destination(struct script *script, const char *text, json_t **ret_came)
{
    struct sw_tensor *moved = NULL;

    (void)text;
    TRY(carry_out(script, &moved));
    return script_slots(script, script->carrier, ret_came);
}

static enum sw_status move_to_itself(struct script *script, const char *text, json_t **ret_came)
{
    const struct move *move = script->step->with;
    struct sw_carrier *carrier = NULL;
    struct sw_tensor *moved = NULL;

    (void)text;
    (void)ret_came;
    TRY(script_storage(script, &move->source, &carrier));
    TRY(script_tensor(script, carrier, move->offset, move->layout, &script->source));
    TRY(sw_move(script->source, carrier, &moved));
    trial_tensor(script->trial, moved);
    return SW_OK;
}

static enum sw_status source_elements(struct script *script, const char *text, json_t **ret_came)
{
    (void)text;
    return script_elements(script->source, ret_came);
}

static const struct step rows[] = {
    STEP_WITH("Generic[1,2] -> CPU(2)", move_and_show, &generic_to_cpu),
    STEP_WITH("CPU[1,2,3] offset 1, 2:1 -> CPU(2)", move_and_show, &from_offset),
    STEP_WITH("broadcast CPU[1,2] (2,3):(1,0) -> CPU(2)", move_and_show, &broadcast),
    STEP_WITH("CPU[1,2] -> empty FileBacked (allocates)", move_and_show, &to_file),
    STEP_WITH("FileBacked[1,2,3] offset 1 -> CPU(2)", move_and_show, &from_file),
    STEP_WITH("-> CPU(1) too small", move_and_show, &to_too_small),
    STEP_WITH("-> CPU(0): CPU cannot allocate", move_and_show, &to_empty),
    STEP_WITH("-> Int32 CPU", move_and_show, &to_int32),
    STEP_WITH("-> immutable CPU", move_and_show, &to_immutable),
    STEP_WITH("-> released CPU", move_and_show, &to_released),
    STEP_WITH("-> its own carrier", move_to_itself, &generic_to_cpu),
    STEP_WITH("released source", move_and_show, &from_released),
    STEP_WITH("gapped Generic[1,5,2] 2:2 -> CPU[9,9,9]; destination contents", move_and_show_destination, &gapped),
    STEP_WITH("failed move keeps the source usable", move_and_show, &to_too_small),
    STEP("source values afterwards", source_elements),
    STEP_WITH("immutable source may be moved", move_and_show, &from_immutable),
};

const struct step_table move_steps = { rows, N_ELEMENTS(rows) };
