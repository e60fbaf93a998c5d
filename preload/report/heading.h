/*
 * What a viewer must know of a run: as lines for people and as facts for
 * exports.
 */
#ifndef REPORT_HEADING_H
#define REPORT_HEADING_H

#include "report/collect.h"
#include "report/grid.h"

#define HEADING_MAX_FACTS 32

struct heading {
    struct sw__builder lines;
    struct fact facts[HEADING_MAX_FACTS];
    size_t n_facts;
    struct fact totals[8];
    size_t n_totals;
};

/** The heading of a view of a report. The facts borrow from @report. */
SW_NODISCARD enum report_outcome heading_build(const struct report *report, const struct report_filter *filter,
                                               const struct report_totals *totals, enum display_unit unit,
                                               struct heading *ret_heading);
void heading_clear(struct heading *heading);
/** Time of the selected threads outside any operation; 0 when it is not known (*ret_is_known). */
int64_t heading_outside_ns(const struct report_filter *filter, const struct report_totals *totals, int *ret_is_known);

#endif
