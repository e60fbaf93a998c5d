/*
 * Threads, locks, attributes and children.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include "shim/behaviour.h"

#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int behave_threads_counted(void)
{
    operate();
    printf("%d\n", count_entries("/proc/self/task"));
    return 0;
}

static void *operate_as_thread(void *argument)
{
    operate();
    return argument;
}

static int run_thread(const pthread_attr_t *attributes)
{
    pthread_t thread;

    return pthread_create(&thread, attributes, operate_as_thread, NULL) == 0 && pthread_join(thread, NULL) == 0;
}

int behave_threads_with_small_stacks(void)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)PTHREAD_STACK_MIN);
    for (int i = 0; i < 20; i++)
        if (!run_thread(&attributes))
            return 99;
    puts("done");
    return 0;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

int behave_locks_held(void)
{
    pthread_mutex_lock(&mutex);
    operate();
    printf("%d\n", run_thread(NULL));
    pthread_mutex_unlock(&mutex);
    pthread_once(&once, operate);
    puts("done");
    return 0;
}

static pthread_key_t key;

static void operate_again(void *left)
{
    operate();
    printf("%d left\n", (int)(intptr_t)left);
    if (left != NULL && (intptr_t)left > 1)
        pthread_setspecific(key, (char *)left - 1);
}

static void *set_key(void *argument)
{
    pthread_setspecific(key, (void *)3);
    return argument;
}

int behave_thread_destructors(void)
{
    pthread_t thread;

    pthread_key_create(&key, operate_again);
    if (pthread_create(&thread, NULL, set_key, NULL) != 0)
        return 99;
    pthread_join(thread, NULL);
    return 0;
}

/* All but what turns the shim on. */
/* Its number of variables and their hash: the variables themselves may be more than the test reads. */
int behave_environment(void)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    int n = 0;

    operate();
    for (char **at = environ; *at != NULL; at++) {
        if (strncmp(*at, "LD_PRELOAD=", 11) == 0 || strncmp(*at, "SWPROF_", 7) == 0)
            continue;
        for (const char *byte = *at; *byte != '\0'; byte++)
            hash = (hash ^ (unsigned char)*byte) * UINT64_C(0x100000001b3);
        n++;
    }
    printf("%d variables, hash %llx\n", n, (unsigned long long)hash);
    return 0;
}

int behave_limits(void)
{
    struct rlimit limit;

    operate();
    for (int i = 0; i < RLIM_NLIMITS; i++)
        if (getrlimit((__rlimit_resource_t)i, &limit) == 0)
            printf("%llu %llu\n", (unsigned long long)limit.rlim_cur, (unsigned long long)limit.rlim_max);
    return 0;
}

int behave_umask_kept(void)
{
    umask(0777);
    operate();
    printf("%o\n", (unsigned)umask(0));
    return 0;
}

int behave_directory(void)
{
    char before[PATH_MAX], after[PATH_MAX];

    if (getcwd(before, sizeof before) == NULL)
        return 99;
    operate();
    if (getcwd(after, sizeof after) == NULL || chdir("/") != 0)
        return 98;
    operate();
    printf("%d %s\n", strcmp(before, after), getcwd(after, sizeof after));
    return 0;
}

int behave_identity(void)
{
    pid_t group = getpgrp(), session = getsid(0);

    operate();
    printf("%d %d %d %d\n", (int)geteuid(), (int)getegid(), group == getpgrp(), session == getsid(0));
    return 0;
}

int behave_attributes(void)
{
    char name[16] = "";
    cpu_set_t processors;
    int death = 0;

    operate();
    prctl(PR_GET_NAME, name);
    prctl(PR_GET_PDEATHSIG, &death);
    sched_getaffinity(0, sizeof processors, &processors);
    printf("%s %d %d %d\n", name, death, prctl(PR_GET_DUMPABLE), prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0));
    printf("%d %d %d\n", sched_getscheduler(0), getpriority(PRIO_PROCESS, 0), CPU_COUNT(&processors));
    return 0;
}

int behave_rounding(void)
{
    fesetround(FE_DOWNWARD);
    feclearexcept(FE_ALL_EXCEPT);
    feraiseexcept(FE_OVERFLOW);
    operate();
    printf("%d %d\n", fegetround() == FE_DOWNWARD, fetestexcept(FE_ALL_EXCEPT) == FE_OVERFLOW);
    return 0;
}

int behave_children(void)
{
    int status = 0;
    pid_t child;

    operate();
    child = fork();
    if (child == 0) {
        operate();
        exit(9);
    }
    printf("%d %d\n", waitpid(child, &status, 0) == child, status);
    printf("%d\n", system("exit 3"));
    return 0;
}

int behave_no_child_of_its_own(void)
{
    operate();
    errno = 0;
    printf("%d", (int)waitpid(-1, NULL, WNOHANG));
    printf(" %s\n", strerror(errno));
    return 0;
}

/* In kB, as the kernel says it. */
static long memory_of(const char *name)
{
    FILE *file = fopen("/proc/self/status", "r");
    char line[256];
    long value = -1;

    while (file != NULL && fgets(line, sizeof line, file) != NULL)
        if (strncmp(line, name, strlen(name)) == 0)
            value = strtol(line + strlen(name), NULL, 10);
    if (file != NULL)
        fclose(file);
    return value;
}

/* What is mapped later is locked too; the room for a report is much more than what is in it. */
int behave_locked_memory(void)
{
    long before;

    if (mlockall(MCL_CURRENT | MCL_FUTURE) != 0)
        return 0 * run_thread(NULL);
    before = memory_of("VmLck:");
    operate();
    printf("%d\n", memory_of("VmLck:") - before < 4096);
    return 0;
}
