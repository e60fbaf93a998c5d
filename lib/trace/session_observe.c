/*
 * Observations of a trace session: tensors, gradients, values.
 */
#include "config.h"

#include "trace/session.h"

#include <math.h>

#include "base/options.h"

/* The id of an observation: the caller's, or the session's next one. */
static enum sw_status choose_id(struct sw_trace_session *session, const char *given, const char *kind,
                                struct sw_trace_id *own, const char **ret_id)
{
    if (given == NULL)
        sw__trace_session_name(session, kind, own);
    *ret_id = given != NULL ? given : own->text;
    return sw__trace_session_admit(session, *ret_id);
}

static enum sw_status check_tensor(const struct sw_trace_tensor *observation)
{
    SW__TRY(sw__check_bytes("trace tensor", observation->struct_bytes, sizeof *observation));
    SW__TRY(sw__check_boolean("is_contiguous", observation->is_contiguous));
    SW__TRY(sw__check_boolean("requires_grad", observation->requires_grad));
    SW__TRY(sw__trace_check_text("dtype", observation->dtype));
    SW__TRY(sw__trace_check_text("device", observation->device));
    if (observation->shape == NULL && observation->rank != 0)
        return sw_error_set(SW_VALUE_ERROR, "a tensor of rank %zu without a shape", observation->rank);
    return SW_OK;
}

enum sw_status sw_trace_session_tensor(struct sw_trace_session *session, const struct sw_trace_tensor *observation)
{
    struct sw_trace_id own;
    size_t mark = session->output.lines.n_bytes;
    struct sw__trace_tensor tensor = { .step = SW__TRACE_COUNT(session->step) };

    SW__TRY(check_tensor(observation));
    SW__TRY(choose_id(session, observation->event_id, "tensor", &own, &tensor.event_id));
    tensor.static_id = observation->static_id;
    tensor.source = observation->source;
    tensor.shape = observation->shape;
    tensor.rank = observation->rank;
    tensor.dtype = observation->dtype;
    tensor.device = observation->device;
    tensor.is_contiguous = observation->is_contiguous;
    tensor.requires_grad = observation->requires_grad;
    tensor.storage_id = observation->storage_id;
    return sw__trace_session_keep(session, tensor.event_id, mark,
                                  sw__trace_put_tensor(&session->output.lines, &tensor, SW__TRACE_LINE));
}

static enum sw_status check_gradient(const struct sw_trace_gradient *observation,
                                     const struct sw__trace_gradient *gradient)
{
    const char *fault = sw__trace_gradient_fault(gradient);

    if (fault != NULL)
        return sw_error_set(SW_VALUE_ERROR, "invalid gradient fact %s:%s: %s", observation->root, observation->key,
                            fault);
    return SW_OK;
}

enum sw_status sw_trace_session_gradient(struct sw_trace_session *session,
                                         const struct sw_trace_gradient *observation)
{
    struct sw_trace_id own;
    size_t mark = session->output.lines.n_bytes;
    struct sw__trace_gradient gradient = { .step = SW__TRACE_COUNT(session->step) };

    SW__TRY(sw__check_bytes("trace gradient", observation->struct_bytes, sizeof *observation));
    SW__TRY(sw__check_boolean("has_norm", observation->has_norm));
    SW__TRY(sw__trace_check_text("root", observation->root));
    SW__TRY(sw__trace_check_text("key", observation->key));
    if (sw__trace_state_name(observation->state) == NULL)
        return sw_error_set(SW_TYPE_ERROR, "%d is no state of a gradient", observation->state);
    gradient.root = observation->root;
    gradient.key = observation->key;
    gradient.state = observation->state;
    gradient.norm = observation->norm;
    gradient.has_norm = observation->has_norm;
    SW__TRY(check_gradient(observation, &gradient));
    SW__TRY(choose_id(session, observation->event_id, "gradient", &own, &gradient.event_id));
    return sw__trace_session_keep(session, gradient.event_id, mark,
                                  sw__trace_put_gradient(&session->output.lines, &gradient, SW__TRACE_LINE));
}

/* A reader could take none of them: JSON has no such number. */
static enum sw_status check_finite(const char *event_id, const struct sw_trace_value *observation)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = { { "min", observation->min }, { "max", observation->max }, { "abs_max", observation->abs_max } };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i].value))
            return sw_error_set(SW_VALUE_ERROR, "value %s: %s is not finite", event_id, numbers[i].name);
    return SW_OK;
}

enum sw_status sw_trace_session_value(struct sw_trace_session *session, const struct sw_trace_value *observation)
{
    struct sw_trace_id own;
    size_t mark = session->output.lines.n_bytes;
    struct sw__trace_value value = { .step = SW__TRACE_COUNT(session->step) };

    SW__TRY(sw__check_bytes("trace value", observation->struct_bytes, sizeof *observation));
    SW__TRY(check_finite(observation->event_id != NULL   ? observation->event_id
                         : observation->static_id != NULL ? observation->static_id
                                                          : "without a name",
                         observation));
    SW__TRY(choose_id(session, observation->event_id, "value", &own, &value.event_id));
    value.static_id = observation->static_id;
    value.source = observation->source;
    value.min = observation->min;
    value.max = observation->max;
    value.abs_max = observation->abs_max;
    value.n_nonfinite = observation->n_nonfinite;
    value.n_saturated = observation->n_saturated;
    return sw__trace_session_keep(session, value.event_id, mark,
                                  sw__trace_put_value(&session->output.lines, &value, SW__TRACE_LINE));
}
