/*
 * What a viewer must know of a run: as lines for people and as facts for
 * exports.
 */
#ifndef REPORT_HEADING_H
#define REPORT_HEADING_H

#include "report/collect.h"
#include "report/grid.h"

#define HEADING_MAX_FACTS 48
#define HEADING_SESSION_FACTS 5

struct heading {
    struct sw__builder lines;
    char reasons[(SWPROF_LOST_REASONS + 1) * 40]; /* a fact's text: the heading stays where it was built */
    struct fact facts[HEADING_MAX_FACTS];
    size_t n_facts;
    struct fact totals[8];
    size_t n_totals;
};

/** The heading of a view of a report. The facts borrow from @report. */
SW_NODISCARD enum report_outcome heading_build(const struct report *report, const struct report_filter *filter,
                                               const struct report_totals *totals, enum display_unit unit,
                                               struct heading *ret_heading);
/** Sessions of a kind (enum swprof_session_kind). */
size_t heading_count_sessions(const struct report *report, uint32_t kind);
/** The lines that list the sessions, and the one that names the selected session; nothing when there is none. */
SW_NODISCARD enum sw_status heading_put_sessions(struct sw__builder *text, const struct report *report,
                                                 enum display_unit unit);
SW_NODISCARD enum sw_status heading_put_session(struct sw__builder *text, const struct report *report,
                                                const struct report_filter *filter,
                                                const struct report_totals *totals);
/** Facts of the selected session; how many: none when @session is NULL. They borrow from @report. */
size_t heading_session_facts(const struct report *report, const struct report_session *session,
                             struct fact ret_facts[HEADING_SESSION_FACTS]);
/** Between two stamps of a report's clock. */
int64_t heading_ns_between(const struct report *report, uint64_t from_ticks, uint64_t to_ticks);
/** The lines that say what is missing or contradicts itself; nothing when nothing does. */
SW_NODISCARD enum sw_status heading_put_losses(struct sw__builder *text, const struct report *report,
                                               const struct report_totals *totals, enum display_unit unit);
/** Add a line below the others. */
SW_NODISCARD enum sw_status heading_add_line(struct heading *heading, const char *line);
void heading_clear(struct heading *heading);
/** Time of the selected threads outside any operation; 0 when it is not known (*ret_is_known). */
int64_t heading_outside_ns(const struct report_filter *filter, const struct report_totals *totals, int *ret_is_known);

#endif
