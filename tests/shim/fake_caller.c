/*
 * The programs that the shim's tests observe, one per first argument. Each runs
 * operations of the stand-in library; what it prints and returns must not depend
 * on the shim.
 */
#define _GNU_SOURCE 1 /* RTLD_DEFAULT, sigaltstack */
#include "config.h"

#include <dlfcn.h>
#include <errno.h>
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

#define N_THREADS 4

static unsigned long count = 1000;

static void *many(void *argument)
{
    (void)argument;
    for (unsigned long i = 0; i < count; i++)
        fake_operation((uint32_t)(i % 2), NULL, NULL);
    return NULL;
}

static int run_count(void)
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

/* count threads, one after another. */
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

static int run_parallel(void)
{
    return fake_parallel(count);
}

static int nest(void *argument)
{
    unsigned long *left = argument;

    if (*left == 0)
        return 1;
    --*left;
    fake_operation(0, nest, left);
    fake_operation(1, NULL, NULL);
    return 1;
}

static int run_nest(void)
{
    unsigned long left = count;

    fake_operation(2, nest, &left);
    return 0;
}

static int fails(void *argument)
{
    (void)argument;
    return 0;
}

static int run_fail(void)
{
    for (unsigned long i = 0; i < count; i++)
        fake_operation(3, i % 4 == 0 ? fails : NULL, NULL);
    return 0;
}

static sigjmp_buf back;

static int jumps(void *argument)
{
    (void)argument;
    siglongjmp(back, 1);
}

static int jumps_deeper(void *argument)
{
    fake_operation(1, jumps, argument);
    return 1;
}

static int catches(void *argument)
{
    if (sigsetjmp(back, 1) == 0)
        fake_operation(2, jumps_deeper, argument);
    return 1;
}

/* Jumps out of two operations: into the open one around them, and out of all. */
static int run_longjmp(void)
{
    for (unsigned long i = 0; i < count; i++) {
        fake_operation(0, catches, NULL);
        catches(NULL);
    }
    fake_operation(3, NULL, NULL);
    return 0;
}

static int do_many(void *argument)
{
    (void)argument;
    many(NULL);
    return 1;
}

/* The child is forked inside an operation, goes on in it, and runs others. */
static int forks(void *argument)
{
    pid_t *child = argument;

    *child = fork();
    if (*child == 0)
        many(NULL);
    return 1;
}

static int run_fork(void)
{
    pid_t child = -1;
    int status;

    many(NULL);
    fake_operation(2, forks, &child);
    if (child == 0)
        _exit(7);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 7 ? 0 : 1;
}

static int run_fork_quiet(void)
{
    int status;

    many(NULL);
    pid_t child = fork();
    if (child == 0)
        exit(0);
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

static int run_vfork(void)
{
    int status;
    pid_t child = vfork();

    if (child == 0) {
        fake_operation(0, NULL, NULL);
        _exit(0);
    }
    fake_operation(1, NULL, NULL);
    return waitpid(child, &status, 0) == child && status == 0 ? 0 : 1;
}

/* Runs `count` operations, says so, and goes on for ever with an open one. */
static int run_until_killed(void)
{
    many(NULL);
    puts("ready");
    fflush(stdout);
    while (count != 0)
        fake_operation(2, do_many, NULL);
    return 0;
}

static int run_counted(void)
{
    return fake_counted(count);
}

static int run_nothing(void)
{
    return 0;
}

static int run_exit(void)
{
    many(NULL);
    puts("output");
    fputs("errors\n", stderr);
    exit((int)count);
}

static int run_kill(void)
{
    many(NULL);
    signal(SIGTERM, SIG_DFL);
    raise(SIGTERM);
    return 0;
}

static int run_exec(void)
{
    const char *left = getenv("FAKE_EXECS");

    many(NULL);
    if (left != NULL)
        return 0;
    setenv("FAKE_EXECS", "0", 1);
    execl("/proc/self/exe", "fake_caller", "exec", "5", (char *)NULL);
    return 1;
}

static void late(void)
{
    many(NULL);
}

/* Of the executable: runs after the shim's own, which is initialised later. */
__attribute__((destructor)) static void very_late(void)
{
    if (getenv("FAKE_VERY_LATE") != NULL)
        fake_operation(3, NULL, NULL);
}

static int run_atexit(void)
{
    atexit(late);
    return 0;
}

static pthread_key_t keys[2];

static void in_destructor(void *pointer)
{
    fake_operation(1, NULL, NULL);
    if (pointer != &keys[0])
        pthread_setspecific(keys[0], &keys[0]);
}

static void *with_destructors(void *argument)
{
    pthread_setspecific(keys[0], &keys[1]);
    pthread_setspecific(keys[1], &keys[1]);
    fake_operation(0, NULL, NULL);
    return argument;
}

static int run_thread_destructors(void)
{
    pthread_t thread;

    pthread_key_create(&keys[0], in_destructor);
    pthread_key_create(&keys[1], in_destructor);
    if (pthread_create(&thread, NULL, with_destructors, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

/* begin A, begin B, end A, end B, end B again. */
static int run_crossed(void)
{
    struct sw_hook_compute a, b;

    fake_begin(&a, 0);
    fake_begin(&b, 1);
    fake_end(&a, 1);
    fake_end(&b, 1);
    fake_end(&b, 1);
    fake_operation(2, NULL, NULL);
    return 0;
}

static int run_begins(void)
{
    struct sw_hook_compute *calls = calloc(count, sizeof *calls);

    for (unsigned long i = 0; calls != NULL && i < count; i++)
        fake_begin(&calls[i], 0);
    return calls == NULL;
}

static void *end_it(void *call)
{
    fake_operation(1, NULL, NULL);
    fake_end(call, 1);
    return NULL;
}

/* begin here, end on another thread. */
static int run_crossed_threads(void)
{
    struct sw_hook_compute call;
    pthread_t thread;

    fake_begin(&call, 0);
    if (pthread_create(&thread, NULL, end_it, &call) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}

static int run_shapes(void)
{
    for (unsigned long i = 0; i < count; i++) {
        int64_t extents[3] = {(int64_t)(i % 10), -1, 3};

        fake_operation_with_shapes(0, 3, extents);
    }
    return 0;
}

static int run_many_shapes(void)
{
    for (unsigned long i = 0; i < count; i++) {
        int64_t extent = (int64_t)i;

        fake_operation_with_shapes(0, 1, &extent);
    }
    return 0;
}

static int crowds(void *argument)
{
    many(argument);
    fake_operation(3, NULL, NULL);
    run_many_shapes();
    return 1;
}

/* Events find no room any more inside of an operation, and at its end sums find none either. */
static int run_crowd(void)
{
    fake_operation(2, crowds, NULL);
    fake_operation(3, NULL, NULL);
    return 0;
}

static int cpu_inside(void *argument)
{
    fake_operation(4, NULL, argument);
    return 1;
}

static int generic_inside(void *argument)
{
    fake_operation(0, cpu_inside, argument);
    return 1;
}

/* Cpu alone; Cpu around Generic around Cpu. */
static int run_carriers(void)
{
    fake_operation(5, NULL, NULL);
    fake_operation(6, generic_inside, NULL);
    return 0;
}

static int run_profiler(void)
{
    fake_profiler = 1;
    many(NULL);
    printf("%lu %lu\n", (unsigned long)fake_defaults_entered, (unsigned long)fake_defaults_left);
    return 0;
}

static int run_foreign_abi(void)
{
    many(NULL);
    fake_profiler = 1;
    many(NULL);
    printf("%lu\n", (unsigned long)fake_defaults_entered);
    return 0;
}

static int run_rounds(void)
{
    return fake_rounds(do_many);
}

static volatile sig_atomic_t n_signals;

static void handler(int number)
{
    int saved_errno = errno;

    (void)number;
    fake_operation(1, NULL, NULL);
    n_signals = n_signals + 1;
    errno = saved_errno;
}

/* A timer interrupts operations with operations; half of the handlers run on another stack. */
static int run_signals(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    struct itimerspec every = {{0, 100000}, {0, 100000}};
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    timer_t timer;

    if (stack.ss_sp == NULL || sigaltstack(&stack, NULL) != 0 || sigaction(SIGALRM, &action, NULL) != 0 ||
        timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &every, NULL) != 0)
        return 1;
    while (n_signals < 200)
        fake_operation(0, nest, &(unsigned long){3});
    timer_delete(timer);
    return 0;
}

static int run_errno(void)
{
    errno = 4711;
    many(NULL);
    return errno == 4711 ? 0 : 1;
}

static int run_close_all(void)
{
    for (int file = 3; file < 1024; file++)
        close(file);
    many(NULL);
    for (int file = 3; file < 1024; file++)
        close(file);
    count *= 20;
    many(NULL);
    return 0;
}

static const struct program programs[] = {
    {"count", run_count},
    {"threads", run_threads},
    {"short_threads", run_short_threads},
    {"parallel", run_parallel},
    {"counted", run_counted},
    {"nest", run_nest},
    {"fail", run_fail},
    {"longjmp", run_longjmp},
    {"fork", run_fork},
    {"fork_quiet", run_fork_quiet},
    {"vfork", run_vfork},
    {"until_killed", run_until_killed},
    {"nothing", run_nothing},
    {"exit", run_exit},
    {"kill", run_kill},
    {"exec", run_exec},
    {"atexit", run_atexit},
    {"thread_destructors", run_thread_destructors},
    {"crossed", run_crossed},
    {"begins", run_begins},
    {"crossed_threads", run_crossed_threads},
    {"shapes", run_shapes},
    {"many_shapes", run_many_shapes},
    {"crowd", run_crowd},
    {"carriers", run_carriers},
    {"profiler", run_profiler},
    {"foreign_abi", run_foreign_abi},
    {"rounds", run_rounds},
    {"signals", run_signals},
    {"errno", run_errno},
    {"close_all", run_close_all},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        count = strtoul(argv[2], NULL, 10);
    if (argc > 1 && strcmp(argv[1], "foreign_abi") == 0)
        fake_abi = SW_HOOKS_ABI + 0x10000;
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
