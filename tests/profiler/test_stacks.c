/*
 * Call stacks beside a Profiler's events, in the same program: what is recorded,
 * and what event lists make of it. What the entries are called is in
 * tests/stacks.
 */
#include "config.h"

#include <stddef.h>
#include <string.h>
#include <time.h>

#include "check_main.h"
#include "support.h"

#ifdef __clang__
#define KEPT __attribute__((noinline))
#else
#define KEPT __attribute__((noinline, noclone))
#endif
/* Keeps a call from being the last thing in its function, and functions that do the same from becoming one. */
#define STAY(number) __asm__ volatile("" : : "i"(number) : "memory")

KEPT static void called(void)
{
    run_neg();
    STAY(1);
}

KEPT static void left_caller(void)
{
    called();
    STAY(2);
}

KEPT static void right_caller(void)
{
    called();
    STAY(3);
}

static struct sw_profiler *profile_callers(uint32_t depth)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;

    options.stack_depth = depth;
    struct sw_profiler *profiler = enter_profiler(&options);
    left_caller();
    left_caller();
    right_caller();
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    return profiler;
}

/* Where in a stack the first entry with @part stands, counted from 1; 0: nowhere. */
static size_t place_of(const char *part, const char *const *entries, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strstr(entries[i], part) != NULL)
            return i + 1;
    return 0;
}

static const char *const *stack_of(struct sw_profiler *profiler, int64_t id, size_t *ret_n)
{
    const char *const *entries = NULL;

    ck_assert_status(sw_profiler_event_stack(profiler, id, &entries, ret_n), SW_OK);
    return entries;
}

START_TEST(a_stack_has_the_calls_in_order_and_none_of_the_library)
{
    struct sw_profiler *profiler = profile_callers(64);
    size_t n = 0;
    const char *const *entries = stack_of(profiler, 2, &n);
    size_t at = place_of(": called", entries, n);

    events_of(profiler, 3);
    ck_assert_uint_gt(at, 0);
    ck_assert_uint_eq(place_of(": right_caller", entries, n), at + 1);
    ck_assert_uint_eq(place_of(": left_caller", entries, n), 0);
    ck_assert_ptr_eq(strstr(entries[0], "libstrideweave"), NULL);
    ck_assert_ptr_eq(strstr(entries[0], "libswprof"), NULL);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(equal_stacks_of_two_events_are_one)
{
    struct sw_profiler *profiler = profile_callers(2);
    size_t n_first = 0, n_last = 0;
    const char *const *first = stack_of(profiler, 0, &n_first), *const *last = stack_of(profiler, 2, &n_last);

    ck_assert_uint_eq(n_first, 3);
    ck_assert_uint_eq(n_last, 3);
    ck_assert_str_eq(first[2], "(deeper than was recorded)");
    /* Both callers are deeper than that: same two calls, so the very same texts. */
    ck_assert_ptr_eq(first[0], last[0]);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(without_a_depth_there_are_no_stacks)
{
    struct sw_profiler *profiler = profile_callers(0);
    size_t n = 1;

    ck_assert_int_eq(sw_profiler_stacks(profiler), SW_PROFILER_STACKS_OFF);
    ck_assert_ptr_eq(stack_of(profiler, 0, &n), NULL);
    ck_assert_uint_eq(n, 0);
    ck_assert_int_eq(sw_profiler_stacks(NULL), SW_PROFILER_STACKS_OFF);
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(options_from_before_stacks_are_taken_and_depths_are_bounded)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;

    options.stack_depth = SW_PROFILER_MOST_STACK_DEPTH + 1;
    ck_assert_status(sw_profiler_new(&options, &profiler), SW_VALUE_ERROR);
    ck_assert_message("stack_depth");
    options.struct_bytes = offsetof(struct sw_profiler_options, stack_depth);
    ck_assert_status(sw_profiler_new(&options, &profiler), SW_OK);
    ck_assert_int_eq(sw_profiler_stacks(profiler), SW_PROFILER_STACKS_OFF);
    sw_profiler_free(profiler);
    options.struct_bytes--;
    ck_assert_status(sw_profiler_new(&options, &profiler), SW_TYPE_ERROR);
}
END_TEST

START_TEST(stacks_are_results_of_a_completed_profiler)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    const char *const *entries = NULL;
    struct sw_profiler *profiler;
    size_t n = 7;

    options.stack_depth = 8;
    profiler = enter_profiler(&options);
    called();
    ck_assert_status(sw_profiler_event_stack(profiler, 0, &entries, &n), SW_RUNTIME_ERROR);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    ck_assert_status(sw_profiler_event_stack(profiler, 1, &entries, &n), SW_INDEX_ERROR);
    ck_assert_status(sw_profiler_event_stack(profiler, -1, &entries, &n), SW_INDEX_ERROR);
    ck_assert_status(sw_profiler_event_stack(NULL, 0, &entries, &n), SW_TYPE_ERROR);
    ck_assert_uint_eq(n, 7);
    sw_profiler_free(profiler);
}
END_TEST

/* ---- Event lists ------------------------------------------------------------------------------ */

static size_t count_averages(const struct sw_event_list *list, int64_t n_entries)
{
    struct sw_event_averages_options options = SW_EVENT_AVERAGES_OPTIONS_INIT;
    struct sw_event_list *averages = NULL;
    size_t n;

    options.group_by_stack_n = n_entries;
    ck_assert_status(sw_event_list_key_averages(list, &options, &averages), SW_OK);
    n = sw_event_list_size(averages);
    sw_event_list_free(averages);
    return n;
}

START_TEST(averages_are_grouped_by_the_innermost_entries)
{
    struct sw_profiler *profiler = profile_callers(64);
    struct sw_event_list *list = NULL;
    struct sw_function_event row;
    size_t n = 0, depth;

    const char *const *entries = stack_of(profiler, 0, &n);
    depth = place_of(": left_caller", entries, n);
    ck_assert_status(sw_profiler_event_list(profiler, NULL, &list), SW_OK);
    ck_assert_status(sw_event_list_at(list, 0, &row), SW_OK);
    ck_assert_uint_eq(row.n_stack, n);
    for (size_t i = 0; i < n; i++)
        ck_assert_str_eq(row.stack[i], entries[i]);
    ck_assert_uint_eq(count_averages(list, 0), 1);
    ck_assert_uint_eq(count_averages(list, (int64_t)depth - 1), 1);
    ck_assert_uint_eq(count_averages(list, (int64_t)depth), 2);
    sw_event_list_free(list);
    sw_profiler_free(profiler);
}
END_TEST

static int64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* So long that there is a microsecond to be exported. */
static enum sw_status take_time(void *argument)
{
    int64_t begin = now_ns();

    (void)argument;
    while (now_ns() - begin < 2000)
        ;
    return SW_OK;
}

START_TEST(stacks_are_exported_outermost_first)
{
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_event_list *list = NULL;
    struct sw_profiler *profiler;
    char *text = NULL;
    size_t n = 0;

    options.stack_depth = 64;
    plugin_callback = take_time;
    profiler = enter_profiler(&options);
    ck_assert_status(run_plugin("calls"), SW_OK);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const char *const *entries = stack_of(profiler, 0, &n);
    ck_assert_status(sw_profiler_event_list(profiler, NULL, &list), SW_OK);
    ck_assert_status(sw_event_list_export_stacks(list, NULL, &text), SW_OK);
    /* Entries have blanks, which become "_". */
    ck_assert_uint_gt(n, 1);
    ck_assert_ptr_ne(strstr(text, ":_run_plugin"), NULL);
    ck_assert_uint_gt(place_of(": run_plugin", entries, n), 0);
    ck_assert_ptr_ne(strstr(text, ";"), NULL);
    ck_assert(strstr(text, ":_main") != NULL && strstr(text, ":_main") < strstr(text, ":_run_plugin"));
    sw_free(text);
    sw_event_list_free(list);
    sw_profiler_free(profiler);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_stack_has_the_calls_in_order_and_none_of_the_library,
        equal_stacks_of_two_events_are_one,
        without_a_depth_there_are_no_stacks,
        options_from_before_stacks_are_taken_and_depths_are_bounded,
        stacks_are_results_of_a_completed_profiler,
        averages_are_grouped_by_the_innermost_entries,
        stacks_are_exported_outermost_first,
    };
    struct sw_profiler_options options = SW_PROFILER_OPTIONS_INIT;
    struct sw_profiler *profiler = NULL;
    enum sw_profiler_stacks state;

    if (check_main_lacks_profiling())
        return check_main_skip("SW_EXPECT_PROFILING", "built with --disable-profiling");
    options.stack_depth = 1;
    if (sw_profiler_new(&options, &profiler) != SW_OK)
        return EXIT_FAILURE;
    state = sw_profiler_stacks(profiler);
    sw_profiler_free(profiler);
    if (state != SW_PROFILER_STACKS_RECORDED) {
        puts("call stacks cannot be recorded here: libunwind is not there, or there is no way on this system");
        return CHECK_MAIN_SKIPPED;
    }
    return check_main("profiler_stacks", tests, sizeof tests / sizeof tests[0]);
}
