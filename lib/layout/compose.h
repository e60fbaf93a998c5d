/*
 * Composition of layouts as functions, without the obligation to be one.
 */
#ifndef LAYOUT_COMPOSE_H
#define LAYOUT_COMPOSE_H

#include "layout/layout.h"

/** compose, with *ret_layout NULL and SW_OK when the composition is not a layout. The domain was checked. */
SW_NODISCARD enum sw_status sw__layout_try_compose(const struct sw_layout *outer, const struct sw_layout *inner,
                                                   struct sw_layout **ret_layout);

/** Whether the index of every ordinal is the ordinal itself. */
int sw__layout_is_identity(const struct sw_layout *layout);

/** Another layout's shape with its strides times @factor. */
SW_NODISCARD enum sw_status sw__layout_scaled(const struct sw_layout *layout, int64_t factor,
                                              struct sw_layout **ret_layout);

#endif
