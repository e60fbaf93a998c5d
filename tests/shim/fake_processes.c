/*
 * Programs with many processes or threads, few rights, or an unusual stack. One
 * per first argument; the second is a count. What they print is how often
 * something did not happen.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <fcntl.h>
#include <grp.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim/fake_library.h"
#include "shim/programs.h"
#include "shim/fake_refusal.h"
#include "shim/report_probe.h"

#define NOBODY 65534
#define MAX_WORKERS 8

static unsigned long count = 100;
static int n_workers = 4;
static int stop; /* atomic */

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

/* With pauses: children are to have a share of the processors, too. */
static void *operate_until_stopped(void *argument)
{
    const struct timespec pause = {0, 200000};

    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        for (int i = 0; i < 200; i++)
            fake_operation(2, operates, NULL);
        nanosleep(&pause, NULL);
    }
    return argument;
}

/* ---- forks: children of every kind, while threads record and inside of an operation. -------- */

static pid_t fork_usual(void)
{
    return fork();
}

/* Without fork handlers. */
static pid_t fork_bare(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
}

static pid_t (*const forks[])(void) = {
    fork_usual,
#if __GLIBC_PREREQ(2, 34)
    _Fork,
#endif
    fork_bare,
};

static size_t n_kinds = sizeof forks / sizeof *forks;

/* The child's report is its own, has its three operations, and goes. */
static int is_missing(pid_t child)
{
    char path[4096];
    struct probe probe;
    struct probe_totals totals;
    const char *output = getenv("SWPROF_OUTPUT"); /* ends in %p */

    snprintf(path, sizeof path, "%.*s%d", (int)strlen(output) - 2, output, (int)child);
    if (!probe_open(&probe, path))
        return 1;
    probe_totals(&probe, &totals);
    unlink(path);
    int is_right = totals.n_events == 3 && totals.n_threads == 1 && totals.n_open == 0 && probe.header->pid == child;
    probe_close(&probe);
    return !is_right;
}

static int forks_inside(void *child)
{
    *(pid_t *)child = forks[(unsigned long)*(pid_t *)child % n_kinds]();
    if (*(pid_t *)child == 0) {
        operate(3);
        _exit(0);
    }
    return 1;
}

static int run_forks(void)
{
    pthread_t workers[MAX_WORKERS];
    unsigned long n_missing = 0;

    for (int i = 0; i < n_workers; i++)
        if (pthread_create(&workers[i], NULL, operate_until_stopped, NULL) != 0)
            return 99;
    for (unsigned long i = 0; i < count; i++) {
        pid_t child = (pid_t)i;
        int status = -1;

        fake_operation(4, forks_inside, &child);
        n_missing += waitpid(child, &status, 0) != child || status != 0 || is_missing(child);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    for (int i = 0; i < n_workers; i++)
        pthread_join(workers[i], NULL);
    printf("%lu\n", n_missing);
    return 0;
}

/* A kernel that cannot wipe has only fork handlers. */
static int run_usual_forks(void)
{
    n_kinds = 1;
    return run_forks();
}

/* ---- daemon: detached twice, with nothing left of where it came from. -------------------------- */

static int run_daemon(void)
{
    int ends[2];
    char byte;

    operate(10);
    if (pipe(ends) != 0)
        return 99;
    if (fork() != 0) {
        close(ends[1]);
        wait(NULL);
        return read(ends[0], &byte, 1) == 0 ? 0 : 98; /* until the daemon has ended */
    }
    operate(20);
    setsid();
    if (fork() != 0)
        exit(0);
    if (chdir("/") != 0)
        return 97;
    umask(0);
    for (int file = 0; file < 256; file++)
        if (file != ends[1])
            close(file);
    operate(30);
    return 0;
}

/* ---- spawn: another program, begun inside of an operation and beside one. ---------------------------- */

static int run_spawned(void)
{
    operate(count);
    return 7;
}

static int spawns_inside(void *argument)
{
    char *const arguments[] = {"/proc/self/exe", "spawned", "30", NULL};
    pid_t child = 0;

    if (posix_spawn(&child, arguments[0], NULL, NULL, arguments, environ) != 0)
        return 0;
    operate(5);
    *(int *)argument = 0;
    return waitpid(child, argument, 0) == child;
}

static int run_spawn(void)
{
    int status = -1;

    fake_operation(4, spawns_inside, &status);
    printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return 0;
}

/* ---- Growth: memory in kB that more and more of the same takes. ---------------------------------------- */

static long resident(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    long pages = -1;

    if (file == NULL || fscanf(file, "%*d %ld", &pages) != 1)
        exit(99);
    fclose(file);
    return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Prints what the last nine tenths took, and what all did. */
static void print_growth(void (*act)(unsigned long))
{
    long before = resident(), early;

    act(count / 10);
    early = resident();
    act(count - count / 10);
    printf("%ld %ld\n", resident() - early, resident() - before);
}

static int run_growth(void)
{
    print_growth(operate);
    return 0;
}

static void *operate_once(void *argument)
{
    operate(1);
    return argument;
}

static void come_and_go(unsigned long n)
{
    pthread_t thread;

    for (unsigned long i = 0; i < n; i++) {
        if (pthread_create(&thread, NULL, operate_once, NULL) != 0)
            exit(98);
        pthread_join(thread, NULL);
    }
}

static int run_growth_of_threads(void)
{
    print_growth(come_and_go);
    return 0;
}

/* ---- Rights that are given up. ---------------------------------------------------------------------- */

static int become_nobody(void)
{
    return setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0;
}

static int run_nobody_first(void)
{
    if (!become_nobody())
        return 77;
    operate(count);
    return 0;
}

static int run_nobody_later(void)
{
    operate(count);
    return run_nobody_first();
}

static int run_root_first(void)
{
    if (chdir(getenv("NEW_ROOT")) != 0 || chroot(".") != 0)
        return 77;
    operate(count);
    return 0;
}

static int run_root_later(void)
{
    operate(count);
    return run_root_first();
}

/* ---- System calls that are refused from now on: see fake_refusal.h. --------------------------------- */

static int run_refused(void)
{
    operate(count);
    if (!refuse_calls())
        return 77;
    operate(100 * count);
    return 0;
}

static int run_quota_first(void)
{
    if (!refuse_room())
        return 77;
    operate(count);
    return 0;
}

static int run_quota_later(void)
{
    operate(count);
    if (!refuse_room())
        return 77;
    operate(100 * count);
    return 0;
}

static int run_trapped(void)
{
    operate(count);
    if (!trap_calls())
        return 77;
    operate(100 * count);
    return 0;
}

static int run_trapped_advices(void)
{
    char text[16];
    int status = run_trapped();
    int n = snprintf(text, sizeof text, "%d\n", (int)n_trapped_advices);

    return write(1, text, (size_t)n) == n ? status : 98; /* stdio would call more than that */
}

static int hidden_inside(void *argument)
{
    fake_operation(0, NULL, NULL);
    return argument == NULL;
}

/* The thread is known by an operation that is hidden; the first one to be shown finds no room, like all others. */
static int run_refused_room(void)
{
    fake_operation(0, NULL, NULL);
    if (!refuse_calls())
        return 77;
    for (unsigned long i = 0; i < count; i++)
        fake_operation(4, hidden_inside, NULL);
    return 0;
}

/* ---- coroutines: two stacks that change over inside of operations. --------------------------------- */

static ucontext_t contexts[3];
static int current;

static int changes_over(void *argument)
{
    int from = current;

    current = 3 - from;
    swapcontext(&contexts[from], &contexts[current]);
    return argument == NULL;
}

static void run_coroutine(void)
{
    for (unsigned long i = 0; i < count; i++) {
        fake_operation(5, changes_over, NULL);
        fake_operation(6, NULL, NULL);
    }
}

static void prepare_coroutine(ucontext_t *context)
{
    getcontext(context);
    context->uc_stack.ss_size = 65536;
    context->uc_stack.ss_sp = malloc(65536);
    context->uc_link = &contexts[0];
    makecontext(context, run_coroutine, 0);
}

static int run_coroutines(void)
{
    prepare_coroutine(&contexts[1]);
    prepare_coroutine(&contexts[2]);
    current = 1;
    swapcontext(&contexts[0], &contexts[1]);
    operate(1);
    return 0;
}

/* ---- allocator: one that runs operations, wherever it is called from. ------------------------------- */

static __thread int allocates;

extern void *__libc_malloc(size_t n_bytes);

void *malloc(size_t n_bytes)
{
    if (allocates) {
        allocates = 0;
        fake_operation(7, NULL, NULL);
        allocates = 1;
    }
    return __libc_malloc(n_bytes);
}

static int allocates_inside(void *argument)
{
    void *volatile memory = malloc(100);

    free(memory);
    return argument == NULL;
}

static void *allocate_as_thread(void *argument)
{
    allocates = 1;
    for (unsigned long i = 0; i < count; i++)
        fake_operation(0, allocates_inside, NULL);
    allocates = 0;
    return argument;
}

static int run_allocator(void)
{
    pthread_t thread;

    allocate_as_thread(NULL);
    if (pthread_create(&thread, NULL, allocate_as_thread, NULL) != 0)
        return 99;
    pthread_join(thread, NULL);
    return 0;
}

static const struct program programs[] = {
    {"forks", run_forks},
    {"usual_forks", run_usual_forks},
    {"daemon", run_daemon},
    {"spawn", run_spawn},
    {"spawned", run_spawned},
    {"growth", run_growth},
    {"growth_of_threads", run_growth_of_threads},
    {"nobody_first", run_nobody_first},
    {"nobody_later", run_nobody_later},
    {"root_first", run_root_first},
    {"root_later", run_root_later},
    {"refused", run_refused},
    {"quota_first", run_quota_first},
    {"quota_later", run_quota_later},
    {"trapped", run_trapped},
    {"trapped_advices", run_trapped_advices},
    {"refused_room", run_refused_room},
    {"coroutines", run_coroutines},
    {"allocator", run_allocator},
};

int main(int argc, char **argv)
{
    if (argc > 2)
        count = strtoul(argv[2], NULL, 10);
    if (argc > 3 && atoi(argv[3]) <= MAX_WORKERS)
        n_workers = atoi(argv[3]);
    fake_load();
    return RUN_NAMED(programs, argv[1]);
}
