/*
 * What is done about slices of one thread that overlap without nesting, which
 * viewers draw wrongly without a word.
 */
#ifndef REPORT_OVERLAP_H
#define REPORT_OVERLAP_H

#ifdef HAVE_JANSSON

#include "report/trace.h"

/** Lanes of its own that a thread's overlapping slices may move to. */
#define OVERLAP_MOST_LANES 5
/** A slice that would have to begin later by more stays where it is. */
#define OVERLAP_MOST_SHIFT_NS 1000000

/**
 * overlap_treat - treat the partial overlaps of a trace's slices (of phase X, of the host) in its document.
 *
 * What was treated is found as a note; what could not be stays as it is. The list of events in @trace is no longer
 * that of the document afterwards.
 */
SW_NODISCARD enum report_outcome overlap_treat(struct check *check, struct trace *trace, enum overlap_mode mode);

#endif

#endif
