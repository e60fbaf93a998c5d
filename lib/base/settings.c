/*
 * Reading the environment once.
 */
#define _GNU_SOURCE 1 /* secure_getenv */

#include "config.h"

#include "base/settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

static const struct {
    const char *variable;
    int64_t least;
    int64_t most;
    int64_t otherwise;
} table[SW__N_SETTINGS] = {
#define SW__SETTING(name, variable, least, most, otherwise) { variable, least, most, otherwise },
#include "base/settings.def"
#undef SW__SETTING
};

/* Written once, under values_once; read-only afterwards. */
static int64_t values[SW__N_SETTINGS];
static pthread_once_t values_once = PTHREAD_ONCE_INIT;

static int64_t read_value(size_t setting)
{
    const char *text = secure_getenv(table[setting].variable);
    char *end;

    if (text == NULL || *text == '\0')
        return table[setting].otherwise;
    const int saved_errno = errno;
    errno = 0;
    const long long value = strtoll(text, &end, 10);
    const int is_good = errno == 0 && *end == '\0' && value >= table[setting].least && value <= table[setting].most;
    errno = saved_errno;
    return is_good ? value : table[setting].otherwise;
}

static void read_all(void)
{
    for (size_t i = 0; i < SW__N_SETTINGS; i++)
        values[i] = read_value(i);
}

const char *sw__environment(const char *variable)
{
    return secure_getenv(variable);
}

int64_t sw__setting(enum sw__setting setting)
{
    pthread_once(&values_once, read_all);
    return values[setting];
}
