/*
 * Names of C++ functions as they stand in the source.
 */
#ifndef ANALYZE_DEMANGLE_H
#define ANALYZE_DEMANGLE_H

#include "analyze/builder.h"

/** Append a function's name; one of C++ as it is written, where the C++ library is there to tell. Threads: any. */
SW_NODISCARD enum sw_status sw__demangle(struct sw__builder *text, const char *name);

#endif
