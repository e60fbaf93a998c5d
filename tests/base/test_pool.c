/*
 * The pool: what is computed does not depend on the number of threads, a child
 * has a pool of its own, jobs may come from several threads, and failures are
 * those of one thread. SW_NUM_THREADS is set before anything reads it.
 */
#include "config.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/pool.h"

#include "check_main.h"

#define N 100000
#define EACH 1000

struct sums {
    uint64_t done[N];     /* how often each element was met */
    int64_t failing;      /* the element that fails, or -1 */
};

static enum sw_status part(void *job, int64_t begin, int64_t end)
{
    struct sums *sums = job;

    for (int64_t i = begin; i < end; i++) {
        if (i == sums->failing)
            return sw_error_set(SW_OVERFLOW_ERROR, "element %lld", (long long)i);
        __atomic_add_fetch(&sums->done[i], 1, __ATOMIC_RELAXED);
    }
    return SW_OK;
}

static void run_job(int64_t n)
{
    struct sums *sums = calloc(1, sizeof *sums);

    ck_assert_ptr_nonnull(sums);
    sums->failing = -1;
    ck_assert_int_eq(sw__pool_run(part, sums, n, EACH), SW_OK);
    int64_t n_wrong = 0;
    for (int64_t i = 0; i < N; i++)
        n_wrong += sums->done[i] != (i < n);
    ck_assert_int_eq(n_wrong, 0);
    free(sums);
}

START_TEST(every_element_is_met_once)
{
    static const int64_t sizes[] = { 1, EACH - 1, EACH, EACH + 1, 7 * EACH, 7 * EACH + 1, N };

    for (int round = 0; round < 50; round++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            run_job(sizes[i]);
}
END_TEST

START_TEST(a_failure_is_said_to_the_caller)
{
    struct sums *sums = calloc(1, sizeof *sums);

    ck_assert_ptr_nonnull(sums);
    for (int round = 0; round < 50; round++) {
        sums->failing = 61234;
        ck_assert_int_eq(sw__pool_run(part, sums, N, EACH), SW_OVERFLOW_ERROR);
        ck_assert_str_eq(sw_error_message(), "element 61234");
    }
    free(sums);
}
END_TEST

static void *run_jobs(void *argument)
{
    for (int round = 0; round < 30; round++)
        run_job(N - round);
    return argument;
}

START_TEST(several_threads_bring_jobs_at_once)
{
    pthread_t threads[4];

    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_jobs, NULL), 0);
    for (size_t i = 0; i < 4; i++)
        ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
}
END_TEST

START_TEST(a_child_has_a_pool_of_its_own)
{
    int status;

    run_job(N);
    for (int generation = 0; generation < 3; generation++) {
        const pid_t child = fork();
        ck_assert_int_ge(child, 0);
        if (child != 0) {
            ck_assert_int_eq(waitpid(child, &status, 0), child);
            ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
            if (generation > 0)
                _exit(0);
            return;
        }
        run_job(N);
    }
    _exit(0);
}
END_TEST

/* ThreadSanitizer knows no threads that a child of several starts. */
#if defined __SANITIZE_THREAD__
#define KNOWS_CHILDREN 0
#elif defined __has_feature
#if __has_feature(thread_sanitizer)
#define KNOWS_CHILDREN 0
#endif
#endif
#ifndef KNOWS_CHILDREN
#define KNOWS_CHILDREN 1
#endif

int main(void)
{
    const TTest *const tests[] = { every_element_is_met_once, a_failure_is_said_to_the_caller,
                                   several_threads_bring_jobs_at_once, a_child_has_a_pool_of_its_own };
    const size_t n_tests = sizeof tests / sizeof tests[0] - !KNOWS_CHILDREN;

    setenv("SW_NUM_THREADS", "3", 1);
    return check_main("pool", tests, n_tests);
}
