/*
 * Threads: recording is switched for one of them, a graph may go from one to
 * another, passes that meet in a leaf add up, and a fork does not cut one in two.
 */
#include "config.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "op/op_test.h"

#define N_THREADS 4
#define N_PASSES 200

static void *switch_off(void *unused)
{
    (void)unused;
    ck_assert_int_eq(sw_grad_set_enabled(0), 1);
    return NULL;
}

START_TEST(recording_is_switched_per_thread)
{
    pthread_t thread;

    ck_assert_int_eq(pthread_create(&thread, NULL, switch_off, NULL), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(sw_grad_is_enabled());
}
END_TEST

static void *go_back(void *result)
{
    assert_ok(sw_tensor_backward(result, NULL, SW_GRAPH_FREE));
    sw_tensor_unref(result);
    return NULL;
}

START_TEST(a_graph_is_differentiated_on_another_thread)
{
    struct sw_tensor *x = F32(sw_cpu_class(), "(2):(1)", 3, 4), *square, *sum;
    pthread_t thread;

    assert_ok(sw_tensor_set_requires_grad(x, 1));
    assert_ok(sw_mul(x, x, &square));
    assert_ok(sw_sum(square, &sum));
    sw_tensor_unref(square);
    ck_assert_int_eq(pthread_create(&thread, NULL, go_back, sum), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    assert_f32(sw_tensor_grad(x), "(2):(1)", 6, 8);
    sw_tensor_unref(x);
}
END_TEST

static void pass(struct sw_tensor *x)
{
    struct sw_tensor *square, *sum;

    assert_ok(sw_mul(x, x, &square));
    assert_ok(sw_sum(square, &sum));
    sw_tensor_unref(square);
    go_back(sum);
    sw_tensor_unref(sw_tensor_grad(x));
}

static void *pass_often(void *x)
{
    for (int i = 0; i < N_PASSES; i++)
        pass(x);
    return NULL;
}

START_TEST(passes_that_share_a_leaf_add_up)
{
    struct sw_tensor *x = F32(sw_cpu_class(), "(2):(1)", 3, 4);
    pthread_t threads[N_THREADS];

    assert_ok(sw_tensor_set_requires_grad(x, 1));
    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, pass_often, x), 0);
    for (int i = 0; i < N_THREADS; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    assert_f32(sw_tensor_grad(x), "(2):(1)", 6 * N_THREADS * N_PASSES, 8 * N_THREADS * N_PASSES);
    sw_tensor_unref(x);
}
END_TEST

static int is_done; /* atomic */

static void *pass_until_done(void *x)
{
    while (!__atomic_load_n(&is_done, __ATOMIC_ACQUIRE))
        pass(x);
    return NULL;
}

/* Every pass adds 6 and 8. No assertions here: they have a lock of their own, which the other thread may have held. */
static int fails_in_child(struct sw_tensor *x)
{
    struct sw_tensor *gradient = sw_tensor_grad(x);
    float values[2] = { 6, 8 };

    if (gradient != NULL && sw_tensor_read_f32(gradient, values, 2) != SW_OK)
        return 1;
    if (values[0] * 8 != values[1] * 6)
        return 2;
    sw_tensor_clear_grad(x);
    return sw_tensor_grad(x) != NULL ? 3 : 0;
}

START_TEST(a_forked_child_may_ask_for_gradients_during_another_threads_pass)
{
    struct sw_tensor *x = F32(sw_cpu_class(), "(2):(1)", 3, 4);
    pthread_t thread;

    assert_ok(sw_tensor_set_requires_grad(x, 1));
    ck_assert_int_eq(pthread_create(&thread, NULL, pass_until_done, x), 0);
    for (int i = 0; i < 20; i++) {
        const pid_t child = fork();
        int status;
        if (child == 0) {
            alarm(20);
            _exit(fails_in_child(x));
        }
        ck_assert_int_eq(waitpid(child, &status, 0), child);
        ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
    __atomic_store_n(&is_done, 1, __ATOMIC_RELEASE);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    sw_tensor_unref(x);
}
END_TEST

CHECK_MAIN("threads", recording_is_switched_per_thread, a_graph_is_differentiated_on_another_thread,
           passes_that_share_a_leaf_add_up, a_forked_child_may_ask_for_gradients_during_another_threads_pass)
