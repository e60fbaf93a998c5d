/*
 * The beginning and the end of a trace session.
 */
#include "config.h"

#include "trace/session.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/options.h"

static const char *const phases[] = { [SW_TRACE_TRAIN] = "train", [SW_TRACE_INFER] = "infer" };

static enum sw_status check_config(const struct sw_trace_config *config)
{
    if (config == NULL)
        return sw_error_set(SW_VALUE_ERROR, "a trace session needs a configuration: SW_TRACE_CONFIG_TRAIN or _INFER");
    SW__TRY(sw__check_bytes("trace configuration", config->struct_bytes, sizeof *config));
    if (config->phase != SW_TRACE_TRAIN && config->phase != SW_TRACE_INFER)
        return sw_error_set(SW_TYPE_ERROR, "phase must be SW_TRACE_TRAIN or SW_TRACE_INFER, got %d", config->phase);
    SW__TRY(sw__trace_check_text("entrypoint", config->entrypoint));
    SW__TRY(sw__trace_check_text("profile", config->profile));
    if (config->features == NULL && config->n_features != 0)
        return sw_error_set(SW_VALUE_ERROR, "%zu features and no list of them", config->n_features);
    for (size_t i = 0; i < config->n_features; i++)
        SW__TRY(sw__trace_check_text("a feature", config->features[i]));
    return SW_OK;
}

static enum sw_status put_run(struct sw_trace_session *session, const struct sw_trace_config *config)
{
    const struct sw__trace_run run = {
        .schema = SW__TRACE_SCHEMA,
        .entrypoint = config->entrypoint,
        .profile = config->profile,
        .features = config->features,
        .n_features = config->n_features,
        .analysis_id = config->analysis_id,
        .build_id = config->build_id,
        .phase = phases[config->phase],
    };

    SW__TRY(sw__trace_put_run(&session->output.lines, &run, SW__TRACE_LINE));
    return sw__trace_output_line(&session->output);
}

static void session_clear(struct sw_trace_session *session)
{
    while (session->open != NULL) {
        struct sw__trace_open *open = session->open;
        session->open = open->older;
        sw__free(open);
    }
    sw__texts_clear(&session->event_ids);
    sw__trace_output_clear(&session->output);
    sw__free(session);
}

static void cleanup_session(struct sw_trace_session **session)
{
    if (*session != NULL)
        session_clear(*session);
}

enum sw_status sw_trace_session_open(const char *path, const struct sw_trace_config *config,
                                     struct sw_trace_session **ret_session)
{
    SW__TRY(check_config(config));
    SW__TRY(sw__trace_check_text("path", path));
    struct sw_trace_session *session SW__CLEANUP(cleanup_session) = sw__alloc_zero(sizeof *session);
    if (session == NULL)
        return SW_MEMORY_ERROR;
    session->output = (struct sw__trace_output)SW__TRACE_OUTPUT_INIT;
    session->phase = (enum sw_trace_phase)config->phase;
    SW__TRY(sw__trace_output_open(path, &session->output));
    SW__TRY(put_run(session, config));
    *ret_session = sw__take(session);
    return SW_OK;
}

void sw__trace_session_name(struct sw_trace_session *session, const char *kind, struct sw_trace_id *ret_id)
{
    snprintf(ret_id->text, sizeof ret_id->text, "%s-%s-%" PRIu64 "-%" PRIu64, phases[session->phase], kind,
             session->step, ++session->n_events);
}

enum sw_status sw_trace_session_flush(struct sw_trace_session *session)
{
    return sw__trace_output_flush(&session->output);
}

void sw_trace_session_statistics(const struct sw_trace_session *session, struct sw_trace_statistics *ret_statistics)
{
    *ret_statistics = (struct sw_trace_statistics){
        .n_records = session->n_records,
        .n_open = session->n_open,
        .n_lost = session->output.n_lost,
        .n_written_bytes = session->output.n_bytes,
    };
}

enum sw_status sw_trace_session_finish(struct sw_trace_session *finished, char **ret_path,
                                       struct sw_trace_statistics *ret_statistics)
{
    struct sw_trace_session *session SW__CLEANUP(cleanup_session) = finished;
    enum sw_status status = sw__trace_output_close(&session->output);

    if (ret_statistics != NULL)
        sw_trace_session_statistics(session, ret_statistics);
    if (status == SW_OK && ret_path != NULL)
        *ret_path = sw__take(session->output.path);
    return status;
}

void sw_trace_session_free(struct sw_trace_session *session)
{
    if (session == NULL)
        return;
    sw__trace_output_drain(&session->output);
    session_clear(session);
}
