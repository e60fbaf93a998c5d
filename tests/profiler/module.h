/*
 * What a closable plug-in of the tests offers.
 */
#ifndef TESTS_PROFILER_MODULE_H
#define TESTS_PROFILER_MODULE_H

#include <strideweave/strideweave.h>

/** Execute the plug-in's operation "keep" once. */
SW_API enum sw_status module_run(void);

#endif
