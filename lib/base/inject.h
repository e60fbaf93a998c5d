/*
 * Failure injection for tests (configure --enable-failure-injection).
 */
#ifndef BASE_INJECT_H
#define BASE_INJECT_H

#include <strideweave/export.h>

/** Let @n_allocations succeed from now on and every later one fail; UINT64_MAX: none fails. */
SW_API void sw__inject_failure_after(uint64_t n_allocations);
/** Let @n_allocations succeed from now on, then @n_failures fail, and all later ones succeed again. */
SW_API void sw__inject_failures(uint64_t n_allocations, uint64_t n_failures);
/** Allocations that were made and not given back yet. */
SW_API uint64_t sw__inject_n_live(void);

#endif
