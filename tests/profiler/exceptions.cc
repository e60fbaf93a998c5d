/*
 * C++: exceptions that cross kernels, and the guard.
 */
#include <cstring>
#include <stdexcept>

#include "check_main.h"
#include "support.h"

static void expect(bool condition, const char *what)
{
    ck_assert_msg(condition, "not so: %s", what);
}

static enum sw_status throw_at_depth(void *levels)
{
    int *left = static_cast<int *>(levels);

    if (--*left == 0)
        throw std::runtime_error("out of the kernel");
    return run_plugin("calls");
}

static void throw_through(int n_levels)
{
    int levels = n_levels;

    plugin_callback = throw_at_depth;
    plugin_argument = &levels;
    (void)run_plugin("calls");
}

static size_t count_events(struct sw_profiler *profiler, size_t *n_failed)
{
    const struct sw_profiler_event *events;
    size_t n = 0;

    *n_failed = 0;
    expect(sw_profiler_events(profiler, &events, &n) == SW_OK, "results are there");
    for (size_t i = 0; i < n; i++)
        *n_failed += !events[i].succeeded;
    return n;
}

START_TEST(exceptions_end_boundaries_as_failed)
{
    for (int n_levels = 1; n_levels <= 20; n_levels++) {
        struct sw_profiler *profiler;
        bool caught = false;
        size_t n_failed;

        expect(sw_profiler_new(nullptr, &profiler) == SW_OK, "a Profiler");
        try {
            sw_profiler_guard guard(profiler);
            expect(guard.status() == SW_OK, "entry");
            throw_through(n_levels);
        } catch (const std::runtime_error &) {
            caught = true;
        }
        expect(caught, "the exception goes on");
        expect(count_events(profiler, &n_failed) == static_cast<size_t>(n_levels), "an event a level");
        expect(n_failed == static_cast<size_t>(n_levels), "all failed");
        sw_profiler_free(profiler);
    }
}
END_TEST

START_TEST(the_macro_leaves_when_an_exception_passes)
{
    struct sw_profiler *profiler;
    size_t n_failed;

    expect(sw_profiler_new(nullptr, &profiler) == SW_OK, "a Profiler");
    try {
        SW_WITH_PROFILER(profiler)
        {
            throw_through(2);
        }
    } catch (const std::runtime_error &) {
    }
    expect(count_events(profiler, &n_failed) == 2, "two events");
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(nesting_is_restored_after_an_exception)
{
    struct sw_profiler *profiler;
    const struct sw_profiler_event *events;
    size_t n = 0;

    expect(sw_profiler_new(nullptr, &profiler) == SW_OK, "a Profiler");
    {
        sw_profiler_guard guard(profiler);
        try {
            throw_through(3);
        } catch (const std::runtime_error &) {
        }
        expect(run_plugin("inner") == SW_OK, "the next operation");
    }
    expect(sw_profiler_events(profiler, &events, &n) == SW_OK && n == 5, "five events");
    expect(n == 5 && !events[3].has_parent && events[4].parent_id == 3, "right parents");
    sw_profiler_free(profiler);
}
END_TEST

START_TEST(a_guard_whose_entry_failed_leaves_nothing)
{
    struct sw_profiler *profiler;

    expect(sw_profiler_new(nullptr, &profiler) == SW_OK, "a Profiler");
    {
        sw_profiler_guard first(profiler);
        sw_profiler_guard second(profiler);
        expect(second.status() == SW_RUNTIME_ERROR, "the second entry is refused");
    }
    size_t n_failed;
    expect(count_events(profiler, &n_failed) == 0, "no events");
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN("exceptions", exceptions_end_boundaries_as_failed, the_macro_leaves_when_an_exception_passes,
           nesting_is_restored_after_an_exception, a_guard_whose_entry_failed_leaves_nothing)
