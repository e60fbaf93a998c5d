/*
 * The bytes of the specification's table.
 */
#include "config.h"

#include <locale.h>
#include <string.h>

#include "analyze/analyze.h"
#include "base/alloc.h"
#include "check_main.h"

#include "sample.h"

static char *table_of(size_t n_events, enum sw__grouping grouping, const struct sw__table_options *options)
{
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    char *text = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, n_events, grouping, &aggregates), SW_OK);
    ck_assert_int_eq(sw__table_format(aggregates, options, &text), SW_OK);
    return text;
}

static const char by_self[] =
    "Name    Carrier              Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)\n"
    "------  -------------------  -----  ----------  ---------------  ---------  --------  --------\n"
    "matmul  strideweave.Generic  2      401         360              200.5      100       301     \n"
    "add     strideweave.Cpu      1      40          40               40.0       40        40      \n"
    "add     strideweave.Generic  2      31          30               15.5       10        21      \n"
    "add     strideweave.Generic  1      7           7                7.0        7         7       ";

START_TEST(default_table_is_left_aligned_and_sorted_by_self_time)
{
    struct sw__table_options options = SW__TABLE_OPTIONS_INIT;
    char *text SW__OWNED = table_of(N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &options);

    ck_assert_str_eq(text, by_self);
}
END_TEST

START_TEST(shapes_have_a_column_when_they_are_part_of_the_key)
{
    struct sw__table_options options = { SW__COLUMN_NAME, SW__ASCENDING, 2 };
    char *text SW__OWNED = table_of(N_SAMPLE_EVENTS, SW__GROUP_BY_SHAPES, &options);

    ck_assert_str_eq(
        text,
        "Name  Carrier              Input shapes   Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)\n"
        "----  -------------------  -------------  -----  ----------  ---------------  ---------  --------  --------\n"
        "add   strideweave.Cpu      ((10,), None)  1      40          40               40.0       40        40      \n"
        "add   strideweave.Generic  ((10,), None)  2      31          30               15.5       10        21      ");
}
END_TEST

START_TEST(empty_table_has_header_and_separator)
{
    struct sw__table_options options = SW__TABLE_OPTIONS_INIT;
    char *text SW__OWNED = table_of(0, SW__GROUP_BY_CARRIER, &options);

    ck_assert_str_eq(text, "Name  Carrier  Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)\n"
                           "----  -------  -----  ----------  ---------------  ---------  --------  --------");
}
END_TEST

START_TEST(row_limit_of_zero_leaves_the_header)
{
    struct sw__table_options options = { SW__COLUMN_COUNT, SW__DESCENDING, 0 };
    char *text SW__OWNED = table_of(N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &options);

    ck_assert_ptr_null(strchr(strchr(text, '\n') + 1, '\n'));
}
END_TEST

START_TEST(row_limit_below_zero_is_a_value_error)
{
    struct sw__table_options options = { SW__COLUMN_COUNT, SW__DESCENDING, -1 };
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    char *text = NULL;

    ck_assert_int_eq(sample_aggregates(sample_events, 0, SW__GROUP_BY_CARRIER, &aggregates), SW_OK);
    ck_assert_int_eq(sw__table_format(aggregates, &options, &text), SW_VALUE_ERROR);
    ck_assert_str_eq(sw_error_message(), "row_limit must be a non-negative integer or None");
    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(locale_changes_no_byte)
{
    static const char *const names[] = { "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "C.UTF-8" };
    struct sw__table_options options = SW__TABLE_OPTIONS_INIT;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setlocale(LC_ALL, names[i]);
        char *text SW__OWNED = table_of(N_SAMPLE_EVENTS, SW__GROUP_BY_CARRIER, &options);
        ck_assert_str_eq(text, by_self);
    }
    setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(width_counts_characters_not_bytes)
{
    static const struct sw__analyze_dispatch dispatch = { "größe", "m", "C", "", "", 1 };
    static const struct sw__analyze_event event = SAMPLE_EVENT(0, 1, 1, SW__ANALYZE_NONE, OK);
    struct sw__analyze_names names = { .dispatches = &dispatch, .n_dispatches = 1 };
    struct sw__table_options options = SW__TABLE_OPTIONS_INIT;
    struct sw__aggregation *aggregation SW__OWNED_AGGREGATION = NULL;
    struct sw__aggregates *aggregates SW__OWNED_AGGREGATES = NULL;
    char *text SW__OWNED = NULL;

    ck_assert_int_eq(sw__aggregation_new(&names, SW__GROUP_BY_CARRIER, &aggregation), SW_OK);
    ck_assert_int_eq(sw__aggregation_add(aggregation, &event, 1), SW_OK);
    ck_assert_int_eq(sw__aggregation_rows(aggregation, &aggregates), SW_OK);
    ck_assert_int_eq(sw__table_format(aggregates, &options, &text), SW_OK);
    ck_assert_ptr_nonnull(strstr(text, "\n-----  -------  "));
    ck_assert_ptr_nonnull(strstr(text, "\ngröße  m.C      1      "));
}
END_TEST

CHECK_MAIN("table", default_table_is_left_aligned_and_sorted_by_self_time,
           shapes_have_a_column_when_they_are_part_of_the_key, empty_table_has_header_and_separator,
           row_limit_of_zero_leaves_the_header, row_limit_below_zero_is_a_value_error, locale_changes_no_byte,
           width_counts_characters_not_bytes)
