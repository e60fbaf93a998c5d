/*
 * Orders by column: both directions, ties by the ascending key.
 */
#include "config.h"

#include "analyze/analyze.h"
#include "base/alloc.h"
#include "check_main.h"

#include "sample.h"

/* Rows in key order: 0 add Cpu, 1 add Generic (class 1), 2 add Generic (class 3), 3 matmul Generic. */
static void check_order(enum sw__column column, enum sw__direction direction, const size_t *expected)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    size_t *order SW__OWNED = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    ck_assert_int_eq(sw__aggregates_order(aggregates, column, direction, &order), SW_OK);
    for (size_t i = 0; i < 4; i++)
        ck_assert_msg(order[i] == expected[i], "%s: place %zu has row %zu, expected %zu", sw__column_field(column), i,
                      order[i], expected[i]);
}

START_TEST(numbers_order_both_ways)
{
    check_order(SW__COLUMN_TOTAL_TIME_NS, SW__DESCENDING, (const size_t[]){ 3, 0, 1, 2 });
    check_order(SW__COLUMN_TOTAL_TIME_NS, SW__ASCENDING, (const size_t[]){ 2, 1, 0, 3 });
    check_order(SW__COLUMN_SELF_TOTAL_TIME_NS, SW__DESCENDING, (const size_t[]){ 3, 0, 1, 2 });
    check_order(SW__COLUMN_MEAN_TIME_NS, SW__ASCENDING, (const size_t[]){ 2, 1, 0, 3 });
    check_order(SW__COLUMN_MIN_TIME_NS, SW__ASCENDING, (const size_t[]){ 2, 1, 0, 3 });
    check_order(SW__COLUMN_MAX_TIME_NS, SW__DESCENDING, (const size_t[]){ 3, 0, 1, 2 });
}
END_TEST

START_TEST(ties_keep_the_ascending_key_in_both_directions)
{
    /* counts 1 2 1 2 */
    check_order(SW__COLUMN_COUNT, SW__DESCENDING, (const size_t[]){ 1, 3, 0, 2 });
    check_order(SW__COLUMN_COUNT, SW__ASCENDING, (const size_t[]){ 0, 2, 1, 3 });
    /* all texts equal */
    check_order(SW__COLUMN_INPUT_SHAPES, SW__DESCENDING, (const size_t[]){ 0, 1, 2, 3 });
}
END_TEST

START_TEST(texts_order_by_name_and_by_module_then_qualified_name)
{
    check_order(SW__COLUMN_NAME, SW__DESCENDING, (const size_t[]){ 3, 0, 1, 2 });
    check_order(SW__COLUMN_CARRIER_TYPE, SW__DESCENDING, (const size_t[]){ 1, 2, 3, 0 });
}
END_TEST

START_TEST(every_field_of_the_specification_names_a_column)
{
    static const char *const fields[] = { "name",          "carrier_type",       "input_shapes",
                                          "count",         "total_time_ns",      "self_total_time_ns",
                                          "mean_time_ns",  "min_time_ns",        "max_time_ns" };
    enum sw__column column = SW__COLUMN_COUNT;

    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        ck_assert_int_eq(sw__column_find(fields[i], &column), 1);
        ck_assert_str_eq(sw__column_field(column), fields[i]);
    }
    ck_assert_str_eq(sw__column_field(SW__COLUMN_FAILURES), "failures"); /* is no column of the table */
    ck_assert_int_eq(sw__column_find("failures", &column), 0);
    ck_assert_int_eq(sw__column_find("self_time", &column), 0);
    ck_assert_int_eq(sw__column_find("", &column), 0);
}
END_TEST

CHECK_MAIN("order", numbers_order_both_ways, ties_keep_the_ascending_key_in_both_directions,
           texts_order_by_name_and_by_module_then_qualified_name, every_field_of_the_specification_names_a_column)
