/*
 * A sandbox that a program puts itself into after its start: from then on
 * nothing new can be had from the kernel.
 */
#ifndef TESTS_SHIM_FAKE_REFUSAL_H
#define TESTS_SHIM_FAKE_REFUSAL_H

#include <signal.h>

/** All but writing, ending and the C library's needs fails with EPERM. 0 when there are no filters. */
int refuse_calls(void);

/** The same calls raise SIGSYS, whose handler has them fail. */
int trap_calls(void);

/** The owner's quota is used up: room for pages of a file is refused with EDQUOT. 0 when there are no filters. */
int refuse_room(void);

/** How often that was madvise(2), which makes room present. */
extern volatile sig_atomic_t n_trapped_advices;

#endif
