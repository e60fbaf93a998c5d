/*
 * Storage records of a report (SWPROF_MEMORY), and what of them was inside of
 * which operation.
 */
#ifndef REPORT_STORAGE_H
#define REPORT_STORAGE_H

#include "report/collect.h"
#include "report/text_table.h"

enum storage_kind { STORAGE_ALLOC, STORAGE_FREE, STORAGE_REFUSED };

/** Storage of a carrier that was made, given back, or for which there was no room. */
struct storage_record {
    int64_t ns;
    uint64_t bytes;
    uint64_t carrier;      /* number */
    uint32_t class_index;  /* into the names of classes */
    uint32_t thread;       /* number */
    uint32_t dispatch;     /* of the innermost operation around it; SW__ANALYZE_NONE: none, or not looked for */
    enum storage_kind kind;
};

struct storage {
    struct storage_record *records; /* thread by thread, by time within each */
    size_t n_records;
    struct text_table classes; /* "strideweave.CPU"; owned by the report */
    size_t *first_of_thread; /* by place of the thread in the report, and one more */
    const struct report *report;
};

/** What was allocated and released, saturating. */
struct storage_sums {
    uint64_t allocated;
    uint64_t released;
};

static inline int64_t storage_net(const struct storage_sums *sums)
{
    int64_t net = 0;

    return __builtin_sub_overflow(sums->allocated, sums->released, &net)
               ? (sums->allocated > sums->released ? INT64_MAX : INT64_MIN)
               : net;
}

/** Read those that a filter selects: by thread, session and spans, as for operations. */
SW_NODISCARD enum report_outcome storage_read(const struct report *report, const struct report_filter *filter,
                                              struct storage *ret_storage);
void storage_clear(struct storage *storage);

#define REPORT_OWNED_STORAGE SW__CLEANUP(storage_clear)

/* ---- Beside a pass over operations ------------------------------------------------------- */

struct storage_open;

/**
 * A pass over operations (report_each_part()) that knows what storage each of
 * them made and gave back. A record belongs to the innermost operation of its
 * own thread that had begun and not ended then.
 */
struct storage_pass {
    struct storage *storage;        /* whose records get their dispatch */
    const struct report_part *inner; /* where events go on to */
    struct report_part part;        /* for report_each_part() */
    struct storage_sums inside;     /* of the event that is passed on now: nested ones included */
    struct storage_sums own;        /* of it alone */
    uint32_t thread;
    size_t first, left;             /* its records that belong to nothing yet */
    struct storage_open *open;      /* innermost last */
    size_t n_open;
    size_t capacity;
};

void storage_pass_init(struct storage_pass *pass, struct storage *storage, const struct report_part *inner);
void storage_pass_clear(struct storage_pass *pass);

#define REPORT_OWNED_STORAGE_PASS SW__CLEANUP(storage_pass_clear)

/** Give each record the operation around it. */
SW_NODISCARD enum report_outcome storage_attribute(const struct report *report, const struct report_filter *filter,
                                                   struct storage *storage, struct report_totals *ret_totals);

/** Add the selected events, and their storage, to an aggregation. @totals: added to. */
SW_NODISCARD enum report_outcome storage_aggregate(const struct report *report, const struct report_filter *filter,
                                                   struct sw__aggregation *aggregation, struct report_totals *totals);

#endif
