/*
 * A report as its format says, read by the shortest way: for tests of the
 * writer, which must not depend on the reader.
 */
#ifndef TESTS_SHIM_REPORT_PROBE_H
#define TESTS_SHIM_REPORT_PROBE_H

#include <stddef.h>
#include <swprof/format.h>

struct probe {
    const char *bytes; /* the mapped file */
    size_t n_bytes;
    const struct swprof_header *header;
};

/** What is in a report, summed over its threads. The recorder's own events are counted apart. */
struct probe_totals {
    uint64_t n_events;  /* shown ones */
    uint64_t n_hidden;
    uint64_t n_recorder;
    uint64_t n_failed;
    uint64_t n_healed;
    uint64_t n_shaped;
    uint64_t n_open;    /* open frames but for those that have ended, as their aggregates tell */
    uint64_t max_depth;
    uint64_t n_threads;
    uint64_t n_ended;
    uint64_t n_sessions;
    uint64_t n_frozen;
    uint64_t n_shape_lists;
    uint64_t n_out_of_order; /* events that end before their predecessor */
    uint64_t n_escaped;      /* events that do not lie inside the event that encloses them */
    uint64_t n_miscounted;   /* threads whose n_events is not what was found */
    uint64_t lost[SWPROF_LOST_REASONS];
    uint64_t self_of_events; /* ticks, hidden ones included: what all events lasted together */
    uint64_t n_aggregated;   /* operations in aggregates */
    uint64_t n_failed_aggregated;
    uint64_t n_unhistogrammed; /* of those: in no counter */
    uint64_t total;          /* ticks of aggregated operations */
    uint64_t self;
    uint64_t outer;
    uint64_t n_torn;         /* aggregates whose sums are not whole */
    uint64_t n_unexplained;  /* events of a ring whose children lasted longer than they say */
};

/** 0 when the file cannot be mapped or does not begin like a report. */
int probe_open(struct probe *probe, const char *path);
void probe_close(struct probe *probe);

/** The block behind @block (NULL: the first) of a type. */
const struct swprof_block *probe_next(const struct probe *probe, const struct swprof_block *block, uint32_t type);

void probe_totals(const struct probe *probe, struct probe_totals *totals);

/** The counts of a report, without a look at its events. */
struct probe_counts {
    uint64_t n_events; /* shown ones */
    uint64_t n_lost;
    uint64_t n_lost_apart; /* of those: that no thread counts */
};

void probe_sum_up(const struct probe *probe, struct probe_counts *counts);

/** What the report has of a thread of the kernel's number. */
struct probe_thread {
    uint64_t n_events; /* shown ones */
    uint64_t n_lost;
    uint64_t n_open;
};

/** 0 when the report has no such thread. */
int probe_thread(const struct probe *probe, int64_t tid, struct probe_thread *thread);

/** The record of the n-th thread, or NULL. */
const struct swprof_thread *probe_record(const struct probe *probe, size_t n);

/** The n-th aggregate, or NULL; the half of its sums that counts. */
const struct swprof_aggregate *probe_aggregate(const struct probe *probe, size_t n);
const struct swprof_sums *probe_sums(const struct swprof_aggregate *aggregate);

/** How many events have a dispatch of this name. */
uint64_t probe_count(const struct probe *probe, const char *name);

/** The n-th session, or NULL. */
const struct swprof_session *probe_session(const struct probe *probe, size_t n);

/** How many events end within a session. */
uint64_t probe_count_in(const struct probe *probe, const struct swprof_session *session);
/** A number that depends on every byte of those events and of the session. */
uint64_t probe_digest_in(const struct probe *probe, const struct swprof_session *session);

/** A note, and the number of the thread that it is of. */
struct probe_note {
    struct swprof_note note;
    const char *name;
    uint32_t thread;
};

/** The first notes of a report, in the order of the file; returns how many there are. Marks of owners are none. */
size_t probe_notes(const struct probe *probe, struct probe_note *notes, size_t room);
/** Lost notes, of all threads and of none. */
uint64_t probe_lost_notes(const struct probe *probe);

/** Text of a reference. */
const char *probe_text(const struct probe *probe, uint32_t reference);

#endif
