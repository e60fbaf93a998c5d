/*
 * Records as the format writes them. The expected lines were copied from what the reference writes for a session, or
 * follow its table of members.
 */
#include "config.h"

#include <math.h>

#include "trace/records.h"
#include "trace/texts.h"
#include "trace/trace_test.h"

#define CHECK_LINE(put, record, form, expected)                       \
    do {                                                              \
        struct sw__builder text SW__OWNED_BUILDER = { 0 };            \
        ck_assert_int_eq(put(&text, &(record), form), SW_OK);         \
        ck_assert_str_eq(text.bytes, expected);                       \
    } while (0)

START_TEST(the_lines_of_a_session_are_the_references)
{
    const struct sw__trace_run run = { .schema = SW__TRACE_SCHEMA, .entrypoint = "Model::forward",
                                       .profile = "release", .phase = "train" };
    const struct sw__trace_operation operation = {
        .event_id = "train-op-0-1", .op = "matmul", .static_id = "operation:train:Model::forward:0",
        .output = "tensor-out", .step = SW__TRACE_COUNT(0), .duration_ns = SW__TRACE_COUNT(42),
    };
    const struct sw__trace_edge edge = { "train-edge-0-2", "tensor:train:Model::forward:0",
                                         "operation:train:Model::forward:0", 42, SW__TRACE_COUNT(0) };

    CHECK_LINE(sw__trace_put_run, run, SW__TRACE_LINE,
               "{\"kind\":\"meta\",\"schema\":\"candle-graph/runtime/3\",\"entrypoint\":\"Model::forward\","
               "\"profile\":\"release\",\"cargo_features\":[],\"cfg\":[],\"phase\":\"train\"}\n");
    CHECK_LINE(sw__trace_put_operation, operation, SW__TRACE_LINE,
               "{\"kind\":\"operation\",\"event_id\":\"train-op-0-1\",\"op\":\"matmul\","
               "\"static_id\":\"operation:train:Model::forward:0\",\"inputs\":[],\"output\":\"tensor-out\","
               "\"step\":0,\"duration_ns\":42}\n");
    CHECK_LINE(sw__trace_put_edge, edge, SW__TRACE_LINE,
               "{\"kind\":\"edge_timing\",\"event_id\":\"train-edge-0-2\","
               "\"from_static_id\":\"tensor:train:Model::forward:0\","
               "\"to_static_id\":\"operation:train:Model::forward:0\",\"duration_ns\":42,\"step\":0}\n");
}
END_TEST

START_TEST(members_stand_in_the_order_of_the_format)
{
    const char *const texts[] = { "a", "b" };
    const uint64_t shape[] = { 2, UINT64_MAX };
    const struct sw__trace_run run = { SW__TRACE_SCHEMA, "e", "debug", texts, 2, texts, 1, "A", "B", "infer" };
    const struct sw__trace_operation operation = { "i", "o", "s", "f.c:1", texts, 2, "out",
                                                   SW__TRACE_COUNT(UINT64_MAX), SW__TRACE_COUNT(7) };
    const struct sw__trace_tensor tensor = { "i", "s", "f.c:1", SW__TRACE_COUNT(3), shape, 2, "f32", "cpu", 1, 0, "0x1" };
    const struct sw__trace_gradient gradient = { "i", "loss", "w", SW_TRACE_GRADIENT_PRESENT, SW__TRACE_COUNT(3), 0.5, 1 };
    const struct sw__trace_value value = { "i", "s", "f.c:1", SW__TRACE_COUNT(3), -1.0, 2.0, 2.0, 4, 5 };

    CHECK_LINE(sw__trace_put_run, run, SW__TRACE_LINE,
               "{\"kind\":\"meta\",\"schema\":\"candle-graph/runtime/3\",\"entrypoint\":\"e\",\"profile\":\"debug\","
               "\"cargo_features\":[\"a\",\"b\"],\"cfg\":[\"a\"],\"analysis_id\":\"A\",\"build_id\":\"B\","
               "\"phase\":\"infer\"}\n");
    CHECK_LINE(sw__trace_put_operation, operation, SW__TRACE_LINE,
               "{\"kind\":\"operation\",\"event_id\":\"i\",\"op\":\"o\",\"static_id\":\"s\",\"source\":\"f.c:1\","
               "\"inputs\":[\"a\",\"b\"],\"output\":\"out\",\"step\":18446744073709551615,\"duration_ns\":7}\n");
    CHECK_LINE(sw__trace_put_tensor, tensor, SW__TRACE_LINE,
               "{\"kind\":\"tensor\",\"event_id\":\"i\",\"static_id\":\"s\",\"source\":\"f.c:1\",\"step\":3,"
               "\"shape\":[2,18446744073709551615],\"dtype\":\"f32\",\"device\":\"cpu\",\"contiguous\":true,"
               "\"requires_grad\":false,\"storage_id\":\"0x1\"}\n");
    CHECK_LINE(sw__trace_put_gradient, gradient, SW__TRACE_LINE,
               "{\"kind\":\"gradient\",\"event_id\":\"i\",\"root\":\"loss\",\"key\":\"w\",\"state\":\"present\","
               "\"step\":3,\"norm\":5e-01}\n");
    CHECK_LINE(sw__trace_put_value, value, SW__TRACE_LINE,
               "{\"kind\":\"value\",\"event_id\":\"i\",\"static_id\":\"s\",\"source\":\"f.c:1\",\"step\":3,"
               "\"min\":-1e+00,\"max\":2e+00,\"abs_max\":2e+00,\"nonfinite_count\":4,\"saturated_count\":5}\n");
}
END_TEST

START_TEST(what_is_absent_is_left_out)
{
    const struct sw__trace_operation operation = { .event_id = "i", .op = "o" };
    const struct sw__trace_tensor tensor = { .event_id = "i", .dtype = "f32", .device = "cpu" };
    const struct sw__trace_gradient gradient = { .event_id = "i", .root = "r", .key = "k",
                                                 .state = SW_TRACE_GRADIENT_MISSING };

    CHECK_LINE(sw__trace_put_operation, operation, SW__TRACE_MEMBER, "{\"event_id\":\"i\",\"op\":\"o\",\"inputs\":[]}");
    CHECK_LINE(sw__trace_put_tensor, tensor, SW__TRACE_MEMBER,
               "{\"event_id\":\"i\",\"shape\":[],\"dtype\":\"f32\",\"device\":\"cpu\",\"contiguous\":false,"
               "\"requires_grad\":false}");
    CHECK_LINE(sw__trace_put_gradient, gradient, SW__TRACE_MEMBER,
               "{\"event_id\":\"i\",\"root\":\"r\",\"key\":\"k\",\"state\":\"missing\"}");
}
END_TEST

START_TEST(texts_are_escaped_and_become_utf8)
{
    const struct sw__trace_operation operation = { .event_id = "q\"b\\n\n\x01\x1f", .op = "\xc3\xa9\xff\xe2\x82" };

    CHECK_LINE(sw__trace_put_operation, operation, SW__TRACE_MEMBER,
               "{\"event_id\":\"q\\\"b\\\\n\\n\\u0001\\u001f\",\"op\":\"\xc3\xa9\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\","
               "\"inputs\":[]}");
}
END_TEST

START_TEST(numbers_read_back_as_they_were)
{
    const double numbers[] = { 0.1, 1.0 / 3, 1e308, 5e-324, -0.0, 123456789.123456789, 2.2250738585072014e-308 };

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        const struct sw__trace_gradient gradient = { .event_id = "i", .root = "r", .key = "k", .norm = numbers[i],
                                                     .has_norm = 1 };
        struct sw__builder text SW__OWNED_BUILDER = { 0 };
        ck_assert_int_eq(sw__trace_put_gradient(&text, &gradient, SW__TRACE_MEMBER), SW_OK);
        double back = strtod(strstr(text.bytes, "\"norm\":") + 7, NULL);
        ck_assert_mem_eq(&back, &numbers[i], sizeof back);
    }
    const struct sw__trace_gradient infinite = { .event_id = "i", .root = "r", .key = "k", .norm = INFINITY,
                                                 .has_norm = 1, .state = SW_TRACE_GRADIENT_NON_FINITE };
    CHECK_LINE(sw__trace_put_gradient, infinite, SW__TRACE_MEMBER,
               "{\"event_id\":\"i\",\"root\":\"r\",\"key\":\"k\",\"state\":\"non_finite\",\"norm\":null}");
}
END_TEST

START_TEST(a_norm_goes_with_its_state)
{
    static const struct {
        enum sw_trace_gradient_state state;
        int has_norm;
        double norm;
        const char *fault; /* NULL: none */
    } cases[] = {
        { SW_TRACE_GRADIENT_MISSING, 0, 0, NULL },
        { SW_TRACE_GRADIENT_MISSING, 1, 0, "missing state must not carry a norm" },
        { SW_TRACE_GRADIENT_ZERO, 0, 0, NULL },
        { SW_TRACE_GRADIENT_ZERO, 1, 0, NULL },
        { SW_TRACE_GRADIENT_ZERO, 1, -0.0, NULL },
        { SW_TRACE_GRADIENT_ZERO, 1, 1e-300, "zero state requires norm 0.0 when set" },
        { SW_TRACE_GRADIENT_PRESENT, 0, 0, NULL },
        { SW_TRACE_GRADIENT_PRESENT, 1, 1e-300, NULL },
        { SW_TRACE_GRADIENT_PRESENT, 1, 0, "present state cannot have zero norm (use zero)" },
        { SW_TRACE_GRADIENT_PRESENT, 1, INFINITY, "present state requires a finite norm when set" },
        { SW_TRACE_GRADIENT_NON_FINITE, 0, 0, NULL },
        { SW_TRACE_GRADIENT_NON_FINITE, 1, NAN, NULL },
        { SW_TRACE_GRADIENT_NON_FINITE, 1, -INFINITY, NULL },
        { SW_TRACE_GRADIENT_NON_FINITE, 1, 1, "non_finite state cannot have finite norm" },
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct sw__trace_gradient gradient = { .state = (int)cases[i].state, .norm = cases[i].norm,
                                                     .has_norm = cases[i].has_norm };
        const char *fault = sw__trace_gradient_fault(&gradient);
        ck_assert_msg((fault == NULL) == (cases[i].fault == NULL), "case %zu: %s", i, fault != NULL ? fault : "none");
        if (fault != NULL)
            ck_assert_str_eq(fault, cases[i].fault);
    }
}
END_TEST

START_TEST(equal_texts_are_kept_once)
{
    struct sw__texts texts SW__OWNED_TEXTS = { .n_texts = 0 };
    const char *first = NULL, *again = NULL, *other = NULL;
    char large[70000];
    int is_new = -1;

    memset(large, 'x', sizeof large - 1);
    large[sizeof large - 1] = '\0';
    ck_assert_int_eq(sw__texts_put(&texts, "a", &first, &is_new), SW_OK);
    ck_assert_int_eq(is_new, 1);
    ck_assert_int_eq(sw__texts_put(&texts, large, &other, &is_new), SW_OK);
    ck_assert_int_eq(is_new, 1);
    ck_assert_int_eq(sw__texts_put(&texts, "a", &again, &is_new), SW_OK);
    ck_assert_int_eq(is_new, 0);
    ck_assert_ptr_eq(first, again);
    ck_assert_str_eq(other, large);
    ck_assert_ptr_eq(sw__texts_find(&texts, large), other);
    ck_assert_ptr_null(sw__texts_find(&texts, "b"));
    ck_assert_uint_eq(texts.n_texts, 2);
}
END_TEST

CHECK_MAIN("trace records", the_lines_of_a_session_are_the_references, members_stand_in_the_order_of_the_format,
           what_is_absent_is_left_out, texts_are_escaped_and_become_utf8, numbers_read_back_as_they_were,
           a_norm_goes_with_its_state, equal_texts_are_kept_once)
