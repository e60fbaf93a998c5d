/*
 * Opening reports made by hand. For programs that define _GNU_SOURCE
 * (memfd_create).
 */
#ifndef TESTS_REPORT_OPEN_MADE_H
#define TESTS_REPORT_OPEN_MADE_H

#include <check.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "report/report.h"

#include "make_report.h"

/** Gives the bytes back, whatever becomes of it. */
static inline enum report_outcome try_open(struct made_report *made, struct report **ret_report)
{
    int descriptor = memfd_create("report", MFD_CLOEXEC);
    char path[64];

    snprintf(path, sizeof path, "/proc/self/fd/%d", descriptor);
    ck_assert_int_eq(write(descriptor, made->bytes, made->n_bytes), (ssize_t)made->n_bytes);
    enum report_outcome outcome = report_open(path, ret_report);
    close(descriptor);
    made_free(made);
    return outcome;
}

/** The same of a good one. */
static inline struct report *opened(struct made_report *made)
{
    struct report *report = NULL;

    ck_assert_msg(try_open(made, &report) == REPORT_OK, "%s", sw_error_message());
    return report;
}

#endif
