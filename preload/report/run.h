/*
 * swprof-run: start a program under the shim, and tell what came of it.
 *
 *   options -> launch (preload, status memory, fork, wait) -> account (table, or why there is none)
 */
#ifndef REPORT_RUN_H
#define REPORT_RUN_H

#include <sys/types.h>

#include <swprof/launch.h>

#include "analyze/analyze.h"
#include "report/elf.h"
#include "report/outcome.h"

/* Exit statuses of swprof-run itself, as env(1) and timeout(1) have them. */
#define RUN_FAILED 125
#define RUN_NOT_EXECUTABLE 126
#define RUN_NOT_FOUND 127

struct run_options {
    const char *table; /* file for the table; NULL: standard error */
    enum sw__grouping grouping;
    int has_percentiles;
    int64_t row_limit; /* SW_NO_LIMIT, or >= 0 */
    int is_quiet;
    int removes;       /* the reports are removed at the end */
    int wants_help;
    int wants_version;
    char **command;    /* NULL-terminated */
};

/** Reads the options and sets the variables that they stand for in this process's environment. */
SW_NODISCARD enum report_outcome run_options_parse(int n_arguments, char **arguments,
                                                   struct run_options *ret_options);
void run_options_print(void);

/** The file of a command, looked up in PATH as execvp() does; NULL when there is none. sw_free(). */
char *run_find_program(const char *command);

/** Put the shim (and before it a sanitizer's runtime) in front of LD_PRELOAD of this process's environment. */
SW_NODISCARD enum report_outcome run_set_preload(const char *shim, const struct elf_facts *program);

/** The shared memory through which the shim answers: its descriptor is in the environment. */
struct run_status {
    int descriptor;
    struct swprof_launch *launch; /* read with the atomics of run_status_read() */
};
SW_NODISCARD enum report_outcome run_status_open(struct run_status *ret_status);
/** A copy of what the shim has said so far. */
void run_status_read(const struct run_status *status, struct swprof_launch *ret_launch);
void run_status_close(struct run_status *status);

/** How the program went. */
struct run_result {
    pid_t pid;
    int wait_status;  /* of waitpid() */
    int exec_error;   /* errno when it could not be started */
};
/** Run the program to its end; signals that this process gets are passed on. */
SW_NODISCARD enum report_outcome run_program(const char *path, char **command, struct run_result *ret_result);

/** Print the table, or why there is none, and keep or remove the reports. */
SW_NODISCARD enum report_outcome run_account(const struct run_options *options, const char *path,
                                             const struct run_result *result, const struct swprof_launch *launch);
/** Why no process recorded anything: one or two lines on the standard error. */
void run_explain(const char *path, const struct run_result *result, const struct swprof_launch *launch);

#endif
