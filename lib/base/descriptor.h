/*
 * A file descriptor that is closed at the end of a scope.
 */
#ifndef BASE_DESCRIPTOR_H
#define BASE_DESCRIPTOR_H

#include <unistd.h>

#include "base/cleanup.h"

static inline void sw__cleanup_descriptor(int *descriptor)
{
    if (*descriptor >= 0)
        close(*descriptor);
}

/** An owning local; negative: none. */
#define SW__OWNED_DESCRIPTOR SW__CLEANUP(sw__cleanup_descriptor)

#endif
