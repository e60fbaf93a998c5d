/*
 * Interned strings: dispatch names and class names. Equal texts have one
 * address, which stays valid until the process ends.
 */
#ifndef BASE_INTERN_H
#define BASE_INTERN_H

#include <strideweave/status.h>

/** The interned copy of @text; NULL and MemoryError recorded when there is no memory. Threads: any. */
const char *sw__intern(const char *text);

#endif
