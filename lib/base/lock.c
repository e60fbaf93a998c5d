/*
 * Process-wide mutexes, and what becomes of them in a fork.
 */
#include "config.h"

#include "base/lock.h"

#include <pthread.h>

#define BIT(lock) (1u << (lock))

static pthread_mutex_t locks[SW__N_LOCKS] = { [0 ... SW__N_LOCKS - 1] = PTHREAD_MUTEX_INITIALIZER };

/*
 * Locks that this thread holds or is about to, and those that it holds because it forks. Written before a lock is
 * taken and after it is given back: a function that runs under one, or a signal handler, may fork and shall not wait
 * for what its own thread holds.
 */
static __thread volatile unsigned own __attribute__((tls_model("initial-exec")));
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

static void before_fork(void)
{
    const unsigned missing = ~own;

    for (unsigned lock = 0; lock < SW__N_LOCKS; lock++)
        if (missing & BIT(lock))
            sw__lock((enum sw__lock)lock);
    own_by_fork = missing;
}

/* In both processes. */
static void after_fork(void)
{
    for (unsigned lock = SW__N_LOCKS; lock-- > 0;)
        if (own_by_fork & BIT(lock))
            sw__unlock((enum sw__lock)lock);
}

/* Without memory for it forks go on as if there were no locks. */
static void __attribute__((constructor)) watch_forks(void)
{
    (void)pthread_atfork(before_fork, after_fork, after_fork);
}
