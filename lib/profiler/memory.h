/*
 * What the default hooks of storage do: count.
 */
#ifndef PROFILER_MEMORY_H
#define PROFILER_MEMORY_H

#include <strideweave/hooks.h>

void sw__memory_storage_alloc(const struct sw_hook_storage *storage);
void sw__memory_storage_free(const struct sw_hook_storage *storage);

#endif
