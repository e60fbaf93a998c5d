/*
 * Requirement: Tables render validated deterministic aggregate views.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "support.h"

static struct sw_profiler *profile_several(void)
{
    struct sw_profiler *profiler = enter_profiler(NULL);

    run_neg();
    ck_assert_status(run_plugin("pair"), SW_OK);
    run_neg();
    run_neg();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    return profiler;
}

static size_t n_lines(const char *text)
{
    size_t n = 1;

    for (; *text != '\0'; text++)
        n += *text == '\n';
    return n;
}

START_TEST(render_a_deterministic_limited_table)
{
    struct sw_profiler *profiler = profile_several();
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;
    char *first;
    char *second;

    options.sort_by = "count";
    options.row_limit = 1;
    ck_assert_status(sw_profiler_table(profiler, &options, &first), SW_OK);
    ck_assert_status(sw_profiler_table(profiler, &options, &second), SW_OK);
    ck_assert_str_eq(first, second);
    ck_assert_uint_eq(n_lines(first), 3);
    ck_assert_int_eq(strncmp(first, "Name", 4), 0);
    /* neg was called three times, leaf twice, pair once. */
    ck_assert_ptr_nonnull(strstr(first, "\nneg "));
    sw_free(first);
    sw_free(second);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(render_an_empty_table)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    char *text;

    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_table(profiler, NULL, &text), SW_OK);
    ck_assert_str_eq(text,
                     "Name  Carrier  Calls  Total (ns)  Self total (ns)  Mean (ns)  Min (ns)  Max (ns)\n"
                     "----  -------  -----  ----------  ---------------  ---------  --------  --------");
    sw_free(text);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(every_aggregate_field_sorts)
{
    const char *const fields[] = {"name", "carrier_type", "input_shapes", "count", "total_time_ns",
                                  "self_total_time_ns", "mean_time_ns", "min_time_ns", "max_time_ns"};
    struct sw_profiler *profiler = profile_several();
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;

    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
        for (int ascending = 0; ascending < 2; ascending++) {
            char *text;

            options.sort_by = fields[i];
            options.ascending = ascending;
            ck_assert_status(sw_profiler_table(profiler, &options, &text), SW_OK);
            ck_assert_uint_eq(n_lines(text), 5);
            sw_free(text);
        }
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(shape_grouping_adds_its_column)
{
    struct sw_profiler *profiler = profile_one_neg(1);
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;
    char *text;

    options.group_by_input_shape = 1;
    ck_assert_status(sw_profiler_table(profiler, &options, &text), SW_OK);
    ck_assert_ptr_nonnull(strstr(text, "Input shapes"));
    ck_assert_ptr_nonnull(strstr(text, "((2, 3),)"));
    ck_assert_ptr_nonnull(strstr(text, "strideweave.Generic"));
    sw_free(text);
    sw_profiler_free(profiler);
}
END_TEST

static void refuse(struct sw_profiler *profiler, const struct sw_table_options *options, enum sw_status expected,
                   const char *part)
{
    char *text = NULL;

    ck_assert_status(sw_profiler_table(profiler, options, &text), expected);
    ck_assert_message(part);
    ck_assert_ptr_null(text);
}

START_TEST(reject_an_unsupported_sort_field)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;

    options.sort_by = "self";
    refuse(profiler, &options, SW_VALUE_ERROR, "'self'");
    options.sort_by = "";
    refuse(profiler, &options, SW_VALUE_ERROR, "sort field");
    sw_profiler_free(profiler);
}
END_TEST

/* C's counterpart of a value that cannot be looked up at all. */
START_TEST(reject_a_sort_value_that_is_no_string)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;

    options.sort_by = NULL;
    refuse(profiler, &options, SW_TYPE_ERROR, "sort_by");
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_an_invalid_row_limit)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;
    const int64_t wrong[] = {-1, -1000, INT64_MIN + 1};

    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        options.row_limit = wrong[i];
        refuse(profiler, &options, SW_VALUE_ERROR, "row_limit");
    }
    options.row_limit = 0;
    char *text;
    ck_assert_status(sw_profiler_table(profiler, &options, &text), SW_OK);
    ck_assert_uint_eq(n_lines(text), 2);
    sw_free(text);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(reject_directions_and_groupings_that_are_no_booleans)
{
    struct sw_profiler *profiler = profile_one_neg(0);
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;

    options.ascending = 2;
    refuse(profiler, &options, SW_TYPE_ERROR, "ascending");
    options.ascending = 0;
    options.group_by_input_shape = -1;
    refuse(profiler, &options, SW_TYPE_ERROR, "group_by_input_shape");
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(arguments_are_checked_in_order_and_before_the_state)
{
    struct sw_table_options options = SW_TABLE_OPTIONS_INIT;
    struct sw_profiler *profiler;

    ck_assert_status(sw_profiler_new(NULL, &profiler), SW_OK);
    options.sort_by = "nonsense";
    options.ascending = 2;
    options.row_limit = -1;
    options.group_by_input_shape = 2;
    refuse(profiler, &options, SW_VALUE_ERROR, "sort field");
    options.sort_by = "count";
    refuse(profiler, &options, SW_TYPE_ERROR, "ascending");
    options.ascending = 1;
    refuse(profiler, &options, SW_VALUE_ERROR, "row_limit");
    options.row_limit = SW_NO_LIMIT;
    refuse(profiler, &options, SW_TYPE_ERROR, "group_by_input_shape");
    options.group_by_input_shape = 0;
    refuse(profiler, &options, SW_RUNTIME_ERROR, "after context exit");
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("table", render_a_deterministic_limited_table, render_an_empty_table, every_aggregate_field_sorts,
           shape_grouping_adds_its_column, reject_an_unsupported_sort_field, reject_a_sort_value_that_is_no_string,
           reject_an_invalid_row_limit, reject_directions_and_groupings_that_are_no_booleans,
           arguments_are_checked_in_order_and_before_the_state)
