/*
 * A program that traces itself, as one outside of the project would: writes every kind of record to the file that it
 * is given, N steps of them.
 */
#include <strideweave/trace_session.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define MUST(call)                                                     \
    do {                                                               \
        if ((call) != SW_OK) {                                         \
            fprintf(stderr, "write_trace: %s\n", sw_error_message());  \
            return EXIT_FAILURE;                                       \
        }                                                              \
    } while (0)

static enum sw_status observe(struct sw_trace_session *session, uint64_t step)
{
    static const uint64_t shape[] = { 4, 8 };
    static const char *const keys[] = { "layer.weight", "layer.bias" };
    struct sw_trace_tensor tensor = SW_TRACE_TENSOR_INIT;
    struct sw_trace_value value = SW_TRACE_VALUE_INIT;
    enum sw_status status;

    tensor.static_id = "tensor:train:Model::forward:0";
    tensor.source = "model.c:\"12\"\n\xc3\xa9\xff";
    tensor.shape = shape;
    tensor.rank = 2;
    status = sw_trace_session_tensor(session, &tensor);
    for (size_t i = 0; i < 2 && status == SW_OK; i++) {
        struct sw_trace_gradient gradient = SW_TRACE_GRADIENT_INIT;
        gradient.root = "loss";
        gradient.key = keys[i];
        gradient.has_norm = 1;
        gradient.state = i == 1 && step == 3 ? SW_TRACE_GRADIENT_NON_FINITE : SW_TRACE_GRADIENT_PRESENT;
        gradient.norm = i == 1 && step == 3 ? NAN : 1.0 / (3.0 + (double)step);
        status = sw_trace_session_gradient(session, &gradient);
    }
    value.static_id = "activation";
    value.min = -0.1;
    value.max = 1e300;
    value.abs_max = 1e300;
    value.n_saturated = step;
    return status == SW_OK ? sw_trace_session_value(session, &value) : status;
}

int main(int argc, char **argv)
{
    static const char *const inputs[] = { "tensor:train:Model::forward:0" };
    static const char *const features[] = { "cuda" };
    struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("Model::forward");
    struct sw_trace_session *session = NULL;
    struct sw_trace_statistics statistics;
    struct sw_trace_id dropped;

    if (argc != 3)
        return EXIT_FAILURE;
    config.features = features;
    config.n_features = 1;
    config.analysis_id = "analysis-1";
    config.build_id = "build-1";
    MUST(sw_trace_session_open(argv[1], &config, &session));
    for (uint64_t step = 0; step < strtoull(argv[2], NULL, 10); step++) {
        struct sw_trace_id id;
        sw_trace_session_set_step(session, step);
        SW_TRACE_SCOPE(session, "operation:train:Model::step:0", "step", NULL, 0);
        MUST(sw_trace_session_begin(session, "operation:train:Model::forward:0", "matmul", inputs, 1, &id));
        MUST(sw_trace_session_end(session, id.text, "tensor-out", NULL));
        MUST(sw_trace_session_edge(session, inputs[0], "operation:train:Model::forward:0", 100 * (step + 1)));
        MUST(observe(session, step));
    }
    MUST(sw_trace_session_begin(session, "never", "ends", NULL, 0, &dropped));
    MUST(sw_trace_session_finish(session, NULL, &statistics));
    printf("%llu records, %llu dropped\n", (unsigned long long)statistics.n_records,
           (unsigned long long)statistics.n_open);
    return EXIT_SUCCESS;
}
