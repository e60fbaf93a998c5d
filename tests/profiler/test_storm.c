/*
 * Many Profilers on many threads, half of them abandoned from a foreign thread
 * while their owner goes on: no foreign and no lost event, no race, no leak.
 * SW_STORM_ROUNDS makes it shorter under slow checkers.
 */
#include "config.h"

#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check_main.h"
#include "support.h"

#define N_WORKERS 8

struct worker {
    pthread_t owner;
    pthread_t foreigner;
    sem_t handed_over;
    sem_t taken;
    struct sw_profiler *victim; /* NULL ends the foreigner */
    int n_rounds;
    const char *complaint;
};

static void *abandon_victims(void *argument)
{
    struct worker *worker = argument;

    for (;;) {
        sem_wait(&worker->handed_over);
        struct sw_profiler *victim = worker->victim;
        sem_post(&worker->taken);
        if (victim == NULL)
            return NULL;
        if (sw_profiler_exit(victim) != SW_RUNTIME_ERROR)
            worker->complaint = "a foreign exit was accepted";
        sw_profiler_free(victim);
    }
}

static int operate(struct sw_tensor *in, int n)
{
    for (int i = 0; i < n; i++) {
        struct sw_tensor *out;

        if (sw_neg(in, &out) != SW_OK)
            return 0;
        sw_tensor_unref(out);
    }
    return 1;
}

static const char *complete(struct sw_profiler *profiler)
{
    const struct sw_profiler_event *events;
    size_t n;

    if (sw_profiler_exit(profiler) != SW_OK || sw_profiler_events(profiler, &events, &n) != SW_OK)
        return "an exit was refused";
    if (n != 3)
        return "an event is lost or foreign";
    for (size_t i = 0; i < n; i++)
        if (events[i].thread_id != syscall(SYS_gettid) || events[i].has_parent || events[i].self_time_ns < 0)
            return "an event is wrong";
    sw_profiler_free(profiler);
    return NULL;
}

static const char *run_round(struct worker *worker, struct sw_tensor *in, int is_victim)
{
    struct sw_profiler *profiler;

    if (sw_profiler_new(NULL, &profiler) != SW_OK || sw_profiler_enter(profiler) != SW_OK)
        return "entry was refused";
    if (!operate(in, 3))
        return "an operation failed";
    if (!is_victim)
        return complete(profiler);
    worker->victim = profiler;
    sem_post(&worker->handed_over);
    /* These race with the abandonment and belong to nobody. */
    if (!operate(in, 2))
        return "an operation failed";
    sem_wait(&worker->taken);
    return NULL;
}

/* The owner can only enter again when the foreigner is done with the victim. */
static const char *wait_for_freedom(struct sw_tensor *in)
{
    for (;;) {
        struct sw_profiler *probe;

        if (sw_profiler_new(NULL, &probe) != SW_OK)
            return "no Profiler";
        if (sw_profiler_enter(probe) == SW_OK) {
            if (!operate(in, 3))
                return "an operation failed";
            return complete(probe);
        }
        sw_profiler_free(probe);
    }
}

static void *storm(void *argument)
{
    struct worker *worker = argument;
    struct sw_tensor *in = make_tensor(sw_generic_class());
    const char *complaint = NULL;

    for (int i = 0; i < worker->n_rounds && complaint == NULL; i++) {
        complaint = run_round(worker, in, i % 2);
        if (complaint == NULL && i % 2)
            complaint = wait_for_freedom(in);
    }
    worker->victim = NULL;
    sem_post(&worker->handed_over);
    sem_wait(&worker->taken);
    sw_tensor_unref(in);
    return (void *)(uintptr_t)complaint;
}

START_TEST(a_storm_of_profilers_loses_and_mixes_nothing)
{
    static struct worker workers[N_WORKERS];
    const char *rounds = getenv("SW_STORM_ROUNDS");

    for (int i = 0; i < N_WORKERS; i++) {
        workers[i].n_rounds = rounds != NULL ? atoi(rounds) : 10000;
        sem_init(&workers[i].handed_over, 0, 0);
        sem_init(&workers[i].taken, 0, 0);
        ck_assert_int_eq(pthread_create(&workers[i].foreigner, NULL, abandon_victims, &workers[i]), 0);
        ck_assert_int_eq(pthread_create(&workers[i].owner, NULL, storm, &workers[i]), 0);
    }
    for (int i = 0; i < N_WORKERS; i++) {
        void *complaint;

        ck_assert_int_eq(pthread_join(workers[i].owner, &complaint), 0);
        ck_assert_int_eq(pthread_join(workers[i].foreigner, NULL), 0);
        ck_assert_msg(complaint == NULL, "%s", (const char *)complaint);
        ck_assert_msg(workers[i].complaint == NULL, "%s", workers[i].complaint);
    }
}
END_TEST

#define N_EMPTY 1000000

START_TEST(a_million_empty_nested_boundaries_add_up)
{
    struct sw_profiler *profiler = enter_profiler(NULL);
    struct sw_tensor *in = make_plugin_tensor();
    struct sw_operand operand = sw_operand_tensor(in);
    int64_t selfs = 0;
    int64_t roots = 0;

    for (int i = 0; i < N_EMPTY / 2; i++) {
        struct sw_operation *operation;
        struct sw_tensor *out;

        ck_assert(sw_carrier_dispatch(sw_tensor_carrier(in), "inner", &operation) == SW_OK);
        ck_assert(sw_operation_forward(operation, &operand, 1, NULL, &out) == SW_OK);
        sw_tensor_unref(out);
        sw_operation_unref(operation);
    }
    sw_tensor_unref(in);
    ck_assert_status(sw_profiler_exit(profiler), SW_OK);
    const struct sw_profiler_event *events = events_of(profiler, N_EMPTY);
    for (int i = 0; i < N_EMPTY; i++) {
        ck_assert(events[i].self_time_ns >= 0);
        selfs += events[i].self_time_ns;
        if (!events[i].has_parent)
            roots += events[i].duration_ns;
    }
    ck_assert_int_eq(selfs, roots);
    sw_profiler_free(profiler);
}
END_TEST

CHECK_MAIN_PROFILING("storm", a_storm_of_profilers_loses_and_mixes_nothing, a_million_empty_nested_boundaries_add_up)
