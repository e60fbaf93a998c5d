/*
 * The next tools in line: definitions of the hooks in objects behind this one.
 */
#ifndef SHIM_NEXT_H
#define SHIM_NEXT_H

#include <stddef.h>

/** One that is looked for: where a pointer to it goes, or NULL. */
struct next_function {
    const char *name;
    void *pointer;
};

#define NEXT_MOST 16

/**
 * next_find - definitions of functions behind this library.
 *
 * @functions  @n of them, NEXT_MOST at most.
 *
 * At load time only: dlsym() may allocate.
 */
void next_find(const struct next_function *functions, size_t n);

#endif
