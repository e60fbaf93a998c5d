/*
 * How much of a thing a test does: little in `make check`, more in scripts/soak,
 * which sets the variables.
 */
#ifndef TESTS_SHIM_SCALE_H
#define TESTS_SHIM_SCALE_H

#include <stdlib.h>

/** The number that an environment variable holds, or @usual. */
static inline unsigned long scale(const char *variable, unsigned long usual)
{
    const char *text = getenv(variable);

    return text != NULL && *text != '\0' ? strtoul(text, NULL, 10) : usual;
}

#endif
