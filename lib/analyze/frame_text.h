/*
 * How a frame of a call stack is written, in the Profiler and by the reader.
 */
#ifndef ANALYZE_FRAME_TEXT_H
#define ANALYZE_FRAME_TEXT_H

#include "analyze/builder.h"

/** Last entries of stacks that do not end where the thread began. */
#define SW__STACK_CUT_TEXT "(deeper than was recorded)"
#define SW__STACK_LOST_TEXT "(how to go on is not known)"

/** Of the module's file; all borrowed. */
struct sw__frame {
    const char *path;     /* "": not known */
    uint64_t address;     /* in the file */
    const char *function; /* as the compiler calls it; NULL: not known */
    const char *source;   /* file of the line; NULL: not known */
    int line;             /* 0: not known */
};

/** A file's name without its directories. */
const char *sw__file_name(const char *path);

/**
 * Append "encoder.c(31): attend", without a line "libmodel.so: attend", and
 * "libmodel.so+0x1f30" as the last resort. A file may be called anything: what a
 * terminal would act on is made visible.
 */
SW_NODISCARD enum sw_status sw__frame_text(struct sw__builder *text, const struct sw__frame *frame);

#endif
