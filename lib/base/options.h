/*
 * Reading option structures: each begins with its size as the caller's compiler
 * saw it. One that may be left out (NULL) is read over its defaults, and what a
 * shorter (older) one does not have keeps them. One that must be there is read
 * where it is and has to be whole.
 */
#ifndef BASE_OPTIONS_H
#define BASE_OPTIONS_H

#include <string.h>

#include <strideweave/status.h>

/**
 * Overwrite the defaults in @known (@known_bytes large) by what @options says.
 * NULL says nothing; a size that does not even hold itself is a TypeError.
 */
SW_NODISCARD static inline enum sw_status sw__options_read(const void *options, void *known, size_t known_bytes)
{
    uint32_t struct_bytes;

    if (options == NULL)
        return SW_OK;
    memcpy(&struct_bytes, options, sizeof struct_bytes);
    if (struct_bytes < sizeof struct_bytes)
        return sw_error_set(SW_TYPE_ERROR, "options of %u bytes: initialise them with their _INIT macro",
                            (unsigned)struct_bytes);
    memcpy(known, options, struct_bytes < known_bytes ? struct_bytes : known_bytes);
    return SW_OK;
}

/** TypeError unless a structure that is read where it is has at least @expected bytes. */
SW_NODISCARD static inline enum sw_status sw__check_bytes(const char *name, uint32_t struct_bytes, size_t expected)
{
    if (struct_bytes < expected)
        return sw_error_set(SW_TYPE_ERROR, "%s of %u bytes, expected at least %zu: start from the initialiser", name,
                            struct_bytes, expected);
    return SW_OK;
}

/** TypeError unless @value, an option called @name, is 0 or 1. */
SW_NODISCARD static inline enum sw_status sw__check_boolean(const char *name, int value)
{
    if (value != 0 && value != 1)
        return sw_error_set(SW_TYPE_ERROR, "%s must be 0 or 1, got %d", name, value);
    return SW_OK;
}

#endif
