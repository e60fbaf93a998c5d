/*
 * Reports with sums and with rings, as the writer leaves them or when it is
 * killed between two of its stores: sums_samples.def lists those that are read,
 * bad_samples.def those that are refused.
 */
#ifndef TESTS_REPORT_SUMS_SAMPLES_H
#define TESTS_REPORT_SUMS_SAMPLES_H

#include "make_report.h"

#define SUMS_SAMPLE(outcome, name, function) struct made_report function(void);
#include "sums_samples.def"
#undef SUMS_SAMPLE

/** A record of sums that the writer was adding an operation to: its stores up to and with number @n_stores. */
enum { SUMS_STORES = 16 };
size_t make_half_added(struct made_report *report, uint32_t number, uint32_t dispatch, unsigned n_stores);
/** A chunk's mark: what follows is of another thread. */
void make_owner(struct made_report *report, size_t chunk, uint64_t number);
/** An event of a ring that had children, which lasted so long together. */
void make_parent(struct made_report *report, size_t chunk, uint64_t start, uint64_t duration, uint64_t children,
                 uint32_t dispatch, uint16_t depth);
/** A ring of three threads in two rounds and a Profiler; its chunk, in which two of them followed one another. */
struct made_report make_ring(size_t *ret_chunk);

#endif
