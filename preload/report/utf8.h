/*
 * Texts of unknown origin: what is not valid UTF-8 is replaced, so that every
 * text behind the reader's door is.
 */
#ifndef REPORT_UTF8_H
#define REPORT_UTF8_H

#include <strideweave/status.h>

/** Whether @n_bytes are UTF-8 without a NUL. */
int utf8_valid(const char *bytes, size_t n_bytes);
/** A copy with every byte that is not part of a sequence (and every NUL) replaced by U+FFFD. sw_free(). */
SW_NODISCARD enum sw_status utf8_clean(const char *bytes, size_t n_bytes, char **ret_text);
/** Columns that a terminal gives a code point: 0 for marks that combine, 2 for wide scripts, else 1. */
unsigned utf8_columns(uint32_t code);
/** Columns of a valid text. */
size_t utf8_width(const char *text);

#endif
