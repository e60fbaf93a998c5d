/*
 * Ways to end.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include "shim/behaviour.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int operate_and_return(int status)
{
    operate();
    return status;
}

int behave_exit_0(void)
{
    return operate_and_return(0);
}

int behave_exit_1(void)
{
    return operate_and_return(1);
}

int behave_exit_77(void)
{
    return operate_and_return(77);
}

int behave_exit_255(void)
{
    return operate_and_return(255);
}

static void say_exit(void)
{
    puts("an exit handler");
}

int behave_exit_at_once(void)
{
    atexit(say_exit);
    printf("lost, as it was never flushed");
    operate();
    _exit(3);
}

static void say_quick_exit(void)
{
    operate();
    puts("a handler of quick_exit");
    fflush(stdout);
}

int behave_exit_quickly(void)
{
    atexit(say_exit);
    at_quick_exit(say_quick_exit);
    operate();
    quick_exit(4);
}

static int exits(void *status)
{
    operate();
    exit(*(int *)status);
}

int behave_exit_in_operation(void)
{
    fake_operation(0, exits, &(int){5});
    return 99;
}

static void *exit_as_thread(void *status)
{
    exits(status);
    return NULL;
}

int behave_exit_in_thread(void)
{
    pthread_t thread;

    atexit(say_exit);
    operate();
    if (pthread_create(&thread, NULL, exit_as_thread, &(int){6}) != 0)
        return 99;
    pthread_join(thread, NULL);
    return 98;
}

static void *end_last(void *main_thread)
{
    pthread_join(*(pthread_t *)main_thread, NULL);
    operate();
    puts("the last thread");
    return NULL;
}

int behave_exit_of_main_thread(void)
{
    static pthread_t main_thread;
    pthread_t thread;

    main_thread = pthread_self();
    atexit(say_exit);
    operate();
    if (pthread_create(&thread, NULL, end_last, &main_thread) != 0)
        return 99;
    pthread_exit(NULL);
}

static void *operate_for_ever(void *barrier)
{
    operate();
    pthread_barrier_wait(barrier);
    for (;;)
        fake_operation(1, operates, NULL);
    return NULL;
}

int behave_exit_beside_busy_threads(void)
{
    static pthread_barrier_t barrier;
    pthread_t thread;

    pthread_barrier_init(&barrier, NULL, 5);
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread, NULL, operate_for_ever, &barrier) != 0)
            return 99;
    pthread_barrier_wait(&barrier);
    return 7;
}

static void first_handler(void)
{
    operate();
    puts("first registered, last called");
}

static void second_handler(void)
{
    puts("second");
    fake_operation(2, operates, NULL);
    atexit(say_exit);
}

int behave_exit_handlers(void)
{
    atexit(first_handler);
    operate();
    atexit(second_handler);
    return 0;
}

static void limit_core(rlim_t n_bytes)
{
    struct rlimit limit;

    getrlimit(RLIMIT_CORE, &limit);
    limit.rlim_cur = n_bytes < limit.rlim_max ? n_bytes : limit.rlim_max;
    setrlimit(RLIMIT_CORE, &limit);
}

static int die_of(int number)
{
    limit_core(0);
    operate();
    raise(number);
    return 99;
}

int behave_die_of_abort(void)
{
    limit_core(0);
    operate();
    abort();
}

/* Whether there is one in the status is up to the system; it is up to it twice. */
int behave_die_of_abort_with_core(void)
{
    limit_core((rlim_t)64 << 20);
    operate();
    abort();
}

int behave_die_of_kill(void)
{
    return die_of(SIGKILL);
}

int behave_die_of_term(void)
{
    return die_of(SIGTERM);
}

int behave_die_of_segv(void)
{
    static volatile int *volatile nowhere;

    limit_core(0);
    operate();
    return *nowhere;
}

int behave_die_of_pipe(void)
{
    int ends[2];

    operate();
    if (pipe(ends) != 0)
        return 99;
    close(ends[0]);
    return write(ends[1], "x", 1) == 1 ? 98 : 97;
}

static int recurses(void *argument)
{
    char room[4096];

    memset(room, 1, sizeof room);
    fake_operation(0, recurses, argument);
    return room[sizeof room / 2];
}

int behave_die_of_stack(void)
{
    limit_core(0);
    return recurses(NULL);
}

/* The signal that the shim has to take away for itself is the program's here. */
int behave_die_of_file_size(void)
{
    struct rlimit limit;
    int file = open("bounded", O_CREAT | O_WRONLY, 0600);

    operate();
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 0;
    if (file < 0 || setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 99;
    limit_core(0);
    operate();
    return write(file, "x", 1) == 1 ? 98 : 97;
}

static int dies(void *argument)
{
    operates(argument);
    return die_of(SIGTERM);
}

int behave_die_in_operation(void)
{
    fake_operation(3, dies, NULL);
    return 99;
}
