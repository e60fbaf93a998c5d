/*
 * The complement of a layout, as leaves added to a builder.
 */
#ifndef LAYOUT_COMPLEMENT_H
#define LAYOUT_COMPLEMENT_H

#include "layout/builder.h"

/** Add the leaves of the complement of @layout in [0, cotarget). ValueError when there is none. */
SW_NODISCARD enum sw_status sw__complement(struct sw__layout_builder *builder, const struct sw_layout *layout,
                                           int64_t cotarget);

#endif
