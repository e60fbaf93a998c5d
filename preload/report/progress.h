/*
 * How far long work is, on a terminal: a line on the standard error that is
 * drawn anew and taken away in the end. Nothing when no terminal is there, or
 * when it shows the output itself, or when the work is short.
 */
#ifndef REPORT_PROGRESS_H
#define REPORT_PROGRESS_H

#include <stdint.h>
#include <stdio.h>

struct progress {
    int is_on;
    int is_drawn;
    uint64_t n_steps;
    uint64_t n_done;
    int64_t next_ns; /* when it is drawn again */
};

/** Before @n_steps steps whose outcome goes to @output. */
void progress_begin(struct progress *progress, FILE *output, uint64_t n_steps);
void progress_step(struct progress *progress);
void progress_end(struct progress *progress);

#endif
