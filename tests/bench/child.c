/*
 * Starting a program and waiting for it.
 */
#include "config.h"

#include "child.h"

#include "bench.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

struct child_result child_run(char *const *command, const char *preload)
{
    posix_spawn_file_actions_t actions;
    struct rusage usage;
    struct child_result result;
    int64_t begin;
    pid_t pid;
    int status;

    if (preload != NULL ? setenv("LD_PRELOAD", preload, 1) != 0 : unsetenv("LD_PRELOAD") != 0)
        bench_fail("no memory for the environment");
    if (posix_spawn_file_actions_init(&actions) != 0 ||
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0) != 0)
        bench_fail("no memory for a program");
    begin = bench_now_ns();
    if (posix_spawn(&pid, command[0], &actions, NULL, command, environ) != 0)
        bench_fail(command[0]);
    if (wait4(pid, &status, 0, &usage) != pid || status != 0)
        bench_fail(command[0]);
    result.ns = bench_now_ns() - begin;
    result.peak_bytes = usage.ru_maxrss * INT64_C(1024);
    posix_spawn_file_actions_destroy(&actions);
    return result;
}
