/*
 * JSON texts.
 */
#ifndef REPORT_JSON_TEXT_H
#define REPORT_JSON_TEXT_H

#include "analyze/builder.h"

/** A valid UTF-8 text in quotes; control characters are escaped, everything else stays as it is. */
SW_NODISCARD enum sw_status json_put_string(struct sw__builder *text, const char *from);

#endif
