/*
 * errno, masks, handlers, and what leaves an operation otherwise than by its end.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include "shim/behaviour.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

static int prints_errno(void *argument)
{
    (void)argument;
    printf("%d\n", errno);
    errno = ERANGE;
    return 1;
}

int behave_errno_kept(void)
{
    errno = 4711;
    operate();
    printf("%d\n", errno);
    fake_operation(0, prints_errno, NULL);
    printf("%d\n", errno);
    errno = 0;
    fork() == 0 ? (operate(), _exit(errno)) : wait(NULL);
    printf("%d\n", errno);
    return 0;
}

int behave_signals_default(void)
{
    struct sigaction action;

    operate();
    for (int number = 1; number < NSIG; number++)
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler != SIG_DFL)
            printf("%d is not at its default\n", number);
    return 0;
}

static void print_mask(void)
{
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&mask, number))
            printf(" %d", number);
    putchar('\n');
}

static int prints_mask(void *argument)
{
    (void)argument;
    print_mask();
    return 1;
}

static void *print_mask_as_thread(void *argument)
{
    fake_operation(0, prints_mask, NULL);
    return argument;
}

int behave_signals_mask(void)
{
    pthread_t thread;
    sigset_t some;

    print_mask();
    operate();
    print_mask();
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigaddset(&some, SIGRTMIN + 3);
    pthread_sigmask(SIG_BLOCK, &some, NULL);
    fake_operation(1, prints_mask, NULL);
    if (pthread_create(&thread, NULL, print_mask_as_thread, NULL) != 0)
        return 99;
    pthread_join(thread, NULL);
    print_mask();
    return 0;
}

static volatile sig_atomic_t n_handled;

static void count(int number)
{
    (void)number;
    n_handled = n_handled + 1;
}

int behave_signals_pending(void)
{
    sigset_t one, pending;

    signal(SIGUSR2, count);
    sigemptyset(&one);
    sigaddset(&one, SIGUSR2);
    sigprocmask(SIG_BLOCK, &one, NULL);
    raise(SIGUSR2);
    operate();
    sigpending(&pending);
    printf("%d %d\n", sigismember(&pending, SIGUSR2), (int)n_handled);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
    printf("%d\n", (int)n_handled);
    return 0;
}

static void operate_in_handler(int number)
{
    (void)number;
    operate();
    n_handled = n_handled + 1;
}

static int raises(void *argument)
{
    raise(SIGUSR1);
    return argument == NULL;
}

int behave_signals_handled_in_operations(void)
{
    signal(SIGUSR1, operate_in_handler);
    for (int i = 0; i < 20; i++)
        fake_operation(0, raises, NULL);
    printf("%d\n", (int)n_handled);
    return 0;
}

/* A handler without SA_RESTART ends a call; the shim's own calls do not take that away. */
int behave_signals_interrupt_calls(void)
{
    struct sigaction action = {.sa_handler = operate_in_handler};
    struct itimerval soon = {{0, 0}, {0, 1000}};

    operate();
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &soon, NULL);
    printf("%d", poll(NULL, 0, -1));
    printf(" %s\n", strerror(errno));
    return 0;
}

static sigjmp_buf back;

static void jump_back(int number)
{
    operate();
    siglongjmp(back, number);
}

static int faults(void *page)
{
    *(volatile char *)page = 1;
    return 1;
}

int behave_segv_handled(void)
{
    void *page = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    signal(SIGSEGV, jump_back);
    for (volatile int i = 0; i < 5; i = i + 1)
        if (sigsetjmp(back, 1) == 0)
            fake_operation(0, faults, page);
        else
            printf("caught %d\n", (int)i);
    operate();
    return 0;
}

static int jumps_out(void *argument)
{
    operates(argument);
    siglongjmp(back, 9);
}

int behave_jumps(void)
{
    volatile int n = 0;

    while (sigsetjmp(back, 0) != 9 || n < 10) {
        n = n + 1;
        fake_operation(1, jumps_out, NULL);
    }
    printf("%d\n", n);
    return 0;
}

static void *operate_until_cancelled(void *barrier)
{
    pthread_barrier_wait(barrier);
    for (;;) {
        fake_operation(2, operates, NULL);
        pthread_testcancel();
    }
    return NULL;
}

int behave_cancellation(void)
{
    static pthread_barrier_t barrier;
    pthread_t thread;
    void *result;

    pthread_barrier_init(&barrier, NULL, 2);
    if (pthread_create(&thread, NULL, operate_until_cancelled, &barrier) != 0)
        return 99;
    pthread_barrier_wait(&barrier);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    printf("%d\n", result == PTHREAD_CANCELED);
    return 0;
}

int behave_alternate_stack(void)
{
    stack_t now, mine = {.ss_sp = malloc(16384), .ss_size = 16384};
    struct sigaction action = {.sa_handler = operate_in_handler, .sa_flags = SA_ONSTACK};

    sigaltstack(NULL, &now);
    operate();
    printf("%d\n", now.ss_flags);
    sigaltstack(&mine, NULL);
    sigaction(SIGUSR1, &action, NULL);
    raise(SIGUSR1);
    sigaltstack(NULL, &now);
    printf("%d %d\n", now.ss_sp == mine.ss_sp, (int)n_handled);
    return 0;
}

int behave_timers(void)
{
    static const enum __itimer_which kinds[] = {ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF};
    struct itimerval value;

    operate();
    for (int i = 0; i < 3; i++) {
        getitimer(kinds[i], &value);
        printf("%ld %ld\n", (long)value.it_value.tv_sec, (long)value.it_value.tv_usec);
    }
    printf("%u\n", alarm(0));
    return 0;
}
