/*
 * The table of dispatch entries is emptied while others look things up in it.
 */
#include "config.h"

#include <pthread.h>
#include <strideweave/strideweave.h>

#include "check_main.h"
#include "dispatch/operation.h"

#define N_THREADS 3
#define N_DISPATCHES 3000
#define N_CLEARINGS 500

static const char *const names[] = { "add", "sub", "mul", "neg", "exp", "relu", "matmul", "reduce_sum" };
#define N_NAMES (sizeof names / sizeof *names)

static struct sw_carrier *carrier;

static const struct sw_hook_dispatch *entry_of(const char *name)
{
    struct sw_operation *operation = NULL;

    ck_assert_int_eq(sw_carrier_dispatch(carrier, name, &operation), SW_OK);
    const struct sw_hook_dispatch *entry = operation->dispatch;
    sw_operation_unref(operation);
    return entry;
}

static void *dispatch_all(void *argument)
{
    const struct sw_hook_dispatch *const *expected = argument;

    for (size_t i = 0; i < N_DISPATCHES; i++)
        if (entry_of(names[i % N_NAMES]) != expected[i % N_NAMES])
            return argument;
    return NULL;
}

START_TEST(an_operation_has_one_entry_however_often_the_cache_is_cleared)
{
    const struct sw_hook_dispatch *expected[N_NAMES];
    pthread_t threads[N_THREADS];
    void *wrong = NULL;

    struct sw_tree *shape = NULL;
    struct sw_tensor *tensor = NULL;
    ck_assert_int_eq(sw_tree_parse("(2,3)", &shape), SW_OK);
    ck_assert_int_eq(sw_tensor_zeros(sw_cpu_class(), SW_FLOAT32, shape, &tensor), SW_OK);
    carrier = sw_tensor_carrier(tensor);
    for (size_t i = 0; i < N_NAMES; i++)
        expected[i] = entry_of(names[i]);
    for (size_t i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, dispatch_all, expected), 0);
    for (size_t i = 0; i < N_CLEARINGS; i++)
        sw_dispatch_cache_clear();
    for (size_t i = 0; i < N_THREADS; i++) {
        ck_assert_int_eq(pthread_join(threads[i], &wrong), 0);
        ck_assert_ptr_null(wrong);
    }
    sw_dispatch_cache_clear();
    for (size_t i = 0; i < N_NAMES; i++)
        ck_assert_ptr_eq(entry_of(names[i]), expected[i]);
    sw_tensor_unref(tensor);
    sw_tree_unref(shape);
}
END_TEST

CHECK_MAIN("cache", an_operation_has_one_entry_however_often_the_cache_is_cleared)
