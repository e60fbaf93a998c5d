/*
 * Copying a report: what was published when it was opened, so that the copy of
 * a live report is a whole one.
 */
#ifndef REPORT_COPY_H
#define REPORT_COPY_H

#include <stdio.h>

#include "report/report.h"

enum copy_way {
    COPY_LEAVES_HOLES, /* into a file, by position: what was never written is not written either */
    COPY_IN_ORDER      /* into what cannot be positioned: zeros there */
};

/** Write a copy to @stream, which is called @name in sentences. */
SW_NODISCARD enum report_outcome report_copy(const struct report *report, enum copy_way way, FILE *stream,
                                             const char *name);

#endif
