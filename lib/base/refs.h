/*
 * Reference counts. They are atomic: objects may be shared between threads and
 * the last reference may be given back on any of them.
 */
#ifndef BASE_REFS_H
#define BASE_REFS_H

#include <stdint.h>

static inline void sw__refs_get(uint32_t *refs)
{
    __atomic_fetch_add(refs, 1, __ATOMIC_RELAXED);
}

/** 1 when that was the last reference: the caller destroys the object. */
static inline int sw__refs_put(uint32_t *refs)
{
    /*
     * Who holds the only reference can have no other thread in its way: nobody else has one to copy. Acquire in both
     * places, so that the destroyer sees what other threads did before their unref.
     */
    if (__atomic_load_n(refs, __ATOMIC_ACQUIRE) == 1)
        return 1;
    return __atomic_fetch_sub(refs, 1, __ATOMIC_ACQ_REL) == 1;
}

#endif
