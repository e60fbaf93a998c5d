/*
 * Tables of event lists: what is refused, what no terminal may act on, limits.
 * Their bytes are compared with PyTorch's in test_torch_tables.sh.
 */
#include "config.h"

#include "event_list_test.h"

START_TEST(sums_stay_at_the_largest)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    int64_t sum = 0;

    add(list, "long", 0, INT64_MAX);
    add(list, "longer", -5, INT64_MAX);
    ck_assert_int_eq(sw_event_list_self_cpu_time_total(list, &sum), SW_OK);
    ck_assert_int_eq(sum, INT64_MAX);
    char *text SW__OWNED = table_of(list, NULL);
    ck_assert_ptr_nonnull(strstr(text, "9223372036.855s"));
}
END_TEST

START_TEST(a_list_without_rows_has_an_empty_table)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    ck_assert_int_eq(sw_event_list_build_tree(list), SW_OK);
    struct sw_event_list *averages SW__OWNED_EVENT_LIST = NULL;

    ck_assert_int_eq(sw_event_list_key_averages(list, NULL, &averages), SW_OK);
    char *text SW__OWNED = table_of(list, NULL);
    char *text_of_averages SW__OWNED = table_of(averages, NULL);
    ck_assert_str_eq(text, "");
    ck_assert_str_eq(text_of_averages, "");
}
END_TEST

START_TEST(shares_of_no_time_are_not_a_number)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "nothing", 5, 0);
    char *text SW__OWNED = table_of(list, NULL);
    ck_assert_ptr_nonnull(strstr(text, "           NaN       0.000us           NaN       0.000us       0.000us"));
}
END_TEST

/* What no terminal acts on: widths are of what is shown. */
START_TEST(names_are_made_visible)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "a\x1b[1mb\n\"\xff\"", 0, 1000);
    add(list, "plain", 2000, 1000);
    char *text SW__OWNED = table_of(list, NULL);
    ck_assert_ptr_nonnull(strstr(text, "\n    a\\x1b[1mb\\n\"\xef\xbf\xbd\"        50.00%"));
    ck_assert_ptr_nonnull(strstr(text, "\n             plain        50.00%"));
    ck_assert_ptr_null(strchr(text, '\x1b'));
}
END_TEST

START_TEST(a_name_of_any_length_is_cut_or_shown_whole)
{
    enum { N = 100000 };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;
    char *name SW__OWNED = sw__alloc(N + 1);

    memset(name, 'x', N);
    name[N] = '\0';
    add(list, name, 0, 1000);
    char *cut SW__OWNED = table_of(list, NULL);
    ck_assert_uint_eq(strspn(strchr(cut, 'x'), "x"), 52);
    options.max_name_column_width = SW_NO_LIMIT;
    char *whole SW__OWNED = table_of(list, &options);
    ck_assert_uint_eq(strspn(strchr(whole, 'x'), "x"), N);
    ck_assert_uint_eq(strspn(whole, "-"), N + 4);
}
END_TEST

START_TEST(row_limits_are_of_printed_rows)
{
    static const struct {
        int64_t limit;
        int n_lines; /* beside the three of the head, the one below and the total */
    } cases[] = { { 0, 0 }, { 1, 1 }, { 2, 2 }, { 100, 3 }, { -1, 3 }, { SW_NO_LIMIT, 3 } };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    for (int i = 0; i < 3; i++)
        add(list, "x", 10 * i, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;
        int n_lines = 0;
        options.row_limit = cases[i].limit;
        char *text SW__OWNED = table_of(list, &options);
        for (const char *c = text; *c != '\0'; c++)
            n_lines += *c == '\n';
        ck_assert_int_eq(n_lines, 5 + cases[i].n_lines);
    }
}
END_TEST

static void refuse_table(const struct sw_event_list *list, const struct sw_event_table_options *options,
                         enum sw_status status, const char *words)
{
    char *text = NULL;

    ck_assert_int_eq(sw_event_list_table(list, options, &text), status);
    ck_assert_msg(strstr(sw_error_message(), words) != NULL, "'%s' is not in: %s", words, sw_error_message());
    ck_assert_ptr_null(text);
}

#define REFUSED(field, value, status, words)                                        \
    do {                                                                            \
        struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;        \
        options.field = (value);                                                    \
        refuse_table(list, &options, status, words);                                \
    } while (0)

START_TEST(options_of_tables_are_refused_with_a_sentence)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list(); /* empty ones, too */

    REFUSED(struct_bytes, 4, SW_TYPE_ERROR, "start from the initialiser");
    REFUSED(style, 2, SW_VALUE_ERROR, "style");
    REFUSED(sort_by, "wall_time", SW_VALUE_ERROR, "no 'wall_time' to be sorted by");
    REFUSED(sort_by, "", SW_VALUE_ERROR, "no '' to be sorted by");
    REFUSED(sort_by, "xxxx_time", SW_VALUE_ERROR, "to be sorted by");
    REFUSED(row_limit, -2, SW_VALUE_ERROR, "row_limit");
    REFUSED(max_name_column_width, 2, SW_VALUE_ERROR, "max_name_column_width must be at least 3");
    REFUSED(max_shapes_column_width, 0, SW_VALUE_ERROR, "max_shapes_column_width");
    REFUSED(max_src_column_width, -1, SW_VALUE_ERROR, "max_src_column_width");
    REFUSED(time_unit, "ns", SW_VALUE_ERROR, "time_unit must be s, ms or us, got 'ns'");
    REFUSED(top_level_events_only, 2, SW_TYPE_ERROR, "top_level_events_only must be 0 or 1");
    refuse_table(NULL, NULL, SW_TYPE_ERROR, "expected an event list");
}
END_TEST

START_TEST(keys_of_all_kinds_of_devices_are_known)
{
    static const char *const keys[] = { "cuda_time", "xpu_time_total", "self_cuda_time_total", "device_time",
                                        "privateuse1_time", "self_xpu_memory_usage", "cuda_memory_usage", "flops" };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();

    add(list, "b", 0, 1);
    add(list, "a", 5, 9);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct sw_event_table_options options = SW_EVENT_TABLE_OPTIONS_INIT;
        char *plain SW__OWNED = table_of(list, &options);
        options.sort_by = keys[i];
        char *sorted SW__OWNED = table_of(list, &options);
        ck_assert_str_eq(sorted, plain);
    }
}
END_TEST

CHECK_MAIN("event_table", sums_stay_at_the_largest, a_list_without_rows_has_an_empty_table,
           shares_of_no_time_are_not_a_number, names_are_made_visible, a_name_of_any_length_is_cut_or_shown_whole,
           row_limits_are_of_printed_rows, options_of_tables_are_refused_with_a_sentence,
           keys_of_all_kinds_of_devices_are_known)
