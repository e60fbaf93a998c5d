/*
 * The next tools in line: definitions of the hooks in objects behind this one.
 */
#ifndef SHIM_NEXT_H
#define SHIM_NEXT_H

/**
 * next_find - the definition of a function behind this library.
 *
 * @function  Where a pointer to it goes, or NULL.
 *
 * At load time only: dlsym() may allocate.
 */
void next_find(const char *name, void *function);

#endif
