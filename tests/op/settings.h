/*
 * Numbers for a test from the environment.
 */
#ifndef TESTS_OP_SETTINGS_H
#define TESTS_OP_SETTINGS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static inline int64_t setting(const char *name, int64_t otherwise)
{
    const char *text = getenv(name);

    return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

/** What random samples begin with: SW_SEED, printed so that a failure can be repeated. */
static inline int64_t seed_of_test(void)
{
    const int64_t seed = setting("SW_SEED", 1);

    printf("SW_SEED=%lld\n", (long long)seed);
    fflush(stdout);
    return seed;
}

#endif
