/*
 * Reading option structures: each begins with its size as the caller's compiler
 * saw it; what a shorter (older) one does not have keeps its default.
 */
#ifndef CARRIER_OPTIONS_H
#define CARRIER_OPTIONS_H

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

/** TypeError unless @value is 0 or 1; @what names it in the text. */
SW_NODISCARD static inline enum sw_status sw__check_boolean(int64_t value, const char *what)
{
    if (value != 0 && value != 1)
        return sw_error_set(SW_TYPE_ERROR, "%s is 0 or 1, not %lld", what, (long long)value);
    return SW_OK;
}

#endif
