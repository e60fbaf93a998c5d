/*
 * The table of a report that grows, brought up to date by what is new in it.
 */
#ifndef REPORT_TALLY_H
#define REPORT_TALLY_H

#include "report/collect.h"

struct report_tally;

/** @wants: flags of enum sw__want. */
SW_NODISCARD enum report_outcome tally_new(enum sw__grouping grouping, unsigned wants,
                                           struct report_tally **ret_tally);
/**
 * tally_update - aggregates and totals of a report as it was last read.
 *
 * The same as report_aggregate_wanted() gives, at the cost of the events that were not
 * there at the last call and of those that operations still open enclose. All
 * calls are about the same report, refreshed in between, and the same
 * selection. Where the report has lost what was counted (its oldest events were
 * overwritten) all is counted anew.
 */
SW_NODISCARD enum report_outcome tally_update(struct report_tally *tally, const struct report *report,
                                              const struct report_filter *filter,
                                              struct sw__aggregates **ret_aggregates,
                                              struct report_totals *ret_totals);
void tally_free(struct report_tally *tally);

SW__DEFINE_CLEANUP(tally, struct report_tally, tally_free)
#define REPORT_OWNED_TALLY SW__CLEANUP(sw__cleanup_tally)

#endif
