/*
 * Strong definitions of the hooks. One thread only.
 */
#include "config.h"

#include "trace.h"

#include <check.h>
#include <stdio.h>

struct trace_event trace[TRACE_MAX];
int n_traced;

static int innermost = -1;

uint64_t sw_hooks_wanted = SW_HOOK_WANT_COMPUTE;

void sw_hook_compute_enter(struct sw_hook_compute *call)
{
    struct trace_event *event = &trace[n_traced];

    ck_assert_int_lt(n_traced, TRACE_MAX);
    snprintf(event->name, sizeof event->name, "%s", call->dispatch->name);
    snprintf(event->carrier, sizeof event->carrier, "%s", call->dispatch->carrier_name);
    snprintf(event->implementation, sizeof event->implementation, "%s", call->dispatch->implementation_name);
    event->parent = innermost;
    event->succeeded = 0;
    event->has_ended = 0;
    event->n_operands = call->n_operands;
    for (uint32_t i = 0; i < call->n_operands && i < 3; i++) {
        const struct sw_tree *shape = sw_hook_operand_shape(call, i);
        event->first_extent[i] = shape != NULL ? shape->nodes[0] : 0;
    }
    call->tool_token = (uint64_t)n_traced;
    innermost = n_traced++;
}

void sw_hook_compute_exit(struct sw_hook_compute *call)
{
    ck_assert_int_eq((int)call->tool_token, innermost);
    trace[innermost].has_ended = 1;
    trace[innermost].succeeded = (call->flags & SW_HOOK_SUCCEEDED) != 0;
    innermost = trace[innermost].parent;
}

void trace_clear(void)
{
    n_traced = 0;
    innermost = -1;
}

void trace_expect(int index, int parent, const char *name, const char *carrier, int succeeded)
{
    ck_assert_int_lt(index, n_traced);
    ck_assert_int_eq(trace[index].parent, parent);
    ck_assert_str_eq(trace[index].name, name);
    ck_assert_str_eq(trace[index].carrier, carrier);
    ck_assert_int_eq(trace[index].has_ended, 1);
    ck_assert_int_eq(trace[index].succeeded, succeeded);
}
