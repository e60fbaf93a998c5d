/*
 * Streams and descriptors.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include "shim/behaviour.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

int behave_output_of_both(void)
{
    puts("before");
    fputs("an error\n", stderr);
    operate();
    puts("after");
    fputs("another\n", stderr);
    return 0;
}

int behave_output_unflushed(void)
{
    printf("no newline");
    operate();
    return 0;
}

int behave_output_closed(void)
{
    close(0);
    close(1);
    close(2);
    operate();
    puts("nobody reads this");
    return fflush(stdout) == 0 || errno != EBADF;
}

/* As programs do that report a full disk at their end. */
static void close_stdout(void)
{
    operate();
    if (fclose(stdout) != 0)
        _exit(1);
    close(2);
    operate();
}

int behave_output_closed_at_exit(void)
{
    atexit(close_stdout);
    puts("the last word");
    operate();
    return 0;
}

static void *operate_as_thread(void *argument)
{
    operate();
    return argument;
}

/* No lock of a stream is needed to record. */
int behave_output_locked(void)
{
    pthread_t thread;

    flockfile(stdout);
    flockfile(stderr);
    operate();
    if (pthread_create(&thread, NULL, operate_as_thread, NULL) != 0)
        return 99;
    pthread_join(thread, NULL);
    puts("released");
    funlockfile(stderr);
    funlockfile(stdout);
    return 0;
}

int behave_descriptors_next(void)
{
    int first = open("/dev/null", O_RDONLY);

    operate();
    printf("%d %d\n", first, open("/dev/null", O_RDONLY));
    close(first);
    operate();
    printf("%d\n", open("/dev/null", O_RDONLY));
    return 0;
}

int behave_descriptors_open(void)
{
    int before = count_entries("/proc/self/fd");

    operate();
    printf("%d %d\n", before, count_entries("/proc/self/fd"));
    return 0;
}

/* There is none left to make a report with. */
int behave_descriptors_used_up(void)
{
    struct rlimit limit = {64, 64};
    int n = 0;

    if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
        return 99;
    while (open("/dev/null", O_RDONLY) >= 0)
        n++;
    operate();
    printf("%d %s\n", n, strerror(errno));
    return 0;
}

int behave_descriptors_all_closed(void)
{
    int kept = dup(1);

    operate();
    for (int file = 0; file < 256; file++)
        if (file != kept)
            close(file);
    for (int i = 0; i < 2000; i++)
        operate();
    dprintf(kept, "%d\n", open("/dev/null", O_RDONLY));
    return 0;
}
