/*
 * Filters of system calls.
 */
#define _GNU_SOURCE 1
#include "config.h"

#include "shim/fake_refusal.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

#define ALLOW(number)                                                 \
    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)(number), 0, 1), \
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int install(const struct sock_fprog *program)
{
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) == 0;
}

static int filter_calls(unsigned verdict)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        ALLOW(SYS_write),
        ALLOW(SYS_exit),
        ALLOW(SYS_exit_group),
        ALLOW(SYS_rt_sigreturn),
        BPF_STMT(BPF_RET | BPF_K, verdict),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    return install(&program);
}

int refuse_room(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)SYS_madvise, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)MADV_POPULATE_WRITE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EDQUOT),
    };
    const struct sock_fprog program = {sizeof filter / sizeof *filter, filter};

    return install(&program);
}

int refuse_calls(void)
{
    return filter_calls(SECCOMP_RET_ERRNO | EPERM);
}

volatile sig_atomic_t n_trapped_advices;

static void fail(int number, siginfo_t *info, void *context)
{
    (void)number;
    if (info->si_syscall == SYS_madvise)
        n_trapped_advices++;
#if defined(__x86_64__)
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_RAX] = -EPERM;
#elif defined(__aarch64__)
    ((ucontext_t *)context)->uc_mcontext.regs[0] = (unsigned long long)-EPERM;
#endif
}

int trap_calls(void)
{
    struct sigaction action = {.sa_sigaction = fail, .sa_flags = SA_SIGINFO};

    return sigaction(SIGSYS, &action, NULL) == 0 && filter_calls(SECCOMP_RET_TRAP);
}
