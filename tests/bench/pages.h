/*
 * Pages of the report: present before they are measured, or surely not.
 */
#ifndef TESTS_BENCH_PAGES_H
#define TESTS_BENCH_PAGES_H

#include <stddef.h>

/** Make all of this process's report present; it is where SWPROF_OUTPUT says. */
void pages_make_present(void);

/** A shared mapping of a new file beside the report, none of it touched; for as long as the process runs. */
void *pages_map_fresh(size_t n_bytes);

#endif
