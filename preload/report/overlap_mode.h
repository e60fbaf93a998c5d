/*
 * The treatments of overlaps by name.
 */
#ifndef REPORT_OVERLAP_MODE_H
#define REPORT_OVERLAP_MODE_H

enum overlap_mode {
    OVERLAP_FAULT = 0, /* nothing: it is an error */
#define OVERLAP_MODE(enumerator, name, treat, done) OVERLAP_##enumerator,
#include "report/overlap_mode.def"
#undef OVERLAP_MODE
    N_OVERLAP_MODES
};

/** The mode of a name; 0 when there is none. */
int overlap_mode_find(const char *name, enum overlap_mode *ret_mode);

#endif
