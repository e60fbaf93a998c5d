/*
 * JSON texts.
 */
#ifndef REPORT_JSON_TEXT_H
#define REPORT_JSON_TEXT_H

#include "analyze/json_text.h"

/** A text in quotes; control characters are escaped, everything else stays as it is. */
SW_NODISCARD static inline enum sw_status json_put_string(struct sw__builder *text, const char *from)
{
    return sw__json_put_text(text, from);
}

#endif
