/*
 * A text that grows. A failed append leaves it as it was.
 */
#ifndef ANALYZE_BUILDER_H
#define ANALYZE_BUILDER_H

#include <strideweave/status.h>

#include "base/cleanup.h"

struct sw__builder {
    char *bytes; /* NUL-terminated; NULL while empty */
    size_t n_bytes;
    size_t capacity;
};

SW_NODISCARD enum sw_status sw__builder_append(struct sw__builder *text, const char *bytes, size_t n_bytes);
/** The character @c, @n times. */
SW_NODISCARD enum sw_status sw__builder_repeat(struct sw__builder *text, char c, size_t n);
SW_NODISCARD enum sw_status sw__builder_string(struct sw__builder *text, const char *string);
SW_NODISCARD enum sw_status sw__builder_integer(struct sw__builder *text, int64_t value);
/** 1 to 9 decimals, with a point in every locale. */
SW_NODISCARD enum sw_status sw__builder_decimals(struct sw__builder *text, double value, unsigned n_decimals);
/** One decimal. */
SW_NODISCARD enum sw_status sw__builder_decimal(struct sw__builder *text, double value);
/** Hand the bytes over (an empty text gives ""); the text is empty afterwards. sw_free(). */
SW_NODISCARD enum sw_status sw__builder_take(struct sw__builder *text, char **ret_bytes);
void sw__builder_clear(struct sw__builder *text);

#define SW__OWNED_BUILDER SW__CLEANUP(sw__builder_clear)

/** Characters of a UTF-8 text: what Python calls its length. */
size_t sw__characters(const char *text);

#endif
