/*
 * Several programs in one executable, chosen by the first argument.
 */
#ifndef TESTS_SHIM_PROGRAMS_H
#define TESTS_SHIM_PROGRAMS_H

#include <stddef.h>
#include <string.h>

struct program {
    const char *name;
    int (*run)(void);
};

/** Exit status where none has that name. */
#define NO_SUCH_PROGRAM 99

/** Run the one of that name; NULL is none's. */
static inline int run_named(const struct program *programs, size_t n, const char *name)
{
    for (size_t i = 0; name != NULL && i < n; i++)
        if (strcmp(programs[i].name, name) == 0)
            return programs[i].run();
    return NO_SUCH_PROGRAM;
}

#define RUN_NAMED(programs, name) run_named(programs, sizeof(programs) / sizeof *(programs), name)

#endif
