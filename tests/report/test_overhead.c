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

CHECK_MAIN("overhead", costs_are_converted_at_the_rate_of_the_run, ticks_of_the_monotonic_clock_are_nanoseconds,
           a_report_without_the_figures_has_no_estimate, a_figure_that_nothing_costs_is_not_believed,
           a_run_without_length_has_no_rate, a_row_bears_its_own_calls_and_what_is_around_its_children,
           no_row_is_more_overhead_than_it_lasted)
