/*
 * Reports that lie where the shim puts them.
 */
#ifndef REPORT_FIND_H
#define REPORT_FIND_H

#include <stddef.h>

#include "base/cleanup.h"
#include "report/outcome.h"

#define REPORT_DIRECTORY "/dev/shm"

struct found_report {
    char *path;
    int64_t changed_ns; /* CLOCK_REALTIME of the last change of the file's size or of its creation */
    uint64_t disk_bytes; /* really occupied: reports have holes */
};

struct found_reports {
    struct found_report *reports; /* newest first */
    size_t n_reports;
};

/** Files of this user in @directory that have the name of a report, or begin like one. Links are not followed. */
SW_NODISCARD enum report_outcome find_reports(const char *directory, struct found_reports *ret_reports);
void found_reports_clear(struct found_reports *reports);

#endif
