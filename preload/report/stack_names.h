/*
 * The call stacks of a report as texts: what their frames are called. Looked up
 * when a view asks for them, each frame once.
 */
#ifndef REPORT_STACK_NAMES_H
#define REPORT_STACK_NAMES_H

#include "analyze/builder.h"
#include "report/report.h"
#include "report/symbols.h"

struct stack_names;

/**
 * report_name_stacks - fill report->names.stacks, one per stack of the report.
 *
 * @wanted  where names come from; the time of the recording is the report's.
 *
 * Once per report; later calls change nothing.
 */
SW_NODISCARD enum report_outcome report_name_stacks(struct report *report, const struct symbols_wanted *wanted);

/** What is to be said of modules whose names are missing, a line each; "" for nothing. */
const char *stack_names_notes(const struct report *report);

/** Append the innermost @most entries of a stack, one behind the other with ";" between them. */
SW_NODISCARD enum sw_status stack_names_put(struct sw__builder *text, const struct report *report, uint32_t stack,
                                            size_t most);

void stack_names_free(struct stack_names *names);

#endif
