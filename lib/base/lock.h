/*
 * A mutex that is held to the end of a scope, on every way out of it.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include <pthread.h>

#include "base/cleanup.h"

static inline void sw__cleanup_lock(pthread_mutex_t **lock)
{
    pthread_mutex_unlock(*lock);
}

/** Lock the mutex at an address until the scope ends; once per scope. */
#define SW__HOLD(mutex)                                                    \
    pthread_mutex_t *sw__held SW__CLEANUP(sw__cleanup_lock) = (mutex);     \
    pthread_mutex_lock(sw__held)

#endif
