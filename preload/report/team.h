/*
 * Work in parts that know nothing of each other, side by side on as many
 * processors as there are.
 */
#ifndef REPORT_TEAM_H
#define REPORT_TEAM_H

#include <stddef.h>

#include "report/outcome.h"

/** Part @part of the work. May run on another thread than the caller's; writes only what is its own. */
typedef enum report_outcome team_work(void *context, size_t part);

/** Processors that this process may use, @most at most; at least 1. */
size_t team_size(size_t most);

/**
 * team_run - work on all @n_parts.
 *
 * The first is the calling thread's, and so are those for which no thread can be
 * created; the others have one each, on which no signal is handled. All is over
 * when it returns. The outcome is that of the first part, by number, that did not
 * end well, with its sentence: the same on any number of processors. Parts behind
 * it may have been left out.
 */
SW_NODISCARD enum report_outcome team_run(size_t n_parts, team_work *work, void *context);

#endif
