/*
 * What libswprof.so alone exports. libstrideweave looks it up by name, to tell
 * "not loaded" from "loaded, and not reached". Internal to the two; not
 * installed as an interface.
 */
#ifndef SWPROF_SHIM_H
#define SWPROF_SHIM_H

#include <stdint.h>

#include <strideweave/export.h>

SW_BEGIN_DECLS

/** SW_HOOKS_ABI that the shim was built with. */
SW_API extern const uint32_t swprof_shim_abi;
#define SWPROF_SHIM_ABI_SYMBOL "swprof_shim_abi"

SW_END_DECLS

#endif
