/*
 * Strong definitions of the boundary's hooks: the dynamic loader binds the
 * library to them because the executable comes first. One thread only.
 */
#include "config.h"

#include <strideweave/hooks.h>

#include "conformance.h"
#include "trace_tool.h"

/* Raised only while a trace is taken. */
uint64_t sw_hooks_wanted = 0;

#define MAX_DEPTH 64

static json_t *events;
static size_t open_events[MAX_DEPTH]; /* indices of the boundaries that are open, outermost first */
static size_t n_open;

static json_t *show_shapes(const struct sw_hook_compute *call)
{
    json_t *shapes = json_array();
    const struct sw_tree *shape;

    for (uint32_t i = 0; i < call->n_operands; i++) {
        shape = sw_hook_operand_shape(call, i);
        json_array_append_new(shapes, shape != NULL ? show_tree(shape) : json_null());
    }
    return shapes;
}

void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    json_t *parent;

    if (events != NULL && n_open < MAX_DEPTH) {
        parent = n_open > 0 ? json_integer((json_int_t)open_events[n_open - 1]) : json_null();
        call->tool_token = json_array_size(events);
        open_events[n_open++] = json_array_size(events);
        json_array_append_new(events, json_pack("{s:I,s:o,s:s,s:s,s:o}", "id", (json_int_t)call->tool_token, "parent",
                                                parent, "name", call->dispatch->name, "carrier",
                                                call->dispatch->carrier_name, "shapes", show_shapes(call)));
    }
    sw_hook_pass_compute_enter(call, NULL);
}

void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    if (events != NULL && n_open > 0) {
        json_object_set_new(json_array_get(events, (size_t)call->tool_token), "ok",
                            json_boolean((call->flags & SW_HOOK_SUCCEEDED) != 0));
        n_open--;
    }
    sw_hook_pass_compute_exit(call, NULL);
}

void trace_begin(void)
{
    events = json_array();
    n_open = 0;
    sw_hooks_want(SW_HOOK_WANT_COMPUTE);
}

json_t *trace_end(void)
{
    json_t *taken = events;

    sw_hooks_unwant(SW_HOOK_WANT_COMPUTE);
    events = NULL;
    return taken;
}
