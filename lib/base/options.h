/*
 * What every option structure is checked for.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <strideweave/status.h>

/** TypeError unless @value, an option called @name, is 0 or 1. */
static inline enum sw_status sw__check_boolean(const char *name, int value)
{
    if (value != 0 && value != 1)
        return sw_error_set(SW_TYPE_ERROR, "%s must be 0 or 1, got %d", name, value);
    return SW_OK;
}

/** TypeError unless an option structure has at least @expected bytes. */
static inline enum sw_status sw__check_bytes(const char *name, uint32_t struct_bytes, size_t expected)
{
    if (struct_bytes < expected)
        return sw_error_set(SW_TYPE_ERROR, "%s of %u bytes, expected at least %zu: start from the initialiser", name,
                            struct_bytes, expected);
    return SW_OK;
}

#endif
