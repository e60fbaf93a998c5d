/*
 * Names of C++ functions as they stand in the source.
 */
#ifndef REPORT_DEMANGLE_H
#define REPORT_DEMANGLE_H

#include "analyze/builder.h"

/** Append a function's name; one of C++ as it is written, where the C++ library is there to tell. */
SW_NODISCARD enum sw_status demangle(struct sw__builder *text, const char *name);

#endif
