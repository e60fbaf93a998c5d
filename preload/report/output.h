/*
 * Where a command's output goes: standard output, or a file that appears whole
 * or not at all.
 */
#ifndef REPORT_OUTPUT_H
#define REPORT_OUTPUT_H

#include <stdio.h>

#include "base/cleanup.h"
#include "report/grid.h"

struct output {
    FILE *stream;
    char *path;           /* NULL: standard output, or a stream of the caller's */
    char *temporary_path; /* beside path, until output_finish() */
    int compresses;       /* with gzip */
    int replaces_nothing; /* what stands at path by then stays, and it is a failure */
};

/**
 * Open @path for writing; NULL and "-" are standard output. A device or pipe is
 * written to directly, of a link the target is replaced. What is called .gz is
 * compressed; USAGE when that cannot be.
 */
SW_NODISCARD enum report_outcome output_open(const char *path, struct output *ret_output);
/** The same as it is; a new file is its owner's alone. */
SW_NODISCARD enum report_outcome output_open_private(const char *path, struct output *ret_output);
/** The same, and the file must be new when it gets its name, too. */
SW_NODISCARD enum report_outcome output_open_new(const char *path, struct output *ret_output);
/** Write out everything and give the file its name. A broken pipe is no failure. */
SW_NODISCARD enum report_outcome output_finish(struct output *output);
/** Drop what was not finished. */
void output_clear(struct output *output);

#define REPORT_OWNED_OUTPUT SW__CLEANUP(output_clear)

/**
 * How to write to an output: as wide as its terminal (or COLUMNS; unlimited
 * when it is none), in colour when it is a terminal and neither NO_COLOR nor
 * TERM=dumb is set.
 */
struct screen output_screen(const struct output *output, enum display_unit unit);

#endif
