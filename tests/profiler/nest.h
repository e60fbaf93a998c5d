/*
 * Operations that nest as a script says, for tests of self times: on one of two
 * plug-in carrier classes, spending time of an injected clock.
 */
#ifndef TESTS_PROFILER_NEST_H
#define TESTS_PROFILER_NEST_H

#include <strideweave/strideweave.h>

/**
 * Execute a script: "A5" is an operation on class A that spends 5 ns;
 * "A(3B4A(1)2)" one that spends 3, executes B4, executes A(1), spends 2.
 */
enum sw_status nest_run(const char *script);

/** The classes "A" and "B". */
extern struct sw_carrier_class nest_classes[2];

/** The injected clock. */
extern uint64_t nest_now_ns;

#endif
