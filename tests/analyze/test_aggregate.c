/*
 * Aggregates: keys, sums, extremes, order.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "base/alloc.h"
#include "check_main.h"

#include "sample.h"

static void check_row(const struct sw__aggregate *row, const char *name, const char *carrier, uint64_t count,
                      int64_t total_ns, int64_t self_ns)
{
    ck_assert_str_eq(row->dispatch->name, name);
    ck_assert_str_eq(row->dispatch->carrier_name, carrier);
    ck_assert_uint_eq(row->count, count);
    ck_assert_int_eq(row->total_ns, total_ns);
    ck_assert_int_eq(row->self_total_ns, self_ns);
}

START_TEST(rows_are_one_per_name_and_exact_class_in_key_order)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, 4);
    check_row(&aggregates->rows[0], "add", "Cpu", 1, 40, 40);
    check_row(&aggregates->rows[1], "add", "Generic", 2, 31, 30); /* class 1, seen before class 3 */
    check_row(&aggregates->rows[2], "add", "Generic", 1, 7, 7);
    check_row(&aggregates->rows[3], "matmul", "Generic", 2, 401, 360);
}
END_TEST

START_TEST(extremes_mean_and_failures_come_from_the_same_events)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    const struct sw__aggregate *row = &aggregates->rows[3];
    ck_assert_int_eq(row->min_ns, 100);
    ck_assert_int_eq(row->max_ns, 301);
    ck_assert(row->mean_ns == 200.5);
    ck_assert_uint_eq(row->failures, 1);
    ck_assert_str_eq(row->shape_text, "None");
    ck_assert_uint_eq(row->shapes, SW__ANALYZE_NONE);
}
END_TEST

START_TEST(equal_shapes_stored_twice_are_one_key)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, N_SAMPLE_EVENTS, SW__GROUP_BY_SHAPES, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, 4);
    check_row(&aggregates->rows[1], "add", "Generic", 2, 31, 30);
    ck_assert_str_eq(aggregates->rows[1].shape_text, "((10,), None)");
    ck_assert_str_eq(aggregates->rows[2].shape_text, "None");
    check_row(&aggregates->rows[3], "matmul", "Generic", 2, 401, 360);
    ck_assert_str_eq(aggregates->rows[3].shape_text, "((2, 3), None)");
}
END_TEST

START_TEST(shapes_that_were_not_recorded_keep_the_key_absent)
{
    static const struct sw__analyze_event events[] = { SAMPLE_EVENT(0, 1, 1, SW__ANALYZE_NONE, OK),
                                                       SAMPLE_EVENT(0, 2, 2, SW__ANALYZE_NONE, OK) };
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(events, 2, SW__GROUP_BY_SHAPES, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, 1);
    ck_assert_uint_eq(aggregates->rows[0].shapes, SW__ANALYZE_NONE);
}
END_TEST

START_TEST(no_events_give_no_rows)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, 0, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, 0);
}
END_TEST

START_TEST(sums_saturate_and_say_so)
{
    static const struct sw__analyze_event events[] = { SAMPLE_EVENT(0, INT64_MAX, 5, SW__ANALYZE_NONE, OK),
                                                       SAMPLE_EVENT(0, 2, 2, SW__ANALYZE_NONE, OK) };
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    ck_assert_int_eq(sample_aggregates(events, 2, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    ck_assert_int_eq(aggregates->rows[0].total_ns, INT64_MAX);
    ck_assert_int_eq(aggregates->rows[0].self_total_ns, 7);
    ck_assert_int_eq(aggregates->rows[0].saturated, 1);
}
END_TEST

START_TEST(event_without_a_name_is_refused)
{
    static const struct sw__analyze_event no_dispatch[] = { SAMPLE_EVENT(5, 1, 1, SW__ANALYZE_NONE, OK) };
    static const struct sw__analyze_event no_shapes[] = { SAMPLE_EVENT(0, 1, 1, 3, OK) };
    struct sw__aggregates *aggregates = NULL;

    ck_assert_int_eq(sample_aggregates(no_dispatch, 1, SW__GROUP_BY_CARRIER, &aggregates), SW_VALUE_ERROR);
    ck_assert_int_eq(sample_aggregates(no_shapes, 1, SW__GROUP_BY_SHAPES, &aggregates), SW_VALUE_ERROR);
    ck_assert_ptr_null(aggregates);
}
END_TEST

/* Enough distinct keys to make every table grow. */
START_TEST(many_keys_keep_their_own_counts)
{
    enum { N = 5000 };
    static int64_t words[N][2];
    static struct sw__analyze_shapes shapes[N];
    struct sw__analyze_names names = { .dispatches = sample_dispatches, .n_dispatches = 5, .shapes = shapes, .n_shapes = N };
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    for (int64_t i = 0; i < N; i++) {
        words[i][0] = 1;
        words[i][1] = i;
        shapes[i] = (struct sw__analyze_shapes){ 1, 2, words[i] };
    }
    ck_assert_int_eq(sw__aggregation_new(&names, SW__GROUP_BY_SHAPES, &aggregation), SW_OK);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < N; i++) {
            struct sw__analyze_event event = SAMPLE_EVENT(0, i, i, i, OK);
            ck_assert_int_eq(sw__aggregation_add(aggregation, &event, 1), SW_OK);
        }
    }
    ck_assert_int_eq(sw__aggregation_rows(aggregation, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, N);
    for (size_t i = 0; i < N; i++) {
        ck_assert_uint_eq(aggregates->rows[i].count, 3);
        ck_assert_int_eq(aggregates->rows[i].total_ns, 3 * (int64_t)aggregates->rows[i].shapes);
    }
}
END_TEST

/* So many classes that some share a place in every table. */
START_TEST(classes_of_one_name_never_meet)
{
    enum { N = 3000 };
    static struct sw__analyze_dispatch dispatches[N];
    struct sw__analyze_names names = { .dispatches = dispatches, .n_dispatches = N };
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;

    for (uint32_t i = 0; i < N; i++)
        dispatches[i] = (struct sw__analyze_dispatch){ "add", "plugin", "Custom", "plugin", "Add", i };
    ck_assert_int_eq(sw__aggregation_new(&names, SW__GROUP_BY_CARRIER, &aggregation), SW_OK);
    for (uint32_t i = 0; i < N; i++) {
        struct sw__analyze_event event = SAMPLE_EVENT(i, i, i, SW__ANALYZE_NONE, OK);
        ck_assert_int_eq(sw__aggregation_add(aggregation, &event, 1), SW_OK);
    }
    ck_assert_int_eq(sw__aggregation_rows(aggregation, &aggregates), SW_OK);
    ck_assert_uint_eq(aggregates->n_rows, N);
    for (size_t i = 0; i < N; i++)
        ck_assert_int_eq(aggregates->rows[i].total_ns, (int64_t)i); /* in the order in which they were seen */
}
END_TEST

CHECK_MAIN("aggregate", rows_are_one_per_name_and_exact_class_in_key_order,
           extremes_mean_and_failures_come_from_the_same_events, equal_shapes_stored_twice_are_one_key,
           shapes_that_were_not_recorded_keep_the_key_absent, no_events_give_no_rows, sums_saturate_and_say_so,
           event_without_a_name_is_refused, many_keys_keep_their_own_counts, classes_of_one_name_never_meet)
