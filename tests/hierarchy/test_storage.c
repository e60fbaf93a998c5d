/*
 * The counters of carriers' storage, against what the test itself knows it made.
 */
#include "config.h"

#include <pthread.h>
#include <string.h>

#include "check_main.h"
#include "parts.h"

static struct sw_memory_stats stats_of(const struct sw_carrier_class *carrier_class)
{
    struct sw_memory_stats stats = SW_MEMORY_STATS_INIT;

    OK(sw_memory_stats(carrier_class, &stats));
    return stats;
}

/* Bytes and pieces of a class now. */
static void expect_now(const struct sw_carrier_class *carrier_class, uint64_t bytes, uint64_t pieces)
{
    const struct sw_memory_stats stats = stats_of(carrier_class);

    ck_assert_uint_eq(stats.bytes.current, bytes);
    ck_assert_uint_eq(stats.pieces.current, pieces);
    ck_assert_uint_eq(sw_memory_allocated(carrier_class), bytes);
}

static struct sw_carrier *cpu_of(size_t n, enum sw_dtype dtype)
{
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *carrier = NULL;

    options.dtype = (int32_t)dtype;
    OK(sw_cpu_new(n, &options, &carrier));
    return carrier;
}

START_TEST(storage_is_counted_per_class_in_bytes_of_slots)
{
    OK(sw_memory_start_counting());
    struct sw_carrier *floats = cpu_of(100, SW_FLOAT32), *many = cpu_of(100000, SW_INT32), *none = cpu_of(0, SW_BOOL);
    struct sw_carrier *booleans = parts_zeros(7, SW_BOOL);

    expect_now(sw_cpu_class(), 400 + 400000, 2);
    expect_now(sw_generic_class(), 7, 1);
    expect_now(NULL, 400407, 3);
    OK(sw_carrier_release(floats));
    expect_now(sw_cpu_class(), 400000, 1);
    OK(sw_carrier_release(floats)); /* again: nothing */
    sw_carrier_unref(floats);
    sw_carrier_unref(many);
    sw_carrier_unref(none);
    sw_carrier_unref(booleans);
    expect_now(NULL, 0, 0);
    ck_assert_uint_eq(sw_memory_max_allocated(NULL), 400407);
    ck_assert_uint_eq(sw_memory_max_allocated(sw_generic_class()), 7);
}
END_TEST

START_TEST(views_and_the_callers_memory_have_no_storage)
{
    static float own[4];
    struct sw_cpu_options options = SW_CPU_OPTIONS_INIT;
    struct sw_carrier *external = NULL;
    struct sw_tensor *view = NULL;

    OK(sw_memory_start_counting());
    struct sw_tensor *tensor = parts_tensor_over(cpu_of(6, SW_FLOAT32), "(2,3):(1,2)");
    options.external = 1;
    options.pointer = own;
    OK(sw_cpu_new(4, &options, &external));
    OK(sw_permute(tensor, (const int64_t[]){ 1, 0 }, 2, &view));
    expect_now(NULL, 24, 1);
    sw_tensor_unref(tensor);
    expect_now(NULL, 24, 1); /* the view keeps it */
    sw_tensor_unref(view);
    sw_carrier_unref(external);
    expect_now(NULL, 0, 0);
    ck_assert_uint_eq(stats_of(NULL).pieces.allocated, 1);
}
END_TEST

START_TEST(an_evictable_counts_as_its_tiers)
{
    struct sw_carrier *file = NULL;

    OK(sw_memory_start_counting());
    OK(sw_file_backed_new(NULL, &file));
    expect_now(sw_file_backed_class(), 0, 0);
    struct sw_carrier *carrier = parts_evictable(CPU(1, 2, 3, 4, 5), file);
    expect_now(sw_cpu_class(), 20, 1);
    expect_now(NULL, 20, 1);
    OK(sw_evictable_evict(carrier));
    expect_now(sw_cpu_class(), 0, 0);
    expect_now(sw_file_backed_class(), 20, 1); /* on disk */
    OK(sw_evictable_promote(carrier));
    expect_now(sw_cpu_class(), 20, 1);
    expect_now(sw_file_backed_class(), 0, 0);
    OK(sw_evictable_evict(carrier));
    sw_carrier_unref(carrier);
    expect_now(NULL, 0, 0);
    expect_now(sw_evictable_class(), 0, 0);
    ck_assert_uint_eq(stats_of(NULL).bytes.allocated, 4 * 20);
}
END_TEST

START_TEST(an_operation_counts_its_result)
{
    struct sw_tensor *sum = NULL, *refused = NULL;

    OK(sw_memory_start_counting());
    struct sw_tensor *pair = parts_tensor_over(CPU(1, 2, 3, 4, 5, 6), "(2,3):(1,2)");
    struct sw_tensor *other = parts_tensor_over(CPU(1, 2), "(2):(1)");
    const uint64_t before = sw_memory_allocated(NULL);
    ck_assert_uint_eq(before, 24 + 8);
    OK(sw_add(pair, pair, &sum));
    ck_assert_uint_eq(sw_memory_allocated(NULL), before + 24);
    FAILS(sw_add(pair, other, &refused), SW_VALUE_ERROR);
    ck_assert_uint_eq(sw_memory_allocated(NULL), before + 24);
    sw_tensor_unref(sum);
    ck_assert_uint_eq(sw_memory_allocated(NULL), before);
    sw_tensor_unref(pair);
    sw_tensor_unref(other);
    expect_now(NULL, 0, 0);
}
END_TEST

START_TEST(what_there_is_no_room_for_is_refused_and_nothing_else)
{
    struct sw_carrier *carrier = NULL;

    OK(sw_memory_start_counting());
    FAILS(sw_cpu_new((size_t)1 << 61, NULL, &carrier), SW_MEMORY_ERROR);
    expect_now(sw_cpu_class(), 0, 0);
    ck_assert_uint_eq(stats_of(sw_cpu_class()).n_refused, 1);
    ck_assert_uint_eq(stats_of(sw_cpu_class()).bytes.allocated, 0);
    ck_assert_uint_eq(sw_memory_max_allocated(NULL), 0);
}
END_TEST

START_TEST(peaks_and_totals_are_reset_apart)
{
    OK(sw_memory_start_counting());
    sw_carrier_unref(cpu_of(1000, SW_FLOAT32));
    struct sw_carrier *carrier = cpu_of(10, SW_FLOAT32);
    struct sw_memory_stats stats = stats_of(sw_cpu_class());

    ck_assert_uint_eq(stats.bytes.peak, 4000);
    ck_assert_uint_eq(stats.pieces.peak, 1);
    ck_assert_uint_eq(stats.bytes.allocated - stats.bytes.freed, stats.bytes.current);
    OK(sw_memory_reset_peak(sw_cpu_class()));
    ck_assert_uint_eq(sw_memory_max_allocated(sw_cpu_class()), 40);
    ck_assert_uint_eq(sw_memory_max_allocated(NULL), 4000);
    ck_assert_uint_eq(stats_of(sw_cpu_class()).bytes.freed, 4000);
    OK(sw_memory_reset_totals(sw_cpu_class()));
    stats = stats_of(sw_cpu_class());
    ck_assert_uint_eq(stats.bytes.allocated + stats.bytes.freed, 0);
    ck_assert_uint_eq(stats.bytes.current, 40);
    sw_carrier_unref(carrier);
}
END_TEST

START_TEST(only_what_was_made_while_counting_is_counted_back)
{
    struct sw_carrier *before = cpu_of(10, SW_FLOAT32);

    ck_assert_int_eq(sw_memory_is_counting(), 0);
    OK(sw_memory_start_counting());
    OK(sw_memory_start_counting()); /* is no error and needs one stop */
    sw_carrier_unref(before);
    expect_now(NULL, 0, 0);
    struct sw_carrier *during = cpu_of(20, SW_FLOAT32);
    sw_memory_stop_counting();
    ck_assert_int_eq(sw_memory_is_counting(), 0);
    struct sw_carrier *after = cpu_of(30, SW_FLOAT32);
    expect_now(NULL, 80, 1);
    sw_carrier_unref(after);
    expect_now(NULL, 80, 1);
    sw_carrier_unref(during);
    expect_now(NULL, 0, 0);
}
END_TEST

static void *release_all(void *argument)
{
    struct sw_carrier **carriers = argument;

    for (int i = 0; i < 1000; i++)
        sw_carrier_unref(carriers[i]);
    return NULL;
}

START_TEST(threads_release_what_others_have_made)
{
    static struct sw_carrier *carriers[4][1000];
    pthread_t threads[4];

    OK(sw_memory_start_counting());
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 1000; k++)
            carriers[i][k] = cpu_of((size_t)(1 + k), SW_FLOAT32);
    expect_now(sw_cpu_class(), UINT64_C(4) * 4 * 500500, 4000);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, release_all, carriers[i]), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    expect_now(sw_cpu_class(), 0, 0);
    ck_assert_uint_eq(stats_of(sw_cpu_class()).bytes.peak, UINT64_C(4) * 4 * 500500);
    ck_assert_uint_eq(stats_of(NULL).pieces.freed, 4000);
}
END_TEST

START_TEST(a_class_of_ones_own_tells_its_storage)
{
    OK(sw_memory_start_counting());
    struct sw_carrier *vault = VAULT(1, 2);

    expect_now(&vault_class, 0, 0); /* it tells nothing by itself */
    OK(sw_carrier_storage_made(vault, 64));
    OK(sw_carrier_storage_refused(vault, 1 << 20));
    expect_now(&vault_class, 64, 1);
    ck_assert_uint_eq(stats_of(&vault_class).n_refused, 1);
    OK(sw_carrier_storage_gone(vault, 64));
    expect_now(NULL, 0, 0);
    FAILS(sw_carrier_storage_made(parts_no_carrier(), 1), SW_TYPE_ERROR);
    sw_carrier_unref(vault);
}
END_TEST

START_TEST(storage_that_waits_for_its_next_use_is_given_back)
{
    const size_t n = 1 << 20;

    OK(sw_memory_start_counting());
    struct sw_carrier *first = cpu_of(n, SW_INT32);
    const void *address = sw_cpu_pointer(first);
    memset(sw_cpu_pointer(first), 1, 4 * n);
    OK(sw_carrier_release(first));
    expect_now(NULL, 0, 0);
    ck_assert_uint_ge(sw_memory_cached(), 4 * n);
    struct sw_carrier *second = cpu_of(n, SW_INT32);
    ck_assert_ptr_eq(sw_cpu_pointer(second), address);
    ck_assert_uint_eq(sw_memory_cached(), 0);
    expect_now(sw_cpu_class(), 4 * n, 1);
    /* A new carrier begins as zeros, whatever its storage held before. */
    const int32_t *values = sw_cpu_pointer(second);
    for (size_t i = 0; i < n; i++)
        ck_assert_int_eq(values[i], 0);
    sw_carrier_unref(second);
    sw_carrier_unref(first);
    expect_now(NULL, 0, 0);
    ck_assert_uint_eq(stats_of(NULL).bytes.freed, 8 * n);
    ck_assert_uint_ge(sw_memory_empty_cache(), 4 * n);
    ck_assert_uint_eq(sw_memory_cached(), 0);
}
END_TEST

START_TEST(what_is_no_class_is_refused)
{
    struct sw_memory_stats stats = SW_MEMORY_STATS_INIT;
    const struct sw_carrier_class *no_class = (const void *)parts_no_carrier();

    FAILS(sw_memory_stats(no_class, &stats), SW_TYPE_ERROR);
    FAILS(sw_memory_stats(NULL, NULL), SW_TYPE_ERROR);
    FAILS(sw_memory_reset_peak(no_class), SW_TYPE_ERROR);
    FAILS(sw_memory_reset_totals(no_class), SW_TYPE_ERROR);
    ck_assert_uint_eq(sw_memory_allocated(no_class) + sw_memory_max_allocated(no_class), 0);
    stats.struct_bytes = 8;
    FAILS(sw_memory_stats(NULL, &stats), SW_TYPE_ERROR);
}
END_TEST

CHECK_MAIN_PROFILING("storage", storage_is_counted_per_class_in_bytes_of_slots,
                     views_and_the_callers_memory_have_no_storage, an_evictable_counts_as_its_tiers,
                     an_operation_counts_its_result, what_there_is_no_room_for_is_refused_and_nothing_else,
                     peaks_and_totals_are_reset_apart, only_what_was_made_while_counting_is_counted_back,
                     threads_release_what_others_have_made, a_class_of_ones_own_tells_its_storage,
                     storage_that_waits_for_its_next_use_is_given_back, what_is_no_class_is_refused)
