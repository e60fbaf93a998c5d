/*
 * Running a program of this folder with and without the shim, in a directory of its own.
 */
#ifndef TESTS_SHIM_RUN_H
#define TESTS_SHIM_RUN_H

#include <stddef.h>
#include <sys/types.h>

#include "shim/report_probe.h"

struct run {
    char directory[64];  /* reports go here; removed by run_end() */
    const char *program; /* "fake_caller" unless changed */
    const char *wrapper; /* that starts the program instead, or NULL */
    int apart;           /* stderr goes to errors, and the program starts in the directory */
    char output[4096];   /* what the program wrote to stdout and stderr */
    char errors[4096];
    int status;          /* as wait() gives it */
    pid_t pid;
};

/** A fresh directory. */
void run_begin(struct run *run);

/**
 * run_program - run the program and wait for it.
 *
 * @settings  "NAME=value" strings separated by blanks, or NULL. SWPROF_OUTPUT is
 *            the directory unless they say otherwise; "PLAIN=1" preloads nothing.
 * @arguments Of the program, separated by blanks.
 */
void run_program(struct run *run, const char *settings, const char *arguments);

/** The same without waiting; returns when the program has written a line. */
void run_start(struct run *run, const char *settings, const char *arguments);
/** The same without waiting for anything; what the program writes is lost. */
void run_spawn(struct run *run, const char *settings, const char *arguments);
/** Send a signal and wait. */
void run_kill(struct run *run, int signal);

/** How many files are in the directory. */
int run_count_files(const struct run *run);

/** Open the n-th file of the directory in the order of names; 0 when it is no report. */
int run_try_report(const struct run *run, int n, struct probe *probe);

/** Open the n-th report of the directory in the order of names; fails the test when there is none. */
void run_report(const struct run *run, int n, struct probe *probe);

/** A run of a program that ends with 0, from run_begin() to the report that it leaves. */
void run_record(struct run *run, const char *program, const char *settings, const char *arguments,
                struct probe *probe);

/** The same, and the notes of the report; how many they are. Fails the test when there are more than @room. */
size_t run_record_notes(struct run *run, const char *program, const char *settings, const char *arguments,
                        struct probe *probe, struct probe_note *notes, size_t room);

/** The end of both. */
void run_close(struct run *run, struct probe *probe);

/** The totals of the report that run_record() opens for "fake_caller". */
void run_totals(const char *settings, const char *arguments, struct probe_totals *totals);

void run_end(struct run *run);

#endif
