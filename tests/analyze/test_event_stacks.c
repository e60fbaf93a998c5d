/*
 * Lines of export_stacks(): the example that PyTorch's own profiler gave, and
 * what has no line.
 */
#include "config.h"

#include "event_list_test.h"

static void add_with(struct sw_event_list *list, const char *const *stack, size_t n_stack, int64_t duration_ns)
{
    struct sw_function_event event = event_of("mm", 0, duration_ns);

    event.stack = stack;
    event.n_stack = n_stack;
    ck_assert_int_eq(sw_event_list_append(list, &event), SW_OK);
}

static const char *const entries[] = { "<built-in method mm>", "t1.py(4): f", "t1.py(10): <module>" };

START_TEST(a_line_has_the_outermost_entry_first_and_whole_microseconds)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    char *text SW__OWNED = NULL;

    add_with(list, entries, 3, 2718999);
    ck_assert_int_eq(sw_event_list_export_stacks(list, NULL, &text), SW_OK);
    ck_assert_str_eq(text, "t1.py(10):_<module>;t1.py(4):_f;<built-in_method_mm> 2718\n");
}
END_TEST

START_TEST(equal_stacks_repeat_and_what_separates_entries_is_replaced)
{
    static const char *const odd[] = { "a;b\tc\nd e" };
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    char *text SW__OWNED = NULL;

    add_with(list, odd, 1, 1000);
    add_with(list, odd, 1, 1000);
    ck_assert_int_eq(sw_event_list_export_stacks(list, "self_cpu_time_total", &text), SW_OK);
    ck_assert_str_eq(text, "a_b_c_d_e 1\na_b_c_d_e 1\n");
}
END_TEST

START_TEST(rows_without_a_stack_or_a_microsecond_have_no_line_nor_has_time_of_devices)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    char *text SW__OWNED = NULL, *device SW__OWNED = NULL;

    add(list, "mm", 0, 5000);
    add_with(list, entries, 3, 999);
    ck_assert_int_eq(sw_event_list_export_stacks(list, NULL, &text), SW_OK);
    ck_assert_str_eq(text, "");
    add_with(list, entries, 3, 5000);
    ck_assert_int_eq(sw_event_list_export_stacks(list, "self_cuda_time_total", &device), SW_OK);
    ck_assert_str_eq(device, "");
}
END_TEST

START_TEST(another_metric_is_refused_and_the_output_untouched)
{
    struct sw_event_list *list SW__OWNED_EVENT_LIST = new_list();
    char *text = NULL;

    ck_assert_int_eq(sw_event_list_export_stacks(list, "cpu_time", &text), SW_VALUE_ERROR);
    ck_assert_ptr_eq(text, NULL);
    ck_assert_str_eq(sw_error_message(),
                     "metric should be one of: ['self_cpu_time_total', 'self_cuda_time_total', "
                     "'self_xpu_time_total', 'self_privateuse1_time_total', 'self_device_time_total']");
    ck_assert_int_eq(sw_event_list_export_stacks(NULL, NULL, &text), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN("event_stacks", a_line_has_the_outermost_entry_first_and_whole_microseconds,
           equal_stacks_repeat_and_what_separates_entries_is_replaced,
           rows_without_a_stack_or_a_microsecond_have_no_line_nor_has_time_of_devices,
           another_metric_is_refused_and_the_output_untouched)
