/*
 * Starting the program and waiting for it. Signals that are sent to swprof-run
 * are passed on; those of the terminal reach the program by themselves.
 */
#include "config.h"

#include "report/run.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Signals by which people and supervisors talk to a program. */
static const int passed_on[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGCONT };
#define N_PASSED_ON (sizeof passed_on / sizeof *passed_on)

/* The program; 0 before it runs and after it was waited for. Written with signals blocked. */
static volatile pid_t program;

static void pass_on(int signal_number, siginfo_t *information, void *context)
{
    int error = errno;

    (void)context;
    /* The terminal signals the whole foreground group: the program has it already. */
    if (program > 0 && information->si_code != SI_KERNEL)
        kill(program, signal_number);
    errno = error;
}

struct signals {
    sigset_t mask; /* before */
    struct sigaction actions[N_PASSED_ON];
};

static void catch_signals(struct signals *before)
{
    struct sigaction action = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO | SA_RESTART };

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaction(passed_on[i], &action, &before->actions[i]);
}

static void release_signals(const struct signals *before)
{
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaction(passed_on[i], &before->actions[i], NULL);
}

/* In the child: the program, with the signals as they were; errno goes to the parent. */
static void become(const char *path, char **command, const struct signals *before, int failure_pipe)
{
    release_signals(before);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
    execvp(path, command); /* of a script without "#!" it makes a shell script, as shells do */
    int error = errno;
    ssize_t n = write(failure_pipe, &error, sizeof error);
    (void)n; /* then the parent sees status 127 only */
    _exit(RUN_NOT_FOUND);
}

static int wait_for(pid_t pid)
{
    int wait_status = 0;

    while (waitpid(pid, &wait_status, 0) < 0 && errno == EINTR)
        continue;
    return wait_status;
}

static enum report_outcome failed(const char *what)
{
    return report_fail(REPORT_SYSTEM, "%s: %s", what, strerror(errno));
}

static int open_failure_pipe(int *ends)
{
    if (pipe(ends) != 0)
        return 0;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    return 1;
}

enum report_outcome run_program(const char *path, char **command, struct run_result *ret_result)
{
    struct run_result result = { 0 };
    struct signals before;
    sigset_t all;
    int ends[2];

    if (!open_failure_pipe(ends))
        return failed("a pipe cannot be had");
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before.mask);
    catch_signals(&before);
    result.pid = fork();
    if (result.pid == 0)
        become(path, command, &before, ends[1]);
    int error = errno;
    program = result.pid > 0 ? result.pid : 0;
    sigprocmask(SIG_SETMASK, &before.mask, NULL);
    close(ends[1]);
    if (result.pid < 0) {
        close(ends[0]);
        release_signals(&before);
        errno = error;
        return failed("a process cannot be started");
    }
    while (read(ends[0], &result.exec_error, sizeof result.exec_error) < 0 && errno == EINTR)
        continue;
    close(ends[0]);
    result.wait_status = wait_for(result.pid);
    program = 0;
    /* From here on a Ctrl-C is for this process, but the table is to be printed first. */
    *ret_result = result;
    return REPORT_OK;
}
