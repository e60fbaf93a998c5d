/*
 * Two helpers that keep programs of the library short: locals that are given
 * back by themselves, and failing calls that end the function.
 */
#ifndef EXAMPLES_SCOPED_H
#define EXAMPLES_SCOPED_H

#include <strideweave/strideweave.h>

/** A local tensor that is given back at the end of its block, however the block is left. */
#define OWNED __attribute__((cleanup(give_back)))
static inline void give_back(struct sw_tensor **tensor)
{
    sw_tensor_unref(*tensor);
}

/** Return the status of a call that failed. */
#define TRY(call)                           \
    do {                                    \
        enum sw_status try_status = (call); \
        if (try_status != SW_OK)            \
            return try_status;              \
    } while (0)

#endif
