/*
 * What the environment sets for the library: one table, one reader.
 */
#ifndef BASE_SETTINGS_H
#define BASE_SETTINGS_H

#include <stdint.h>

enum sw__setting {
#define SW__SETTING(name, variable, least, most, otherwise) SW__SETTING_##name,
#include "base/settings.def"
#undef SW__SETTING
    SW__N_SETTINGS
};

/** Its value; the same throughout the life of the process. Threads: any. */
int64_t sw__setting(enum sw__setting setting);

/** What others have set: HOME, and what test runners tell their workers. NULL when unset, and in set-uid programs. */
const char *sw__environment(const char *variable);

#endif
