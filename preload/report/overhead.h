/*
 * What recording itself has added to the times in a report: an estimate, from
 * what the recorder measured of itself on the same machine.
 */
#ifndef REPORT_OVERHEAD_H
#define REPORT_OVERHEAD_H

#include "report/report.h"

struct overhead {
    int is_known;
    /* Per operation: */
    double inside_ns;  /* in its own duration */
    double outside_ns; /* besides, in the self time of what is around it */
};

struct overhead overhead_of(const struct report *report);

/** The part of a row's self time that it makes up, in per cent; no more than all of it. */
double overhead_percent(const struct overhead *overhead, const struct sw__aggregate *row);

#endif
