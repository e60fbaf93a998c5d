/*
 * JSON texts and numbers.
 */
#ifndef ANALYZE_JSON_TEXT_H
#define ANALYZE_JSON_TEXT_H

#include "analyze/builder.h"

/**
 * A text in quotes: control characters are escaped, a byte that is part of no UTF-8 sequence becomes U+FFFD,
 * everything else stays as it is.
 */
SW_NODISCARD enum sw_status sw__json_put_text(struct sw__builder *text, const char *from);
/** A number without a sign. */
SW_NODISCARD enum sw_status sw__json_put_count(struct sw__builder *text, uint64_t value);
/** The shortest number that reads back as @value: "2.5e-01"; null for one that is not finite. */
SW_NODISCARD enum sw_status sw__json_put_real(struct sw__builder *text, double value);

#endif
