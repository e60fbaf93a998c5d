/*
 * Host ranges that are not compiled in: the functions are there and say so.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "profiler/support.h"

#define SENTENCE "host range profiling is not compiled"

#define ck_assert_refused(call)                                 \
    do {                                                        \
        ck_assert_status(call, SW_NOT_IMPLEMENTED_ERROR);       \
        ck_assert_str_eq(sw_error_message(), SENTENCE);         \
    } while (0)

START_TEST(every_function_says_that_it_is_not_compiled)
{
    struct sw_host_range_calibration calibration = { .struct_bytes = sizeof calibration };
    struct sw_host_range_scope scope;
    struct sw_host_range_row *rows = NULL;
    size_t n_rows = 77;

    ck_assert_int_eq(sw_host_range_compiled(), 0);
    ck_assert_refused(sw_host_ranges_start());
    ck_assert_refused(sw_host_ranges_stop(&rows, &n_rows));
    ck_assert_refused(sw_host_ranges_calibrate(1, &calibration));
    ck_assert_refused(sw_host_range_begin(&scope, SW_HOST_RANGE_BINDING_BODY));
    sw_host_range_end(&scope);
    ck_assert_ptr_null(rows);
    ck_assert_uint_eq(n_rows, 77);
    ck_assert_uint_eq(sw_host_ranges_session(), 0);
    ck_assert_str_eq(sw_host_range_name(SW_HOST_RANGE_BINDING_BODY), "binding.body");
}
END_TEST

START_TEST(rows_of_host_ranges_are_refused)
{
    struct sw_bench_report *report = NULL;

    unsetenv("MAKEFLAGS");
    ck_assert_status(sw_bench_report_open("not-made.jsonl", &report), SW_NOT_IMPLEMENTED_ERROR);
    ck_assert_str_eq(sw_error_message(), "host-range profiling is not compiled into libstrideweave");
    ck_assert_ptr_null(fopen("not-made.jsonl", "r"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = { every_function_says_that_it_is_not_compiled, rows_of_host_ranges_are_refused };

    if (sw_host_range_compiled()) {
        puts("built with --enable-host-ranges");
        return CHECK_MAIN_SKIPPED;
    }
    return check_main("host_ranges_absent", tests, sizeof tests / sizeof tests[0]);
}
