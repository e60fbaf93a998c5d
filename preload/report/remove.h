/*
 * Removing a report, and nothing else: what is looked at is what is removed.
 */
#ifndef REPORT_REMOVE_H
#define REPORT_REMOVE_H

#include "report/report.h"

/** The process whose report is meant. */
struct report_writer {
    int32_t pid;
    uint64_t start_time;
};

/**
 * report_remove - unlink the report at @path; it is never cut, so that whoever
 * still reads or writes it is not disturbed.
 *
 * @writer  Only a report of this process; NULL: whosever.
 *
 * Stays, each with a sentence: a link, what is no report (NOT_A_REPORT), the
 * report of a running program or of another writer (USAGE), what was put in its
 * place meanwhile (SYSTEM).
 */
SW_NODISCARD enum report_outcome report_remove(const char *path, const struct report_writer *writer);

#endif
