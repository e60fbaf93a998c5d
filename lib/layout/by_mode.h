/*
 * By-mode composition on runs of modes: what tilers and divisions are made of.
 */
#ifndef LAYOUT_BY_MODE_H
#define LAYOUT_BY_MODE_H

#include "layout/builder.h"

/**
 * sw__by_mode - compose @outer with each mode of @inner and add the results to
 * @builder. A result of one nested mode gives its content.
 *
 * @ret_refusal  Why there is no result, when SW_VALUE_ERROR is returned: no
 *               error is recorded then, since some callers only try.
 * @ret_n        How many modes were added.
 *
 * Returns SW_OK, SW_VALUE_ERROR (not recorded), SW_OVERFLOW_ERROR (recorded).
 */
SW_NODISCARD enum sw_status sw__by_mode(struct sw__layout_builder *builder, const struct sw__modes *outer,
                                        const struct sw__modes *inner, const char **ret_refusal, size_t *ret_n);

/** The same as one appended mode; a refusal is recorded. */
SW_NODISCARD enum sw_status sw__by_mode_append(struct sw__layout_builder *builder, const struct sw__modes *outer,
                                               const struct sw__modes *inner);

#endif
