/*
 * Operations added up where they are not kept one by one: per dispatch and
 * shapes, for each thread or for threads that follow one another. One thread at
 * a time writes them, without a lock; each operation becomes part of the report
 * by one store.
 */
#ifndef SHIM_AGGREGATES_H
#define SHIM_AGGREGATES_H

#include "shim/operation.h"

struct aggregates_entry {
    uint64_t key; /* 0: free */
    struct swprof_aggregate *aggregate;
};

/** What a thread adds to. */
struct aggregates {
    struct aggregates_entry *entries; /* an open hash table in private memory; NULL before the first */
    uint64_t last_key;                /* of the operation before: often the next one is the same; 0: none */
    struct swprof_aggregate *last;
    uint32_t n_slots;                 /* a power of two */
    uint32_t n_used;
    uint32_t first_thread;            /* 1 + number of the one that began them; 0: there are none */
    uint32_t refused;                 /* 1 + enum swprof_lost while there is no room for more */
    uint64_t retry;                   /* operations since */
    uint64_t renew_at;                /* ticks: when the report's second anchor is to be renewed */
};

/** All of the thread's operations go into aggregates from now on: none is open. 0 when there is no memory. */
int aggregates_start(struct thread *thread);

/**
 * The same for a thread whose events find no room any more, the first of them
 * an operation at @depth that began at @start. What it and the open operations
 * have inside is looked up in the events.
 */
int aggregates_take_over(struct thread *thread, uint32_t depth, uint64_t start);

/** An operation has ended; 0 when there was no room for it, and why. */
int aggregates_put(OPERATION_PARAMETERS, enum swprof_lost *reason);

#endif
