/*
 * What the programs of behaviour.def share.
 */
#ifndef TESTS_SHIM_BEHAVIOUR_H
#define TESTS_SHIM_BEHAVIOUR_H

#include "shim/fake_library.h"

/** A few operations, one of them with others inside. */
void operate(void);

/** operate() as a body of an operation. */
int operates(void *argument);

/** How many entries a directory has, without "." and ".."; its own descriptor does not count. */
int count_entries(const char *path);

#define BEHAVIOUR(name, reports) int behave_##name(void);
#include "shim/behaviour.def"
#undef BEHAVIOUR

#endif
