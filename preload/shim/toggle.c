/*
 * The handler. It works at once: all that it waits for is held with signals
 * blocked, so never by the thread that it interrupts.
 */
#include "config.h"

#include "shim/toggle.h"

#include <errno.h>
#include <signal.h>

#include "record/at_load.h"
#include "shim/next.h"
#include "shim/rounds.h"
#include "shim/shim.h"

typedef int sigaction_fn(int number, const struct sigaction *action, struct sigaction *former);

static void handler(int number)
{
    int saved_errno = errno;

    (void)number;
    rounds_toggle();
    errno = saved_errno;
}

SW__AT_LOAD void toggle_load(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART | SA_ONSTACK};
    struct sigaction former;
    int number = shim.settings.signal;
    sigaction_fn *change; /* the C library's: a program may define one of its own */

    if (number == 0)
        return;
    next_find(&(struct next_function){"sigaction", &change}, 1);
    if (change == NULL || change(number, NULL, &former) != 0 || former.sa_handler != SIG_DFL ||
        change(number, &action, NULL) != 0)
        shim_say("SWPROF_SIGNAL: the signal is ignored or handled already, and stays so", NULL);
}
