/*
 * Starts a program in circumstances that START_AS names: an older kernel, a
 * signal that is ignored, a control group. Usage: start_as PROGRAM ARGUMENT...
 */
#define _GNU_SOURCE 1
#include "config.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define ARGUMENT(position) \
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args) + 8 * (position))

/* The system call @number fails with @error, when its argument @position is @value and its second one is not @spared. */
static void refuse(long number, unsigned position, unsigned value, unsigned spared, unsigned error)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 5),
        ARGUMENT(position),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, 3),
        ARGUMENT(1),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, spared, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | error),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        _exit(77);
}

/* Before 4.14; but of no bytes anything may be said, as some kernels have it. */
static void be_without_wipe(void)
{
    refuse(SYS_madvise, 2, MADV_WIPEONFORK, 0, EINVAL);
}

/* Before 5.14. */
static void be_without_populate(void)
{
    refuse(SYS_madvise, 2, MADV_POPULATE_WRITE, 0, EINVAL);
}

/* Before 4.14, or a sandbox. */
static void be_without_barrier(void)
{
    refuse(SYS_membarrier, 1, 0, 1, ENOSYS);
}

static void ignore_signal(void)
{
    signal(SIGUSR2, SIG_IGN);
}

/* In the control group whose directory GROUP names. */
static void join_group(void)
{
    const char *group = getenv("GROUP");
    char path[4096];
    int file;

    snprintf(path, sizeof path, "%s/cgroup.procs", group != NULL ? group : "");
    file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0 || write(file, "0", 1) != 1)
        _exit(77);
    close(file);
}

static const struct {
    const char *name;
    void (*become)(void);
} ways[] = {
    {"without_wipe", be_without_wipe},
    {"without_populate", be_without_populate},
    {"without_barrier", be_without_barrier},
    {"ignoring", ignore_signal},
    {"member", join_group},
};

int main(int argc, char **argv)
{
    const char *way = getenv("START_AS");

    for (size_t i = 0; argc > 1 && way != NULL && i < sizeof ways / sizeof *ways; i++)
        if (strcmp(way, ways[i].name) == 0) {
            ways[i].become();
            execv(argv[1], argv + 1);
        }
    return 98;
}
