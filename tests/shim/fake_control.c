/*
 * Programs that begin and end rounds: from many threads, by signals, and while
 * others run operations. One per first argument; the second is a count.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <swprof/swprof.h>

#include "shim/fake_library.h"
#include "shim/programs.h"
#include "shim/report_probe.h"

#define N_WORKERS 4

static unsigned long count = 100;
static int stop; /* atomic */

static int control(uint32_t verb, const void *argument)
{
    struct sw_hook_control call = {sizeof call, verb, NULL, argument};

    return fake_control == NULL ? SWPROF_NO_SHIM : fake_control(&call);
}

static int enable(void)
{
    return control(SW_HOOK_CONTROL_ENABLE, NULL);
}

static int disable(void)
{
    return control(SW_HOOK_CONTROL_DISABLE, NULL);
}

static void operate(unsigned long n)
{
    for (unsigned long i = 0; i < n; i++)
        fake_operation((uint32_t)(i % 2), NULL, NULL);
}

static int operates(void *argument)
{
    operate(3);
    return argument == NULL;
}

static void start(pthread_t *threads, int n, void *(*body)(void *), void *argument)
{
    for (int i = 0; i < n; i++)
        if (pthread_create(&threads[i], NULL, body, argument) != 0)
            exit(99);
}

static void join(const pthread_t *threads, int n)
{
    for (int i = 0; i < n; i++)
        pthread_join(threads[i], NULL);
}

static void *operate_until_stopped(void *argument)
{
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED))
        fake_operation(2, operates, NULL);
    return argument;
}

/* ---- own: every round has so many operations of each worker, and 5 are run between two. ------ */

static pthread_barrier_t gate;
#define ROUND_OPERATIONS(round) (3 * (round) + 1)

static void *work_in_rounds(void *argument)
{
    for (unsigned long i = 0; i < count; i++) {
        pthread_barrier_wait(&gate);
        operate(ROUND_OPERATIONS(i));
        pthread_barrier_wait(&gate);
        pthread_barrier_wait(&gate);
        operate(5);
        pthread_barrier_wait(&gate);
    }
    return argument;
}

static int run_own(void)
{
    pthread_t workers[N_WORKERS];
    int status = 0;

    pthread_barrier_init(&gate, NULL, N_WORKERS + 1);
    start(workers, N_WORKERS, work_in_rounds, NULL);
    for (unsigned long i = 0; i < count; i++) {
        status |= enable();
        pthread_barrier_wait(&gate);
        pthread_barrier_wait(&gate);
        status |= disable();
        pthread_barrier_wait(&gate);
        pthread_barrier_wait(&gate);
    }
    join(workers, N_WORKERS);
    return status;
}

/* ---- race: several threads begin and end rounds, others run operations or come and go. -------- */

static unsigned long n_begun, n_ended; /* atomic */

static void *begin_and_end(void *argument)
{
    for (unsigned long i = 0; i < count; i++) {
        if (enable() == SWPROF_OK)
            __atomic_fetch_add(&n_begun, 1, __ATOMIC_RELAXED);
        operate(i % 3);
        if (disable() == SWPROF_OK)
            __atomic_fetch_add(&n_ended, 1, __ATOMIC_RELAXED);
    }
    return argument;
}

static void *operate_once(void *argument)
{
    operate(2);
    return argument;
}

static void *come_and_go(void *argument)
{
    pthread_t thread;

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        start(&thread, 1, operate_once, NULL);
        join(&thread, 1);
    }
    return argument;
}

static int run_race(void)
{
    pthread_t workers[N_WORKERS], controllers[N_WORKERS], spawner;

    operate(1);
    start(workers, N_WORKERS, operate_until_stopped, NULL);
    start(&spawner, 1, come_and_go, NULL);
    start(controllers, N_WORKERS, begin_and_end, NULL);
    join(controllers, N_WORKERS);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    join(workers, N_WORKERS);
    join(&spawner, 1);
    printf("%lu %lu\n", n_begun, n_ended);
    return 0;
}

/* ---- frozen: what a session holds when swprof_disable() has returned it holds for ever. --------- */

static uint64_t digest_of_session(size_t number)
{
    const struct swprof_session *session;
    struct probe probe;
    uint64_t n = UINT64_MAX;

    if (!probe_open(&probe, getenv("SWPROF_OUTPUT")))
        exit(97);
    session = probe_session(&probe, number);
    if (session != NULL && session->state == SWPROF_SESSION_FROZEN)
        n = probe_digest_in(&probe, session);
    probe_close(&probe);
    return n;
}

static int run_frozen(void)
{
    pthread_t workers[N_WORKERS];
    uint64_t *digests = calloc(count, sizeof *digests);
    int n_changed = 0;

    if (digests == NULL)
        return 99;
    disable();
    start(workers, N_WORKERS, operate_until_stopped, NULL);
    for (unsigned long i = 0; i < count; i++) {
        enable();
        operate(30);
        disable();
        digests[i] = digest_of_session(i);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    join(workers, N_WORKERS);
    for (unsigned long i = 0; i < count; i++)
        n_changed += digests[i] == UINT64_MAX || digests[i] != digest_of_session(i);
    printf("%d\n", n_changed);
    free(digests);
    return 0;
}

/* ---- many: one operation in each of many rounds. -------------------------------------------------- */

static int run_many(void)
{
    int status = 0;

    operate(1);
    status |= disable();
    for (unsigned long i = 0; i < count; i++) {
        status |= enable();
        operate(1);
        status |= disable();
    }
    return status;
}

/* ---- What SWPROF_SIGNAL does. ---------------------------------------------------------------------- */

static int run_signal(void)
{
    operate(10);
    raise(SIGUSR2);
    operate(20);
    raise(SIGUSR2);
    operate(30);
    return 0;
}

static int n_handled;
static struct sigaction former;

static void handler(int number)
{
    (void)number;
    n_handled++;
}

static void pass_on(int number)
{
    n_handled++;
    former.sa_handler(number);
}

static int run_own_handler(void)
{
    signal(SIGUSR2, handler);
    run_signal();
    printf("%d\n", n_handled);
    return 0;
}

static int run_passing_handler(void)
{
    struct sigaction action = {.sa_handler = pass_on};

    sigaction(SIGUSR2, &action, &former);
    run_signal();
    printf("%d\n", n_handled);
    return 0;
}

/* From inside of an operation, and of an operation's handler. */
static int raises(void *argument)
{
    raise(SIGUSR2);
    return argument == NULL;
}

static int run_signal_inside(void)
{
    for (unsigned long i = 0; i < count; i++)
        fake_operation(0, raises, NULL);
    return 0;
}

/* A timer's signals meet all threads at any instruction. */
static int run_signal_storm(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
    struct itimerspec every = {{0, 1000000}, {0, 1000000}};
    pthread_t workers[N_WORKERS];
    timer_t timer;

    operate(1);
    start(workers, N_WORKERS, operate_until_stopped, NULL);
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &every, NULL) != 0)
        return 99;
    operate(count);
    timer_delete(timer);
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    join(workers, N_WORKERS);
    return 0;
}

static int run_labels(void)
{
    struct swprof_options options = SWPROF_OPTIONS_INIT;

    disable();
    options.label = "kept";
    enable();
    disable();
    control(SW_HOOK_CONTROL_ENABLE, &options);
    options.label = "refused";
    control(SW_HOOK_CONTROL_ENABLE, &options);
    operate(1);
    return 0;
}

/* ---- saturated: sums of a report that stand next to what they can hold. ---------------------------- */

/* Write into the report what no run lives to see, then go on. */
static int run_saturated(void)
{
    struct probe probe;
    const struct swprof_aggregate *found;
    struct swprof_aggregate record;

    operate(4);
    int file = open(getenv("SWPROF_OUTPUT"), O_RDWR);
    if (file < 0 || !probe_open(&probe, getenv("SWPROF_OUTPUT")) || (found = probe_aggregate(&probe, 0)) == NULL)
        return 97;
    memcpy(&record, found, sizeof record);
    record.count = UINT64_MAX - 1;
    record.sums[0] = record.sums[record.count % 2];
    record.sums[0].count = record.sums[0].check = record.count;
    record.sums[0].total = record.sums[0].self = record.sums[0].outer = UINT64_MAX - 1;
    record.sums[0].failures = UINT64_MAX;
    if (pwrite(file, &record, sizeof record, (const char *)found - (const char *)probe.header) != (ssize_t)sizeof record)
        return 98;
    probe_close(&probe);
    close(file);
    operate(count);
    return 0;
}

static const struct program programs[] = {
    {"saturated", run_saturated},
    {"own", run_own},
    {"race", run_race},
    {"frozen", run_frozen},
    {"many", run_many},
    {"labels", run_labels},
    {"signal", run_signal},
    {"own_handler", run_own_handler},
    {"passing_handler", run_passing_handler},
    {"signal_inside", run_signal_inside},
    {"signal_storm", run_signal_storm},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        count = strtoul(argv[2], NULL, 10);
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
