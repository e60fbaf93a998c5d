/*
 * Process-wide mutexes, and what becomes of them in a fork.
 */
#include "config.h"

#include "base/lock.h"

#include <pthread.h>

#define BIT(lock) (1u << (lock))

static pthread_mutex_t locks[SW__N_LOCKS] = { [0 ... SW__N_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER };

/*
 * Locks that this thread holds or is about to. Written before a lock is taken and after it is given back: a function
 * that runs under one, or a signal handler, may fork and shall not wait for what its own thread holds.
 */
static __thread volatile unsigned own __attribute__((tls_model("initial-exec")));
/* Forks that this thread is in, more than one by a signal handler, and what the outermost took. */
static __thread volatile unsigned n_forks __attribute__((tls_model("initial-exec")));
static __thread volatile unsigned own_by_fork __attribute__((tls_model("initial-exec")));

void sw__lock(enum sw__lock lock)
{
    own |= BIT(lock);
    pthread_mutex_lock(&locks[lock]);
}

void sw__unlock(enum sw__lock lock)
{
    pthread_mutex_unlock(&locks[lock]);
    own &= ~BIT(lock);
}

/* Whoever holds a lock must not wait for one that comes before it. */
static int take_for_fork(enum sw__lock lock)
{
    if (own >= BIT(lock))
        return pthread_mutex_trylock(&locks[lock]) == 0;
    pthread_mutex_lock(&locks[lock]);
    return 1;
}

static void before_fork(void)
{
    unsigned taken = 0;

    if (n_forks++ > 0)
        return;
    for (unsigned lock = 0; lock < SW__N_LOCKS; lock++)
        if (!(own & BIT(lock)) && take_for_fork((enum sw__lock)lock))
            taken |= BIT(lock);
    own_by_fork = taken;
}

/* In both processes. */
static void after_fork(void)
{
    if (--n_forks > 0)
        return;
    for (unsigned lock = SW__N_LOCKS; lock-- > 0;)
        if (own_by_fork & BIT(lock))
            pthread_mutex_unlock(&locks[lock]);
}

/* Without memory for it forks go on as if there were no locks. */
static void __attribute__((constructor)) watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}
