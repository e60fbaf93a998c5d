/*
 * Trace sessions, point by point of their contract.
 */
#include "config.h"

#define _GNU_SOURCE 1

#include <math.h>
#include <sys/stat.h>
#include <time.h>

#include "trace/trace_test.h"

static struct sw_trace_id begin(struct sw_trace_session *session, const char *static_id)
{
    struct sw_trace_id id;

    ck_assert_int_eq(sw_trace_session_begin(session, static_id, "matmul", NULL, 0, &id), SW_OK);
    return id;
}

START_TEST(the_first_line_is_the_run)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_INFER);

    ck_assert_int_eq(sw_trace_session_phase(session), SW_TRACE_INFER);
    ck_assert_uint_eq(sw_trace_session_step(session), 0);
    check_file("t.jsonl", ""); /* buffered */
    ck_assert_int_eq(sw_trace_session_flush(session), SW_OK);
    check_file("t.jsonl", META("infer"));
    sw_trace_session_free(session);
}
END_TEST

START_TEST(a_configuration_has_every_member_of_the_run)
{
    static const char *const features[] = { "cuda", "mkl" };
    struct sw_trace_config config = SW_TRACE_CONFIG_INFER("serve");
    struct sw_trace_session *session = NULL;

    config.profile = "debug";
    config.features = features;
    config.n_features = 2;
    config.analysis_id = "an";
    config.build_id = "bu";
    ck_assert_int_eq(sw_trace_session_open("t.jsonl", &config, &session), SW_OK);
    sw_trace_session_free(session);
    check_file("t.jsonl", "{\"kind\":\"meta\",\"schema\":\"candle-graph/runtime/3\",\"entrypoint\":\"serve\","
                          "\"profile\":\"debug\",\"cargo_features\":[\"cuda\",\"mkl\"],\"cfg\":[],"
                          "\"analysis_id\":\"an\",\"build_id\":\"bu\",\"phase\":\"infer\"}\n");
}
END_TEST

START_TEST(missing_folders_are_made_and_what_was_there_is_emptied)
{
    struct stat status;

    sw_trace_session_free(open_at("a/b//c/t.jsonl", SW_TRACE_TRAIN));
    check_file("a/b/c/t.jsonl", META("train"));
    ck_assert_int_eq(stat("a/b/c", &status), 0);
    FILE *file = fopen("a/b/c/t.jsonl", "a");
    for (int i = 0; i < 1000; i++)
        fputs("old", file);
    fclose(file);
    sw_trace_session_free(open_at("a/b/c/t.jsonl", SW_TRACE_INFER));
    check_file("a/b/c/t.jsonl", META("infer"));
}
END_TEST

START_TEST(what_cannot_be_opened_is_told_with_its_place)
{
    struct sw_trace_config config = SW_TRACE_CONFIG_TRAIN("e");
    struct sw_trace_session *session = NULL;

    fclose(fopen("file", "w"));
    FAILS(SW_OS_ERROR, sw_trace_session_open("file/x/t.jsonl", &config, &session),
          "create profile dir file/x: Not a directory");
    FAILS(SW_OS_ERROR, sw_trace_session_open("file/t.jsonl", &config, &session),
          "create profile dir file: Not a directory");
    ck_assert_int_eq(mkdir("folder", 0700), 0);
    FAILS(SW_OS_ERROR, sw_trace_session_open("folder", &config, &session), "open profile trace folder: Is a directory");
    FAILS(SW_OS_ERROR, sw_trace_session_open("", &config, &session), "open profile trace : No such file or directory");
    FAILS(SW_VALUE_ERROR, sw_trace_session_open(NULL, &config, &session), "path is missing");
    config.phase = 2;
    FAILS(SW_TYPE_ERROR, sw_trace_session_open("t", &config, &session),
          "phase must be SW_TRACE_TRAIN or SW_TRACE_INFER, got 2");
    config.phase = 0;
    config.entrypoint = NULL;
    FAILS(SW_VALUE_ERROR, sw_trace_session_open("t", &config, &session), "entrypoint is missing");
    config.struct_bytes = 4;
    ck_assert_int_eq(sw_trace_session_open("t", &config, &session), SW_TYPE_ERROR);
    ck_assert_ptr_null(session);
    ck_assert_int_ne(access("t", F_OK), 0);
}
END_TEST

START_TEST(operations_and_edges_are_counted_together_from_1)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    const char *const inputs[] = { "tensor-a", "tensor-b" };
    struct sw_trace_id id, second;
    uint64_t duration_ns = 0;
    char expected[1024], *path = NULL;

    ck_assert_int_eq(sw_trace_session_begin(session, "s", "matmul", inputs, 2, &id), SW_OK);
    ck_assert_str_eq(id.text, "train-op-0-1");
    ck_assert_int_eq(sw_trace_session_edge(session, "tensor:train:Model::forward:0", "operation:train:Model::forward:0",
                                           42),
                     SW_OK);
    second = begin(session, "s2");
    ck_assert_str_eq(second.text, "train-op-0-3");
    ck_assert_int_eq(sw_trace_session_end(session, id.text, "tensor-out", &duration_ns), SW_OK);
    ck_assert_int_eq(sw_trace_session_finish(session, &path, NULL), SW_OK);
    ck_assert_str_eq(path, "t.jsonl");
    sw_free(path);
    snprintf(expected, sizeof expected,
             META("train") "{\"kind\":\"edge_timing\",\"event_id\":\"train-edge-0-2\","
                           "\"from_static_id\":\"tensor:train:Model::forward:0\","
                           "\"to_static_id\":\"operation:train:Model::forward:0\",\"duration_ns\":42,\"step\":0}\n"
                           "{\"kind\":\"operation\",\"event_id\":\"train-op-0-1\",\"op\":\"matmul\",\"static_id\":\"s\","
                           "\"inputs\":[\"tensor-a\",\"tensor-b\"],\"output\":\"tensor-out\",\"step\":0,"
                           "\"duration_ns\":%llu}\n",
             (unsigned long long)duration_ns);
    check_file("t.jsonl", expected);
}
END_TEST

START_TEST(a_record_has_the_step_of_its_end_and_its_id_that_of_its_beginning)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);

    sw_trace_session_set_step(session, 7);
    struct sw_trace_id id = begin(session, "s");
    ck_assert_str_eq(id.text, "train-op-7-1");
    sw_trace_session_set_step(session, UINT64_MAX);
    ck_assert_uint_eq(sw_trace_session_step(session), UINT64_MAX);
    ck_assert_int_eq(sw_trace_session_end(session, id.text, NULL, NULL), SW_OK);
    sw_trace_session_set_step(session, 3); /* backwards */
    ck_assert_int_eq(sw_trace_session_edge(session, "a", "b", UINT64_MAX), SW_OK);
    sw_trace_session_free(session);
    char *text = trace_test_read("t.jsonl");
    ck_assert_ptr_nonnull(strstr(text, "\"event_id\":\"train-op-7-1\",\"op\":\"matmul\",\"static_id\":\"s\","
                                       "\"inputs\":[],\"step\":18446744073709551615,\"duration_ns\":"));
    ck_assert_ptr_nonnull(strstr(text, "\"event_id\":\"train-edge-3-2\",\"from_static_id\":\"a\",\"to_static_id\":"
                                       "\"b\",\"duration_ns\":18446744073709551615,\"step\":3}"));
    free(text);
}
END_TEST

START_TEST(operations_end_in_any_order_and_stand_in_it)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_id a = begin(session, "a"), b = begin(session, "b"), c = begin(session, "c");

    ck_assert_int_eq(sw_trace_session_end(session, b.text, NULL, NULL), SW_OK);
    ck_assert_int_eq(sw_trace_session_end(session, c.text, NULL, NULL), SW_OK);
    ck_assert_int_eq(sw_trace_session_end(session, a.text, NULL, NULL), SW_OK);
    sw_trace_session_free(session);
    char *text = trace_test_read("t.jsonl");
    char *at_b = strstr(text, "op-0-2"), *at_c = strstr(text, "op-0-3"), *at_a = strstr(text, "op-0-1\"");
    ck_assert(at_b != NULL && at_c != NULL && at_a != NULL && at_b < at_c && at_c < at_a);
    free(text);
}
END_TEST

START_TEST(an_operation_that_is_not_open_is_refused_and_nothing_written)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_id id = begin(session, "s");
    uint64_t duration_ns = 17;

    FAILS(SW_VALUE_ERROR, sw_trace_session_end(session, "train-op-0-2", NULL, &duration_ns),
          "unknown profile operation `train-op-0-2`");
    ck_assert_uint_eq(duration_ns, 17);
    ck_assert_int_eq(sw_trace_session_end(session, id.text, NULL, &duration_ns), SW_OK);
    FAILS(SW_VALUE_ERROR, sw_trace_session_end(session, id.text, NULL, &duration_ns),
          "unknown profile operation `train-op-0-1`");
    struct sw_trace_statistics statistics;
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, &statistics), SW_OK);
    ck_assert_uint_eq(statistics.n_records, 1);
    ck_assert_uint_eq(statistics.n_lost, 0);
}
END_TEST

START_TEST(what_is_open_at_the_end_is_dropped_and_counted)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_statistics statistics = { 9, 9, 9, 9 };

    begin(session, "a");
    begin(session, "b");
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, &statistics), SW_OK);
    ck_assert_uint_eq(statistics.n_open, 2);
    ck_assert_uint_eq(statistics.n_records, 0);
    ck_assert_uint_eq(statistics.n_written_bytes, strlen(META("train")));
    check_file("t.jsonl", META("train"));
}
END_TEST

START_TEST(a_duration_is_the_time_between)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct timespec before, after;
    uint64_t duration_ns = 0;

    clock_gettime(CLOCK_MONOTONIC, &before);
    struct sw_trace_id id = begin(session, "s");
    for (volatile int i = 0; i < 1000000; i++)
        ;
    ck_assert_int_eq(sw_trace_session_end(session, id.text, NULL, &duration_ns), SW_OK);
    clock_gettime(CLOCK_MONOTONIC, &after);
    int64_t most_ns = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
    ck_assert(duration_ns > 0 && (int64_t)duration_ns <= most_ns);
    sw_trace_session_free(session);
}
END_TEST

START_TEST(what_was_given_may_change_afterwards)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    char text[8] = "before";
    const char *inputs[] = { text };
    struct sw_trace_id id;

    ck_assert_int_eq(sw_trace_session_begin(session, text, text, inputs, 1, &id), SW_OK);
    strcpy(text, "after");
    ck_assert_int_eq(sw_trace_session_end(session, id.text, NULL, NULL), SW_OK);
    sw_trace_session_free(session);
    char *lines = trace_test_read("t.jsonl");
    ck_assert_ptr_nonnull(strstr(lines, "\"op\":\"before\",\"static_id\":\"before\",\"inputs\":[\"before\"]"));
    free(lines);
}
END_TEST

START_TEST(observations_are_of_the_current_step)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_tensor tensor = SW_TRACE_TENSOR_INIT;
    struct sw_trace_gradient gradient = SW_TRACE_GRADIENT_INIT;
    struct sw_trace_value value = SW_TRACE_VALUE_INIT;
    const uint64_t shape[] = { 2, 3 };

    sw_trace_session_set_step(session, 4);
    tensor.static_id = "t";
    tensor.shape = shape;
    tensor.rank = 2;
    ck_assert_int_eq(sw_trace_session_tensor(session, &tensor), SW_OK);
    gradient.event_id = "mine";
    gradient.root = "loss";
    gradient.key = "w";
    gradient.state = SW_TRACE_GRADIENT_NON_FINITE;
    gradient.has_norm = 1;
    gradient.norm = NAN;
    ck_assert_int_eq(sw_trace_session_gradient(session, &gradient), SW_OK);
    value.source = "relu";
    value.n_saturated = 2;
    ck_assert_int_eq(sw_trace_session_value(session, &value), SW_OK);
    sw_trace_session_free(session);
    check_file("t.jsonl", META("train")
               "{\"kind\":\"tensor\",\"event_id\":\"train-tensor-4-1\",\"static_id\":\"t\",\"step\":4,\"shape\":[2,3],"
               "\"dtype\":\"f32\",\"device\":\"cpu\",\"contiguous\":true,\"requires_grad\":false}\n"
               "{\"kind\":\"gradient\",\"event_id\":\"mine\",\"root\":\"loss\",\"key\":\"w\",\"state\":\"non_finite\","
               "\"step\":4,\"norm\":null}\n"
               "{\"kind\":\"value\",\"event_id\":\"train-value-4-2\",\"source\":\"relu\",\"step\":4,\"min\":0e+00,"
               "\"max\":0e+00,\"abs_max\":0e+00,\"nonfinite_count\":0,\"saturated_count\":2}\n");
}
END_TEST

START_TEST(no_two_records_have_one_id)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_value value = SW_TRACE_VALUE_INIT;
    struct sw_trace_gradient gradient = SW_TRACE_GRADIENT_INIT;

    value.event_id = "one";
    ck_assert_int_eq(sw_trace_session_value(session, &value), SW_OK);
    gradient.event_id = "one"; /* over all kinds together */
    gradient.root = "r";
    gradient.key = "k";
    FAILS(SW_VALUE_ERROR, sw_trace_session_gradient(session, &gradient), "duplicate event_id `one`");
    value.event_id = "";
    FAILS(SW_VALUE_ERROR, sw_trace_session_value(session, &value), "empty event_id is not allowed");
    /* An id of the session's own form is taken like any other. */
    value.event_id = "train-op-0-1";
    ck_assert_int_eq(sw_trace_session_value(session, &value), SW_OK);
    struct sw_trace_id id = begin(session, "s");
    FAILS(SW_VALUE_ERROR, sw_trace_session_end(session, id.text, NULL, NULL), "duplicate event_id `train-op-0-1`");
    FAILS(SW_VALUE_ERROR, sw_trace_session_end(session, id.text, NULL, NULL),
          "unknown profile operation `train-op-0-1`");
    struct sw_trace_statistics statistics;
    ck_assert_int_eq(sw_trace_session_finish(session, NULL, &statistics), SW_OK);
    ck_assert_uint_eq(statistics.n_records, 2);
}
END_TEST

START_TEST(what_no_reader_could_take_is_refused)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_value value = SW_TRACE_VALUE_INIT;
    struct sw_trace_gradient gradient = SW_TRACE_GRADIENT_INIT;
    struct sw_trace_tensor tensor = SW_TRACE_TENSOR_INIT;

    value.event_id = "v";
    value.min = -INFINITY;
    FAILS(SW_VALUE_ERROR, sw_trace_session_value(session, &value), "value v: min is not finite");
    value.min = 0;
    value.max = NAN;
    FAILS(SW_VALUE_ERROR, sw_trace_session_value(session, &value), "value v: max is not finite");
    value.max = 0;
    value.abs_max = INFINITY;
    value.event_id = NULL;
    FAILS(SW_VALUE_ERROR, sw_trace_session_value(session, &value), "value without a name: abs_max is not finite");
    gradient.root = "loss";
    gradient.key = "w";
    gradient.has_norm = 1;
    FAILS(SW_VALUE_ERROR, sw_trace_session_gradient(session, &gradient),
          "invalid gradient fact loss:w: present state cannot have zero norm (use zero)");
    gradient.state = 4;
    FAILS(SW_TYPE_ERROR, sw_trace_session_gradient(session, &gradient), "4 is no state of a gradient");
    gradient.key = NULL;
    FAILS(SW_VALUE_ERROR, sw_trace_session_gradient(session, &gradient), "key is missing");
    tensor.rank = 1;
    FAILS(SW_VALUE_ERROR, sw_trace_session_tensor(session, &tensor), "a tensor of rank 1 without a shape");
    tensor.rank = 0;
    tensor.requires_grad = 2;
    FAILS(SW_TYPE_ERROR, sw_trace_session_tensor(session, &tensor), "requires_grad must be 0 or 1, got 2");
    sw_trace_session_free(session);
    check_file("t.jsonl", META("train"));
}
END_TEST

START_TEST(a_scope_is_an_operation)
{
    struct sw_trace_session *session = open_at("t.jsonl", SW_TRACE_TRAIN);
    struct sw_trace_statistics statistics;

    for (int i = 0; i < 3; i++) {
        SW_TRACE_SCOPE(session, "loop", "op", NULL, 0);
        SW_TRACE_SCOPE(session, "inner", "op", NULL, 0);
        if (i == 1)
            continue;
    }
    /* Where nothing can begin, nothing ends. */
    {
        SW_TRACE_SCOPE(session, NULL, "op", NULL, 0);
    }
    {
        SW_TRACE_SCOPE(NULL, "s", "op", NULL, 0);
    }
    sw_trace_session_statistics(session, &statistics);
    ck_assert_uint_eq(statistics.n_records, 6);
    ck_assert_uint_eq(statistics.n_open, 0);
    sw_trace_session_free(session);
    char *text = trace_test_read("t.jsonl");
    char *inner = strstr(text, "\"static_id\":\"inner\",\"inputs\":[],\"step\":0"), *outer = strstr(text, "\"loop\"");
    ck_assert(inner != NULL && outer != NULL && inner < outer);
    ck_assert_ptr_null(strstr(text, "\"output\""));
    free(text);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_first_line_is_the_run,
        a_configuration_has_every_member_of_the_run,
        missing_folders_are_made_and_what_was_there_is_emptied,
        what_cannot_be_opened_is_told_with_its_place,
        operations_and_edges_are_counted_together_from_1,
        a_record_has_the_step_of_its_end_and_its_id_that_of_its_beginning,
        operations_end_in_any_order_and_stand_in_it,
        an_operation_that_is_not_open_is_refused_and_nothing_written,
        what_is_open_at_the_end_is_dropped_and_counted,
        a_duration_is_the_time_between,
        what_was_given_may_change_afterwards,
        observations_are_of_the_current_step,
        no_two_records_have_one_id,
        what_no_reader_could_take_is_refused,
        a_scope_is_an_operation,
    };

    return trace_test_main("trace session", tests, sizeof tests / sizeof *tests);
}
