/*
 * Host ranges as a tool sees them: this program defines the hooks itself.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "profiler/support.h"

#if SW_ENABLE_HOST_RANGES && SW_ENABLE_PROFILING

#include <strideweave/hooks.h>

#define MOST_OPEN 32

static struct sw_hook_range *open[MOST_OPEN];
static const char *names[MOST_OPEN];
static int n_open, n_entered, deepest;
static char path[512];

void sw_hook_range_enter(struct sw_hook_range *range)
{
    ck_assert_uint_ge(range->struct_bytes, sizeof *range);
    ck_assert_uint_ne(range->flags & SW_HOOK_RANGE_HOST, 0);
    ck_assert_int_lt(n_open, MOST_OPEN);
    names[n_open] = range->name;
    open[n_open++] = range;
    n_entered++;
    if (n_open > deepest) {
        deepest = n_open;
        path[0] = '\0';
        for (int i = 0; i < n_open; i++)
            strcat(strcat(path, i > 0 ? " " : ""), names[i]);
    }
    if (range->flags & SW_HOOK_DEFAULT_WANTED)
        range->library->defaults->range_enter(range);
}

void sw_hook_range_exit(struct sw_hook_range *range)
{
    ck_assert_int_gt(n_open, 0);
    ck_assert_ptr_eq(range, open[--n_open]);
    ck_assert_ptr_eq(range->name, names[n_open]);
    if (range->flags & SW_HOOK_DEFAULT_WANTED)
        range->library->defaults->range_exit(range);
}

static void add_once(void)
{
    struct sw_tensor *a = make_tensor(sw_cpu_class()), *sum = NULL;

    ck_assert_status(sw_add(a, a, &sum), SW_OK);
    sw_tensor_unref(sum);
    sw_tensor_unref(a);
    ck_assert_int_eq(n_open, 0);
}

START_TEST(a_tool_sees_ranges_while_it_wants_them)
{
    add_once();
    ck_assert_int_eq(n_entered, 0);
    sw_hooks_want(SW_HOOK_WANT_RANGE);
    add_once();
    sw_hooks_unwant(SW_HOOK_WANT_RANGE);
    ck_assert_int_gt(n_entered, 0);
    ck_assert_str_eq(path, "binding.body dispatch.call operator.call operator.invoke backend.submit");
    const int n_before = n_entered;
    add_once();
    ck_assert_int_eq(n_entered, n_before);
}
END_TEST

START_TEST(a_tool_passes_ranges_on_to_the_collector)
{
    struct sw_host_range_row *rows = NULL;
    size_t n_rows = 0;

    ck_assert_status(sw_host_ranges_start(), SW_OK);
    add_once();
    ck_assert_status(sw_host_ranges_stop(&rows, &n_rows), SW_OK);
    ck_assert_uint_ge(n_rows, 10);
    uint64_t n = 0;
    for (size_t i = 0; i < n_rows; i++)
        n += rows[i].count;
    ck_assert_uint_eq(n, (uint64_t)n_entered);
    sw_free(rows);
}
END_TEST

CHECK_MAIN("range_hooks", a_tool_sees_ranges_while_it_wants_them, a_tool_passes_ranges_on_to_the_collector)

#else

int main(void)
{
    return check_main_skip("SW_EXPECT_HOST_RANGES", "built without host ranges or without hooks");
}

#endif
