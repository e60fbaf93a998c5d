/*
 * What recording added, from the figures in the header.
 */
#include "config.h"

#include "report/overhead.h"

#include "check_main.h"

/* 3 ticks a nanosecond; 30 ticks inside, 45 outside. */
static struct report report_with_costs(void)
{
    struct report report = {
        .header = {
            .clock = SWPROF_CLOCK_TSC,
            .first = {.ticks = 1000, .monotonic_ns = 500},
            .last = {.ticks = 4000, .monotonic_ns = 1500},
            .cost_inside = 30,
            .cost_outside = 45,
        },
    };

    return report;
}

START_TEST(costs_are_converted_at_the_rate_of_the_run)
{
    struct report report = report_with_costs();
    struct overhead overhead = overhead_of(&report);

    ck_assert_int_eq(overhead.is_known, 1);
    ck_assert_double_eq_tol(overhead.inside_ns, 10.0, 1e-9);
    ck_assert_double_eq_tol(overhead.outside_ns, 15.0, 1e-9);
}
END_TEST

START_TEST(ticks_of_the_monotonic_clock_are_nanoseconds)
{
    struct report report = report_with_costs();

    report.header.clock = SWPROF_CLOCK_MONOTONIC;
    ck_assert_double_eq_tol(overhead_of(&report).inside_ns, 30.0, 1e-9);
}
END_TEST

START_TEST(a_report_without_the_figures_has_no_estimate)
{
    struct report report = report_with_costs();

    report.header.cost_inside = report.header.cost_outside = 0;
    ck_assert_int_eq(overhead_of(&report).is_known, 0);
}
END_TEST

START_TEST(a_figure_that_nothing_costs_is_not_believed)
{
    struct report report = report_with_costs();

    report.header.cost_inside = UINT64_MAX;
    ck_assert_int_eq(overhead_of(&report).is_known, 0);
    report = report_with_costs();
    report.header.cost_outside = UINT64_MAX;
    ck_assert_int_eq(overhead_of(&report).is_known, 0);
}
END_TEST

START_TEST(a_run_without_length_has_no_rate)
{
    struct report report = report_with_costs();

    report.header.last = report.header.first;
    ck_assert_int_eq(overhead_of(&report).is_known, 0);
}
END_TEST

/* 100 calls with 40 children: 100 * 10 + 40 * 15 of 6400 ns. */
START_TEST(a_row_bears_its_own_calls_and_what_is_around_its_children)
{
    struct report report = report_with_costs();
    struct overhead overhead = overhead_of(&report);
    struct sw__aggregate row = {.count = 100, .n_children = 40, .self_total_ns = 6400};

    ck_assert_double_eq_tol(overhead_percent(&overhead, &row), 25.0, 1e-9);
}
END_TEST

START_TEST(no_row_is_more_overhead_than_it_lasted)
{
    struct report report = report_with_costs();
    struct overhead overhead = overhead_of(&report);
    struct sw__aggregate row = {.count = 100, .self_total_ns = 10};

    ck_assert_double_eq_tol(overhead_percent(&overhead, &row), 100.0, 1e-9);
    row.self_total_ns = 0;
    ck_assert_double_eq_tol(overhead_percent(&overhead, &row), 0.0, 1e-9);
}
END_TEST

/* 3 children, 7 operations inside: the call lasted 7 * 25 + 10 longer, its own time 3 * 15 + 10. */
START_TEST(compensation_takes_out_what_is_inside_and_beside)
{
    struct report report = report_with_costs();
    struct overhead overhead = overhead_of(&report);
    struct sw__analyze_event event = { .duration_ns = 1000, .self_ns = 300, .n_children = 3, .n_inside = 7 };

    ck_assert_uint_eq(overhead_compensate(&overhead, &event), 0);
    ck_assert_int_eq(event.duration_ns, 815);
    ck_assert_int_eq(event.self_ns, 245);
}
END_TEST

START_TEST(compensation_ends_at_zero_and_counts_it)
{
    struct report report = report_with_costs();
    struct overhead overhead = overhead_of(&report);
    struct sw__analyze_event both = { .duration_ns = 9, .self_ns = 9 };
    struct sw__analyze_event one = { .duration_ns = 100, .self_ns = 20, .n_children = 1, .n_inside = 1 };
    struct sw__analyze_event exact = { .duration_ns = 10, .self_ns = 10 };

    ck_assert_uint_eq(overhead_compensate(&overhead, &both), 2);
    ck_assert_int_eq(both.duration_ns, 0);
    ck_assert_int_eq(both.self_ns, 0);
    ck_assert_uint_eq(overhead_compensate(&overhead, &one), 1);
    ck_assert_int_eq(one.duration_ns, 65);
    ck_assert_int_eq(one.self_ns, 0);
    ck_assert_uint_eq(overhead_compensate(&overhead, &exact), 0);
    ck_assert_int_eq(exact.duration_ns, 0);
}
END_TEST

CHECK_MAIN("overhead", compensation_takes_out_what_is_inside_and_beside, compensation_ends_at_zero_and_counts_it,
           costs_are_converted_at_the_rate_of_the_run, ticks_of_the_monotonic_clock_are_nanoseconds,
           a_report_without_the_figures_has_no_estimate, a_figure_that_nothing_costs_is_not_believed,
           a_run_without_length_has_no_rate, a_row_bears_its_own_calls_and_what_is_around_its_children,
           no_row_is_more_overhead_than_it_lasted)
