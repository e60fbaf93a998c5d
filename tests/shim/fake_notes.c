/*
 * Programs with ranges and steps, one per first argument.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "shim/fake_library.h"
#include "shim/programs.h"

#include <swprof/swprof.h>

#define N_THREADS 4

static unsigned long count = 1000;

static void operate(void)
{
    fake_operation(0, NULL, NULL);
}

static int run_nested(void)
{
    fake_range_push("outer", 0);
    operate();
    fake_range_push("inner", 1);
    operate();
    fake_range_pop(1);
    fake_range_push("inner", 1);
    fake_range_pop(1);
    fake_range_pop(0);
    return 0;
}

static void *many(void *argument)
{
    (void)argument;
    for (unsigned long i = 0; i < count; i++) {
        fake_range_push("many", 0);
        fake_range_pop(0);
    }
    return NULL;
}

static int run_many(void)
{
    many(NULL);
    return 0;
}

static int run_threads(void)
{
    pthread_t threads[N_THREADS];

    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, many, NULL) != 0)
            return 1;
    for (int i = 0; i < N_THREADS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}

static int run_short_threads(void)
{
    unsigned long n = count;
    pthread_t thread;

    count = 1;
    for (unsigned long i = 0; i < n; i++) {
        if (pthread_create(&thread, NULL, many, NULL) != 0)
            return 1;
        pthread_join(thread, NULL);
    }
    return 0;
}

/* An outer end ends what is inside; an end without a beginning, and a beginning without an end, are nothing else's. */
static int run_unbalanced(void)
{
    fake_range_push("outer", 0);
    fake_range_push("left", 1);
    fake_range_push("left", 2);
    fake_range_pop(0);
    fake_range_pop(7);
    fake_range_push("never left", 0);
    return 0;
}

static int jump_out(void *target)
{
    fake_range_push("jumped out of", 1);
    longjmp(*(jmp_buf *)target, 1);
}

static int run_longjmp(void)
{
    static jmp_buf target;

    fake_range_push("around", 0);
    if (setjmp(target) == 0)
        fake_operation(1, jump_out, &target);
    fake_range_pop(0);
    operate();
    return 0;
}

static int run_until_killed(void)
{
    for (unsigned long i = 0; i < count; i++) {
        fake_range_push("whole", 0);
        fake_range_pop(0);
    }
    fake_step(5, SW_HOOK_NO_STEP);
    fake_range_push("open", 0);
    fake_range_push("open inside", 1);
    operate();
    puts("ready");
    fflush(stdout);
    return pause();
}

static int run_fork(void)
{
    pid_t child;

    fake_range_push("of both", 0);
    child = fork();
    if (child == 0) {
        fake_range_pop(0); /* that began in the parent */
        fake_range_push("of the child", 0);
        operate();
        fake_range_pop(0);
        exit(0);
    }
    waitpid(child, NULL, 0);
    fake_range_pop(0);
    return 0;
}

static int run_names(void)
{
    static char name[100 << 10];

    memset(name, 'n', sizeof name - 1);
    fake_range_push(name, 0);
    fake_range_pop(0);
    fake_range_push("bell\x07 \xff\xfe line\n", 0);
    fake_range_pop(0);
    fake_range_push("", 0);
    fake_range_pop(0);
    for (unsigned long i = 0; i < count; i++) {
        snprintf(name, sizeof name, "name %lu", i); /* one address, many texts */
        fake_range_push(name, 0);
        fake_range_pop(0);
    }
    return 0;
}

static int run_steps(void)
{
    operate();
    for (uint64_t i = 0; i < count; i++) {
        operate();
        fake_step(i + 1, i);
    }
    return 0;
}

static int control(uint32_t verb)
{
    struct sw_hook_control request = {(uint32_t)sizeof request, verb, NULL, NULL};

    return fake_control != NULL ? fake_control(&request) : 0;
}

/* Ranges that begin or end while no round is open. */
static int run_rounds(void)
{
    fake_range_push("whole", 0);
    fake_range_pop(0);
    fake_range_push("ends outside", 0);
    control(SW_HOOK_CONTROL_DISABLE);
    fake_range_pop(0);
    fake_range_push("begins outside", 0);
    control(SW_HOOK_CONTROL_ENABLE);
    fake_range_push("inside", 1);
    fake_range_pop(1);
    fake_range_pop(0);
    return 0;
}

static void handle(int signal)
{
    (void)signal;
    fake_range_push("handler", 1);
    operate();
    fake_range_pop(1);
}

static int run_signals(void)
{
    signal(SIGALRM, handle);
    for (unsigned long i = 0; i < count; i++) {
        fake_range_push("interrupted", 0);
        raise(SIGALRM);
        fake_range_pop(0);
    }
    return 0;
}

static int run_deep(void)
{
    for (uint32_t i = 0; i < count; i++)
        fake_range_push("deep", i);
    for (uint32_t i = (uint32_t)count; i-- > 0;)
        fake_range_pop(i);
    return 0;
}

static int run_host(void)
{
    struct sw_hook_range call, body;

    for (unsigned long i = 0; i < count; i++) {
        fake_host_begin(&call, "dispatch.call");
        fake_host_begin(&body, "operator.call");
        operate();
        fake_host_end(&body);
        fake_host_end(&call);
    }
    return 0;
}

static const struct program programs[] = {
    {"nested", run_nested},     {"many", run_many},   {"threads", run_threads}, {"short_threads", run_short_threads},
    {"unbalanced", run_unbalanced}, {"longjmp", run_longjmp}, {"until_killed", run_until_killed},
    {"fork", run_fork},         {"names", run_names}, {"steps", run_steps},     {"rounds", run_rounds},
    {"signals", run_signals},   {"deep", run_deep},         {"host", run_host},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        count = strtoul(argv[2], NULL, 10);
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
