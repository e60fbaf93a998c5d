/*
 * An owner's access scope as an owning local: it also ends when an exception or
 * a cancellation passes.
 */
#ifndef HIERARCHY_ACCESS_H
#define HIERARCHY_ACCESS_H

#include <strideweave/hierarchy.h>

#include "base/cleanup.h"

struct sw__access {
    struct sw_carrier *carrier; /* NULL: not begun */
    uint64_t token;
};

SW_NODISCARD static inline enum sw_status sw__access_begin(struct sw__access *access, struct sw_carrier *carrier,
                                                           uint64_t token)
{
    SW__TRY(sw_carrier_begin_owner_access(carrier, token));
    access->carrier = carrier;
    access->token = token;
    return SW_OK;
}

static inline void sw__access_end(struct sw__access *access)
{
    if (access->carrier == NULL)
        return;
    /* Begun by this thread with this token, so it does not fail. */
    enum sw_status status = sw_carrier_end_owner_access(access->carrier, access->token);
    (void)status;
}

/** A local that is begun later, or not at all. */
#define SW__OWNED_ACCESS SW__CLEANUP(sw__access_end)
#define SW__NO_ACCESS { NULL, 0 }

#endif
