/*
 * How the report tells storage apart, of which each copy of the library has
 * numbers of its own.
 */
#ifndef SHIM_STORAGE_H
#define SHIM_STORAGE_H

#include <strideweave/hooks.h>

/** @number of @library, as the report has it. */
uint64_t storage_key(const struct sw_hook_library *library, uint64_t number);

#endif
