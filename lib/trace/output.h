/*
 * A file of whole lines: what was appended is written a block at a time, and a
 * line that did not fit is taken back.
 */
#ifndef TRACE_OUTPUT_H
#define TRACE_OUTPUT_H

#include <sys/types.h>

#include "analyze/builder.h"

struct sw__trace_output {
    int descriptor;           /* -1: none */
    pid_t owner;              /* the process that opened it: nobody else writes */
    char *path;
    struct sw__builder lines; /* not in the file yet */
    uint64_t n_lines;         /* of those */
    uint64_t n_bytes;         /* in the file */
    uint64_t n_lost;          /* lines that could not be written */
    int error;                /* errno of the first failure; 0: none */
};
#define SW__TRACE_OUTPUT_INIT { .descriptor = -1 }

/** Make the folders above @path and open it, emptied. Descriptor and memory belong to @ret_output. */
SW_NODISCARD enum sw_status sw__trace_output_open(const char *path, struct sw__trace_output *ret_output);
/** OSError when a line can no longer be written, which is counted. */
SW_NODISCARD enum sw_status sw__trace_output_check(struct sw__trace_output *output);
/** A line was appended to @output->lines: write them when there are many. */
SW_NODISCARD enum sw_status sw__trace_output_line(struct sw__trace_output *output);
/** Write all. */
SW_NODISCARD enum sw_status sw__trace_output_flush(struct sw__trace_output *output);
/** Write what can be written, without a word: the thread's error text stays. */
void sw__trace_output_drain(struct sw__trace_output *output);
/** Close it, and say what closing says. */
SW_NODISCARD enum sw_status sw__trace_output_close(struct sw__trace_output *output);
/** Drop what was not written. */
void sw__trace_output_clear(struct sw__trace_output *output);

#endif
