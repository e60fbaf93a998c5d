/*
 * Decoding of UTF-8 without trust, and names with what a terminal would act on
 * made visible.
 */
#ifndef ANALYZE_VISIBLE_H
#define ANALYZE_VISIBLE_H

#include "analyze/builder.h"

/** Bytes of the valid sequence at @bytes, 1 to 4; 0 when none begins there. @ret_code: its code point. */
size_t sw__utf8_sequence(const unsigned char *bytes, size_t n_bytes, uint32_t *ret_code);

/**
 * Append a text with what a terminal would act on made visible: "\n", "\x1b",
 * "\u202e"; a byte that is part of no sequence becomes U+FFFD.
 */
SW_NODISCARD enum sw_status sw__visible(struct sw__builder *text, const char *name);

#endif
