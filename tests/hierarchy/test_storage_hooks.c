/*
 * The hooks of storage as a tool sees them: this program takes them, keeps an
 * account of its own, and passes them on to the counters.
 */
#include "config.h"

#include <string.h>

#include "check_main.h"
#include "parts.h"

#define MOST_CALLS 64

struct call {
    int is_alloc;
    struct sw_hook_storage storage;
    char class_name[32];
};

static struct call calls[MOST_CALLS];
static size_t n_calls;

static void keep(int is_alloc, const struct sw_hook_storage *storage)
{
    ck_assert(SW_HOOK_HAS(storage, struct sw_hook_storage, carrier_number));
    ck_assert_uint_lt(n_calls, MOST_CALLS);
    calls[n_calls].is_alloc = is_alloc;
    calls[n_calls].storage = *storage;
    snprintf(calls[n_calls++].class_name, sizeof calls->class_name, "%s", storage->carrier_class->qualified_name);
}

void sw_hook_storage_alloc(const struct sw_hook_storage *storage)
{
    keep(1, storage);
    sw_hook_pass_storage_alloc(storage, NULL);
}

void sw_hook_storage_free(const struct sw_hook_storage *storage)
{
    keep(0, storage);
    sw_hook_pass_storage_free(storage, NULL);
}

static void expect_call(size_t i, int is_alloc, const char *class_name, uint64_t bytes, uint32_t flags)
{
    ck_assert_uint_lt(i, n_calls);
    ck_assert_int_eq(calls[i].is_alloc, is_alloc);
    ck_assert_str_eq(calls[i].class_name, class_name);
    ck_assert_uint_eq(calls[i].storage.bytes, bytes);
    ck_assert_uint_eq(calls[i].storage.flags, flags);
    ck_assert_uint_ne(calls[i].storage.carrier_serial, 0);
}

static struct sw_carrier *cpu_of(size_t n)
{
    struct sw_carrier *carrier = NULL;

    OK(sw_cpu_new(n, NULL, &carrier));
    return carrier;
}

START_TEST(nobody_is_told_what_nobody_wants_to_know)
{
    sw_carrier_unref(cpu_of(10));
    ck_assert_uint_eq(n_calls, 0);
    struct sw_carrier *carrier = cpu_of(10);
    sw_hooks_want(SW_HOOK_WANT_STORAGE);
    sw_carrier_unref(carrier); /* made before: its release is told all the same */
    sw_hooks_unwant(SW_HOOK_WANT_STORAGE);
    ck_assert_uint_eq(n_calls, 1);
    expect_call(0, 0, "CPU", 40, 0);
}
END_TEST

START_TEST(carriers_are_told_apart_by_their_numbers)
{
    sw_hooks_want(SW_HOOK_WANT_STORAGE);
    struct sw_carrier *first = cpu_of(10), *second = cpu_of(1000);
    sw_carrier_unref(first);
    struct sw_carrier *third = cpu_of(10); /* at the place of the first, most likely */
    OK(sw_carrier_release(second));
    sw_carrier_unref(second);
    sw_carrier_unref(third);
    sw_hooks_unwant(SW_HOOK_WANT_STORAGE);
    ck_assert_uint_eq(n_calls, 6);
    expect_call(0, 1, "CPU", 40, 0);
    expect_call(1, 1, "CPU", 4000, 0);
    expect_call(2, 0, "CPU", 40, 0);
    expect_call(3, 1, "CPU", 40, 0);
    expect_call(4, 0, "CPU", 4000, 0);
    expect_call(5, 0, "CPU", 40, 0);
    ck_assert_uint_eq(calls[2].storage.carrier_number, calls[0].storage.carrier_number);
    ck_assert_uint_eq(calls[4].storage.carrier_number, calls[1].storage.carrier_number);
    ck_assert_uint_eq(calls[1].storage.carrier_number, calls[0].storage.carrier_number + 1);
    ck_assert_uint_eq(calls[3].storage.carrier_number, calls[0].storage.carrier_number + 2);
}
END_TEST

START_TEST(tiers_are_told_when_values_move)
{
    struct sw_carrier *file = NULL;

    sw_hooks_want(SW_HOOK_WANT_STORAGE);
    OK(sw_file_backed_new(NULL, &file));
    struct sw_carrier *carrier = parts_evictable(CPU(1, 2, 3), file);
    OK(sw_evictable_evict(carrier));
    sw_carrier_unref(carrier);
    ck_assert_uint_eq(n_calls, 4);
    expect_call(0, 1, "CPU", 12, 0);
    expect_call(1, 1, "FileBacked", 12, 0);
    expect_call(2, 0, "CPU", 12, 0);
    expect_call(3, 0, "FileBacked", 12, 0);
}
END_TEST

START_TEST(a_tool_that_passes_on_leaves_the_counters_right)
{
    struct sw_memory_stats stats = SW_MEMORY_STATS_INIT;
    struct sw_carrier *refused = NULL;

    OK(sw_memory_start_counting());
    struct sw_carrier *carrier = cpu_of(10);
    FAILS(sw_cpu_new((size_t)1 << 61, NULL, &refused), SW_MEMORY_ERROR);
    sw_memory_stop_counting();
    ck_assert_uint_eq(sw_memory_allocated(sw_cpu_class()), 40);
    sw_carrier_unref(carrier); /* nobody else wants to know, but it was counted */
    ck_assert_uint_eq(sw_memory_allocated(NULL), 0);
    OK(sw_memory_stats(NULL, &stats));
    ck_assert_uint_eq(n_calls, 3);
    expect_call(0, 1, "CPU", 40, SW_HOOK_STORAGE_COUNTED);
    expect_call(1, 1, "CPU", UINT64_C(1) << 63, SW_HOOK_STORAGE_REFUSED | SW_HOOK_STORAGE_COUNTED);
    ck_assert_uint_eq(stats.n_refused, 1);
    expect_call(2, 0, "CPU", 40, SW_HOOK_STORAGE_COUNTED);
}
END_TEST

CHECK_MAIN_PROFILING("storage_hooks", nobody_is_told_what_nobody_wants_to_know,
                     carriers_are_told_apart_by_their_numbers, tiers_are_told_when_values_move,
                     a_tool_that_passes_on_leaves_the_counters_right)
