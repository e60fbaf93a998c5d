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

/**
 * Take what recording has added out of an event: of itself, and of all that is
 * inside of it. Times stay at 0 that would be less.
 *
 * Returns how many of the two, duration and self time, were less.
 */
unsigned overhead_compensate(const struct overhead *overhead, struct sw__analyze_event *event);

/** The part of a row's self time that it makes up, in per cent; no more than all of it. */
double overhead_percent(const struct overhead *overhead, const struct sw__aggregate *row);

#endif
