/*
 * The mutexes of what the process has once. A thread that forks takes all of
 * them first, so in the child they are free and what they guard is whole.
 */
#ifndef BASE_LOCK_H
#define BASE_LOCK_H

#include "base/cleanup.h"

/** In the order in which a thread takes more than one. */
enum sw__lock {
    SW__LOCK_GRADIENTS, /* those that tensors keep; functions of carrier classes run under it */
    SW__LOCK_MOVES,     /* the registry of moves */
    SW__LOCK_ENTRIES,   /* the table of dispatch entries */
    SW__LOCK_DIRECTORY, /* the private directory */
    SW__LOCK_NAMES,     /* interned strings */
    SW__LOCK_SPARES,    /* memory that waits to be used again; nothing is allocated or freed under it */
    SW__N_LOCKS
};

void sw__lock(enum sw__lock lock);
void sw__unlock(enum sw__lock lock);

static inline void sw__cleanup_lock(const enum sw__lock *lock)
{
    sw__unlock(*lock);
}

/** Hold a lock until the scope ends, on every way out of it; once per scope. */
#define SW__HOLD(lock)                                             \
    const enum sw__lock sw__held SW__CLEANUP(sw__cleanup_lock) = (lock); \
    sw__lock(sw__held)

#endif
