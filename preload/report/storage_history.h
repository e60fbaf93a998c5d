/*
 * Storage over time: what there was after each record, per carrier class and
 * together, the most of it, and what was left.
 */
#ifndef REPORT_STORAGE_HISTORY_H
#define REPORT_STORAGE_HISTORY_H

#include "report/storage.h"

/** Of one class, or of all. */
struct storage_account {
    uint64_t current_bytes;
    uint64_t n_current;    /* storages that there are */
    uint64_t peak_bytes;
    size_t peak;           /* step at which the peak was reached; SIZE_MAX: there never was any */
    struct storage_sums sums;
    uint64_t n_allocated;
    uint64_t n_released;
    uint64_t n_refused;
    uint64_t n_unknown;    /* releases of what was made before recording began: not in the figures above */
};

/** A record, and what there was after it. */
struct storage_step {
    size_t record;          /* index */
    uint64_t class_bytes;   /* of its class */
    uint64_t current_bytes; /* of all */
    int is_counted;         /* 0: a release of something unknown, or a refusal */
};

/** What was made and not given back: of a class, by an operation. */
struct storage_remainder {
    uint32_t class_index;
    uint32_t dispatch; /* SW__ANALYZE_NONE: outside of operations */
    uint64_t bytes;
    uint64_t n;
    int64_t first_ns;  /* of the oldest */
};

struct storage_history {
    struct storage_step *steps; /* by time; as many as there are records */
    size_t n_steps;
    struct storage_account all;
    struct storage_account *classes; /* as many as the storage has */
    struct storage_remainder *remainders; /* the largest first */
    size_t n_remainders;
};

/** Play the records of all threads in the order of their times. Records of equal times in the order of threads. */
SW_NODISCARD enum report_outcome storage_history_build(const struct storage *storage,
                                                       struct storage_history *ret_history);
void storage_history_clear(struct storage_history *history);

#define REPORT_OWNED_STORAGE_HISTORY SW__CLEANUP(storage_history_clear)

#endif
