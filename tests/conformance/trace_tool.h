/*
 * The driver as a tool of its own: it defines the hooks of the computation
 * boundary and keeps what they were called with.
 */
#ifndef TESTS_CONFORMANCE_TRACE_TOOL_H
#define TESTS_CONFORMANCE_TRACE_TOOL_H

#include <jansson.h>

void trace_begin(void);
/** The boundaries since trace_begin() in start order, in the form of a case's "events". A new reference. */
json_t *trace_end(void);

#endif
