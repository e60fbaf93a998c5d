/*
 * Records to JSON.
 */
#include "config.h"

#include "trace/records.h"

#include <strideweave/trace_session.h>

#include <math.h>
#include <string.h>

#include "analyze/json_text.h"

/* ---- Members -------------------------------------------------------------------------------------- */

/* "{", with the kind where there is one, and the first member. */
static enum sw_status begin(struct sw__builder *text, enum sw__trace_form form, const char *kind, const char *key,
                            const char *value)
{
    SW__TRY(sw__builder_string(text, "{"));
    if (form == SW__TRACE_LINE) {
        SW__TRY(sw__builder_string(text, "\"kind\":"));
        SW__TRY(sw__json_put_text(text, kind));
        SW__TRY(sw__builder_string(text, ","));
    }
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_text(text, value);
}

static enum sw_status end(struct sw__builder *text, enum sw__trace_form form)
{
    return sw__builder_string(text, form == SW__TRACE_LINE ? "}\n" : "}");
}

/* @key: with its comma and colon, as in the following. Nothing for an absent text. */
static enum sw_status put_text(struct sw__builder *text, const char *key, const char *value)
{
    if (value == NULL)
        return SW_OK;
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_text(text, value);
}

static enum sw_status put_number(struct sw__builder *text, const char *key, uint64_t value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_count(text, value);
}

static enum sw_status put_count(struct sw__builder *text, const char *key, struct sw__trace_count count)
{
    return count.is_there ? put_number(text, key, count.value) : SW_OK;
}

static enum sw_status put_real(struct sw__builder *text, const char *key, double value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__json_put_real(text, value);
}

static enum sw_status put_flag(struct sw__builder *text, const char *key, int value)
{
    SW__TRY(sw__builder_string(text, key));
    return sw__builder_string(text, value ? "true" : "false");
}

static enum sw_status put_texts(struct sw__builder *text, const char *key, const char *const *values, size_t n)
{
    SW__TRY(sw__builder_string(text, key));
    SW__TRY(sw__builder_string(text, "["));
    for (size_t i = 0; i < n; i++) {
        SW__TRY(sw__builder_string(text, i == 0 ? "" : ","));
        SW__TRY(sw__json_put_text(text, values[i]));
    }
    return sw__builder_string(text, "]");
}

/* ---- Records -------------------------------------------------------------------------------------- */

enum sw_status sw__trace_put_run(struct sw__builder *text, const struct sw__trace_run *run, enum sw__trace_form form)
{
    if (form == SW__TRACE_LINE) {
        SW__TRY(begin(text, form, "meta", "\"schema\":", run->schema));
        SW__TRY(put_text(text, ",\"entrypoint\":", run->entrypoint));
    } else {
        SW__TRY(begin(text, form, "", "\"entrypoint\":", run->entrypoint));
    }
    SW__TRY(put_text(text, ",\"profile\":", run->profile));
    SW__TRY(put_texts(text, ",\"cargo_features\":", run->features, run->n_features));
    SW__TRY(put_texts(text, ",\"cfg\":", run->cfg, run->n_cfg));
    SW__TRY(put_text(text, ",\"analysis_id\":", run->analysis_id));
    SW__TRY(put_text(text, ",\"build_id\":", run->build_id));
    SW__TRY(put_text(text, ",\"phase\":", run->phase));
    return end(text, form);
}

enum sw_status sw__trace_put_operation(struct sw__builder *text, const struct sw__trace_operation *operation,
                                       enum sw__trace_form form)
{
    SW__TRY(begin(text, form, "operation", "\"event_id\":", operation->event_id));
    SW__TRY(put_text(text, ",\"op\":", operation->op));
    SW__TRY(put_text(text, ",\"static_id\":", operation->static_id));
    SW__TRY(put_text(text, ",\"source\":", operation->source));
    SW__TRY(put_texts(text, ",\"inputs\":", operation->inputs, operation->n_inputs));
    SW__TRY(put_text(text, ",\"output\":", operation->output));
    SW__TRY(put_count(text, ",\"step\":", operation->step));
    SW__TRY(put_count(text, ",\"duration_ns\":", operation->duration_ns));
    return end(text, form);
}

enum sw_status sw__trace_put_edge(struct sw__builder *text, const struct sw__trace_edge *edge,
                                  enum sw__trace_form form)
{
    SW__TRY(begin(text, form, "edge_timing", "\"event_id\":", edge->event_id));
    SW__TRY(put_text(text, ",\"from_static_id\":", edge->from));
    SW__TRY(put_text(text, ",\"to_static_id\":", edge->to));
    SW__TRY(put_number(text, ",\"duration_ns\":", edge->duration_ns));
    SW__TRY(put_count(text, ",\"step\":", edge->step));
    return end(text, form);
}

enum sw_status sw__trace_put_tensor(struct sw__builder *text, const struct sw__trace_tensor *tensor,
                                    enum sw__trace_form form)
{
    SW__TRY(begin(text, form, "tensor", "\"event_id\":", tensor->event_id));
    SW__TRY(put_text(text, ",\"static_id\":", tensor->static_id));
    SW__TRY(put_text(text, ",\"source\":", tensor->source));
    SW__TRY(put_count(text, ",\"step\":", tensor->step));
    SW__TRY(sw__builder_string(text, ",\"shape\":["));
    for (size_t i = 0; i < tensor->rank; i++)
        SW__TRY(put_number(text, i == 0 ? "" : ",", tensor->shape[i]));
    SW__TRY(put_text(text, "],\"dtype\":", tensor->dtype));
    SW__TRY(put_text(text, ",\"device\":", tensor->device));
    SW__TRY(put_flag(text, ",\"contiguous\":", tensor->is_contiguous));
    SW__TRY(put_flag(text, ",\"requires_grad\":", tensor->requires_grad));
    SW__TRY(put_text(text, ",\"storage_id\":", tensor->storage_id));
    return end(text, form);
}

enum sw_status sw__trace_put_gradient(struct sw__builder *text, const struct sw__trace_gradient *gradient,
                                      enum sw__trace_form form)
{
    SW__TRY(begin(text, form, "gradient", "\"event_id\":", gradient->event_id));
    SW__TRY(put_text(text, ",\"root\":", gradient->root));
    SW__TRY(put_text(text, ",\"key\":", gradient->key));
    SW__TRY(put_text(text, ",\"state\":", sw__trace_state_name(gradient->state)));
    SW__TRY(put_count(text, ",\"step\":", gradient->step));
    if (gradient->has_norm)
        SW__TRY(put_real(text, ",\"norm\":", gradient->norm));
    return end(text, form);
}

enum sw_status sw__trace_put_value(struct sw__builder *text, const struct sw__trace_value *value,
                                   enum sw__trace_form form)
{
    SW__TRY(begin(text, form, "value", "\"event_id\":", value->event_id));
    SW__TRY(put_text(text, ",\"static_id\":", value->static_id));
    SW__TRY(put_text(text, ",\"source\":", value->source));
    SW__TRY(put_count(text, ",\"step\":", value->step));
    SW__TRY(put_real(text, ",\"min\":", value->min));
    SW__TRY(put_real(text, ",\"max\":", value->max));
    SW__TRY(put_real(text, ",\"abs_max\":", value->abs_max));
    SW__TRY(put_number(text, ",\"nonfinite_count\":", value->n_nonfinite));
    SW__TRY(put_number(text, ",\"saturated_count\":", value->n_saturated));
    return end(text, form);
}

/* ---- Gradients -------------------------------------------------------------------------------------- */

static const char *const states[] = {
#define TRACE_GRADIENT_STATE(enumerator, name, fits, fault) [SW_TRACE_GRADIENT_##enumerator] = name,
#include "trace/gradient_state.def"
#undef TRACE_GRADIENT_STATE
};
#define N_STATES ((int)(sizeof states / sizeof *states))

const char *sw__trace_state_name(int state)
{
    return state >= 0 && state < N_STATES ? states[state] : NULL;
}

int sw__trace_state_find(const char *name)
{
    for (int state = 0; state < N_STATES; state++)
        if (strcmp(states[state], name) == 0)
            return state;
    return -1;
}

const char *sw__trace_gradient_fault(const struct sw__trace_gradient *gradient)
{
    int is_finite = isfinite(gradient->norm) != 0, is_zero = is_finite && fpclassify(gradient->norm) == FP_ZERO;

    if (!gradient->has_norm)
        return NULL;
    switch ((enum sw_trace_gradient_state)gradient->state) {
#define TRACE_GRADIENT_STATE(enumerator, name, fits, fault) \
    case SW_TRACE_GRADIENT_##enumerator:                    \
        return (fits) ? NULL : (fault);
#include "trace/gradient_state.def"
#undef TRACE_GRADIENT_STATE
    }
    return NULL;
}
