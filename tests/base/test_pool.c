/*
 * The pool: jobs run on more than one thread, what is computed does not depend
 * on their number, a child has a pool of its own, jobs may come from several
 * threads, and failures are those of one thread. SW_NUM_THREADS is set before
 * anything reads it.
 */
#include "config.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/pool.h"

#include "check_main.h"

#define N 100000
#define EACH 1000
#define PARTS 8 /* of a meeting */

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

/* Where the threads of a job wait for each other. */
struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t came;
    pthread_t caller;
    struct timespec deadline;
    int has_caller; /* the thread that brought the job has taken part */
    int has_other;  /* another one has */
    sigset_t blocked; /* by that one */
    int has_forked; /* a handler on the caller's, in the test of that */
    unsigned char met[PARTS]; /* there, too */
};

static void open_condition(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;

    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

static void open_meeting(struct meeting *meeting)
{
    *meeting = (struct meeting){ .lock = PTHREAD_MUTEX_INITIALIZER, .caller = pthread_self() };
    open_condition(&meeting->came);
    clock_gettime(CLOCK_MONOTONIC, &meeting->deadline);
    meeting->deadline.tv_sec += 10;
}

/* Ends when two threads are in it, or at the deadline. */
static enum sw_status meet(void *job, int64_t begin, int64_t end)
{
    struct meeting *meeting = job;

    (void)begin;
    (void)end;
    pthread_mutex_lock(&meeting->lock);
    if (pthread_equal(pthread_self(), meeting->caller)) {
        meeting->has_caller = 1;
    } else if (!meeting->has_other) {
        meeting->has_other = 1;
        pthread_sigmask(SIG_SETMASK, NULL, &meeting->blocked);
    }
    pthread_cond_broadcast(&meeting->came);
    while (!meeting->has_caller || !meeting->has_other)
        if (pthread_cond_timedwait(&meeting->came, &meeting->lock, &meeting->deadline) != 0)
            break;
    pthread_mutex_unlock(&meeting->lock);
    return SW_OK;
}

/* Whether two threads took part in one job; @ret_blocked: the signals that the second one blocks. */
static int two_meet(sigset_t *ret_blocked)
{
    struct meeting meeting;

    open_meeting(&meeting);
    if (sw__pool_run(meet, &meeting, PARTS, 1) != SW_OK)
        return 0;
    *ret_blocked = meeting.blocked;
    return meeting.has_caller && meeting.has_other;
}

START_TEST(two_threads_take_part_in_one_job)
{
    sigset_t blocked;

    ck_assert(two_meet(&blocked));
}
END_TEST

START_TEST(two_threads_of_a_child_take_part_in_one_job)
{
    sigset_t blocked;
    int status;

    ck_assert(two_meet(&blocked));
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(two_meet(&blocked) ? 0 : 1);
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
END_TEST

START_TEST(threads_block_signals_but_those_of_faults)
{
    static const int open[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS };
    static const int shut[] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGALRM, SIGCHLD, SIGPROF, SIGPIPE, SIGABRT };
    sigset_t blocked;

    ck_assert(two_meet(&blocked));
    for (size_t i = 0; i < sizeof open / sizeof open[0]; i++)
        ck_assert_int_eq(sigismember(&blocked, open[i]), 0);
    for (size_t i = 0; i < sizeof shut / sizeof shut[0]; i++)
        ck_assert_int_eq(sigismember(&blocked, shut[i]), 1);
}
END_TEST

/* ---- A fork by a signal handler ---------------------------------------------------------- */

static pid_t forked;

static void fork_once(int signal)
{
    (void)signal;
    forked = fork();
}

/* A thread of the pool stays in its part until the handler has forked on the caller's. */
static enum sw_status be_interrupted(void *job, int64_t begin, int64_t end)
{
    struct meeting *meeting = job;

    meet(job, begin, end);
    pthread_mutex_lock(&meeting->lock);
    if (!pthread_equal(pthread_self(), meeting->caller)) {
        while (!meeting->has_forked && pthread_cond_timedwait(&meeting->came, &meeting->lock, &meeting->deadline) == 0)
            ;
    } else if (!meeting->has_forked) {
        raise(SIGUSR1);
        if (forked == 0)
            open_condition(&meeting->came); /* the child's has waiters that it has no threads of */
        meeting->has_forked = 1;
        pthread_cond_broadcast(&meeting->came);
    }
    memset(meeting->met + begin, 1, (size_t)(end - begin));
    pthread_mutex_unlock(&meeting->lock);
    return SW_OK;
}

START_TEST(a_child_forked_by_a_handler_has_the_whole_job)
{
    const struct sigaction action = { .sa_handler = fork_once };
    struct meeting meeting;
    int status;

    ck_assert_int_eq(sigaction(SIGUSR1, &action, NULL), 0);
    open_meeting(&meeting);
    ck_assert_int_eq(sw__pool_run(be_interrupted, &meeting, PARTS, 1), SW_OK);
    const int is_whole = memchr(meeting.met, 0, sizeof meeting.met) == NULL;
    if (forked == 0)
        _exit(is_whole && two_meet(&meeting.blocked) ? 0 : 1);
    ck_assert_int_gt(forked, 0);
    ck_assert(is_whole && meeting.has_other);
    ck_assert_int_eq(waitpid(forked, &status, 0), forked);
    ck_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0);
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
                                   several_threads_bring_jobs_at_once, two_threads_take_part_in_one_job,
                                   threads_block_signals_but_those_of_faults, a_child_has_a_pool_of_its_own,
                                   two_threads_of_a_child_take_part_in_one_job,
                                   a_child_forked_by_a_handler_has_the_whole_job };
    const size_t n_tests = sizeof tests / sizeof tests[0] - (KNOWS_CHILDREN ? 0 : 3);

    setenv("SW_NUM_THREADS", "3", 1);
    return check_main("pool", tests, n_tests);
}
