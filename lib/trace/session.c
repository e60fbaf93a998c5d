/*
 * Operations and edges of a trace session.
 */
#include "config.h"

#include "trace/session.h"

#include <string.h>
#include <time.h>

#include "base/alloc.h"

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

enum sw_trace_phase sw_trace_session_phase(const struct sw_trace_session *session)
{
    return session->phase;
}

uint64_t sw_trace_session_step(const struct sw_trace_session *session)
{
    return session->step;
}

void sw_trace_session_set_step(struct sw_trace_session *session, uint64_t step)
{
    session->step = step;
}

/* ---- Records ---------------------------------------------------------------------------------------- */

enum sw_status sw__trace_check_text(const char *what, const char *text)
{
    return text != NULL ? SW_OK : sw_error_set(SW_VALUE_ERROR, "%s is missing", what);
}

enum sw_status sw__trace_session_admit(struct sw_trace_session *session, const char *event_id)
{
    if (event_id[0] == '\0')
        return sw_error_set(SW_VALUE_ERROR, "empty event_id is not allowed");
    if (sw__texts_find(&session->event_ids, event_id) != NULL)
        return sw_error_set(SW_VALUE_ERROR, "duplicate event_id `%s`", event_id);
    return sw__trace_output_check(&session->output);
}

enum sw_status sw__trace_session_keep(struct sw_trace_session *session, const char *event_id, size_t mark,
                                      enum sw_status status)
{
    const char *kept = NULL;

    if (status == SW_OK)
        status = sw__texts_put(&session->event_ids, event_id, &kept, NULL);
    if (status != SW_OK) {
        session->output.lines.n_bytes = mark;
        return status;
    }
    session->n_records++;
    return sw__trace_output_line(&session->output);
}

/* ---- Operations ------------------------------------------------------------------------------------- */

static enum sw_status check_operation(const char *static_id, const char *op, const char *const *inputs,
                                      size_t n_inputs)
{
    SW__TRY(sw__trace_check_text("static_id", static_id));
    SW__TRY(sw__trace_check_text("op", op));
    if (inputs == NULL && n_inputs != 0)
        return sw_error_set(SW_VALUE_ERROR, "%zu inputs and no list of them", n_inputs);
    for (size_t i = 0; i < n_inputs; i++)
        SW__TRY(sw__trace_check_text("an input", inputs[i]));
    return SW_OK;
}

/* Copy a text to *@place and move that behind it. */
static const char *place_text(char **place, const char *text)
{
    const char *copy = *place;

    *place = stpcpy(*place, text) + 1;
    return copy;
}

static struct sw__trace_open *copy_operation(const char *static_id, const char *op, const char *const *inputs,
                                             size_t n_inputs)
{
    size_t n_bytes = strlen(static_id) + strlen(op) + 2;
    struct sw__trace_open *open;

    for (size_t i = 0; i < n_inputs; i++)
        n_bytes += strlen(inputs[i]) + 1;
    open = sw__alloc(sizeof *open + n_inputs * sizeof *open->inputs + n_bytes);
    if (open == NULL)
        return NULL;
    char *place = (char *)(open->inputs + n_inputs);
    open->static_id = place_text(&place, static_id);
    open->op = place_text(&place, op);
    open->n_inputs = n_inputs;
    for (size_t i = 0; i < n_inputs; i++)
        open->inputs[i] = place_text(&place, inputs[i]);
    return open;
}

enum sw_status sw_trace_session_begin(struct sw_trace_session *session, const char *static_id, const char *op,
                                      const char *const *inputs, size_t n_inputs, struct sw_trace_id *ret_id)
{
    SW__TRY(check_operation(static_id, op, inputs, n_inputs));
    struct sw__trace_open *open = copy_operation(static_id, op, inputs, n_inputs);
    if (open == NULL)
        return SW_MEMORY_ERROR;
    sw__trace_session_name(session, "op", &open->id);
    open->older = session->open;
    session->open = open;
    session->n_open++;
    *ret_id = open->id;
    open->begin_ns = now_ns();
    return SW_OK;
}

/* Where among those that are open an operation is linked; NULL there when it is not. */
static struct sw__trace_open **find_open(struct sw_trace_session *session, const char *event_id)
{
    struct sw__trace_open **place = &session->open;

    while (*place != NULL && strcmp((*place)->id.text, event_id) != 0)
        place = &(*place)->older;
    return place;
}

static void drop_open(struct sw_trace_session *session, struct sw__trace_open **place)
{
    struct sw__trace_open *open = *place;

    *place = open->older;
    session->n_open--;
    sw__free(open);
}

static enum sw_status put_operation(struct sw_trace_session *session, const struct sw__trace_operation *operation)
{
    size_t mark = session->output.lines.n_bytes;

    SW__TRY(sw__trace_session_admit(session, operation->event_id));
    return sw__trace_session_keep(session, operation->event_id, mark,
                                  sw__trace_put_operation(&session->output.lines, operation, SW__TRACE_LINE));
}

enum sw_status sw_trace_session_end(struct sw_trace_session *session, const char *event_id, const char *output,
                                    uint64_t *ret_duration_ns)
{
    uint64_t end_ns = now_ns();

    SW__TRY(sw__trace_check_text("event_id", event_id));
    struct sw__trace_open **place = find_open(session, event_id), *open = *place;
    if (open == NULL)
        return sw_error_set(SW_VALUE_ERROR, "unknown profile operation `%s`", event_id);
    const struct sw__trace_operation operation = {
        .event_id = open->id.text,
        .op = open->op,
        .static_id = open->static_id,
        .inputs = open->inputs,
        .n_inputs = open->n_inputs,
        .output = output,
        .step = SW__TRACE_COUNT(session->step),
        .duration_ns = SW__TRACE_COUNT(end_ns - open->begin_ns),
    };
    enum sw_status status = put_operation(session, &operation);
    if (status != SW_MEMORY_ERROR)
        drop_open(session, place); /* what could not be written is counted as lost */
    SW__TRY(status);
    if (ret_duration_ns != NULL)
        *ret_duration_ns = operation.duration_ns.value;
    return SW_OK;
}

/* ---- Edges -------------------------------------------------------------------------------------------- */

enum sw_status sw_trace_session_edge(struct sw_trace_session *session, const char *from_static_id,
                                     const char *to_static_id, uint64_t duration_ns)
{
    struct sw_trace_id id;
    size_t mark = session->output.lines.n_bytes;

    SW__TRY(sw__trace_check_text("from_static_id", from_static_id));
    SW__TRY(sw__trace_check_text("to_static_id", to_static_id));
    sw__trace_session_name(session, "edge", &id);
    const struct sw__trace_edge edge = { id.text, from_static_id, to_static_id, duration_ns,
                                         SW__TRACE_COUNT(session->step) };
    SW__TRY(sw__trace_session_admit(session, id.text));
    return sw__trace_session_keep(session, id.text, mark,
                                  sw__trace_put_edge(&session->output.lines, &edge, SW__TRACE_LINE));
}
