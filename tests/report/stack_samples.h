/*
 * Reports of format 1.3 with call stacks.
 */
#ifndef TESTS_REPORT_STACK_SAMPLES_H
#define TESTS_REPORT_STACK_SAMPLES_H

#include "make_report.h"

/** The good report's thread and round with two operations that have the stacks (1:0x20, 0:0x10) and (0:0x10). */
struct made_report good_stacks(void);

/** Blocks of modules and of stacks, which come last in it, and of its events. */
struct made_stacks {
    size_t modules;
    size_t stacks;
    size_t chunk;
};
struct made_report make_stacks(struct made_stacks *ret_places);

#endif
