/*
 * How layouts come into being inside of the library.
 */
#ifndef LAYOUT_MAKE_H
#define LAYOUT_MAKE_H

#include "layout/layout.h"
#include "layout/tree.h"

/** Record that @what (a word of the sentence) is no layout; returns SW_TYPE_ERROR. */
enum sw_status sw__not_a_layout(const char *what) __attribute__((cold));

static inline int sw__is_layout(const struct sw_layout *layout)
{
    return layout != NULL && layout->kind == SW_KIND_LAYOUT;
}

static inline enum sw_status sw__check_layout(const struct sw_layout *layout, const char *what)
{
    return __builtin_expect(sw__is_layout(layout), 1) ? SW_OK : sw__not_a_layout(what);
}

/**
 * sw__layout_adopt - a layout from congruent trees, whose leaves are checked
 * here. Takes both references on success (the locals are then NULL); on
 * failure they stay with the caller.
 */
SW_NODISCARD enum sw_status sw__layout_adopt(struct sw_tree **shape, struct sw_tree **stride,
                                             struct sw_layout **ret_layout);

/**
 * sw__layout_regular - the layout of @shape whose ordinals have the indices
 * 0, step, 2*step, ...: canonical strides times @step. The cosize must be
 * known to fit.
 */
SW_NODISCARD enum sw_status sw__layout_regular(const struct sw_tree *shape, int64_t step,
                                               struct sw_layout **ret_layout);

#endif
