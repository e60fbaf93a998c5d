/*
 * Waiting for whichever comes first: the time, a signal, the end of the
 * program. Signals are read from a descriptor, so that none of them can come in
 * the middle of a drawing.
 */
#include "config.h"

#define _GNU_SOURCE 1 /* syscall */

#include "report/follow.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "report/process.h"

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGWINCH };

/* What the caller had ignored for us stays so; of SIGWINCH that is the way it begins. */
static int is_ignored(int signal_number)
{
    struct sigaction action;

    return sigaction(signal_number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

enum report_outcome follow_catch_signals(struct follow_wait *wait)
{
    sigemptyset(&wait->caught);
    for (size_t i = 0; i < sizeof caught / sizeof *caught; i++)
        if (!is_ignored(caught[i]))
            sigaddset(&wait->caught, caught[i]);
    wait->signals = signalfd(-1, &wait->caught, SFD_CLOEXEC | SFD_NONBLOCK);
    if (wait->signals < 0)
        return report_fail(REPORT_SYSTEM, "signals cannot be waited for: %s", strerror(errno));
    sigprocmask(SIG_BLOCK, &wait->caught, &wait->before);
    return REPORT_OK;
}

void follow_watch_process(struct follow_wait *wait, int32_t pid, uint64_t start_time)
{
#ifdef SYS_pidfd_open
    if (wait->process >= 0 || pid <= 0)
        return;
    wait->process = (int)syscall(SYS_pidfd_open, pid, 0);
    /* Looked at after it was opened: the number may have gone to another process meanwhile. */
    if (wait->process >= 0 && !process_is_alive(pid, start_time)) {
        close(wait->process);
        wait->process = -1;
    }
#else
    (void)wait;
    (void)pid;
    (void)start_time;
#endif
}

static int read_signal(struct follow_wait *wait)
{
    struct signalfd_siginfo information;

    return read(wait->signals, &information, sizeof information) == (ssize_t)sizeof information
               ? (int)information.ssi_signo
               : 0;
}

int follow_wait(struct follow_wait *wait, int64_t ns)
{
    int64_t end_ns = clock_monotonic_ns() + ns;

    for (;;) {
        struct pollfd ready[] = { { wait->process, POLLIN, 0 }, { wait->signals, POLLIN, 0 } };
        int64_t left_ns = end_ns - clock_monotonic_ns();
        int n = poll(ready, 2, left_ns > 0 ? (int)((left_ns + 999999) / 1000000) : 0);
        if (n < 0 && errno == EINTR)
            continue;
        if (n > 0 && ready[0].revents != 0) {
            close(wait->process); /* it will be ready for ever */
            wait->process = -1;
            return 0;
        }
        return n > 0 ? read_signal(wait) : 0;
    }
}

void follow_wait_clear(struct follow_wait *wait)
{
    if (wait->process >= 0)
        close(wait->process);
    if (wait->signals >= 0) {
        close(wait->signals);
        sigprocmask(SIG_SETMASK, &wait->before, NULL);
    }
    *wait = (struct follow_wait)FOLLOW_WAIT_NONE;
}
