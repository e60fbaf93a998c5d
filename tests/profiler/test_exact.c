/*
 * Self times, exactly: the clock is the test's own, so every expected number
 * comes from the script by hand. Expected events are written one after another:
 * class, parent or -, duration, self time.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "check_main.h"
#include "nest.h"
#include "profiler/session_clock.h"

enum { ALL, ONLY_A, ONLY_B };

static uint64_t injected(void)
{
    return nest_now_ns;
}

static void describe(struct sw_profiler *profiler, char *text, size_t room)
{
    const struct sw_profiler_event *events;
    size_t n;
    size_t used = 0;

    ck_assert_int_eq(sw_profiler_events(profiler, &events, &n), SW_OK);
    text[0] = '\0';
    for (size_t i = 0; i < n; i++) {
        char parent[24] = "-";

        ck_assert_int_eq(events[i].id, (int64_t)i);
        if (events[i].has_parent)
            snprintf(parent, sizeof parent, "%lld", (long long)events[i].parent_id);
        used += (size_t)snprintf(text + used, room - used, "%s%s %s %lld %lld", i > 0 ? "; " : "",
                                 events[i].carrier_type->qualified_name, parent, (long long)events[i].duration_ns,
                                 (long long)events[i].self_time_ns);
        ck_assert_uint_lt(used, room);
    }
}

static void expect(const char *script, int selected, const char *expected)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_carrier_class *classes[] = {&nest_classes[selected == ONLY_B]};
    struct sw_profiler *profiler;
    char text[1024];

    sw__session_injected_clock = injected;
    if (selected != ALL) {
        options.carriers = classes;
        options.n_carriers = 1;
    }
    ck_assert_int_eq(sw_profiler_new(&options, &profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_enter(profiler), SW_OK);
    ck_assert_int_eq(nest_run(script), SW_OK);
    ck_assert_int_eq(sw_profiler_exit(profiler), SW_OK);
    describe(profiler, text, sizeof text);
    ck_assert_str_eq(text, expected);
    sw_profiler_free(profiler);
}

START_TEST(a_leaf_spends_all_of_its_time_itself)
{
    expect("A5", ALL, "A - 5 5");
    expect("A0", ALL, "A - 0 0");
}
END_TEST

START_TEST(starts_are_the_clocks)
{
    struct sw_profiler *profiler;
    const struct sw_profiler_event *events;
    size_t n;
    int64_t begin = (int64_t)nest_now_ns;

    sw__session_injected_clock = injected;
    ck_assert_int_eq(sw_profiler_new(NULL, &profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_enter(profiler), SW_OK);
    ck_assert_int_eq(nest_run("A3A4"), SW_OK);
    ck_assert_int_eq(sw_profiler_exit(profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_events(profiler, &events, &n), SW_OK);
    ck_assert_uint_eq(n, 2);
    ck_assert_int_eq(events[0].start_time_ns, begin);
    ck_assert_int_eq(events[1].start_time_ns, begin + 3);
    sw_profiler_free(profiler);
}
END_TEST

/* outer 5 + 124 + 7, inner 11 + 100 + 13. */
START_TEST(three_levels_are_excluded_exactly_once)
{
    expect("A(5B(11A100B0)7)", ALL, "A - 123 12; B 0 111 11; A 1 100 100; B 1 0 0");
    expect("A(5B(11A(100)13)7)", ALL, "A - 136 12; B 0 124 24; A 1 100 100");
}
END_TEST

START_TEST(siblings_are_both_excluded)
{
    expect("A(1B(10)2A(20)4)", ALL, "A - 37 7; B 0 10 10; A 0 20 20");
}
END_TEST

/* B's 10 ns are in the parent's inclusive time and in nobody's self time. */
START_TEST(a_hidden_child_is_charged_to_nobody)
{
    expect("A(1B(10)2A(20)4)", ONLY_A, "A - 37 7; A 0 20 20");
}
END_TEST

START_TEST(a_hidden_parent_makes_roots_of_its_children)
{
    expect("A(1B(10)2B(20)4)", ONLY_B, "B - 10 10; B - 20 20");
}
END_TEST

/* The A inside the hidden B belongs to the outer A, whose self time lost all of B already. */
START_TEST(below_a_hidden_operation_the_nearest_selected_one_is_the_parent)
{
    expect("A(5B(11A(100)13)7)", ONLY_A, "A - 136 12; A 0 100 100");
    expect("A(1B(2B(3A(4)5)6)7)", ONLY_A, "A - 28 8; A 0 4 4");
}
END_TEST

START_TEST(hidden_operations_outside_of_selected_ones_leave_no_trace)
{
    expect("A(1A(2)3)B(4)A(5)", ONLY_B, "B - 4 4");
}
END_TEST

START_TEST(self_times_of_a_tree_add_up_to_its_root)
{
    const char *const script = "A(1B(2A(3B(4)5)6B(7A(8)9)10)11A(12B(13)14)15)";
    struct sw_profiler *profiler;
    const struct sw_profiler_event *events;
    size_t n;
    int64_t sum = 0;

    sw__session_injected_clock = injected;
    ck_assert_int_eq(sw_profiler_new(NULL, &profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_enter(profiler), SW_OK);
    ck_assert_int_eq(nest_run(script), SW_OK);
    ck_assert_int_eq(sw_profiler_exit(profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_events(profiler, &events, &n), SW_OK);
    ck_assert_uint_eq(n, 8);
    for (size_t i = 0; i < n; i++)
        sum += events[i].self_time_ns;
    ck_assert_int_eq(sum, 120); /* 1 + 2 + ... + 15 */
    ck_assert_int_eq(events[0].duration_ns, 120);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("exact", a_leaf_spends_all_of_its_time_itself, starts_are_the_clocks,
           three_levels_are_excluded_exactly_once, siblings_are_both_excluded, a_hidden_child_is_charged_to_nobody,
           a_hidden_parent_makes_roots_of_its_children,
           below_a_hidden_operation_the_nearest_selected_one_is_the_parent,
           hidden_operations_outside_of_selected_ones_leave_no_trace, self_times_of_a_tree_add_up_to_its_root)
